// Conditions that are no joint, and joints that roll, in the discrete formulation: held against the
// multipliers of the recursion.
#include <doctest/doctest.h>

#include "discrete_runs.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

ConstraintSpec condition(ConstraintType type) {
  ConstraintSpec c;
  c.name = "condition";
  c.type = type;
  return c;
}

JointSpec thrown(const std::string& body, const Vec3& at, const std::vector<double>& u) {
  JointSpec j = joint(body + "_place", JointType::free, "world", body);
  j.q = {1, 0, 0, 0, at.x, at.y, at.z};
  j.u = u;
  return j;
}

/// Two bodies in flight, one with a point that the other leads.
Model led(ConstraintType type) {
  Model model;
  model.gravity = {0.3, -0.2, -9.81};
  model.bodies = {reference_body(1), reference_body(2)};
  model.joints = {thrown("b1", {}, {0.4, -0.3, 0.5, 0.2, 0.1, -0.1}),
                  thrown("b2", {0.8, 0.2, 0.1}, {0, 0, 0, 0, 0, 0})};
  ConstraintSpec c = condition(type);
  c.from = PointSpec{"b1", {}, {0.3, 0.1, 0}};
  c.to = PointSpec{"b2", {}, {-0.2, 0.1, 0.05}};
  c.axis = {0.6, 0, 0.8};
  // where the point is at the start
  const Vec3 d = Vec3{0.8, 0.2, 0.1} + c.to.at - c.from.at;
  c.length = norm(d);
  if (type != ConstraintType::distance) c.from.at += d;
  model.constraints = {c};
  model.sensors = {point_sensor("tip", "b2", {0.1, 0.2, -0.1})};
  return model;
}

/// Two hinges and a slide on one carrier, tied by a gear or a coupling.
Model tied(ConstraintType type) {
  Model model;
  model.gravity = {0.3, -0.2, -9.81};
  for (int k = 1; k <= 3; ++k) model.bodies.push_back(reference_body(k));
  model.joints = {joint("base", JointType::revolute, "world", "b1", {0, 1, 0}),
                  joint("turn", JointType::revolute, "b1", "b2", {0, 0.6, 0.8}),
                  joint("slide", JointType::prismatic, "b1", "b3", {1, 0, 0})};
  model.joints[1].on_parent.at = {0.4, 0.1, 0};
  model.joints[2].on_parent.at = {-0.3, 0, 0.1};
  ConstraintSpec c = condition(type);
  c.joints = {{"base", {}}, {"turn", {}}};
  c.coefficients = {1, -0.7};
  if (type == ConstraintType::coupling) {
    c.joints.push_back({"slide", {}});
    c.coefficients.push_back(2);
  }
  model.constraints = {c};
  model.sensors = {point_sensor("tip", "b3", {0.1, 0.2, -0.1})};
  return model;
}

/// A body that rolls or glides on the plane z = 0 of the world.
Model on_floor(ConstraintType type) {
  Model model;
  model.gravity = {0.9, -0.6, -9.81};
  BodySpec b = reference_body(1);
  b.com = Vec3{};
  model.bodies = {b};
  const double radius = 0.3;
  ConstraintSpec c = condition(type);
  c.to.body = "b1";
  c.radius = radius;
  // rolls along x
  std::vector<double> u = {0.2, 1.5, 0.1, 1.5 * radius, -0.2 * radius, 0};
  if (type == ConstraintType::rolling_disk) u = {0, 1.5, 0, 1.5 * radius, 0, 0};
  model.joints = {thrown("b1", {0, 0, radius}, u)};
  model.constraints = {c};
  if (type == ConstraintType::knife_edge) {
    // on a planar joint, the edge off the centre
    model.joints = {joint("floor", JointType::planar, "world", "b1", {0, 0, 1})};
    model.joints[0].u = {0.8, 0.5, 0};
    model.constraints[0].to.at = {0, 0, 0};
  }
  if (type == ConstraintType::wheel) {
    model.joints = {joint("floor", JointType::planar, "world", "b1", {0, 0, 1})};
    model.joints[0].on_parent.at = {0, 0, radius};
    model.joints[0].u = {0.4, 0.6, 0};
    model.bodies.push_back(reference_body(2));
    model.bodies[1].com = Vec3{};
    model.joints.push_back(joint("axle", JointType::revolute, "b1", "b2", {0, 1, 0}));
    model.joints[1].u = {0.6 / radius};
    model.constraints[0].to.body = "b2";
  }
  model.sensors = {point_sensor("tip", "b1", {0.1, 0.2, -0.1})};
  return model;
}

Model rolling_joint(JointType type) {
  Model model;
  model.gravity = {0.9, -0.6, -9.81};
  BodySpec b = reference_body(1);
  if (type == JointType::rolling_disk) b.com = Vec3{};
  model.bodies = {b};
  JointSpec j = joint("floor", type, "world", "b1", {0, 0, 1});
  if (type == JointType::rolling_disk) {
    j.radius = 0.3;
    const double half = 0.7;  // of the angle by which the disk stands up
    const double lean = 2 * half;
    j.q = {std::cos(half), std::sin(half), 0, 0, 0, 0, 0.3 * std::sin(lean)};
    j.u = {0.1, 0.3, 2.5};
  } else {
    j.u = {0.8, 0.5};
  }
  model.joints = {j};
  model.sensors = {point_sensor("tip", "b1", {0.1, 0.2, -0.1})};
  return model;
}

/// `size`: what the blocks of the model open by, more where more of them hang on a body.
void check_order(const Model& model, double size = 3e-6) {
  check_second_order(model, {.until = 0.4, .size = size});
}

}  // namespace

TEST_CASE("discrete: every constraint tends to its ideal with the square of the step") {
  using C = ConstraintType;
  for (const C type : {C::distance, C::point_on_line, C::point_on_plane}) {
    CAPTURE(static_cast<int>(type));
    check_order(led(type));
  }
  for (const C type : {C::gear, C::coupling}) {
    CAPTURE(static_cast<int>(type));
    check_order(tied(type), 1e-4);
  }
  for (const C type : {C::knife_edge, C::rolling_sphere, C::rolling_disk, C::wheel}) {
    CAPTURE(static_cast<int>(type));
    check_order(on_floor(type));
  }
}

TEST_CASE("discrete: edges and rolling disks as joints tend to their ideals, too") {
  for (const JointType type : {JointType::knife_edge, JointType::rolling_disk}) {
    CAPTURE(to_text(type));
    check_order(rolling_joint(type));
  }
}

TEST_CASE("discrete: a rod between two bodies in flight makes no momentum") {
  for (const ConstraintType type : {ConstraintType::distance, ConstraintType::point_on_line}) {
    Model model = led(type);
    model.gravity = {};
    model.simulate.formulation = "discrete";
    model.simulate.step = 1e-4;
    model.simulate.until = 1;
    const Mechanism m = compile(model);
    Discrete d(m, model.simulate);
    d.begin(start_state(m, 0));
    const Wrench<double> before = momentum_of(observed(d));
    d.advance(10000);
    const Wrench<double> after = momentum_of(observed(d));
    // 10⁴ steps, roundings of both signs
    CHECK(norm(after.f - before.f) < 1e-12);
    CHECK(norm(after.n - before.n) < 1e-12);
    CHECK(norm(before.n) > 0.05);
  }
}

TEST_CASE("discrete: a rolling wheel that was stopped and continued repeats every bit") {
  check_continues(on_floor(ConstraintType::wheel), 1e-4, 333, 900);
}
