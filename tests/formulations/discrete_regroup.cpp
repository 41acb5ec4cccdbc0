// Inertia that bodies share at their joints may belong to either: the equations of motion stay.
#include "sarrus/formulations/graph/discrete_regroup.hpp"
#include "instant.hpp"

#include <doctest/doctest.h>

#include "near.hpp"
#include "sarrus/formulations/graph/discrete_graph.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// A thin rod, without inertia about itself, beside a joint on a solid body that flies.
Model rod_on(JointType type) {
  Model model;
  model.name = to_text(type);
  model.gravity = {0.3, -0.2, -9.81};
  BodySpec rod = ball("rod", 0.7, 0);
  rod.inertia = Mat3{{0, 0, 0}, {0, 0.05, 0}, {0, 0, 0.05}};
  model.bodies = {reference_body(1), rod};
  JointSpec base = joint("base", JointType::free, "world", "b1");
  base.q = {0.8, 0.6, 0, 0, 0.1, 0.2, 0.3};
  JointSpec j = joint("j", type, "b1", "rod");
  j.on_parent.at = {0.4, 0.06, -0.04};
  j.on_child.at = {0, 0.3, 0.1};
  j.pitch = 0.3;
  model.joints = {base, j};
  return model;
}

/// What the graph moves, as bodies of the mechanism.
Mechanism as_moved(Mechanism m) {
  const DiscreteGraph g = discrete_graph(m);
  for (size_t s = 1; s < g.bodies.size(); ++s) {
    const GraphBody& b = g.bodies[s];
    CHECK(!b.lent.is_there());
    CHECK(std::min({b.I.x, b.I.y, b.I.z}) > 1e-4);
    const BodyInertia<double> at_c{1 / b.inverse_mass, {}, {b.I.x, b.I.y, b.I.z, 0, 0, 0}};
    m.numbers.body[b.inside].inertia = moved(at_c, b.X_BC);
  }
  return m;
}

/// Forces for the same motion, of both.
void check_same_motion(const Model& model) {
  CAPTURE(model.name);
  const Mechanism m = compile(model), other = as_moved(m);
  Workspace<double> one(m), two(other);
  Random random(7);
  const auto n = static_cast<size_t>(m.nu);
  std::vector<double> u(n), udot(n), tau(n), same(n);
  for (int round = 0; round < 3; ++round) {
    std::vector<double> q = m.start.q;
    for (size_t i = 0; i < n; ++i) u[i] = random.uniform(-2, 2), udot[i] = random.uniform(-5, 5);
    for (int b = 1; b < m.nb; ++b)  // angles and ways; quaternions stay
      if (m.kind[b] == JointKind::revolute || m.kind[b] == JointKind::prismatic)
        q[m.q0[b]] = random.uniform(-1, 1);
    inverse_dynamics_at(one, q.data(), u.data(), udot.data(), tau.data());
    inverse_dynamics_at(two, q.data(), u.data(), udot.data(), same.data());
    // sums of some ten products up to 100
    for (size_t i = 0; i < n; ++i) CHECK(std::fabs(tau[i] - same[i]) < 1e-11);
  }
}

}  // namespace

TEST_CASE("regrouping: inertia moved across a joint changes no force that a motion needs") {
  for (const JointType type :
       {JointType::fixed, JointType::revolute, JointType::prismatic, JointType::cylindrical,
        JointType::screw, JointType::planar, JointType::spherical, JointType::universal,
        JointType::translational})
    check_same_motion(rod_on(type));
}

TEST_CASE("regrouping: point masses on hinges take inertia from the world and from each other") {
  check_same_motion(pendulum(1));
  Model chain = rods(6);
  for (BodySpec& b : chain.bodies) b.com = Vec3{0, 0, -0.1}, b.inertia = Mat3{};
  check_same_motion(chain);
}

TEST_CASE("regrouping: a massless link between two hinges that cross takes from both sides") {
  Model model = rod_on(JointType::revolute);
  model.bodies[1] = reference_body(2);
  JointSpec& j = model.joints[1];
  j.child = "b2";
  j.type = JointType::sequence;
  j.sequence = {{false, {0, 0, 1}}, {false, {0, 1, 0}}};
  check_same_motion(model);
}

TEST_CASE("regrouping: bodies that lack nothing keep what they have") {
  Model model = rod_on(JointType::revolute);
  model.bodies[1] = reference_body(2);
  model.joints[1].child = "b2";
  const DiscreteGraph g = discrete_graph(compile(model));
  for (const GraphJoint& j : g.joints) CHECK((j.given.m == 0 && norm(j.given.mc) == 0));
  // two divisions
  CHECK(near(1 / g.bodies[1].inverse_mass, *model.bodies[0].mass, 1e-14));
}
