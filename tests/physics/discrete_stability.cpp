// What the theorem of the gains promises, and what happens beyond it.
#include <doctest/doctest.h>
#include <malloc.h>

#include "discrete_runs.hpp"
#include "near.hpp"
#include "sarrus/formulations/discrete/discrete.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// Bodies with their frames at the world's origin, joined at random places: whatever the graph, all
/// joints are closed.
Model random_graph(std::uint64_t seed) {
  Random random(seed);
  const auto number = [&](double low, double high) { return random.uniform(low, high); };
  const auto place = [&] { return Vec3{number(-1, 1), number(-1, 1), number(-1, 1)}; };
  Model model;
  model.gravity = {0, 0, 0};
  const int n = 3 + static_cast<int>(number(0, 6));
  for (int i = 0; i < n; ++i) {
    BodySpec b;
    b.name = "b" + std::to_string(i);
    b.mass = std::exp(number(-3, 3));
    b.com = place();
    const double I = *b.mass * std::exp(number(-4, 0));
    b.inertia = Mat3{{I, 0, 0}, {0, I * number(0.6, 1), 0}, {0, 0, I * number(0.6, 1)}};
    model.bodies.push_back(b);
  }
  const JointType types[] = {JointType::revolute, JointType::fixed, JointType::cylindrical,
                             JointType::prismatic};
  const auto join = [&](int a, int b) {
    const Vec3 axis = place();
    JointSpec j = joint("j" + std::to_string(model.joints.size()),
                        types[static_cast<size_t>(number(0, 3.999))],
                        a < 0 ? "world" : "b" + std::to_string(a), "b" + std::to_string(b),
                        axis * (1 / norm(axis)));
    j.on_parent.at = j.on_child.at = place();
    model.joints.push_back(j);
  };
  for (int i = 0; i < n; ++i) join(static_cast<int>(number(0, i + 0.999)) - 1, i);
  for (int extra = static_cast<int>(number(0, 5)); extra > 0; --extra) {
    const int a = static_cast<int>(number(0, n - 0.001));
    join((a + 1) % n, a);
  }
  return model;
}

/// Kinetic energy after so many steps from a blow, relative to that of the blow.
double energy_after_blow(const Model& model, double stiffness, double damping, int steps) {
  SimulateSpec s;
  s.formulation = "discrete";
  s.step = 1e-5;
  s.joint_stiffness = stiffness;
  s.joint_damping = damping;
  const Mechanism m = compile(model);
  Discrete d(m, s);
  d.begin(start_state(m, 0));
  // velocities that no joint allows, in the places where V and L of half a step ago are kept,
  // body after body behind the count of steps and the start
  std::vector<double> memory = d.memory();
  Random random(7);
  const size_t per_lane = 4 + 18, bodies = m.bodies.size();
  for (size_t b = 0; b < bodies; ++b)
    for (size_t k = 16; k < per_lane; ++k)
      memory[2 + b * per_lane + k] = 1e-6 * random.uniform(-1, 1);
  d.set_memory(memory);
  d.advance(2);
  const double before = observed(d).kinetic;
  d.advance(steps);
  return observed(d).kinetic / before;
}

/// A flywheel, started very late.
Model late_flywheel() {
  Model model = flywheel(0.1, 2);
  model.simulate.formulation = "discrete";
  model.simulate.start = 1e9;
  model.simulate.until = 1e9 + 0x1p-10;  // about a millisecond; what 10⁹ can be told apart from
  model.simulate.step = 0x1p-20;
  model.simulate.output_step = 0x1p-13;
  return model;
}

}  // namespace

TEST_CASE("no graph of joints is unstable while β² + 2δ < 4") {
  const std::pair<double, double> gains[] = {{1, 1}, {0.25, 1}, {1.99, 1}, {3.59, 0.2}};
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    const Model model = random_graph(seed);
    for (const auto& [stiffness, damping] : gains) {
      CAPTURE(stiffness);
      CHECK(energy_after_blow(model, stiffness, damping, 3000) < 10);
    }
  }
}

TEST_CASE("one rod on one ball joint becomes unstable at 4, as the theorem says") {
  Model model;
  model.gravity = {0, 0, 0};
  model.bodies = {ball("rod", 1, 0.1, {0.5, 0, 0})};
  model.joints = {joint("ball", JointType::spherical, "world", "rod")};
  CHECK(energy_after_blow(model, 1.98, 1, 2000) < 10);
  CHECK(energy_after_blow(model, 2.03, 1, 2000) > 1e6);
}

TEST_CASE("a body far out on a slide stays on it: gains follow the lever") {
  Model model;
  model.gravity = {0, 0, -9.81};
  model.bodies = {ball("arm", 5, 0.2), ball("sled", 1, 0.05)};
  JointSpec turn = joint("turn", JointType::revolute, "world", "arm");
  turn.u = {0.5};
  JointSpec slide = joint("slide", JointType::prismatic, "arm", "sled", {1, 0, 0});
  slide.q = {0.05}, slide.u = {10};
  model.joints = {turn, slide};
  model.simulate.until = 1;
  model.simulate.output_step = 0.5;
  const Run exact = run(model, 1);
  model.simulate.formulation = "discrete";
  model.simulate.step = 1e-5;
  const Run r = simulate(compile(model), model.simulate);
  REQUIRE(r.summary.status == RunStatus::done);
  CHECK(last(exact, "slide.q") > 10);
  CHECK(near(last(r, "slide.q"), last(exact, "slide.q"),
             1e-6));  // of second order: h = 1e-5 s beside 0.1 s, times 10
  CHECK(near(last(r, "turn.q"), last(exact, "turn.q"), 1e-6));
}

TEST_CASE("N02: a run that becomes unstable stops at its last good state and names the body") {
  Model model = rods(3);
  model.joints[0].q = {1};
  model.simulate.until = 1;
  model.simulate.output_step = 0.001;
  const Mechanism m = compile(model);
  SimulateSpec s = model.simulate;
  s.formulation = "discrete";
  s.step = 1e-4;
  s.joint_stiffness = 30;  // only the command line and the model are refused such gains
  const Run r = simulate(m, s);
  CHECK(r.summary.status == RunStatus::failed);
  REQUIRE(r.summary.failure);
  CHECK(r.summary.failure->message.find("body 'b") != std::string::npos);
  CHECK(r.summary.t < 1);
  for (const double x : r.trajectory.values) CHECK(std::isfinite(x));
}

TEST_CASE("N09: time is counted: the last row of a run at 10⁹ s is where it should be") {
  Model model = late_flywheel();
  const Run r = simulate(compile(model), model.simulate);
  REQUIRE(r.trajectory.rows() == 9);
  for (int i = 0; i <= 8; ++i) CHECK(r.trajectory.row(i)[0] == 1e9 + i * 0x1p-13);
  CHECK(r.summary.steps == 1024);
  CHECK(near(last(r, "axle.q"), 2 * 0x1p-10,
             1e-12));  // time is rounded to 1e-7 s there, and is not what moves the wheel
}

TEST_CASE("N10: a million steps take no memory, and time stays exact") {
  Model model = rods(2);
  model.joints[0].q = {1};
  model.simulate.formulation = "discrete";
  model.simulate.step = 0x1p-20;
  model.simulate.until = 1;
  const Mechanism m = compile(model);
  Discrete d(m, model.simulate);
  d.begin(start_state(m, 0));
  d.advance(1000);
  const size_t before = ::mallinfo2().uordblks;
  for (int i = 0; i < 1000; ++i) d.advance(1000);
  CHECK(::mallinfo2().uordblks == before);
  CHECK(d.time() == 1'001'000 * 0x1p-20);
}
