// Eigenvalues of general real matrices, each with a bound on its error.
//
//   Â = S⁻¹ A S          scaled by powers of 2 until rows are as long as columns            (1)
//   Qᵀ Â Q = [0 X; 0 A₁]  the null space of Â split off, and again of A₁: λ = 0 exactly,
//                        however long the chains of a zero that is defective               (2)
//   A_k x = λ x           of what is left, with
//   |δλ| ≤ κ e            e = 10 n ε |A_k|,  κ = |x| |y| / |yᴴ x|; at most √(e |A_k|), what
//                        two equal eigenvalues lose                                        (3)
//
// Motions that nothing opposes (a wheel that has turned, a bicycle elsewhere on its plane) have
// λ = 0 with chains, and would otherwise come out as the root of rounding, growing or not.
// [Golub, Van Loan 2013, 7.2, 7.5]
#pragma once

#include <span>
#include <vector>

#include "sarrus/numerics/matrix.hpp"

namespace sarrus {

/// By |λ|, of a pair the one with positive imaginary part first. The first `zeros` are exactly 0;
/// their columns span the motions that belong to them, chains included.
struct BoundedEigen {
  std::vector<double> re, im, error;
  Matrix x_re, x_im;
  int zeros = 0;
  bool ok = true;
};
BoundedEigen bounded_eigen(const Matrix& A);

/// A of ÿ + D ẏ + diag(Λ) y = 0 in the coordinates s y and ẏ, s = √|Λ| (where Λ = 0, the least of the
/// others): as large as its eigenvalues, not as their squares. The first `left_out` y, on which
/// nothing depends, are no coordinates.
struct ModalForm {
  Matrix A;
  std::vector<double> scale;  // s
};
ModalForm modal_form(std::span<const double> Lambda, const Matrix& D, int left_out = 0);

/// λ = iω of ẋ = S x with S skew: exactly imaginary. Sorted as above; none is taken for zero that
/// is not below its error.
BoundedEigen skew_eigen(const Matrix& S);

}  // namespace sarrus
