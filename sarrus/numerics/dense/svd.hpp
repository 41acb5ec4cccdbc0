// Singular values of dense matrices: A = U diag(σ) Vᵀ, σ falling.
//
// Two ways: Jacobi's rotations, which find small values with all their digits, and divide and
// conquer, which is faster from about a hundred columns on. [Golub, Van Loan 2013, 8.6]
#pragma once

#include <Eigen/Core>

namespace sarrus {

struct Svd {
  Eigen::VectorXd sigma;
  Eigen::MatrixXd U, V;  // those asked for: Eigen::ComputeFullU | Eigen::ComputeThinV …

  /// How many values are above tolerance σ₁; 0: above rounding, min(rows, cols) ε.
  Eigen::Index rank(double tolerance = 0) const;
  /// The shortest x of least |A x − b| by the values that count; needs U and V.
  Eigen::VectorXd solve(const Eigen::VectorXd& b, double tolerance = 0) const;
};

Svd jacobi_svd(const Eigen::MatrixXd& A, unsigned vectors = 0);
/// With pivoting by rows and columns beforehand: also small vectors to all digits. U and V are
/// full.
Svd fully_pivoted_svd(const Eigen::MatrixXd& A);
Svd divide_and_conquer_svd(const Eigen::MatrixXd& A, unsigned vectors = 0);

}  // namespace sarrus
