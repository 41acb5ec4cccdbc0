// The summary of a run, for people and for machines.
#pragma once

#include <string>

#include "output.hpp"
#include "sarrus/model/model.hpp"
#include "sarrus/results/run_json.hpp"
#include "sarrus/run/convergence.hpp"
#include "sarrus/run/simulate.hpp"

namespace sarrus::app {

struct RunReport {
  const Mechanism& mechanism;
  const SimulateSpec& settings;
  const RunSummary& summary;
  size_t columns = 0;
  bool adaptive = true;  // the method chooses its steps
};

/// What the result file keeps: everything but wall time, so that one input gives one file.
Json summary_json(const RunReport& report);
/// How rows kept to their clock: no part of the result file, since it differs from run to run.
Json pace_json(const Pace& pace);
/// The table of --halve.
void print_convergence(const Convergence& convergence, Output& out);
Json convergence_json(const Convergence& convergence);
/// About twenty lines.
void print_summary(const RunReport& report, Output& out);

}  // namespace sarrus::app
