// Equilibria of mechanisms, and branches of them over a parameter, against closed forms.
#include "sarrus/linear/equilibrium.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "near.hpp"
#include "pendulums.hpp"
#include "sarrus/linear/branch.hpp"
#include "sarrus/linear/modes.hpp"

using namespace sarrus;
using namespace sarrus::testing;

TEST_CASE(
    "equilibrium: a spring carries its weight, a double pendulum hangs in one way and stands in "
    "three") {
  Model spring;
  spring.bodies = {principal_body("block", 4, {}, {})};
  spring.joints = {joint("rail", JointType::prismatic, "world", "block", {0, 0, 1})};
  spring.joints[0].spring = JointSpringSpec{{250}, {0.3}, {}};
  const Mechanism one = compile(spring);
  const Equilibrium e = find_equilibrium(one, start_point(one));
  REQUIRE(e.found);
  CHECK(near(e.point.q[0], 0.3 - 4 * g / 250, rounding(4)));

  const Mechanism two = compile(double_pendulum(0.4, 0.3));
  const std::vector<Equilibrium> all = find_equilibria(two, start_point(two), 60);
  CHECK(all.size() == 4);
  int stable = 0;
  for (const Equilibrium& found : all) {
    // Newton's method to rounding
    CHECK(std::fabs(std::sin(found.point.q[0])) < 1e-10);
    CHECK(std::fabs(std::sin(found.point.q[1])) < 1e-10);
    stable += modes_about(two, found.point).cause < 0;
  }
  CHECK(stable == 1);
}

TEST_CASE("equilibrium: what falls for ever has none, and the worst equation is named") {
  Model model;
  model.bodies = {principal_body("stone", 1, {}, {1, 1, 1})};
  model.joints = {joint("flight", JointType::free, "world", "stone", {0, 0, 1})};
  const Mechanism m = compile(model);
  const Equilibrium e = find_equilibrium(m, start_point(m));
  CHECK_FALSE(e.found);
  CHECK(e.status == NewtonStatus::stalled);  // the weight is the same everywhere
  const Diagnostic d = no_equilibrium(e);
  CHECK(d.message.find("no step lessens the residual") != std::string::npos);
  CHECK(d.message.find("flight.u6") != std::string::npos);
}

TEST_CASE("equilibrium: a spring between points, from far away, by continuation if need be") {
  // a rod on a hinge held up by a spring from above: moments of weight and spring agree
  Model model = pendulum(1, 1, 2.5);
  SpringSpec s;
  s.name = "stay";
  s.from = PointSpec{"rod", {}, {0, 0, -1}};
  s.to = PointSpec{"world", {}, {0.8, 0, 0.6}};
  s.k = 40, s.length = 0.5;
  model.springs = {s};
  const Mechanism m = compile(model);
  const std::vector<Equilibrium> all = find_equilibria(m, start_point(m), 20);
  REQUIRE(all[0].found);
  for (const Equilibrium& e : all) {
    const double q = e.point.q[0];
    // the end of the rod at (−sin q, −cos q); moment about +y: z Fx − x Fz
    const double x = -std::sin(q), z = -std::cos(q), dx = 0.8 - x, dz = 0.6 - z,
                 length = std::hypot(dx, dz);
    const double F = 40 * (length - 0.5), weight = -(x / 2) * -g;
    CHECK(std::fabs(z * F * dx / length - x * F * dz / length + weight) <
          1e-12);  // Newton's method to rounding, moments of 40 N.m
  }
  CHECK(all.size() >= 2);
}

TEST_CASE("loops: Newton closes them on its way to the equilibrium") {
  const Mechanism swinging = compile(swing(0.7, 2, 0.8, 0.5, 0.4));
  const Equilibrium e = find_equilibrium(swinging, start_point(swinging));
  REQUIRE(e.found);
  const ModelModes found = modes_about(swinging, e.point);
  REQUIRE(found.modes.size() == 1);
  CHECK(near(found.modes[0].value.im, std::sqrt(g * 2.7 / ((1.4 / 3 + 2) * 0.8)),
             1e-12));  // eigenvalues of a small matrix
}

TEST_CASE("branch: an equilibrium is followed past others, and onto its unstable part") {
  const Family family{[](double) { return compile(whirling_pendulum(0.5, 0.1)); },
                      [](const Mechanism& m, double speed) {
                        OperatingPoint p = start_point(m);
                        p.u[0] = speed, p.held = {0};
                        return p;
                      }};
  const Mechanism m = family.mechanism(0);
  const auto angle = [&](double speed) { return std::acos(g / (0.5 * speed * speed)); };
  // standing out: from just above the critical speed far up in one go
  const Equilibrium low = find_equilibrium(m, [&] {
    OperatingPoint p = family.start(m, 4.6);
    p.q[1] = 0.5;
    return p;
  }());
  REQUIRE(low.found);
  REQUIRE(near(std::fabs(low.point.q[1]), angle(4.6), 1e-12));  // Newton's method to rounding
  const auto high = follow_equilibrium(family, 4.6, low.point, 30);
  REQUIRE(high);
  CHECK(near(std::fabs(high->q[1]), angle(30), 1e-12));
  CHECK(negative_stiffnesses(m, *high) == 0);
  // hanging: through the critical speed, where it becomes unstable
  OperatingPoint hanging = family.start(m, 0);
  hanging.q[1] = 0;
  const auto still = follow_equilibrium(family, 0, hanging, 6);
  REQUIRE(still);
  CHECK(std::fabs(still->q[1]) < 1e-12);  // Newton's method to rounding
  CHECK(negative_stiffnesses(m, *still) == 1);
}

TEST_CASE("equilibrium: a triple pendulum stretched out level finds its way down") {
  // by symmetry Newton's steps from there lead nowhere; beside it they do
  Model model = double_pendulum(M_PI / 2, 0);
  model.bodies.push_back(principal_body("third", 1, {0, 0, -0.5}, {1.0 / 12, 1.0 / 12, 0}));
  model.joints.push_back(
      joint("wrist", JointType::revolute, "second", "third", {0, 1, 0}, {0, 0, -1}));
  const Mechanism m = compile(model);
  const Equilibrium e = find_equilibrium(m, start_point(m));
  REQUIRE(e.found);
  // each link hangs or stands
  double angle = 0;
  for (const double q : e.point.q)
    CHECK(std::fabs(std::sin(angle += q)) < 1e-10);  // Newton's method to rounding
}
