// What `sarrus reduce` says of its results.
#pragma once

#include "output.hpp"
#include "sarrus/linear/linear_files.hpp"

namespace sarrus::app {

/// The rank decision is shown, not hidden: values around the gap, tolerance, gap, redundant rows.
void report_rank(const LinearSystem& system, const Reduction& reduction, Output& out);
void report_modes(const LinearSystem& system, const Reduction& reduction, const LinearModes& modes,
                  Output& out);
void report_history(const LinearSystem& system, const TimeHistory& history, Output& out);
void report_files(const OutputFolder& folder, Output& out);

}  // namespace sarrus::app
