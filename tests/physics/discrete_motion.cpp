// The discrete formulation beside the recursive one, and beside numbers from theory.
#include <doctest/doctest.h>

#include "discrete_runs.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// F.8: a rod of 1 kg and 1 m, hinged at its end, gravity along −y, released at 1 rad from −y.
Model rod_pendulum() {
  Model model;
  model.name = "rod";
  model.gravity = {0, -9.81, 0};
  BodySpec rod;
  rod.name = "rod";
  rod.mass = 1;
  rod.com = Vec3{0, -0.5, 0};
  rod.inertia = Mat3{{1.0 / 12, 0, 0}, {0, 0.01, 0}, {0, 0, 1.0 / 12}};
  model.bodies = {rod};
  model.joints = {joint("hinge", JointType::revolute, "world", "rod")};
  model.joints[0].q = {1};
  model.simulate.formulation = "discrete";
  model.simulate.until = 1;
  model.simulate.output_step = 1;
  return model;
}

double pendulum_error(double h, const std::string& scheme = "leapfrog") {
  Model model = rod_pendulum();
  model.simulate.step = h;
  model.simulate.scheme = scheme;
  const Run r = simulate(compile(model), model.simulate);
  REQUIRE(r.summary.status == RunStatus::done);
  return std::fabs(last(r, "hinge.q") - -0.901697916274);
}

}  // namespace

TEST_CASE("the rod pendulum's error falls with the square of the step, and is that of the theory") {
  // table of docs/theory/discrete.md, angle at 1 s
  CHECK(near(pendulum_error(1e-3), 1.56e-4, 0.01));
  CHECK(near(pendulum_error(5e-4), 3.94e-5, 0.01));
  CHECK(near(pendulum_error(2.5e-4), 9.88e-6, 0.01));
  CHECK(near(pendulum_error(1.25e-4), 2.48e-6, 0.01));
  CHECK(near(pendulum_error(1e-5), 1.59e-8, 0.01));
}

TEST_CASE("the source's own scheme is of first order") {
  // three digits are given
  CHECK(near(pendulum_error(1e-3, "paper"), 6.10e-4, 0.01));
  CHECK(near(pendulum_error(5e-4, "paper"), 3.44e-4, 0.01));
  CHECK(near(pendulum_error(2.5e-4, "paper"), 1.82e-4, 0.01));
  CHECK(near(pendulum_error(1.25e-4, "paper"), 9.34e-5, 0.01));
  CHECK(near(pendulum_error(1e-5, "paper"), 7.66e-6, 0.01));
}

// ── every joint ─────────────────────────────────────────────────────────────────────────────────

namespace {

/// Two bodies of the reference models: one free, one joined to it.
Model joined(JointType type) {
  JointSpec j = joint("j", type, "b1", "b2", {0.6, 0, 0.8});
  j.axis2 = {0, 1, 0};
  j.pitch = 0.3;
  switch (type) {
    case JointType::fixed: break;
    case JointType::cylindrical: j.q = {0.3, 0.1}, j.u = {1.5, -0.4}; break;
    case JointType::universal: j.q = {0.3, -0.2}, j.u = {1.5, -1.1}; break;
    case JointType::spherical: j.u = {1, -0.8, 0.6}; break;
    case JointType::translational: j.q = {0.1, -0.2, 0.05}, j.u = {0.3, 0.2, -0.4}; break;
    case JointType::planar: j.q = {0.2, 0.1, -0.1}, j.u = {1.2, 0.3, -0.2}; break;
    default: j.q = {0.3}, j.u = {1.2};
  }
  Model model = two_in_flight(j);
  model.name = to_text(type);
  return model;
}

}  // namespace

TEST_CASE("every joint as a stiff block tends to the ideal joint with the square of the step") {
  for (const JointType type :
       {JointType::fixed, JointType::revolute, JointType::prismatic, JointType::cylindrical,
        JointType::universal, JointType::spherical, JointType::planar, JointType::screw}) {
    // the size of the theory's figures for such pairs
    check_second_order(joined(type), {.until = 0.5, .h = 2e-4, .size = 1e-6});
  }
  // no force holds the second body's centre of mass, which is the tip: what is felt is the turning
  check_second_order(joined(JointType::translational),
                     {.columns = {"j.q1", "j.q2", "j.q3"}, .until = 0.5, .h = 2e-4, .size = 1e-6});
}
