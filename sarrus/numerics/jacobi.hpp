// Two methods of Jacobi: rotations that make a symmetric matrix diagonal, and rotations that make
// the columns of any matrix orthogonal.
//
//   threshold Jacobi    UᵀEU = diag λ: rotate (p, q) where |e_pq| exceeds a threshold that falls
//                       from sweep to sweep
//   one-sided Jacobi    the singular values of A to high relative accuracy, in any precision
//
// [Golub, Van Loan 2013, 8.5, 8.6]
#pragma once

#include <vector>

#include "sarrus/numerics/matrix.hpp"

namespace sarrus {

struct SymmetricEigen {
  std::vector<double> values;  // descending
  Matrix vectors;              // orthonormal columns in the same order
  int sweeps = 0;
  bool converged = true;
};

/// Eigenvalues and eigenvectors of a symmetric matrix, as Walton and Steeves computed them.
SymmetricEigen threshold_jacobi(const Matrix& E);

/// Singular values of A, descending, computed with about 32 digits.
std::vector<double> singular_values_with_32_digits(const Matrix& A);

}  // namespace sarrus
