// The lowest modes of a large sparse pair: K x = λ M x near a shift σ, by block Lanczos on
//
//   OP = (K − σM)⁻¹ M,   OP x = θ x,   λ = σ + 1/θ                                          (1)
//
// in the inner product of M. Every new block is made orthogonal to all before (twice); a basis that
// grows too long is replaced by its best vectors (thick restart). A block, and not one vector,
// because symmetric structures have modes in pairs.
//
// K − σM is factored once. The shift lies below the lowest mode, so that it is definite: 0 where K
// is, otherwise as little below 0 as is needed. [Grimes, Lewis, Simon 1994; Wu, Simon 2000]
#pragma once

#include <string>
#include <vector>

#include "sarrus/numerics/matrix.hpp"

namespace sarrus {

struct LanczosOptions {
  int modes = 20;
  int block = 4;
  double tolerance = 1e-10;  // of θ, relative
  int most_solves = 3000;
  bool count = false;  // factor once more above the last mode, to prove that none is missing
};

struct LanczosResult {
  std::vector<double> lambda;  // rising
  Matrix vectors;              // xᵀMx = 1
  double shift = 0;
  double residual = 0;  // largest |Kx − λMx| against |K||x|
  int solves = 0, restarts = 0;
  long long factor_entries = 0;
  double factor_operations = 0;
  std::string ordering;
  bool converged = false;
  std::string problem;  // where there is none
  int counted = -1;     // modes below counted_at, by Sylvester's law; −1: not asked for
  double counted_at = 0;
};

LanczosResult lowest_modes(const SparseMatrix& M, const SparseMatrix& K,
                           const LanczosOptions& options = {});

}  // namespace sarrus
