// The responses that `sarrus reduce` computes on the modes: a history in time, and the response to
// harmonic loads over a range of frequencies.
#pragma once

#include "commands/reduce_input.hpp"

namespace sarrus::app {

/// What both start from.
struct ReducedSystem {
  const ReduceArguments& arguments;
  const ReduceInput& input;
  const RightSide& right_side;
  const Reduction& reduction;
  const LinearModes& modes;
};

/// Writes the history over the grid, if there is one, and the frequency responses, if asked for.
void write_responses(const ReducedSystem& of, const std::optional<TimeGrid>& grid,
                     OutputFolder& folder, Output& out);

}  // namespace sarrus::app
