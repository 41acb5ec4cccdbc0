// What a result file says of the run that made it, in JSON. Included by .cpp files only.
#pragma once

#include "sarrus/core/json_fwd.hpp"
#include "sarrus/results/result_format.hpp"
#include "sarrus/run/simulate.hpp"

namespace sarrus {

/// The settings as they act, in the keys of model files.
Json settings_json(const SimulateSpec& settings);
/// Everything but wall time, so that one input gives one file.
Json summary_json(const Mechanism& mechanism, const SimulateSpec& settings,
                  const RunSummary& summary, size_t columns);
ResultStatus result_status(RunStatus status);

}  // namespace sarrus
