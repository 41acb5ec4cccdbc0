// Random trees for property tests: any joint, any frame, bodies with full inertias.
#pragma once

#include "sarrus/core/random.hpp"
#include "sarrus/mechanism/mechanism.hpp"
#include "sarrus/model/model.hpp"

namespace sarrus::testing {

inline Vec3 random_vector(Random& r, double size = 1) {
  return {r.uniform(-size, size), r.uniform(-size, size), r.uniform(-size, size)};
}
inline Vec3 random_unit(Random& r) {
  const Vec3 v = random_vector(r);
  return norm(v) < 0.1 ? random_unit(r) : v * (1 / norm(v));
}
inline Quat random_rotation(Random& r) { return quaternion_exp(random_vector(r, 2)); }

/// A body whose inertia is that of a few random mass points: always possible.
inline BodySpec random_body(Random& r, const std::string& name) {
  BodySpec b;
  b.name = name;
  double mass = 0;
  Vec3 first{}, points[6];
  double weight[6];
  for (int i = 0; i < 6; ++i) {
    weight[i] = r.uniform(0.1, 1);
    points[i] = random_vector(r, 0.4);
    mass += weight[i];
    first += points[i] * weight[i];
  }
  const Vec3 com = first * (1 / mass);
  Mat3 I{};
  for (int i = 0; i < 6; ++i) {
    const Mat3 s = skew(points[i] - com);
    I = I + (s * transpose(s)) * weight[i];
  }
  b.mass = mass;
  b.com = com;
  b.inertia = I;
  return b;
}

inline Model random_tree(Random& r, int bodies) {
  constexpr JointType types[] = {
      JointType::revolute,     JointType::prismatic,  JointType::screw,    JointType::cylindrical,
      JointType::universal,    JointType::spherical,  JointType::planar,   JointType::free,
      JointType::fixed,        JointType::knife_edge, JointType::revolute, JointType::rolling_disk,
      JointType::translational};
  Model model;
  model.name = "random tree";
  model.gravity = random_vector(r, 10);
  for (int i = 0; i < bodies; ++i) {
    model.bodies.push_back(random_body(r, "b" + std::to_string(i)));
    JointSpec j;
    j.name = "j" + std::to_string(i);
    j.type = types[r.below(13)];
    const int parent = r.below(i + 1) - 1;
    j.parent = parent < 0 ? "world" : "b" + std::to_string(parent);
    j.child = "b" + std::to_string(i);
    j.axis = random_unit(r);
    Vec3 across = cross(j.axis, random_unit(r));
    j.axis2 = across * (1 / norm(across));
    j.pitch = r.uniform(-0.5, 0.5);
    j.radius = r.uniform(0.1, 0.5);
    j.on_parent = {random_vector(r), random_rotation(r)};
    j.on_child = {random_vector(r), random_rotation(r)};
    model.joints.push_back(j);
  }
  return model;
}

/// Random q and u for a compiled mechanism.
inline Coordinates random_state(Random& r, const Mechanism& m) {
  Coordinates c = m.start;
  std::vector<double> xi(8);
  for (int b = 1; b < m.nb; ++b) {
    const JointKind kind = m.kind[b];
    std::vector<double> zero(8);
    zero_configuration(kind, zero.data());
    for (double& x : xi) x = r.uniform(-1, 1);
    retract(kind, zero.data(), xi.data(), c.q.data() + m.q0[b]);
  }
  for (double& u : c.u) u = r.uniform(-2, 2);
  return c;
}

}  // namespace sarrus::testing
