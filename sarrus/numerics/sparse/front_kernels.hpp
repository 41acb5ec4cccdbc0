// Dense work on one front of a sparse factorisation, for the machine at hand.
//
//   panel = [L₁₁; L₂₁] before: the columns of a symmetric matrix from the diagonal down
//   L₁₁ D L₁₁ᵀ = F₁₁,   L₂₁ = F₂₁ L₁₁⁻ᵀ D⁻¹,   F₂₂ −= L₂₁ D L₂₁ᵀ  (lower half)          (1)
//
// No pivots are exchanged: for definite and quasi-definite matrices none are needed.
#pragma once

namespace sarrus {

struct FrontKernels {
  /// (1) on a panel of `rows` × `pivots` and the update of (rows − pivots)², all by columns. `d`
  /// takes D, `work` rows × 64 numbers. False where a pivot is zero or not finite.
  bool (*factor)(double* panel, int rows, int pivots, double* d, double* update, double* work);
  /// X₁ ← L₁₁⁻¹ X₁, X₂ −= L₂₁ X₁ on four right-hand sides, row after row of four numbers.
  void (*forward)(const double* panel, int rows, int pivots, double* X);
  /// X₁ ← L₁₁⁻ᵀ (X₁ − L₂₁ᵀ X₂).
  void (*backward)(const double* panel, int rows, int pivots, double* X);
};

const FrontKernels& front_kernels();

}  // namespace sarrus
