// A run that was stopped and continued is the run that was not: the same bits in every row.
#include <doctest/doctest.h>

#include "loop_models.hpp"
#include "near.hpp"
#include "places.hpp"
#include "sarrus/files/read_model.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

struct KeptRows final : RowSink {
  std::vector<double> values;
  void begin(const std::vector<Column>&) override {}
  void row(std::span<const double> row) override {
    values.insert(values.end(), row.begin(), row.end());
  }
};

/// Ball joint, free body, motor with a current, friction on reactions, prescribed joint, events.
Model everything() {
  Model model = tree_b2();
  model.joints[1].motor = MotorSpec{formula("3*sin(9*t)"), 1.5, 0.02, 0.2, 0.2, 3, 0.9, 1e-3};
  model.joints[2].spring = JointSpringSpec{{5}, {}, {}};
  model.joints[3].friction = JointFrictionSpec{0.1, 0.2, 0, 0.1};
  model.joints[7].q.reset(), model.joints[7].u.reset();
  model.joints[7].motion = {formula("0.3*sin(2*t)")};
  EventSpec e;
  e.name = "passes";
  e.when = formula("j2.u");
  model.events = {e};
  return model;
}

struct Result {
  std::vector<double> rows;
  RunSummary summary;
};

/// The run in pieces of so many steps each, every piece with new objects.
Result run_in_pieces(const Mechanism& m, const SimulateSpec& s, std::int64_t steps) {
  SimulateOptions options;
  options.until = s.until;
  options.output_step = *s.output_step;
  KeptRows sink;
  Checkpoint kept;
  bool continued = false;
  const StartState start = start_state(m, 0);
  Result result;
  for (int piece = 1; piece < 100000; ++piece) {
    const auto motion = make_motion(m, s);
    options.max_steps = steps * piece;
    Checkpoint next;
    options.checkpoint = [&](const Checkpoint& c) { next = c; };
    result.summary = simulate(*motion, start, options, sink, continued ? &kept : nullptr);
    if (result.summary.status != RunStatus::budget) break;
    kept = next;
    continued = true;
  }
  result.rows = sink.values;
  return result;
}

}  // namespace

TEST_CASE("resume: every integrator that promises it repeats every bit, wherever the run is cut") {
  for (const std::string& name : integrator_names()) {
    if (name == "cvode") continue;  // says itself that it restarts
    CAPTURE(name);
    const bool plain = name == "tao";  // no rotations, no motors
    const Mechanism m = compile(plain ? chain_b1() : everything());
    SimulateSpec s;
    if (plain || name == "discrete_gradient" || name == "lie_midpoint")
      s.formulation = "hamiltonian";
    s.integrator = name;
    s.until = 0.5;
    s.output_step = 0.013;
    s.rtol = 1e-7;
    if (name != "dop853" && name != "dopri5") s.step = 0.004;
    const Result whole = run_in_pieces(m, s, 1'000'000);
    REQUIRE(whole.summary.status == RunStatus::done);
    if (!plain) CHECK(whole.summary.events.size() > 0);
    for (const std::int64_t steps : {1, 2, 7}) {
      CAPTURE(steps);
      const Result cut = run_in_pieces(m, s, steps);
      CHECK(cut.summary.status == RunStatus::done);
      CHECK(cut.rows == whole.rows);  // bit for bit
      CHECK(cut.summary.steps == whole.summary.steps);
      CHECK(cut.summary.evaluations == whole.summary.evaluations);
      CHECK(cut.summary.closure == whole.summary.closure);
      CHECK(cut.summary.energy_scale == whole.summary.energy_scale);
      REQUIRE(cut.summary.conserved.size() == whole.summary.conserved.size());
      for (size_t i = 0; i < cut.summary.conserved.size(); ++i)
        CHECK(cut.summary.conserved[i].largest == whole.summary.conserved[i].largest);
      REQUIRE(cut.summary.events.size() == whole.summary.events.size());
      for (size_t i = 0; i < cut.summary.events.size(); ++i)
        CHECK(cut.summary.events[i].t == whole.summary.events[i].t);
    }
  }
}

TEST_CASE("resume: cvode says that it restarts, and stays within its tolerance") {
  const Mechanism m = compile(everything());
  SimulateSpec s;
  s.integrator = "cvode";
  s.until = 0.5;
  s.output_step = 0.05;
  s.rtol = 1e-9;
  const Result whole = run_in_pieces(m, s, 1'000'000), cut = run_in_pieces(m, s, 150);
  REQUIRE(cut.rows.size() == whole.rows.size());
  CHECK(has(cut.summary.notes, "restarted"));
  for (size_t i = 0; i < cut.rows.size(); ++i)
    CHECK(within(cut.rows[i], whole.rows[i],
                 1e-5));  // rtol 1e-9, of rows up to ten, with two restarts: 5e-7
}

TEST_CASE("resume: a run of no more steps gives the checkpoint it was given") {
  const Mechanism m = compile(everything());
  SimulateSpec s;
  s.until = 1;
  const auto motion = make_motion(m, s);
  KeptRows sink;
  SimulateOptions options;
  options.until = 1;
  options.max_steps = 5;
  Checkpoint first, second;
  options.checkpoint = [&](const Checkpoint& c) { first = c; };
  simulate(*motion, start_state(m, 0), options, sink);
  options.interrupted = [] { return 15; };
  options.max_steps = 0;
  options.checkpoint = [&](const Checkpoint& c) { second = c; };
  const RunSummary summary = simulate(*motion, start_state(m, 0), options, sink, &first);
  CHECK(summary.status == RunStatus::interrupted);
  CHECK(summary.signal == 15);
  CHECK(second.steps == first.steps + 1);
  CHECK(second.t > first.t);
}

// ── loops ──

namespace {

struct LoopRun {
  std::string name;
  Model model;
  double until;
  std::string formulation = "recursive", integrator = "dop853";
};

Model example(const std::string& name) {
  return read_model(std::string(sarrus::testing::source_folder) + "/examples/" + name +
                    "/model.toml");
}

/// Redundant rows, rows that come and go near singular positions, elastic bodies, quaternions.
std::vector<LoopRun> loop_runs() {
  std::vector<LoopRun> runs;
  for (const char* formulation : {"recursive", "hamiltonian"}) {
    runs.push_back({"slider_crank", example("slider_crank"), 3, formulation});
    runs.push_back({"n_four_bar", n_four_bar(2), 10, formulation});
    runs.push_back({"bricard", bricard(), 10, formulation});
    runs.push_back({"double_wishbone", example("double_wishbone"), 1, formulation});
    runs.push_back({"elastic_slider_crank", example("elastic_slider_crank"), 0.02, formulation});
  }
  runs.push_back({"slider_crank", example("slider_crank"), 20});
  runs.push_back({"n_four_bar", n_four_bar(2), 2, "recursive", "rk4"});
  runs.push_back({"bricard", bricard(), 2, "hamiltonian", "gauss4"});
  return runs;
}

SimulateSpec settings_of(const LoopRun& run) {
  SimulateSpec s = run.model.simulate;
  s.formulation = run.formulation;
  s.integrator = run.integrator;
  s.until = run.until;
  s.output_step = run.until / 200;
  if (run.integrator != "dop853") s.step = 2e-3;
  return s;
}

}  // namespace

TEST_CASE("resume: with loops too every bit is repeated, wherever the run is cut") {
  for (const LoopRun& run : loop_runs()) {
    CAPTURE(run.name);
    CAPTURE(run.formulation);
    CAPTURE(run.integrator);
    const Mechanism m = compile(run.model);
    const SimulateSpec s = settings_of(run);
    const Result whole = run_in_pieces(m, s, 1'000'000), cut = run_in_pieces(m, s, 1);
    REQUIRE(whole.summary.status == RunStatus::done);
    CHECK(whole.summary.steps > 64);
    CHECK(cut.summary.status == RunStatus::done);
    CHECK(cut.summary.steps == whole.summary.steps);
    CHECK(cut.summary.evaluations == whole.summary.evaluations);
    const bool same = cut.rows == whole.rows;  // bit for bit
    CHECK(same);
  }
}

TEST_CASE("resume: a run in which checkpoints are taken is the run in which none is") {
  for (const LoopRun& run : loop_runs()) {
    CAPTURE(run.name);
    CAPTURE(run.formulation);
    CAPTURE(run.integrator);
    const Mechanism m = compile(run.model);
    const SimulateSpec s = settings_of(run);
    const StartState start = start_state(m, 0);
    int taken = 0;
    const auto run_with = [&](bool checkpoints) {
      const auto motion = make_motion(m, s);
      SimulateOptions options;
      options.until = s.until;
      options.output_step = *s.output_step;
      options.checkpoint_every = 0;  // whenever the clock is looked at
      if (checkpoints) options.checkpoint = [&](const Checkpoint&) { ++taken; };
      KeptRows sink;
      simulate(*motion, start, options, sink);
      return sink.values;
    };
    const bool undisturbed = run_with(true) == run_with(false);
    CHECK(undisturbed);
    CHECK(taken > 0);
  }
}
