// The discrete formulation beside the recursive one, and beside numbers from theory.
#include <doctest/doctest.h>

#include "near.hpp"
#include "small_models.hpp"

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
  Model model;
  model.name = to_text(type);
  model.gravity = {0.3, -0.2, -9.81};
  model.bodies = {reference_body(1), reference_body(2)};
  JointSpec base = joint("base", JointType::free, "world", "b1");
  base.q = {1, 0, 0, 0, 0.1, 0.2, 0.3};
  base.u = {0.4, -0.3, 0.5, 0.2, 0.1, -0.1};
  JointSpec j = joint("j", type, "b1", "b2", {0.6, 0, 0.8});
  j.axis2 = {0, 1, 0};
  j.pitch = 0.3;
  j.on_parent = reference_frame(2, {0.4, 0.06, -0.04});
  switch (type) {
    case JointType::fixed: break;
    case JointType::cylindrical: j.q = {0.3, 0.1}, j.u = {1.5, -0.4}; break;
    case JointType::universal: j.q = {0.3, -0.2}, j.u = {1.5, -1.1}; break;
    case JointType::spherical: j.u = {1, -0.8, 0.6}; break;
    case JointType::planar: j.q = {0.2, 0.1, -0.1}, j.u = {1.2, 0.3, -0.2}; break;
    default: j.q = {0.3}, j.u = {1.2};
  }
  model.joints = {base, j};
  SensorSpec s;
  s.name = "tip";
  s.point = PointSpec{"b2", {}, {0.25, 0.04, -0.03}};
  model.sensors = {s};
  return model;
}

/// Where the second body's centre of mass is at 0.5 s.
Vec3 end_of(Model model, const std::string& formulation, double h) {
  model.simulate.until = model.simulate.output_step.emplace(0.5);
  model.simulate.formulation = formulation;
  model.simulate.rtol = 1e-12;
  if (h > 0) model.simulate.step = h;
  const Run r = simulate(compile(model), model.simulate);
  REQUIRE(r.summary.status == RunStatus::done);
  return {last(r, "tip.x"), last(r, "tip.y"), last(r, "tip.z")};
}

}  // namespace

TEST_CASE("every joint as a stiff block tends to the ideal joint with the square of the step") {
  for (const JointType type :
       {JointType::fixed, JointType::revolute, JointType::prismatic, JointType::cylindrical,
        JointType::universal, JointType::spherical, JointType::planar, JointType::screw}) {
    const Model model = joined(type);
    CAPTURE(model.name);
    const Vec3 exact = end_of(model, "recursive", 0);
    const double coarse = norm(end_of(model, "discrete", 2e-4) - exact),
                 fine = norm(end_of(model, "discrete", 1e-4) - exact);
    CHECK(coarse < 1e-6);  // of the size of the theory's figures for such pairs
    CHECK(near(std::log2(coarse / fine), 2, 0.05));
  }
}
