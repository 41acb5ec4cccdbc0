// All modes of a symmetric pair K x = λ M x, the low ones as exactly as the high ones.
//
// The usual reduction (Cholesky of M) gives every λ with an error of ε λ_max: for stiff systems the
// low modes lose digits. The pair turned round,
//
//   M x = μ (K + sM) x,   λ = 1/μ − s      s = 0, or λ₁ where K is only semidefinite       (1)
//
// has its errors at the other end, ε λ relative to λ₁. Each mode is taken from the side on which it
// is more exact: the lower ones, up to √(λ₁ λ_max), from (1).
#pragma once

#include <vector>

#include "sarrus/numerics/matrix.hpp"

namespace sarrus {

struct DenseModes {
  std::vector<double> lambda;  // rising; 0 exactly for motions without stiffness
  Matrix vectors;              // xᵀMx = 1
  int rigid = 0;               // modes with λ = 0
  bool ok = true;              // false: M is not positive definite
};

DenseModes dense_modes(const Matrix& M, const Matrix& K);

}  // namespace sarrus
