// Modes of mechanisms about rest and about steady motions, against closed forms.
#include "sarrus/linear/modes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "near.hpp"
#include "pendulums.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// A symmetric top of moments A, A, C about its point, centre at height l, spinning upright.
Model sleeping_top(double A, double C, double mass, double l, double spin) {
  Model model;
  model.bodies = {principal_body("top", mass, {0, 0, l}, {A - mass * l * l, A - mass * l * l, C})};
  model.joints = {joint("tip", JointType::spherical, "world", "top", {0, 0, 1})};
  model.joints[0].u = std::vector<double>{0, 0, spin};
  return model;
}

ModelModes about_start(const Model& model) {
  const Mechanism m = compile(model);
  return modes_about(m, start_point(m));
}

}  // namespace

TEST_CASE("modes: a compound pendulum swings with √(m g d/I)") {
  const ModelModes found = about_start(pendulum(2, 0.7));
  REQUIRE(found.modes.size() == 1);
  CHECK(found.real);
  CHECK(std::fabs(found.modes[0].value.im / std::sqrt(1.5 * g / 0.7) - 1) < rounding(20));
  CHECK(found.stability == Stability::undamped);
  CHECK(near(found.modes[0].energy.kinetic[0].second, 1, rounding(4)));
  CHECK(found.modes[0].energy.potential.back().first == "gravity and inertia");
  CHECK(near(found.modes[0].energy.potential.back().second, 1, rounding(4)));
  // effective mass of a rod about its end: (m d)²/I
  CHECK(near(found.modes[0].energy.effective_mass.x, 0.75 * 2, 1e-12));
}

TEST_CASE("modes: a double pendulum of two rods has the roots of its quadratic equation") {
  // in absolute angles: M = [4/3 1/2; 1/2 1/3], K = g diag(3/2, 1/2)
  const ModelModes found = about_start(double_pendulum());
  const double a = 4.0 / 9 - 0.25, b = g * (1.5 / 3 + 0.5 * 4 / 3), c = 0.75 * g * g;
  const double root = std::sqrt(b * b - 4 * a * c);
  REQUIRE(found.modes.size() == 2);
  // eigenvalues of a matrix of four
  CHECK(std::fabs(found.modes[0].value.im / std::sqrt((b - root) / (2 * a)) - 1) < 1e-13);
  CHECK(std::fabs(found.modes[1].value.im / std::sqrt((b + root) / (2 * a)) - 1) < 1e-13);
  CHECK(near(found.modes[0].value.im, 2.680114, printed(7)));
}

TEST_CASE("modes: upright, a pendulum diverges with √(m g d/I)") {
  const ModelModes found = about_start(pendulum(1, 1, M_PI));
  CHECK(found.stability == Stability::divergence);
  CHECK(found.cause == 0);
  CHECK(near(found.modes[0].value.re, std::sqrt(1.5 * g), rounding(20)));
  CHECK(verdict(found).find("divergence of mode 1") != std::string::npos);
}

TEST_CASE("modes: a damper gives the roots of m λ² + d λ + k") {
  Model model;
  model.gravity = {};
  model.bodies = {principal_body("block", 2, {}, {})};
  model.joints = {joint("rail", JointType::prismatic, "world", "block", {1, 0, 0})};
  model.joints[0].spring = JointSpringSpec{{50}, {}, {}};
  model.joints[0].damper = {3};
  const ModelModes found = about_start(model);
  REQUIRE(found.modes.size() == 1);
  CHECK(near(found.modes[0].value.re, -0.75, rounding(20)));
  CHECK(near(found.modes[0].value.im, std::sqrt(25 - 0.5625), rounding(20)));
  CHECK(near(found.modes[0].value.ratio, 0.15, rounding(20)));
  CHECK(found.stability == Stability::stable);
  CHECK(found.modes[0].energy.potential[0].first == "spring of rail");
  CHECK(near(found.modes[0].energy.potential[0].second, 1, rounding(4)));
}

TEST_CASE("modes: a motor's current is a state, with the pole of its polynomial") {
  Model model;
  model.bodies = {principal_body("rotor", 0.1, {}, {0.01, 0.01, 0.02})};
  model.joints = {joint("axle", JointType::revolute, "world", "rotor", {0, 0, 1})};
  MotorSpec motor;
  motor.voltage = formula("12");
  motor.resistance = 1.5, motor.inductance = 0.3, motor.torque_constant = 0.2,
  motor.back_emf = 0.25;
  model.joints[0].motor = motor;
  const Mechanism m = compile(model);
  const LinearModel l = linearize(m, start_point(m));
  const StateSpace s = state_space(l);
  REQUIRE(s.states.size() == 3);
  // J λ (L λ + R) + Kt Ke = 0, and a zero for the angle
  const double J = 0.02, L = 0.3, R = 1.5, b = R / L, c = 0.2 * 0.25 / (J * L);
  const ModelModes found = modes_about(m, start_point(m));
  std::vector<double> im, re;
  for (const Mode& mode : found.modes) re.push_back(mode.value.re), im.push_back(mode.value.im);
  const double disc = b * b / 4 - c;
  REQUIRE(disc < 0);
  REQUIRE(found.modes.size() == 2);
  CHECK(found.modes[0].zero);
  CHECK(near(re[1], -b / 2,
             rounding(100)));  // eigenvalues of a matrix of three, with entries from 1 to 10
  CHECK(near(im[1], std::sqrt(-disc), rounding(100)));
  REQUIRE(s.inputs == std::vector<std::string>{"axle.voltage"});
  CHECK(near(s.B(2, 0), 1 / L, rounding(2)));
}

TEST_CASE("modes: on a turning shaft a pendulum hangs, or stands out where it turns fast") {
  const double length = 0.5;
  const auto at = [&](double speed, double angle) {
    const Mechanism m = compile(whirling_pendulum(length, angle));
    OperatingPoint p = start_point(m);
    p.u[0] = speed;
    p.held = {0};
    const Equilibrium e = find_equilibrium(m, p);
    REQUIRE(e.found);
    return std::pair{e.point.q[1], modes_about(m, e.point)};
  };
  const auto [hanging, slow] = at(3, 0.1);  // g/l = 19.62 > 9
  // found by Newton's method to rounding, and eigenvalues of a matrix of two
  CHECK(std::fabs(hanging) < 1e-12);
  REQUIRE(slow.modes.size() == 1);
  CHECK(near(slow.modes[0].value.im, std::sqrt(g / length - 9), 1e-12));
  const auto [out, fast] = at(6, 0.8);
  CHECK(near(std::cos(out), g / (length * 36), 1e-12));
  CHECK(near(fast.modes[0].value.im, 6 * std::sin(std::fabs(out)), 1e-12));
  // hanging is unstable at that speed
  const auto [down, lost] = at(6, 0.0);
  CHECK(std::fabs(down) < 1e-12);
  CHECK(lost.stability == Stability::divergence);
  CHECK(near(lost.modes[0].value.re, std::sqrt(36 - g / length), 1e-12));
}

TEST_CASE("modes: a sleeping top is stable where C²n² > 4 A m g l, and flutters where not") {
  const double A = 0.05, C = 0.02, mass = 1, l = 0.15;
  const double critical = std::sqrt(4 * A * mass * g * l) / C;
  for (const double spin : {1.3 * critical, 0.7 * critical}) {
    CAPTURE(spin);
    const ModelModes found = about_start(sleeping_top(A, C, mass, l, spin));
    CHECK(found.notes.empty());
    // inclination turns in space with the roots p of A p² − C n p + m g l; in the top, with p − n
    const double half = C * spin / (2 * A), disc = half * half - mass * g * l / A;
    if (spin > critical) {
      CHECK((found.stability == Stability::undamped || found.stability == Stability::neutral));
      const double p1 = half + std::sqrt(disc), p2 = half - std::sqrt(disc);
      std::vector<double> im;
      for (const Mode& mode : found.modes)
        if (!mode.zero) im.push_back(mode.value.im);
      REQUIRE(im.size() == 2);
      std::sort(im.begin(), im.end());
      std::vector<double> due{std::fabs(p1 - spin), std::fabs(p2 - spin)};
      std::sort(due.begin(), due.end());
      // eigenvalues of a matrix of six; two of them zero
      CHECK(near(im[0], due[0], 1e-12));
      CHECK(near(im[1], due[1], 1e-12));
    } else {
      CHECK(found.stability == Stability::flutter);
      CHECK(near(found.modes[found.cause].value.re, std::sqrt(-disc), 1e-12));
    }
  }
}

TEST_CASE("modes: a free body spinning about its middle axis diverges, about the others not") {
  const Vec3 I{2, 3, 4};
  const double n = 4;
  for (int axis = 0; axis < 3; ++axis) {
    Model model;
    model.gravity = {};
    model.bodies = {principal_body("stone", 5, {}, I)};
    model.joints = {joint("flight", JointType::free, "world", "stone", {0, 0, 1})};
    model.joints[0].u = std::vector<double>{0, 0, 0, 0, 0, 0};
    (*model.joints[0].u)[axis] = n;
    const ModelModes found = about_start(model);
    const double a = I[axis], b = I[(axis + 1) % 3], c = I[(axis + 2) % 3];
    const double square = n * n * (a - b) * (c - a) / (b * c);  // λ²
    CAPTURE(axis);
    if (axis == 1) {
      REQUIRE(found.cause >= 0);
      CHECK(found.stability == Stability::divergence);
      CHECK(near(found.modes[found.cause].value.re, std::sqrt(square),
                 1e-12));  // eigenvalues of a small matrix
    } else {
      CHECK(found.cause == -1);
      double nearest = 1e9;
      for (const Mode& mode : found.modes)
        nearest = std::min(nearest, std::fabs(mode.value.im - std::sqrt(-square)));
      CHECK(nearest < 1e-11);  // eigenvalues of a small matrix
    }
  }
}

TEST_CASE("modes: a rolling disk stays upright above √(g/3r)") {
  const double r = 0.4, mass = 1.5;
  for (const double spin : {1.2, 5.0}) {
    Model model;
    model.bodies = {
        principal_body("disk", mass, {}, {mass * r * r / 4, mass * r * r / 4, mass * r * r / 2})};
    JointSpec j = joint("contact", JointType::rolling_disk, "world", "disk", {0, 0, 1});
    j.radius = r;
    // the disk's axis is z of its frame: turned to be level
    const double h = std::sqrt(0.5);
    j.q = std::vector<double>{h, h, 0, 0, 0, 0, r};
    j.u = std::vector<double>{0, 0, spin};
    model.joints = {j};
    const ModelModes found = about_start(model);
    CAPTURE(spin);
    const double square = (4 * g / r - 12 * spin * spin) / 5;  // λ² of the lean
    if (square > 0) {
      REQUIRE(found.cause >= 0);
      CHECK(near(found.modes[found.cause].value.re, std::sqrt(square),
                 1e-12));  // eigenvalues of a small matrix
    } else {
      CHECK(found.cause == -1);
      double nearest = 1e9;
      for (const Mode& mode : found.modes)
        nearest = std::min(nearest, std::fabs(mode.value.im - std::sqrt(-square)));
      CHECK(nearest < 1e-11);  // eigenvalues of a small matrix
    }
  }
}

TEST_CASE(
    "loops: a swing on two rods has one mode, with the stiffness that its hinges' forces give") {
  const double m = 0.7, M = 2, l = 0.8;
  const Mechanism swinging = compile(swing(m, M, l, 0.5));
  REQUIRE(swinging.has_loops());
  const ModelModes found = modes_about(swinging, start_point(swinging));
  REQUIRE(found.modes.size() == 1);
  CHECK(found.real);
  const double due = std::sqrt(g * (m + M) / ((2 * m / 3 + M) * l));
  // eigenvalues of a small matrix
  CHECK(std::fabs(found.modes[0].value.im / due - 1) < 1e-12);
  // every rod turns alike, and the bar not at all
  double turning = 0, bar = 0;
  for (const auto& [part, share] : found.modes[0].energy.kinetic)
    (part == "bar" ? bar : turning) += share;
  CHECK(near(bar, M / (M + 2 * m / 3), 1e-12));
}

TEST_CASE("loops: a turntable carries them along, and slows the swing down") {
  // the swing's plane turns about the vertical through the middle of its bar: the rods feel
  // −Ω² of every point's distance, to first order as much as a bar that only shifts does
  const double m = 0.7, M = 2, l = 0.8, width = 0.5, speed = 1.5;
  Model model = swing(m, M, l, width);
  model.bodies.push_back(principal_body("table", 3, {}, {1, 1, 1}));
  for (JointSpec& j : model.joints)
    if (j.parent == "world") j.parent = "table", j.on_parent.at.x -= width / 2;
  model.joints.push_back(joint("turn", JointType::revolute, "world", "table", {0, 0, 1}));
  const Mechanism turning = compile(model);
  OperatingPoint p = start_point(turning);
  const JointInfo& turn = *std::find_if(turning.joints.begin(), turning.joints.end(),
                                        [](const JointInfo& j) { return j.name == "turn"; });
  p.u[turn.u0] = speed;
  p.held = {turn.u0};
  const Equilibrium e = find_equilibrium(turning, p);
  REQUIRE(e.found);
  const ModelModes found = modes_about(turning, e.point);
  REQUIRE(found.modes.size() == 1);
  // ½ ω_z² Σ m x²: x of the rods' points ±width/2 + s θ, of the bar's all + l θ
  const double inertia = (2 * m / 3 + M) * l * l, weight = g * (m + M) * l;
  const double square = (weight - speed * speed * inertia) / inertia;
  CHECK(near(found.modes[0].value.im, std::sqrt(square), 1e-12));  // eigenvalues of a small matrix

  // about a joint of the loop itself nothing is steady
  OperatingPoint bad = start_point(turning);
  const int own =
      std::find_if(turning.joints.begin(), turning.joints.end(), [](const JointInfo& j) {
        return !j.cut && j.name != "turn";
      })->u0;
  bad.u[own] = 1, bad.held = {own};
  CHECK_THROWS_AS(linearize(turning, bad), Error);
}
