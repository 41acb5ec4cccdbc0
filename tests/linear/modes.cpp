// Linear models, equilibria and modes of mechanisms, against closed forms.
#include "sarrus/linear/modes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "builders.hpp"
#include "linked.hpp"
#include "near.hpp"
#include "sarrus/formulations/formulation.hpp"
#include "sarrus/linear/branch.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

constexpr double g = 9.81;

BodySpec body(const std::string& name, double mass, const Vec3& com, const Vec3& inertia) {
  BodySpec b;
  b.name = name;
  b.mass = mass;
  b.com = com;
  b.inertia = Mat3{{inertia.x, 0, 0}, {0, inertia.y, 0}, {0, 0, inertia.z}};
  return b;
}

/// A rod on a hinge at its end, hanging along −z where q = 0.
Model pendulum(double mass, double length, double q = 0) {
  Model model;
  model.bodies = {body("rod", mass, {0, 0, -length / 2},
                       {mass * length * length / 12, mass * length * length / 12, 0})};
  model.joints = {joint("hinge", JointType::revolute, "world", "rod", {0, 1, 0})};
  model.joints[0].q = std::vector<double>{q};
  return model;
}

Model double_pendulum(double q1 = 0, double q2 = 0) {
  Model model = pendulum(1, 1, q1);
  model.bodies.push_back(body("second", 1, {0, 0, -0.5}, {1.0 / 12, 1.0 / 12, 0}));
  model.joints.push_back(
      joint("elbow", JointType::revolute, "rod", "second", {0, 1, 0}, {0, 0, -1}));
  model.joints[1].q = std::vector<double>{q2};
  return model;
}

/// A mass at the end of a massless rod on a hinge across a vertical shaft.
Model whirling_pendulum(double length, double angle) {
  Model model;
  model.bodies = {body("shaft", 1, {}, {0.01, 0.01, 0.01}), body("bob", 1, {0, 0, -length}, {})};
  model.joints = {joint("spin", JointType::revolute, "world", "shaft", {0, 0, 1}),
                  joint("hinge", JointType::revolute, "shaft", "bob", {0, 1, 0})};
  model.joints[1].q = std::vector<double>{angle};
  return model;
}

/// A symmetric top of moments A, A, C about its point, centre at height l, spinning upright.
Model sleeping_top(double A, double C, double mass, double l, double spin) {
  Model model;
  model.bodies = {body("top", mass, {0, 0, l}, {A - mass * l * l, A - mass * l * l, C})};
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
  model.bodies = {body("block", 2, {}, {})};
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
  model.bodies = {body("rotor", 0.1, {}, {0.01, 0.01, 0.02})};
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
    model.bodies = {body("stone", 5, {}, I)};
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
    model.bodies = {body("disk", mass, {}, {mass * r * r / 4, mass * r * r / 4, mass * r * r / 2})};
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
  model.bodies = {body("trolley", 3, {}, {}), body("bob", 2, {0, 0, -1}, {})};
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

TEST_CASE(
    "equilibrium: a spring carries its weight, a double pendulum hangs in one way and stands in "
    "three") {
  Model spring;
  spring.bodies = {body("block", 4, {}, {})};
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
  model.bodies = {body("stone", 1, {}, {1, 1, 1})};
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

namespace {

/// Two equal rods hang from the ground and carry a bar between them: hinges all along y, more than
/// a plane linkage needs.
Model swing(double rod, double bar, double length, double width, double q = 0) {
  Model model;
  const double I = rod * length * length / 12;
  model.bodies = {
      body("left", rod, {0, 0, -length / 2}, {I, I, 0}),
      body("right", rod, {0, 0, -length / 2}, {I, I, 0}),
      body("bar", bar, {width / 2, 0, 0}, {0, bar * width * width / 12, bar * width * width / 12})};
  model.joints = {joint("a", JointType::revolute, "world", "left", {0, 1, 0}),
                  joint("b", JointType::revolute, "left", "bar", {0, 1, 0}, {0, 0, -length}),
                  joint("d", JointType::revolute, "world", "right", {0, 1, 0}, {width, 0, 0}),
                  joint("c", JointType::revolute, "right", "bar", {0, 1, 0}, {0, 0, -length})};
  model.joints[3].on_child.at = {width, 0, 0};
  model.joints[0].q = std::vector<double>{q};
  return model;
}

}  // namespace

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

TEST_CASE("loops: Newton closes them on its way to the equilibrium") {
  const Mechanism swinging = compile(swing(0.7, 2, 0.8, 0.5, 0.4));
  const Equilibrium e = find_equilibrium(swinging, start_point(swinging));
  REQUIRE(e.found);
  const ModelModes found = modes_about(swinging, e.point);
  REQUIRE(found.modes.size() == 1);
  CHECK(near(found.modes[0].value.im, std::sqrt(g * 2.7 / ((1.4 / 3 + 2) * 0.8)),
             1e-12));  // eigenvalues of a small matrix
}

TEST_CASE("loops: a turntable carries them along, and slows the swing down") {
  // the swing's plane turns about the vertical through the middle of its bar: the rods feel
  // −Ω² of every point's distance, to first order as much as a bar that only shifts does
  const double m = 0.7, M = 2, l = 0.8, width = 0.5, speed = 1.5;
  Model model = swing(m, M, l, width);
  model.bodies.push_back(body("table", 3, {}, {1, 1, 1}));
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
  model.bodies.push_back(body("third", 1, {0, 0, -0.5}, {1.0 / 12, 1.0 / 12, 0}));
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
