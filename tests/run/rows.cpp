// Rows: how many, at which times, and what stands in them.
#include <doctest/doctest.h>
#include <fenv.h>

#include <cfenv>
#include <limits>
#include <memory>

#include "instant.hpp"
#include "near.hpp"
#include "processor_time.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

Run pendulum_run(const std::string& integrator, double start, double until, double output_step,
                 double step = 1e-3) {
  Model model = pendulum(0.5);
  SimulateSpec& s = model.simulate;
  s.integrator = integrator;
  s.start = start, s.until = until, s.output_step = output_step, s.rtol = 1e-8;
  if (integrator == "discrete_gradient" || integrator == "lie_midpoint")
    model.simulate.formulation = "hamiltonian";
  if (integrator != "dop853" && integrator != "dopri5" && integrator != "cvode") s.step = step;
  return simulate(compile(model), s);
}

/// One unit in the last place of x.
double ulp(double x) { return std::nextafter(std::fabs(x), HUGE_VAL) - std::fabs(x); }

void check_times(const Run& r, double start, double until, double output_step, int rows) {
  REQUIRE(r.trajectory.rows() == rows);
  CHECK(r.summary.rows == rows);
  for (int k = 0; k + 1 < rows; ++k) {
    const double exact = start + k * output_step;
    CHECK(std::fabs(r.trajectory.row(k)[0] - exact) <= ulp(exact));
  }
  CHECK(r.trajectory.row(rows - 1)[0] == until);
  CHECK(r.summary.t == until);
}

}  // namespace

TEST_CASE("rows: so many after the start, where no spacing is given") {
  Model model = pendulum(0.5);
  SimulateSpec& s = model.simulate;
  s.start = 0.5, s.until = 2.5, s.rows = 40;
  for (const char* formulation : {"recursive", "discrete"}) {
    s.formulation = formulation;
    check_times(simulate(compile(model), s), 0.5, 2.5, 0.05, 41);
  }
  s.formulation = "recursive";
  s.output_step = 0.5;
  check_times(simulate(compile(model), s), 0.5, 2.5, 0.5, 5);  // a spacing wins
  CHECK(setting("rows").is_used(s) == false);
  s.rows = 0;
  CHECK(setting("rows").problem(s) == "0 is not above 0");
}

TEST_CASE("rows: at start + k·dt, and one at the end exactly, for every integrator") {
  for (const std::string& name : integrator_names()) {
    CAPTURE(name);
    check_times(pendulum_run(name, 0, 1, 0.01), 0, 1, 0.01, 101);
    check_times(pendulum_run(name, 0, 1, 0.3), 0, 1, 0.3, 5);  // no multiple: 0 0.3 0.6 0.9 1
    check_times(pendulum_run(name, 0.1, 0.8, 0.1), 0.1, 0.8, 0.1, 8);  // 0.7/0.1 is not 7 in binary
    check_times(pendulum_run(name, -2, -1.3, 1e-3, 0.017), -2, -1.3, 1e-3, 701);
  }
}

TEST_CASE("rows: far from zero, times keep their last bit") {
  check_times(pendulum_run("dop853", 1e9, 1e9 + 1, 1e-3), 1e9, 1e9 + 1, 1e-3, 1001);
  check_times(pendulum_run("rk4", 1e6, 1e6 + 1, 0.125), 1e6, 1e6 + 1, 0.125, 9);
}

TEST_CASE("rows: fixed steps are counted, not summed") {
  // 0.1 is not a binary fraction: ten thousand of them added up miss by 1e-10
  Model model = slider(1, 0, 1);
  model.simulate.integrator = "rk4";
  model.simulate.step = 0.1;
  model.simulate.until = 1000.05;
  model.simulate.output_step = 100;
  const Run r = simulate(compile(model), model.simulate);
  CHECK(r.summary.steps == 10001);
  CHECK(near(r.summary.smallest_step, 0.05,
             1e-10));  // 1000.05 less 10⁴ steps: rounding of 1000, beside 0.05
  CHECK(near(last(r, "rail.q"), 1000.05, 1e-12));  // 10⁴ additions
}

TEST_CASE("rows: between steps they are interpolated, not repeated") {
  // free swing from 0.5 rad, rows 100 times denser than the steps of dop853
  const Run dense = pendulum_run("dop853", 0, 1, 1e-3);
  CHECK(dense.summary.steps < 100);
  // u is the derivative of q: third derivatives of 5 rad/s³ and 1e-8 of interpolation over 2e-3 s
  for (int k = 1; k + 1 < dense.trajectory.rows(); ++k) {
    const double slope =
        (dense.trajectory.at(k + 1, "hinge.q") - dense.trajectory.at(k - 1, "hinge.q")) / 2e-3;
    CHECK(std::fabs(slope - dense.trajectory.at(k, "hinge.u")) < 1e-5);  // 5/6 · 1e-6 and 1e-8/2e-3
  }
}

TEST_CASE("rows: impossible times are refused by name") {
  const Model model = pendulum(0.5);
  const Mechanism m = compile(model);
  const auto refused = [&](double start, double until, double output_step) -> std::string {
    SimulateSpec s;
    s.start = start, s.until = until, s.output_step = output_step;
    try {
      simulate(m, s);
    } catch (const Error& e) {
      CHECK(e.fault() == Fault::usage);
      return e.diagnostics()[0].element;
    }
    return "";
  };
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               inf = std::numeric_limits<double>::infinity();
  CHECK(refused(nan, 1, 0.1) == "simulate/start");
  CHECK(refused(0, inf, 0.1) == "simulate/until");
  CHECK(refused(2, 1, 0.1) == "simulate/until");
  CHECK(refused(0, 1, -0.1) == "simulate/output_step");
  CHECK(refused(0, 1, nan) == "simulate/output_step");
  CHECK(refused(0, 1, 1e-300) == "simulate/output_step");
  CHECK(refused(0, 1, 0.1) == "");
}

TEST_CASE("rows: a run without length is one row") {
  const Mechanism m = compile(pendulum(0.5));
  SimulateSpec s;
  s.until = 0;
  const Run r = simulate(m, s);
  CHECK(r.trajectory.rows() == 1);
  CHECK(r.summary.status == RunStatus::done);
}

TEST_CASE("nothing to integrate: no bodies, all fixed, or all prescribed still give all rows") {
  Model empty;
  Model fixed = pendulum(0);
  fixed.joints[0].type = JointType::fixed;
  fixed.joints[0].q.reset(), fixed.joints[0].u.reset();
  for (Model* model : {&empty, &fixed}) {
    model->simulate.until = 1;
    model->simulate.output_step = 0.25;
    const Run r = simulate(compile(*model), model->simulate);
    CHECK(r.summary.status == RunStatus::done);
    CHECK(r.summary.steps == 0);
    CHECK(r.trajectory.rows() == 5);
    CHECK(r.trajectory.row(4)[0] == 1);
    CHECK(has(r.summary.notes, "nothing-to-integrate"));
  }
  Model driven = pendulum(0);
  driven.joints[0].q.reset(), driven.joints[0].u.reset();
  driven.joints[0].motion = {formula("sin(t)")};
  driven.simulate.until = 1;
  const Run r = simulate(compile(driven), driven.simulate);
  CHECK(r.summary.status == RunStatus::done);
  CHECK(near(last(r, "hinge.q"), std::sin(1), rounding(2)));
  // m l² q̈ + m g l sin q
  CHECK(near(last(r, "hinge.drive"), -std::sin(1) + 9.81 * std::sin(std::sin(1)), 1e-12));
  // the work of the drive is what the bob has gained
  CHECK(near(r.summary.drive, r.summary.kinetic + r.summary.potential - r.summary.energy_start,
             1e-8));
}

TEST_CASE("rows: ten times the joints take about ten times as long") {
  const auto seconds = [](int n) {
    Model model = rods(n);
    for (JointSpec& j : model.joints) j.force = {formula("sin(t)")};
    const Mechanism m = compile(model);
    const Snapshot now = started(m);
    return processor_seconds([&] {
      Recorder recorder(m, {true});
      std::vector<double> row(recorder.columns().size());
      recorder.row(now, 0, row);
      CHECK(row.size() == 1 + 9 * static_cast<size_t>(n) + 7);
    });
  };
  const double few = seconds(1000), many = seconds(10'000);
  CHECK(many < 40 * few + 0.05);  // 2 ms and 40 ms measured; a quadratic search takes a hundredfold
}

namespace {

SensorSpec formula_sensor(const std::string& name, const std::string& text) {
  SensorSpec s;
  s.name = name;
  s.value = formula(text);
  s.value->where = {"m.toml", 7, 9};
  return s;
}

}  // namespace

TEST_CASE("M31: two columns of one name are refused with both that give them") {
  const auto refusal = [](const Model& model) -> Diagnostic {
    try {
      Recorder(compile(model), {});
    } catch (const Error& e) {
      CHECK(e.fault() == Fault::model);
      return e.diagnostics().front();
    }
    return {};
  };
  struct Case {
    const char *sensor, *other;
  };
  for (const Case& c : {Case{"time", "the time"}, Case{"energy.total", "the account of energy"},
                        Case{"hinge.q", "joint/hinge"}}) {
    Model model = pendulum(0.5);
    model.sensors = {formula_sensor(c.sensor, "42")};
    const Diagnostic d = refusal(model);
    CAPTURE(to_text(d));
    CHECK(d.code == "doubled-column");
    CHECK(d.value == c.sensor);
    const std::string both = d.element + d.message;
    CHECK(both.find(c.other) != std::string::npos);
    CHECK(both.find(std::string("sensor/") + c.sensor) != std::string::npos);
  }
  Model twice = pendulum(0.5);  // a bushing shows x, y, z, and so does a sensor
  BushingSpec bushing;
  bushing.name = "tip", bushing.from = "world", bushing.to = "bob";
  twice.bushings = {bushing};
  CHECK(refusal(twice).code.empty());
  twice.sensors = {point_sensor("tip", "bob", {})};
  CHECK(refusal(twice).code == "doubled-column");
}

TEST_CASE("N06: a sensor whose formula has no value is told with its place, time and rows") {
  Model model = pendulum(0.5);
  model.simulate.until = 1, model.simulate.output_step = 0.1;
  model.sensors = {formula_sensor("root", "sqrt(0.55 - t)"), formula_sensor("good", "t")};
  const Run r = simulate(compile(model), model.simulate);
  CHECK(r.summary.status == RunStatus::done);  // it moves nothing
  std::vector<Diagnostic> told;
  for (const Diagnostic& d : r.summary.notes)
    if (d.code == "no-number") told.push_back(d);
  REQUIRE(told.size() == 1);
  CHECK(told[0].severity == Severity::warning);
  CHECK(told[0].element == "sensor/root");
  CHECK(told[0].where.line == 7);
  CHECK(told[0].value == "5");  // t = 0.6 … 1
  CHECK(told[0].message.find("5 of 11 rows, first at t = 0.6 s") != std::string::npos);
}

TEST_CASE("A07: a run inside a callback of a run needs a motion of its own") {
  Model model = pendulum(0.5);
  model.simulate.until = 1, model.simulate.output_step = 0.1;
  const Mechanism mechanism = compile(model);
  const Run alone = simulate(mechanism, model.simulate);

  struct Rows : RowSink {
    std::vector<double> all;
    void begin(const std::vector<Column>&) override {}
    void row(std::span<const double> values) override {
      all.insert(all.end(), values.begin(), values.end());
    }
  };
  SimulateOptions options;
  options.until = 1, options.output_step = 0.1;
  const std::unique_ptr<Motion> motion = make_motion(mechanism, model.simulate);
  const StartState start = start_state(mechanism, 0);
  int refused = 0, inside = 0;
  options.interrupted = [&] {
    Rows other;
    SimulateOptions plain;
    plain.until = 0.5;
    try {
      simulate(*motion, start, plain, other);
    } catch (const Error& e) {
      refused += e.diagnostics().front().code == "motion-in-use";
    }
    inside += simulate(*make_motion(mechanism, model.simulate), start, plain, other).t == 0.5;
    return 0;
  };
  Rows rows;
  const RunSummary outer = simulate(*motion, start, options, rows);
  CHECK(outer.status == RunStatus::done);
  CHECK(refused > 0);
  CHECK(inside == refused);
  CHECK(rows.all == alone.trajectory.values);  // bit for bit
  options.interrupted = nullptr;
  CHECK(simulate(*motion, start, options, rows).status == RunStatus::done);  // free again
}

TEST_CASE("A18: in a program that rounds otherwise, or traps, a model is refused in words") {
  const auto code = [] {
    try {
      compile(pendulum(0.5));
    } catch (const Error& e) {
      CHECK(e.fault() == Fault::usage);
      return e.diagnostics().front().code;
    }
    return std::string();
  };
  CHECK(code() == "");
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const std::string said = code();
    const int after = std::fegetround();
    std::fesetround(FE_TONEAREST);
    CHECK(said == "odd-arithmetic");
    CHECK(after == mode);  // it is the host's
  }
  ::feenableexcept(FE_DIVBYZERO);
  const std::string said = code();
  ::fedisableexcept(FE_ALL_EXCEPT);
  CHECK(said == "odd-arithmetic");
}
