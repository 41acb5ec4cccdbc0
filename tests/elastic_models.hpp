// Mechanisms with elastic bodies, for tests.
#pragma once

#include "small_models.hpp"

namespace sarrus::testing {

inline BodySpec elastic_body(const std::string& name, const BeamSpec& beam) {
  BodySpec body;
  body.name = name;
  body.elastic = ElasticSpec{{}, beam, {}, {}};
  return body;
}

/// The pendulum of the theory: L = 1 m, released level, hinge about y.
inline BeamSpec pendulum_beam(double E = 1.25e10, int modes = 4) {
  BeamSpec b;
  b.length = 1;
  b.section = {1e-4, 4e-10, 4e-10, 8e-10, 0, 0};
  b.material = {E, E / 2.6, 2700};
  b.deforms = {Deflection::z};
  b.modes = modes;
  return b;
}

inline Model elastic_pendulum(const BeamSpec& beam) {
  Model model;
  model.name = "elastic pendulum";
  model.bodies = {elastic_body("beam", beam)};
  model.joints = {joint("hinge", JointType::revolute, "world", "beam", {0, 1, 0})};
  model.sensors = {point_sensor("tip", "beam", {beam.length, 0, 0})};
  return model;
}

/// Soft enough to bend visibly, in all ways.
inline BeamSpec soft_beam(double length, char form = 'Q') {
  BeamSpec b;
  b.length = length;
  b.section = {2e-4, 3e-9, 5e-9, 6e-9, 0, 0};
  b.material = {2e9, 8e8, 1500};
  b.deforms = {Deflection::y, Deflection::z, Deflection::torsion, Deflection::axial};
  b.modes = 2;
  b.form = form;
  return b;
}

/// A free base, an elastic arm on it, a rigid and an elastic body on that, and one more in the
/// middle of the arm: elastic bodies as base, middle and end, all joints askew.
inline Model elastic_tree(char form = 'Q') {
  Model model;
  model.name = "elastic tree";
  model.bodies = {ball("base", 2, 0.3, {0.1, 0, 0}), elastic_body("arm", soft_beam(0.8, form)),
                  ball("wrist", 0.7, 0.02, {0.1, 0.05, 0}),
                  elastic_body("hand", soft_beam(0.5, form)),
                  ball("rider", 0.4, 0.01, {0, 0.1, 0})};
  model.joints = {joint("float", JointType::free, "world", "base"),
                  joint("shoulder", JointType::spherical, "base", "arm"),
                  joint("elbow", JointType::revolute, "arm", "wrist", {0.6, 0, 0.8}),
                  joint("finger", JointType::universal, "wrist", "hand", {0, 0.6, 0.8}),
                  joint("saddle", JointType::prismatic, "arm", "rider", {0, 1, 0})};
  model.joints[1].on_parent = reference_frame(1, {0.2, 0.1, 0});
  model.joints[1].on_child.at = {0.2, 0, 0};  // not at an end
  model.joints[2].on_parent = reference_frame(2, {0.8, 0.02, 0.01});
  model.joints[3].on_parent = reference_frame(3, {0.2, 0, 0});
  model.joints[4].on_parent = reference_frame(1, {0.5, 0, 0});
  model.sensors = {point_sensor("tip", "hand", {0.5, 0, 0})};
  return model;
}

}  // namespace sarrus::testing
