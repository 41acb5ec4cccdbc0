// Everything that the next step of a motion depends on.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace sarrus {

struct MotionState {
  double t = 0;                // [s]
  std::int64_t steps = 0;      // since the start
  std::vector<double> q;       // configuration
  std::vector<double> rest;    // y: what q has lost by rounding, u or p, others, ledger
  std::vector<double> memory;  // of the integrator
  std::vector<double> formulation_memory;
  std::vector<double> parameters;  // inputs and sampled values too; empty: those of the model

  std::optional<double> counted_from;  // [s] fixed steps are counted from here instead of the start
  std::int64_t counted = 0;            // that many since then
};

}  // namespace sarrus
