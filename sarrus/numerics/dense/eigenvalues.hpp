// Eigenvalues of dense symmetric matrices, rising, and of symmetric pairs.
//
//   A x = λ x                xᵀx  = 1
//   K x = λ M x              xᵀMx = 1, M positive definite
#pragma once

#include <Eigen/Core>

namespace sarrus {

struct EigenPairs {
  bool ok = false;  // false: M is not positive definite, or the iteration does not end
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;  // by columns; empty where only values were asked for
};

EigenPairs symmetric_eigen(const Eigen::MatrixXd& A);
EigenPairs symmetric_eigen(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M);
/// The same without vectors.
EigenPairs symmetric_eigenvalues(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M);
Eigen::Vector3d symmetric_eigenvalues(const Eigen::Matrix3d& A);

/// A x = λ x of any real matrix.
struct ComplexEigenPairs {
  bool ok = false;
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
ComplexEigenPairs complex_eigen(const Eigen::MatrixXd& A);

/// A = Aᴴ: real values, rising; xᴴx = 1.
struct HermitianPairs {
  bool ok = false;
  Eigen::VectorXd values;
  Eigen::MatrixXcd vectors;
};
HermitianPairs hermitian_eigen(const Eigen::MatrixXcd& A);

}  // namespace sarrus
