// The translational joint in the tree and where it closes a loop, against closed forms.
#include <doctest/doctest.h>

#include <cmath>

#include "instant.hpp"
#include "near.hpp"
#include "sarrus/run/simulate.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

constexpr double g = 9.81;

/// A mass on a spring along each axis of the joint.
Model sprung(const Vec3& k, double mass) {
  Model model;
  model.gravity = {0, 0, -g};
  model.bodies = {ball("table", mass, 0.1, {0.1, -0.05, 0.02})};
  JointSpec slide = joint("slide", JointType::translational, "world", "table");
  slide.q = {0.03, 0, 0};
  slide.u = {0, 0.24, 0};
  slide.spring = JointSpringSpec{{k.x, k.y, k.z}, {}, {}};
  model.joints = {slide};
  return model;
}

/// A plate that a crank of length r carries round and a translational joint keeps from turning.
Model carried_plate(double r, double I, double m, double angle) {
  Model model;
  model.gravity = {0, -g, 0};
  model.bodies = {ball("crank", 1e-9, I, {}), ball("plate", m, 3.0, {0.2, 0.1, 0})};
  JointSpec hinge = joint("hinge", JointType::revolute, "world", "crank");
  JointSpec pin = joint("pin", JointType::revolute, "crank", "plate");
  JointSpec guide = joint("guide", JointType::translational, "world", "plate");
  hinge.q = {angle};
  pin.q = {-angle};
  pin.on_parent.at = {r, 0, 0};
  model.joints = {hinge, pin, guide};
  return model;
}

}  // namespace

TEST_CASE("translational: three springs are three oscillators, in every formulation") {
  const double mass = 2;
  const Vec3 k{32, 72, 162};
  for (const auto& [formulation, digits] :
       {std::pair{"recursive", 1e-8}, {"hamiltonian", 1e-8}, {"discrete", 1e-5}}) {
    CAPTURE(formulation);
    Model model = sprung(k, mass);
    model.simulate.formulation = formulation;
    model.simulate.until = 1;
    model.simulate.output_step = 0.25;
    const Run run = simulate(compile(model), model.simulate);
    REQUIRE(run.trajectory.rows() == 5);
    const double wx = 4, wy = 6, wz = 9;
    for (int i = 0; i < run.trajectory.rows(); ++i) {
      const double t = run.trajectory.at(i, "time");
      // rtol 1e-9 over a second; the discrete formulation opens its joints by joint_gap
      CHECK(within(run.trajectory.at(i, "slide.q1"), 0.03 * std::cos(wx * t), digits));
      CHECK(within(run.trajectory.at(i, "slide.q2"), 0.24 / wy * std::sin(wy * t), digits));
      CHECK(within(run.trajectory.at(i, "slide.q3"), -g / (wz * wz) * (1 - std::cos(wz * t)),
                   digits));
    }
  }
}

TEST_CASE("translational: a plate kept from turning swings as if all its mass sat in the pin") {
  const double r = 0.5, I = 0.04, m = 2, angle = 0.3;
  const Mechanism mechanism = compile(carried_plate(r, I, m, angle));
  REQUIRE(mechanism.has_loops());
  // (I + m r²) θ̈ = −m g r cos θ: neither the plate's inertia nor its centre of mass enters
  const double expected = -m * g * r * std::cos(angle) / (I + m * r * r);
  const Snapshot now = started(mechanism);
  double found = NAN;
  for (const JointInfo& j : mechanism.joints)
    if (j.name == "hinge") found = now.udot[j.u0];
  // a crank of 1e-9 kg, and redundant rows of a plane loop in space
  CHECK(near(found, expected, 1e-7));
}
