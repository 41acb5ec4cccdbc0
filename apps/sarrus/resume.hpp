// Which run a folder holds, and whether this run may continue it.
//
// A run is the model (every byte of its files), the parameters set, and the settings that shape the
// rows. Budgets are not part of it. `until` is not either where output_step is given: rows then lie
// at the same times whatever the end, and a run that was stopped may be continued further than
// first asked for. Without output_step the spacing follows from `until`, which then must stay.
#pragma once

#include <optional>
#include <string>

#include "options.hpp"
#include "sarrus/results/checkpoint_file.hpp"

namespace sarrus::app {

/// What tells runs apart, sixteen hexadecimal digits.
std::string run_hash(const Model& model, const ModelOptions& options);

enum class Resume {
  from_checkpoint,
  from_start,  // it was killed before its first checkpoint
  finished,    // there is nothing left to do
};

/// How the run in `folder` can be continued. Throws Error(io) where it is another run.
Resume how_to_resume(const std::string& folder, const std::string& hash,
                     const SimulateSpec& settings);

}  // namespace sarrus::app
