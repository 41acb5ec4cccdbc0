#include "sarrus/numerics/dense/triangular.hpp"

namespace sarrus {

Cholesky::Cholesky(const Eigen::MatrixXd& A) : factors_(A) {}
bool Cholesky::ok() const { return factors_.info() == Eigen::Success; }
Eigen::VectorXd Cholesky::diagonal() const { return factors_.matrixLLT().diagonal(); }
Eigen::MatrixXd Cholesky::solve(const Eigen::MatrixXd& B) const { return factors_.solve(B); }

Eigen::VectorXd solve_ldlt(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  return A.ldlt().solve(b);
}

Lu::Lu(const Eigen::MatrixXd& A) : factors_(A) {}
void Lu::compute(const Eigen::MatrixXd& A) { factors_.compute(A); }
Eigen::MatrixXd Lu::solve(const Eigen::MatrixXd& B) const { return factors_.solve(B); }
void Lu::solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const { x = factors_.solve(b); }

void ComplexLu::compute(const Eigen::MatrixXcd& A) { factors_.compute(A); }
void ComplexLu::solve(const Eigen::VectorXcd& b, Eigen::VectorXcd& x) const {
  x = factors_.solve(b);
}

FullLu::FullLu(const Eigen::MatrixXd& A) : factors_(A) {}
Eigen::Index FullLu::rank() const { return factors_.rank(); }
bool FullLu::is_invertible() const { return factors_.isInvertible(); }
Eigen::MatrixXd FullLu::solve(const Eigen::MatrixXd& B) const { return factors_.solve(B); }

Eigen::MatrixXd inverse(const Eigen::MatrixXd& A) { return A.inverse(); }
Eigen::MatrixXcd inverse(const Eigen::MatrixXcd& A) { return A.inverse(); }
Eigen::VectorXcd solve_lu(const Eigen::MatrixXcd& A, const Eigen::VectorXcd& b) {
  return A.partialPivLu().solve(b);
}

}  // namespace sarrus
