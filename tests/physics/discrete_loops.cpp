// Closed loops in the discrete formulation: a joint that closes one is a joint like any other.
#include <doctest/doctest.h>

#include <numbers>

#include "discrete_runs.hpp"
#include "near.hpp"
#include "sarrus/formulations/discrete/discrete.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// A rod along x from its origin, with a thin axial inertia.
BodySpec rod(const std::string& name, double length) {
  BodySpec b;
  b.name = name;
  b.mass = length;
  b.com = Vec3{length / 2, 0, 0};
  const double I = length * length * length;
  b.inertia = Mat3{{1e-3 * I, 0, 0}, {0, I / 12, 0}, {0, 0, I / 12}};
  return b;
}

JointSpec moving_hinge(const std::string& name, const std::string& parent, const std::string& child,
                       const Vec3& at_parent, double q, double u, const Vec3& axis = {0, 0, 1}) {
  JointSpec j = joint(name, JointType::revolute, parent, child, axis);
  j.on_parent.at = at_parent;
  j.q = {q}, j.u = {u};
  return j;
}

/// F.5: crank 1, coupler 3.5, rocker 3 between pivots 4 apart, open branch.
Model discrete_four_bar() {
  Model model;
  model.name = "four-bar";
  model.gravity = {0, -9.81, 0};
  model.bodies = {rod("crank", 1), rod("coupler", 3.5), rod("rocker", 3)};
  model.joints = {
      moving_hinge("a", "world", "crank", {}, 1, 2),
      moving_hinge("b", "crank", "coupler", {1, 0, 0}, -0.361052092213, -2.444320678020),
      moving_hinge("d", "world", "rocker", {4, 0, 0}, 1.789251403388, 0.257978881148)};
  JointSpec close = moving_hinge("c", "coupler", "rocker", {3.5, 0, 0}, 0, 0);
  close.on_child.at = {3, 0, 0};
  close.q.reset(), close.u.reset();
  model.joints.push_back(close);
  model.simulate.formulation = "discrete";
  return model;
}

/// F.5: the Sarrus linkage, which moves although the usual count of freedoms says that it cannot.
Model discrete_linkage() {
  constexpr double L = 0.5, b = 0.4, phi = 0.6, rate = 0.5, pi = std::numbers::pi;
  Model model;
  model.name = "Sarrus";
  const double I = 0.8 * L * L / 12;
  const Vec3 x{1, 0, 0}, y{0, 1, 0};
  model.bodies = {ball("x1", 0.8, I, y * (L / 2)), ball("x2", 0.8, I, y * (L / 2)),
                  ball("platform", 2, 0.1), ball("y1", 0.8, I, x * (L / 2)),
                  ball("y2", 0.8, I, x * (L / 2))};
  const Vec3 my{0, -1, 0};
  model.joints = {moving_hinge("x_base", "world", "x1", y * b, phi, rate, x),
                  moving_hinge("x_knee", "x1", "x2", y * L, pi - 2 * phi, -2 * rate, x),
                  moving_hinge("x_top", "x2", "platform", y * L, phi - pi, rate, x),
                  moving_hinge("y_base", "world", "y1", x * b, phi, rate, my),
                  moving_hinge("y_knee", "y1", "y2", x * L, pi - 2 * phi, -2 * rate, my)};
  model.joints[2].on_child.at = y * b;
  JointSpec close = moving_hinge("y_top", "y2", "platform", x * L, 0, 0, my);
  close.on_child.at = x * b;
  close.q.reset(), close.u.reset();
  model.joints.push_back(close);
  model.sensors = {point_sensor("top", "platform", {})};
  model.simulate.formulation = "discrete";
  return model;
}

double at_end(Model model, double until, double h, const std::string& column) {
  model.simulate.until = model.simulate.output_step.emplace(until);
  model.simulate.step = h;
  const Run r = simulate(compile(model), model.simulate);
  REQUIRE(r.summary.status == RunStatus::done);
  CHECK_FALSE(has(r.summary.notes, "open-joint"));
  return last(r, column);
}

}  // namespace

TEST_CASE("the four-bar's crank is where the reduction to one freedom puts it") {
  // docs/theory/reference-models.md: crank 7.599795459 rad, 1.322605187 rad/s after 2 s
  const double coarse = at_end(discrete_four_bar(), 2, 1e-4, "a.q") - 7.599795459;
  const double fine = at_end(discrete_four_bar(), 2, 5e-5, "a.q") - 7.599795459;
  CHECK(std::fabs(fine) < 5e-5);  // com within 7.5e-7 m at 1e-5 s, times (5e-5/1e-5)²
  CHECK(near(std::log2(coarse / fine), 2, 0.05));  // next term: blocks ring
  CHECK(near(at_end(discrete_four_bar(), 2, 5e-5, "a.u"), 1.322605187,
             1e-4));  // as positions, at 3 rad/s
}

TEST_CASE("a joint that closes a loop carries in its block what its multipliers say") {
  Model model = discrete_four_bar();
  model.simulate.until = 0.5;
  model.simulate.output_step = 0.1;
  model.simulate.reactions = true;
  model.simulate.step = 2e-5;
  const Mechanism m = compile(model);
  const Run blocks = simulate(m, model.simulate);
  SimulateSpec s = model.simulate;
  s.formulation = "recursive";
  s.rtol = 1e-11;
  s.step.reset();
  const Run exact = simulate(m, s);
  double size = 0;
  for (const char* column : {"c.fx", "c.fy", "b.fx", "b.fy"}) {
    CAPTURE(column);
    for (int i = 1; i < exact.trajectory.rows(); ++i) {
      size = std::max(size, std::fabs(exact.trajectory.at(i, column)));
      CHECK(std::fabs(blocks.trajectory.at(i, column) - exact.trajectory.at(i, column)) <
            1e-4 * size);  // of second order: 2e-5 s beside 0.5 s, and blocks ring
    }
  }
  CHECK(size > 10);  // newtons
  CHECK(last(blocks, "constraint.position") <
        1e-6);  // a force of 100 N over the blocks' k = m/(4 h²)
  CHECK(near(last(blocks, "c.q"), last(exact, "c.q"), 1e-5));  // as above
}

TEST_CASE("a damper on the joint that closes a loop acts as in the recursion") {
  // its child is carried in two parts, which are welded
  Model model = discrete_four_bar();
  model.joints[3].damper = {3};
  model.simulate.until = model.simulate.output_step.emplace(0.5);
  const Mechanism m = compile(model);
  SimulateSpec s = model.simulate;
  s.formulation = "recursive";
  s.rtol = 1e-11;
  const Run exact = simulate(m, s);
  const auto error = [&](double h) {
    model.simulate.step = h;
    const Run r = simulate(m, model.simulate);
    REQUIRE(r.summary.status == RunStatus::done);
    return last(r, "a.q") - last(exact, "a.q");
  };
  const double coarse = error(1e-4), fine = error(5e-5);
  CHECK(std::fabs(fine) < 2e-5);                  // of second order, as the next line says
  CHECK(near(std::log2(coarse / fine), 2, 0.1));  // next term: h² beside 1; blocks ring
}

TEST_CASE("the Sarrus linkage falls straight down, as its closed form says") {
  const double z = 0.184535428842;  // after 0.3 s
  const double coarse = at_end(discrete_linkage(), 0.3, 1e-4, "top.z") - z;
  const double fine = at_end(discrete_linkage(), 0.3, 5e-5, "top.z") - z;
  CHECK(std::fabs(fine) < 25 * 3.2e-7);            // 3.2e-7 m at 1e-5 s
  CHECK(near(std::log2(coarse / fine), 2, 0.05));  // next term: blocks ring
}

TEST_CASE("joints make no momentum: that of a free system rests, whatever its joints") {
  // a ring of four bodies with four different joints, thrown without gravity
  Model model;
  model.gravity = {0, 0, 0};
  for (int k = 1; k <= 4; ++k) model.bodies.push_back(reference_body(k));
  JointSpec base = joint("base", JointType::free, "world", "b1");
  base.u = {0.4, -0.3, 0.5, 0.2, 0.1, -0.1};
  const auto link = [&](const char* name, JointType type, const char* a, const char* b,
                        const Vec3& on_a, const Vec3& on_b) {
    JointSpec j = joint(name, type, a, b, {0, 0, 1});
    j.on_parent.at = on_a, j.on_child.at = on_b;
    return j;
  };
  model.joints = {base, link("r", JointType::revolute, "b1", "b2", {0.5, 0, 0}, {0, 0, 0}),
                  link("s", JointType::spherical, "b2", "b3", {0.5, 0, 0}, {0, 0, 0}),
                  link("u", JointType::spherical, "b3", "b4", {0.5, 0, 0}, {0, 0, 0}),
                  link("c", JointType::cylindrical, "b1", "b4", {0.5, 0, 0.2}, {-1, 0, 0.2})};
  model.joints[1].u = {1.0};
  model.joints[2].u = {0.3, 0.2, -0.5};
  model.simulate.formulation = "discrete";
  model.simulate.step = 1e-4;
  model.simulate.until = 1;
  const Mechanism m = compile(model);
  Discrete d(m, model.simulate);
  d.begin(start_state(m, 0));
  const Wrench<double> before = momentum_of(observed(d));
  d.advance(10000);
  const Wrench<double> after = momentum_of(observed(d));
  CHECK(norm(after.f - before.f) < 1e-13 * 10);  // kg m/s, of about 10: rounding of 10,000 sums
  CHECK(norm(after.n - before.n) < 1e-13 * 10);
  CHECK(norm(before.n) > 0.5);
  CHECK(d.largest_gap().size < 1e-3);  // 0.25 mm at this long step
}
