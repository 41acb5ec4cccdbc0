// Triangular factors of dense square matrices, and what they solve.
//
//   A   = L Lᵀ          Cholesky       symmetric and positive definite
//   A   = Pᵀ L D Lᵀ P   solve_ldlt     symmetric
//   P A = L U           Lu, ComplexLu  any that is not singular
//   P A Q = L U         FullLu         any: tells its rank
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace sarrus {

class Cholesky {
 public:
  explicit Cholesky(const Eigen::MatrixXd& A);
  /// False where A is not positive definite.
  bool ok() const;
  /// Of L.
  Eigen::VectorXd diagonal() const;
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;

 private:
  Eigen::LLT<Eigen::MatrixXd> factors_;
};

Eigen::VectorXd solve_ldlt(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

class Lu {
 public:
  Lu() = default;
  explicit Lu(const Eigen::MatrixXd& A);
  void compute(const Eigen::MatrixXd& A);
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;
  /// Does not allocate if x already has its size.
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const;

 private:
  Eigen::PartialPivLU<Eigen::MatrixXd> factors_;
};

class ComplexLu {
 public:
  void compute(const Eigen::MatrixXcd& A);
  /// Takes no memory where x has its size.
  void solve(const Eigen::VectorXcd& b, Eigen::VectorXcd& x) const;

 private:
  Eigen::PartialPivLU<Eigen::MatrixXcd> factors_;
};

class FullLu {
 public:
  explicit FullLu(const Eigen::MatrixXd& A);
  Eigen::Index rank() const;
  bool is_invertible() const;
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;

 private:
  Eigen::FullPivLU<Eigen::MatrixXd> factors_;
};

Eigen::MatrixXd inverse(const Eigen::MatrixXd& A);
Eigen::MatrixXcd inverse(const Eigen::MatrixXcd& A);
Eigen::VectorXcd solve_lu(const Eigen::MatrixXcd& A, const Eigen::VectorXcd& b);

}  // namespace sarrus
