// Named mechanisms for tests: the reference models of docs/theory/reference-models.md.
#pragma once

#include <cmath>

#include "sarrus/core/random.hpp"
#include "sarrus/mechanism/mechanism.hpp"
#include "sarrus/model/model.hpp"

namespace sarrus::testing {

inline Mat3 rot(const Vec3& axis, double angle) { return rotation(axis, angle); }
inline Formula formula(const std::string& text) { return {Expression::parse(text).expression, {}}; }

/// Body k of the reference models: mass, centre, inertia with products.
inline BodySpec reference_body(int k) {
  BodySpec b;
  b.name = "b" + std::to_string(k);
  const double o = 0.002 * k;
  b.mass = 1 + 0.3 * k;
  b.com = Vec3{0.25, 0.02 * k, -0.03};
  b.inertia = Mat3{{0.02 + 0.005 * k, o, -o / 2},
                   {o, 0.06 + 0.01 * k, o / 3},
                   {-o / 2, o / 3, 0.07 + 0.008 * k}};
  return b;
}
inline FrameSpec reference_frame(int k, const Vec3& r) {
  return {r, quaternion(rot({0, 0, 1}, 0.1 * k) * rot({1, 0, 0}, 0.2 * k))};
}

/// B1: a chain of five hinges with axes z, y, x, y, z and springs.
inline Model chain_b1(bool springs = true) {
  Model model;
  model.name = "B1";
  const Vec3 axes[] = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 1; k <= 5; ++k) {
    model.bodies.push_back(reference_body(k));
    JointSpec j;
    j.name = "j" + std::to_string(k);
    j.type = JointType::revolute;
    j.parent = k == 1 ? "world" : "b" + std::to_string(k - 1);
    j.child = "b" + std::to_string(k);
    j.axis = axes[k - 1];
    j.on_parent = reference_frame(k, k == 1 ? Vec3{} : Vec3{0.5 + 0.05 * k, 0.03 * k, -0.02 * k});
    j.q = {0.3 * k - 0.5};
    j.u = {0.4 - 0.2 * k};
    if (springs) j.spring = JointSpringSpec{{2.0 + k}, {0.1 * k}, {}};
    model.joints.push_back(j);
  }
  model.simulate.integrator = "dop853";
  model.simulate.rtol = 1e-12;
  return model;
}

/// B2: a tree with every type of joint on a free base; q = zero ⊕ ξ, ξᵢ = 0.4 sin(0.5 + 0.9 i).
inline Model tree_b2() {
  Model model;
  model.name = "B2";
  const auto add = [&](int k, int parent, JointType type, Vec3 axis) {
    model.bodies.push_back(reference_body(k));
    JointSpec j;
    j.name = "j" + std::to_string(k);
    j.type = type;
    j.parent = parent == 0 ? "world" : "b" + std::to_string(parent);
    j.child = "b" + std::to_string(k);
    j.axis = axis * (1 / norm(axis));
    j.on_parent = reference_frame(k, {0.3 + 0.05 * k, 0.03 * k, -0.02 * k});
    model.joints.push_back(j);
  };
  add(1, 0, JointType::free, {0, 0, 1});
  add(2, 1, JointType::revolute, {1, 2, 3});
  add(3, 2, JointType::spherical, {0, 0, 1});
  add(4, 1, JointType::prismatic, {0, 1, 1});
  add(5, 4, JointType::universal, {1, 0, 0});
  model.joints.back().axis2 = {0, 1, 0};
  add(6, 5, JointType::cylindrical, {0, 0, 1});
  add(7, 1, JointType::planar, {0, 0, 1});
  model.joints.back().axis2 = {1, 0, 0};
  add(8, 7, JointType::screw, {1, 0, 0});
  model.joints.back().pitch = 0.1 * 2 * M_PI;
  add(9, 8, JointType::fixed, {0, 0, 1});
  // the start, in the order of the joints
  int i = 1;
  for (JointSpec& j : model.joints) {
    JointKind kind = JointKind::fixed;
    switch (j.type) {
      case JointType::free: kind = JointKind::free; break;
      case JointType::revolute: kind = JointKind::revolute; break;
      case JointType::spherical: kind = JointKind::spherical; break;
      case JointType::prismatic: kind = JointKind::prismatic; break;
      case JointType::universal: kind = JointKind::universal; break;
      case JointType::cylindrical: kind = JointKind::cylindrical; break;
      case JointType::planar: kind = JointKind::planar; break;
      case JointType::screw: kind = JointKind::screw; break;
      default: continue;
    }
    std::vector<double> zero(joint_nq(kind)), q = zero, xi, u;
    zero_configuration(kind, zero.data());
    for (int k = 0; k < joint_nu(kind); ++k, ++i) {
      xi.push_back(0.4 * std::sin(0.5 + 0.9 * i));
      u.push_back(0.3 * std::cos(1 + 0.7 * i));
    }
    retract(kind, zero.data(), xi.data(), q.data());
    j.q = q;
    j.u = u;
  }
  model.simulate.rtol = 1e-12;
  return model;
}

}  // namespace sarrus::testing
