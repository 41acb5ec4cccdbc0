// Modes while a number of the mechanism changes: lines that follow one mode each, and the values at
// which stability is lost or won.
//
// Of the eigenvalues at the next value each line takes the one nearest to its linear extrapolation,
// the nearest pairs first, so that lines cross where frequencies do. A change of stability lies
// where the largest real part of any λ passes through zero: by regula falsi with
// halved weights (Illinois), or by bisection where it stays at zero on one side.
#pragma once

#include <functional>
#include <vector>

#include "sarrus/linear/modes.hpp"

namespace sarrus {

struct StabilityChange {
  double value = 0;                       // of the number
  double error = 0;                       // half the interval in which it lies
  bool is_lost = true;                    // otherwise won
  Stability how = Stability::divergence;  // of the unstable side: divergence or flutter
};

struct ModeSweep {
  std::vector<double> values;
  std::vector<std::vector<ComplexMode>> lines;  // by value, then by line; NaN where there is none
  std::vector<char> unstable;                   // by value
  std::vector<StabilityChange> changes;         // rising
};

/// `modes_at`: of the mechanism at a value, asked for in the order of `values`, then between them.
ModeSweep sweep_modes(const std::vector<double>& values,
                      const std::function<ModelModes(double)>& modes_at);

}  // namespace sarrus
