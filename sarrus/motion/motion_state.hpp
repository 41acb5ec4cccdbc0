// Everything that the next step of a motion depends on.
#pragma once

#include <cstdint>
#include <vector>

namespace sarrus {

struct MotionState {
  double t = 0;                // [s]
  std::int64_t steps = 0;      // since the start
  std::vector<double> q;       // configuration
  std::vector<double> rest;    // y: what q has lost by rounding, u or p, others, ledger
  std::vector<double> memory;  // of the integrator
};

}  // namespace sarrus
