// Eigenvalues of a linear model, each with a bound on its error.
//
// Where M, D, K say it all, modes of the undamped system scale them: with K φ = ω² M φ, V = [φ]
// and x = V a, coordinates ω a and ȧ have the unit of a root of energy, and A is
//
//   [0  ω; −ω  −VᵀDV]                                                                      (1)
//
// whose entries are as large as its eigenvalues, not as their squares: low modes of stiff systems
// keep their digits. Without damping and with K ≥ 0, (1) is skew: its eigenvalues are imaginary
// exactly, and no rounding makes a rotor grow. Otherwise A of the state space serves as it is.
#pragma once

#include <vector>

#include "sarrus/linear/linear_modes.hpp"
#include "sarrus/linear/linearize.hpp"

namespace sarrus {

/// One of each pair, by |λ|; shapes in the model's own positions and velocities, by columns.
struct ModelEigen {
  bool real = false;  // neither damping nor gyroscopic terms: K φ = ω² M φ
  std::vector<ComplexMode> values;
  std::vector<double> error;  // of λ [1/s]
  std::vector<char> zero;     // λ = 0 as far as can be told
  Matrix x_re, x_im, u_re, u_im;
};

/// Throws Error(numerics) where the iteration does not end.
ModelEigen model_eigen(const LinearModel& model, const StateSpace& space);

}  // namespace sarrus
