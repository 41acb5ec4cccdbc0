// simulate: from a motion and its start to rows, a summary, and checkpoints.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/motion/motion.hpp"
#include "sarrus/run/conserved.hpp"
#include "sarrus/run/event_locator.hpp"
#include "sarrus/run/recorder.hpp"
#include "sarrus/run/trajectory.hpp"

namespace sarrus {

enum class RunStatus { done, stopped, interrupted, budget, failed };
const char* to_text(RunStatus status);

/// What happens where a row is not ready when its time has come.
enum class Overrun {
  slow_down,    // all later rows are due later
  skip_output,  // rows are left out until the computation has caught up
  stop,         // the run ends with status `budget`
};
Overrun overrun_named(const std::string& name);

/// How rows kept to the pace of a clock.
struct Pace {
  std::int64_t deadlines = 0, misses = 0, skipped = 0;
  double p50 = 0, p99 = 0, worst = 0;  // lateness [s]
};

struct SimulateOptions {
  double start = 0;        // [s]
  double until = 10;       // [s]
  double output_step = 0;  // [s]; 0: (until − start)/1000
  bool reactions = false, momenta = false, accelerations = false;
  double max_wall = 0;           // [s], 0: none
  std::int64_t max_steps = 0;    // 0: none
  double checkpoint_every = 30;  // [s] of wall time
  double real_time_factor = 0;   // simulated seconds per second of a clock; 0: no clock
  Overrun overrun = Overrun::slow_down;

  /// Asked after every step; a value other than 0 ends the run with status `interrupted`.
  std::function<int()> interrupted;
  /// Called now and then with the time reached.
  std::function<void(double t)> progress;
  /// Called at once with a warning that would come too late at the end.
  std::function<void(const Diagnostic&)> warning;
  /// Called with the state to go on from: every checkpoint_every, and when the run ends early.
  std::function<void(const Checkpoint&)> checkpoint;
};

struct RunSummary {
  RunStatus status = RunStatus::done;
  int signal = 0;  // what `interrupted` answered
  double t = 0;    // [s] reached
  std::int64_t steps = 0, rejected = 0, evaluations = 0, rows = 0;
  double smallest_step = 0, largest_step = 0;  // [s]
  double wall = 0;                             // [s]

  // energies at the end, the ledger since the start, and how far the account is from closing
  double energy_start = 0, kinetic = 0, potential = 0;
  double dissipated = 0, drive = 0, external = 0;  // [J]
  double closure = 0;  // largest |E − E₀ + dissipated − drive − external| over the rows [J]
  double energy_scale = 0;       // what that is measured against: largest exchange so far [J]
  double constraint = 0;         // largest position residual of loops in the rows [m]
  double constraint_rate = 0;    // largest velocity residual [m/s]
  std::vector<Drift> conserved;  // what stays constant, and how far it has moved over the rows
  std::vector<LocatedEvent> events;
  Pace pace;
  std::vector<Diagnostic> notes;      // warnings of the run
  std::optional<Diagnostic> failure;  // where status is failed
};

/// Runs; rows go to `sink`. With `from`, continues a run at that checkpoint: rows before it are not
/// repeated. Throws Error(usage) for times that make no sense, and where a callback of this run
/// asks for another with the same motion.
RunSummary simulate(Motion& motion, const StartState& start, const SimulateOptions& options,
                    RowSink& sink, const Checkpoint* from = nullptr);

/// The same, with the rows kept in memory.
struct Run {
  Trajectory trajectory;
  RunSummary summary;
};
Run simulate(const Mechanism& mechanism, const SimulateSpec& settings,
             const std::function<int()>& interrupted = {},
             const std::function<void(double t)>& progress = {});

/// The start that the model gives.
StartState start_state(const Mechanism& mechanism, double t);

/// Whether rows hold momenta: where asked for, and where they are the state.
bool records_momenta(const SimulateSpec& settings);

}  // namespace sarrus
