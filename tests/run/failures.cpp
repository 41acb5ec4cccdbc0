// Runs that cannot go on say when, where, why, and what to do; runs that should worry say so.
#include <doctest/doctest.h>

#include <Eigen/Dense>

#include "instant.hpp"
#include "near.hpp"
#include "processor_time.hpp"
#include "sarrus/run/watch/conditioning.hpp"
#include "sarrus/run/watch/failure.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Run with(Model model, const std::string& integrator, double step, double until) {
  model.simulate.integrator = integrator;
  if (step > 0) model.simulate.step = step;
  model.simulate.until = until;
  model.simulate.output_step = until / 100;
  return simulate(compile(model), model.simulate);
}

/// B1 with one spring and one bushing beside its soft hinge springs.
Model with_stiff(double spring, double bushing) {
  Model model = chain_b1();
  SpringSpec s;
  s.name = "coil";
  s.from = {"world", {}, {1, 0, 0}};
  s.to = {"b3", {}, {0.3, 0, 0}};
  s.k = spring, s.length = 0.5;
  model.springs = {s};
  BushingSpec b;
  b.name = "rubber";
  b.from = "b2", b.to = "b5";
  b.k = {1, 1, bushing};
  b.angular_k = {0.1, 0.1, 0.1};
  model.bushings = {b};
  return model;
}

}  // namespace

TEST_CASE(
    "blow-up: an explicit method on a stiff spring fails with time, freedom, element and remedy") {
  for (const char* integrator : {"rk4", "semi_implicit_euler"}) {
    CAPTURE(integrator);
    const Run r = with(with_stiff(1e12, 1), integrator, 1e-3, 10);
    REQUIRE(r.summary.status == RunStatus::failed);
    REQUIRE(r.summary.failure);
    const std::string text = to_text(*r.summary.failure);
    CAPTURE(text);
    CHECK(r.summary.failure->code == "not-finite");
    CHECK(says(text, "after t = "));
    CHECK(says(text, "the stiffest element is the spring 'coil'"));
    CHECK((says(text, "j1.") || says(text, "j2.") || says(text, "j3.") || says(text, "j4.") ||
           says(text, "j5.") || says(text, "ledger")));
    CHECK(says(text, "cvode"));
    // the rows up to the last good state are kept, and are numbers
    CHECK(r.trajectory.rows() >= 1);
    for (const double x : r.trajectory.values) CHECK(std::isfinite(x));
    CHECK(last(r, "time") <= r.summary.t);
  }
}

TEST_CASE(
    "stiffest element: the one that is stiff, by its name, with a rate that bounds its step") {
  const auto stiffest = [](const Model& model) {
    const Mechanism m = compile(model);
    return stiffest_element(started(m));
  };
  CHECK(stiffest(with_stiff(1e9, 1)).element == "spring 'coil'");
  CHECK(stiffest(with_stiff(1, 1e9)).element == "bushing 'rubber'");
  Model hinge = with_stiff(1, 1);
  hinge.joints[3].damper = {1e6};
  CHECK(stiffest(hinge).element == "damper of joint 'j4'");
  Model stops = with_stiff(1, 1);
  stops.joints[1].limits = JointLimitSpec{-1, 1, 1e9, 0};
  CHECK(stiffest(stops).element == "limits of joint 'j2'");
  // on a rail the rate is exact: √(k/m), d/m
  Model rail = slider(2, 0, 0);
  rail.joints[0].spring = JointSpringSpec{{800}, {}, {}};
  CHECK(near(stiffest(rail).rate, 20, rounding(8)));
  rail.joints[0].damper = {100};
  CHECK(near(stiffest(rail).rate, 50, rounding(8)));
  // a spring between points of a free ball: 1/m by three directions, and what its lever turns
  Model free;
  free.bodies = {ball("b", 2, 0.5)};
  SpringSpec s;
  s.name = "string";
  s.from = {"world", {}, {0, 0, 1}};
  s.to = {"b", {}, {0, 0, 0.4}};
  s.k = 100;
  free.springs = {s};
  CHECK(near(stiffest(free).rate, std::sqrt(100 * (3 / 2.0 + 2 * 0.16 / 0.5)), rounding(20)));
}

TEST_CASE("N03: a force that grows without bound ends the run, soon, with its time") {
  Model model = slider(1, 0, 0);
  model.joints[0].force = {formula("1/(0.5 - t)^3")};
  Run r;
  CHECK(processor_seconds([&] { r = with(model, "dop853", 0, 1); }) < 2);
  REQUIRE(r.summary.status == RunStatus::failed);
  const std::string text = to_text(*r.summary.failure);
  CAPTURE(text);
  CHECK(near(r.summary.t, 0.5, 1e-6));  // where steps have become 1e-15 s
  CHECK((says(text, "step-too-small") || says(text, "not-finite")));
  CHECK(says(text, "t = 0."));
  for (const double x : r.trajectory.values) CHECK(std::isfinite(x));
}

TEST_CASE("N06: a formula that gives no number in mid-run is named with its time") {
  Model force = slider(1, 0, 0.2);
  force.joints[0].force = {formula("sqrt(0.3 - t)")};
  Model motion = pendulum(0);
  motion.joints[0].q.reset(), motion.joints[0].u.reset();
  motion.joints[0].motion = {formula("(0.3 - t)^1.5")};
  motion.bodies.push_back(ball("end", 1, 0.1, {0, 0, -0.3}));
  motion.joints.push_back(joint("knee", JointType::revolute, "bob", "end", {0, 1, 0}));
  for (const char* integrator : {"dop853", "rk4", "midpoint", "semi_implicit_euler", "cvode"}) {
    CAPTURE(integrator);
    const bool adaptive = std::string(integrator) == "dop853" || std::string(integrator) == "cvode";
    for (const Model* model : {&force, &motion}) {
      const Run r = with(*model, integrator, adaptive ? 0 : 1e-3, 1);
      REQUIRE(r.summary.status == RunStatus::failed);
      const std::string text = to_text(*r.summary.failure);
      CAPTURE(text);
      CHECK(says(text, model == &force ? "sqrt(0.3 - t)" : "(0.3 - t)^1.5"));
      CHECK((says(text, "nan") || says(text, "inf")));
      CHECK(near(r.summary.t, 0.3, 0.01));  // a fixed step of 1e-3 s
      for (const double x : r.trajectory.values) CHECK(std::isfinite(x));
    }
  }
}

TEST_CASE(
    "N16: an energy account that does not close is reported with its size, and the run continues") {
  Model model = chain_b1();
  model.joints[2].spring = JointSpringSpec{{500}, {}, {}};
  const Run coarse = with(model, "rk4", 0.02, 1);
  CHECK(coarse.summary.status == RunStatus::done);
  REQUIRE(has(coarse.summary.notes, "energy-not-closed"));
  for (const Diagnostic& d : coarse.summary.notes)
    if (d.code == "energy-not-closed") {
      CHECK(d.severity == Severity::warning);
      CHECK(says(d.message, "spring of joint 'j3'"));
    }
  CHECK_FALSE(has(with(model, "rk4", 1e-3, 1).summary.notes, "energy-not-closed"));
}

TEST_CASE("friction that cannot agree with its reaction names the joint") {
  // a heavy lever arm: the friction of a wide bearing would turn the rod against gravity
  Model model;
  model.bodies = {ball("rod", 2, 1e-3, {0.05, 0, 0})};
  model.joints = {joint("bearing", JointType::revolute, "world", "rod", {0, 1, 0})};
  model.joints[0].u = {4};
  model.joints[0].friction = JointFrictionSpec{0, 5, 0.5, 1e-3};
  const Run r = with(model, "rk4", 1e-3, 0.1);
  REQUIRE(r.summary.status == RunStatus::failed);
  CHECK(says(to_text(*r.summary.failure), "'bearing'"));
}

// ── ill-conditioned mass matrices ───────────────────────────────────────────────────────────────

TEST_CASE(
    "conditioning: the estimate bounds the condition of the scaled mass matrix, and not by much") {
  Random random(61);
  for (int trial = 0; trial < 6; ++trial) {
    const Mechanism m =
        trial < 3 ? compile(rods(10 + 30 * trial)) : compile(random_tree(random, 12));
    Instant<double> d(m);
    const Coordinates c = trial < 3 ? m.start : random_state(random, m);
    d.set(0, c.q.data(), c.u.data(), nullptr);
    REQUIRE(d.a().exist);
    const double found = mass_condition(snapshot_at(m, {0, c.q, c.u, {}})).number;
    Eigen::MatrixXd M(m.nu, m.nu);
    d.set(0, c.q.data(), c.u.data(), nullptr);
    d.mass_matrix(M.data());
    const Eigen::VectorXd s = M.diagonal().cwiseSqrt().cwiseInverse();
    const Eigen::VectorXd lambda =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(s.asDiagonal() * M * s.asDiagonal())
            .eigenvalues();
    const double condition = lambda[m.nu - 1] / lambda[0];
    CAPTURE(condition);
    CHECK(found > 0.5 * condition);  // thirty inverse iterations may not be at the end
    CHECK(found < 1.01 * m.nu * condition);
  }
}

TEST_CASE("chain of 200 links: inverse dynamics takes back what forward dynamics gave") {
  Model model = rods(200);
  Random r(62);
  for (JointSpec& j : model.joints) j.q = {r.uniform(-1, 1)}, j.u = {r.uniform(-1, 1)};
  const Mechanism m = compile(model);
  Instant<double> d(m);
  const auto nu = static_cast<size_t>(m.nu);
  std::vector<double> given(nu), back(nu);
  for (double& u : given) u = r.uniform(-1, 1);
  // τ that gives the accelerations, then the accelerations that τ gives: M⁻¹ M
  d.set(0, m.start.q.data(), m.start.u.data(), nullptr);
  d.inverse_dynamics(given.data(), back.data());
  std::vector<double> tau = back;
  d.set(0, m.start.q.data(), m.start.u.data(), nullptr);
  REQUIRE(d.a().exist);
  const std::vector<double> rest = d.udot();
  const double condition = mass_condition(started(m)).number;
  d.set(0, m.start.q.data(), m.start.u.data(), nullptr);
  REQUIRE(d.a().exist);
  std::vector<double> answer(nu);
  d.solve(tau.data(), answer.data());
  double worst = 0, size = 0;
  for (size_t i = 0; i < nu; ++i) {
    worst = std::max(worst, std::fabs(rest[i] + answer[i] - given[i]));
    size = std::max({size, std::fabs(rest[i]), std::fabs(answer[i])});
  }
  CAPTURE(condition);
  // what conditioning.hpp promises: n ε/λ_min of the scaled matrix
  CHECK(worst < condition * 2.3e-16 * size);
}

TEST_CASE("N14: long chains and heavy ends are told, ordinary mechanisms are not") {
  const auto told = [](Model model) -> std::string {
    model.simulate.until = 1e-3;
    const Run r = simulate(compile(model), model.simulate);
    for (const Diagnostic& d : r.summary.notes)
      if (d.code == "ill-conditioned") return to_text(d);
    return "";
  };
  CHECK(told(chain_b1()) == "");
  CHECK(told(rods(10)) == "");
  CHECK(says(told(rods(200)), "warning"));
  // a mass of 10⁷ kg on rods of 0.1 kg that hang straight
  Model heavy = rods(3);
  heavy.bodies[2].mass = 1e7;
  heavy.bodies[2].inertia = *heavy.bodies[2].inertia * 1e8;
  const std::string text = told(heavy);
  CHECK(says(text, "condition number of up to"));
  CHECK(says(text, "joint/j"));
}

// ── settings ────────────────────────────────────────────────────────────────────────────────────

TEST_CASE("N18: what a method does not use or cannot do is told") {
  const auto notes = [](const std::string& integrator, auto&& change) {
    Model model = pendulum(0.1);
    model.simulate.integrator = integrator;
    model.simulate.until = 0.01;
    change(model.simulate);
    std::string text;
    for (const Diagnostic& d : simulate(compile(model), model.simulate).summary.notes)
      text += to_text(d) + "\n";
    return text;
  };
  CHECK(notes("dop853", [](SimulateSpec&) {}) == "");
  CHECK(says(notes("dop853", [](SimulateSpec& s) { s.step = 1e-4; }), "simulate/step"));
  CHECK(says(notes("dop853", [](SimulateSpec& s) { s.rtol = 1e-30; }), "raised"));
  CHECK(notes("rk4", [](SimulateSpec& s) { s.step = 1e-3; }) == "");
  const std::string fixed = notes("rk4", [](SimulateSpec& s) {
    s.step = 1e-3;
    s.max_step = 1e-2, s.atol = 1e-3;
    s.where["rtol"] = {"m.toml", 7, 1};
  });
  for (const char* key : {"simulate/max_step", "simulate/atol", "m.toml:7:1"})
    CHECK(says(fixed, key));
  CHECK_THROWS_WITH_AS(notes("rk4", [](SimulateSpec&) {}), doctest::Contains("step"), Error);
  CHECK_THROWS_WITH_AS(notes("dop835", [](SimulateSpec&) {}), doctest::Contains("dop853"), Error);
}
