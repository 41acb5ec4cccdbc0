// Runs of the discrete formulation as its user meets them: resumed, paced, repeated with half the
// step.
#include <doctest/doctest.h>

#include <chrono>
#include <cstring>

#include "near.hpp"
#include "sarrus/run/convergence.hpp"
#include "sarrus/run/pacer.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

struct Rows final : RowSink {
  std::vector<double> values;
  void begin(const std::vector<Column>&) override {}
  void row(std::span<const double> row) override {
    values.insert(values.end(), row.begin(), row.end());
  }
};

/// Two rods with a motor, a spring, a joint that comes and goes, and a floor.
Model busy() {
  Model model = rods(2, 0.3, 1);
  model.joints[0].q = {1.2};
  model.joints[1].motor = MotorSpec{formula("3*sin(9*t)"), 1.5, 0.02, 0.2, 0.2, 3, 0.9, 1e-3};
  JointSpec stop = joint("stop", JointType::spherical, "world", "b1");
  stop.active = formula("(t - 0.05)*(0.12 - t)");
  model.joints.push_back(stop);
  Shape tip;
  tip.kind = ShapeKind::sphere;
  tip.radius = 0.05;
  tip.X_BS.p = {0, 0, -0.3};
  model.bodies[1].shapes = {tip};
  ContactSpec floor;
  floor.name = "floor";
  floor.bodies = {"b1"};
  floor.with = "world";
  floor.plane = true;
  floor.at = {0, 0, -0.45};
  floor.stiffness = 1e4, floor.dissipation = 0.5, floor.friction = 0.3;
  model.contacts = {floor};
  model.simulate.formulation = "discrete";
  model.simulate.until = 0.3;
  model.simulate.output_step = 0.0131;
  model.simulate.step = 1e-4;
  return model;
}

std::vector<double> in_pieces(const Mechanism& m, const SimulateSpec& s, std::int64_t steps) {
  SimulateOptions options;
  options.until = s.until;
  options.output_step = *s.output_step;
  Rows sink;
  Checkpoint kept;
  bool continued = false;
  for (int piece = 1; piece < 10000; ++piece) {
    const auto motion = make_motion(m, s);
    options.max_steps = steps * piece;
    Checkpoint next;
    options.checkpoint = [&](const Checkpoint& c) { next = c; };
    const RunSummary summary =
        simulate(*motion, start_state(m, 0), options, sink, continued ? &kept : nullptr);
    if (summary.status != RunStatus::budget) {
      REQUIRE(summary.status == RunStatus::done);
      break;
    }
    kept = next;
    continued = true;
  }
  return sink.values;
}

}  // namespace

TEST_CASE("a discrete run that was stopped and continued repeats every bit") {
  const Model model = busy();
  const Mechanism m = compile(model);
  const std::vector<double> whole = in_pieces(m, model.simulate, 1'000'000);
  for (const std::int64_t steps : {100, 777}) {
    const std::vector<double> pieces = in_pieces(m, model.simulate, steps);
    REQUIRE(pieces.size() == whole.size());
    CHECK(std::memcmp(pieces.data(), whole.data(), whole.size() * sizeof(double)) == 0);
  }
}

TEST_CASE("rows and the end fall where they are asked for, whatever the step") {
  Model model = busy();
  model.simulate.step = 0.7e-4;  // divides nothing
  model.simulate.until = 0.1;
  model.simulate.output_step = 0.03;
  const Run r = simulate(compile(model), model.simulate);
  REQUIRE(r.trajectory.rows() == 5);
  CHECK(r.trajectory.row(4)[0] == 0.1);
  CHECK(r.trajectory.row(3)[0] == 3 * 0.03);
  // the same motion as with a step that divides all, to the square of the step
  model.simulate.step = 0.5e-4;
  const Run even = simulate(compile(model), model.simulate);
  CHECK(near(last(r, "j0.q"), last(even, "j0.q"),
             1e-4));  // differences of (0.7² − 0.5²) of what 1e-4 s leave, 1e-5
}

TEST_CASE("events are located between two steps") {
  Model model = rods(1, 0.3, 1);
  model.joints[0].q = {0.1};
  EventSpec e;
  e.name = "bottom";
  e.when = formula("j0.q");
  model.events = {e};
  model.simulate.until = 2;
  const Run exact = run(model, 2);
  model.simulate.formulation = "discrete";
  model.simulate.step = 1e-4;
  const Run r = simulate(compile(model), model.simulate);
  REQUIRE(r.summary.events.size() == exact.summary.events.size());
  REQUIRE(r.summary.events.size() >= 3);
  for (size_t i = 0; i < 3; ++i)
    CHECK(std::fabs(r.summary.events[i].t - exact.summary.events[i].t) <
          5e-6);  // the motion's own error at this step
}

TEST_CASE("runs with half the step tell order and error of what is measured") {
  Model model = rods(2, 0.3, 1);
  model.joints[0].q = {1.2};
  model.simulate.formulation = "discrete";
  model.simulate.until = 0.5;
  model.simulate.output_step = 0.1;
  model.simulate.step = 2e-4;
  const Mechanism m = compile(model);
  const Convergence c = converge(m, model.simulate, 2);
  REQUIRE(c.columns.size() == 2);
  CHECK(c.steps == std::vector<double>{2e-4, 1e-4, 0.5e-4});
  SimulateSpec s = model.simulate;
  s.formulation = "recursive";
  s.rtol = 1e-12;
  s.step.reset();
  const Run exact = simulate(m, s);
  s = model.simulate;
  s.step = 0.5e-4;
  const Run finest = simulate(m, s);
  for (const ColumnConvergence& column : c.columns) {
    CHECK(near(column.order, 2, 0.05));  // next term: h² beside 1; blocks ring a little
    double error = 0;
    for (int i = 1; i < exact.trajectory.rows(); ++i)
      error = std::max(error, std::fabs(exact.trajectory.at(i, column.column.name) -
                                        finest.trajectory.at(i, column.column.name)));
    CHECK(near(column.error, error,
               0.1));  // extrapolation from two runs: the next order, and rows near the largest
  }
  s.formulation = "recursive";
  CHECK_THROWS_AS(converge(m, s, 3), Error);  // dop853 chooses its own steps
  CHECK_THROWS_AS(converge(m, model.simulate, 1), Error);
}

TEST_CASE("rows come at the pace of a clock, and late ones are counted") {
  using Clock = std::chrono::steady_clock;
  Model model = rods(1, 0.3, 1);
  model.simulate.formulation = "discrete";
  model.simulate.until = 0.2;
  model.simulate.output_step = 0.02;
  model.simulate.step = 1e-4;
  model.simulate.real_time_factor = 2;
  const Mechanism m = compile(model);
  const auto start = Clock::now();
  const Run r = simulate(m, model.simulate);
  const double wall = std::chrono::duration<double>(Clock::now() - start).count();
  CHECK(wall > 0.09);  // (0.2 − 0.02) s at twice the pace
  CHECK(r.summary.pace.deadlines == 10);
  CHECK(r.summary.pace.p50 <= r.summary.pace.p99);
  CHECK(r.summary.pace.p99 <= r.summary.pace.worst);

  // a clock that nobody can keep up with
  model.simulate.real_time_factor = 1e9;
  const Run slow = simulate(m, model.simulate);
  CHECK(slow.summary.status == RunStatus::done);
  CHECK(slow.summary.pace.misses == 9);
  CHECK(slow.trajectory.rows() == 11);
  model.simulate.overrun = "skip_output";
  const Run skipped = simulate(m, model.simulate);
  CHECK(skipped.trajectory.rows() + skipped.summary.pace.skipped == 11);
  CHECK(skipped.trajectory.rows() < 11);
  CHECK(skipped.trajectory.row(skipped.trajectory.rows() - 1)[0] == 0.2);
  model.simulate.overrun = "stop";
  CHECK(simulate(m, model.simulate).summary.status == RunStatus::budget);
}
