// The linear model of a mechanism: derivatives of its equations, inputs, outputs.
#include "sarrus/linear/linearize.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "near.hpp"
#include "pendulums.hpp"
#include "sarrus/formulations/formulation.hpp"
#include "sarrus/linear/modes.hpp"

using namespace sarrus;
using namespace sarrus::testing;

TEST_CASE("linear model: A is the derivative of the equations of motion") {
  const Mechanism m = compile(chain_b1());
  OperatingPoint p = start_point(m);
  const StateSpace s = state_space(linearize(m, p));
  const auto f = make_formulation("recursive", m);
  const int n = m.nx + m.nu;
  const auto rate = [&](int entry, double step) {
    OperatingPoint near = p;
    (entry < m.nx ? near.q[entry] : near.u[entry - m.nx]) += step;
    std::vector<double> y(f->size()), ydot(y.size());
    f->begin({0, near.q, near.u, {}}, y);
    REQUIRE(f->derivative(0, y, ydot));
    return ydot;
  };
  for (int j = 0; j < n; ++j) {
    const double h = 1e-4;
    const std::vector<double> a = rate(j, h), b = rate(j, -h), a2 = rate(j, 2 * h),
                              b2 = rate(j, -2 * h);
    for (int i = 0; i < n; ++i) {
      const auto k = static_cast<size_t>(i);
      const double slope = (8 * (a[k] - b[k]) - (a2[k] - b2[k])) / (12 * h);
      CHECK(within(
          s.A(i, j), slope,
          1e-8));  // h⁴ times fifth derivatives, and rounding of accelerations of 100 over h: 1e-10
    }
  }
}

TEST_CASE("linear model: every kind of joint stays linear under its own motion") {
  // the linear model predicts where a small difference goes within a short time
  const Mechanism m = compile(tree_b2());
  OperatingPoint p = start_point(m);
  for (double& u : p.u) u = 0;
  const LinearModel l = open_model(m, p);
  REQUIRE(l.x.size() == l.u.size());
  // K along a direction is the change of r: central differences of the balance
  Random random(4);
  std::vector<double> delta(m.nx);
  for (double& x : delta) x = random.uniform(-1, 1);
  const auto off = [&](double h) {
    OperatingPoint near = p;
    std::vector<double> step = delta;
    for (double& x : step) x *= h;
    near.q = moved(m, p.q, step);
    return balance(m, near).r;
  };
  const std::vector<double> a = off(1e-4), b = off(-1e-4), a2 = off(2e-4), b2 = off(-2e-4);
  for (int i = 0; i < l.K.rows; ++i) {
    double sum = 0;
    for (int j = 0; j < l.K.cols; ++j) sum += l.K(i, j) * delta[l.x[j]];
    const auto k = static_cast<size_t>(i);
    CHECK(within(sum, (8 * (a[k] - b[k]) - (a2[k] - b2[k])) / 12e-4,
                 1e-8));  // h⁴ times fifth derivatives, and rounding of forces of 100 over h: 6e-10
  }
}

TEST_CASE("linear model: inputs are forces and motions, outputs sensors") {
  Model model = double_pendulum(0.3, -0.4);
  model.joints[0].force = {formula("2")};
  SensorSpec tip;
  tip.name = "tip";
  tip.point = PointSpec{"second", {}, {0, 0, -1}};
  model.sensors = {tip};
  ForceSpec push;
  push.name = "push";
  push.at = PointSpec{"second", {}, {0, 0, -1}};
  push.force = {formula("t"), formula("0"), formula("0")};
  model.forces = {push};
  const Mechanism m = compile(model);
  const OperatingPoint p = start_point(m);
  const LinearModel l = linearize(m, p);
  const StateSpace s = state_space(l);
  REQUIRE(s.inputs == std::vector<std::string>{"hinge.force", "push.fx"});
  REQUIRE(s.outputs.size() == 9);
  CHECK(s.outputs[0] == "tip.x");
  CHECK(s.outputs[8] == "tip.az");
  // a joint force enters as it is; a force along x by the velocity of its point
  CHECK(near(l.R(0, 0), -1, 1e-14));
  CHECK(within(l.R(1, 0), 0, 1e-14));
  for (int i = 0; i < 2; ++i) CHECK(near(l.R(i, 1), -l.y_u(3, i), 1e-14));
  // and answers at once in the acceleration: D = J M⁻¹ Jᵀ
  double due = 0;
  for (int i = 0; i < 2; ++i) due += l.y_u(3, i) * s.B(2 + i, 1);
  CHECK(near(s.D(6, 1), due, 1e-14));
  CHECK(s.D(0, 1) == 0);
}

TEST_CASE("linear model: a prescribed support enters with position, velocity and acceleration") {
  // a trolley moved along x carries a pendulum of length 1: q̈ = −g q + ẍ …
  Model model;
  model.bodies = {principal_body("trolley", 3, {}, {}), principal_body("bob", 2, {0, 0, -1}, {})};
  model.joints = {joint("rail", JointType::prismatic, "world", "trolley", {1, 0, 0}),
                  joint("hinge", JointType::revolute, "trolley", "bob", {0, 1, 0})};
  model.joints[0].motion = {formula("0.1*t^2")};
  const Mechanism m = compile(model);
  const LinearModel l = linearize(m, start_point(m));
  REQUIRE(l.velocity_names == std::vector<std::string>{"hinge.u"});
  REQUIRE(l.input_names ==
          std::vector<std::string>{"rail.motion", "rail.motion_rate", "rail.motion_second"});
  const StateSpace s = state_space(l);
  CHECK(within(s.B(1, 0), 0, rounding(8)));
  CHECK(within(s.B(1, 1), 0, rounding(8)));
  // the bob lies at x + …: for a hinge about +y, x_bob = x − sin q, so q̈ = −g q + ẍ
  CHECK(near(s.B(1, 2), 1, 1e-13));
  CHECK(near(s.A(1, 0), -g, 1e-13));
}
