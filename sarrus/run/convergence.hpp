// How far a run with a fixed step is from the limit of small steps, by halving the step.
//
//   d_k = largest |x(h/2^(k+1)) − x(h/2^k)| over the rows
//   order p = log₂(d_k/d_k+1),    error of the finest ≈ d/(2^p − 1)        [Richardson]
#pragma once

#include <string>
#include <vector>

#include "sarrus/run/simulate.hpp"

namespace sarrus {

struct ColumnConvergence {
  Column column;
  double size = 0;      // largest value in any row
  double order = 0;     // observed; NaN where differences are rounding only
  double error = 0;     // of the finest run, extrapolated
  double coarsest = 0;  // of the first run
};

struct Convergence {
  std::vector<double> steps;  // [s]
  std::vector<double> wall;   // [s] each
  std::vector<ColumnConvergence> columns;
};

/// Runs with the step h, h/2, …, h/2^halvings; joint positions and everything that sensors read are
/// compared. Throws Error(usage) for a method without a fixed step or fewer than two halvings,
/// Error(numerics) where a run fails.
Convergence converge(const Mechanism& mechanism, const SimulateSpec& settings, int halvings);

}  // namespace sarrus
