// Mechanisms for tests of linear models, equilibria and modes: pendulums, and a swing with a loop.
#pragma once

#include <string>
#include <vector>

#include "builders.hpp"
#include "linked.hpp"

namespace sarrus::testing {

inline constexpr double g = 9.81;  // [m/s²]

/// A body with the given principal moments of inertia about its centre of mass.
inline BodySpec principal_body(const std::string& name, double mass, const Vec3& com,
                               const Vec3& inertia) {
  BodySpec b;
  b.name = name;
  b.mass = mass;
  b.com = com;
  b.inertia = Mat3{{inertia.x, 0, 0}, {0, inertia.y, 0}, {0, 0, inertia.z}};
  return b;
}

/// A rod on a hinge at its end, hanging along −z where q = 0.
inline Model pendulum(double mass, double length, double q = 0) {
  Model model;
  model.bodies = {principal_body("rod", mass, {0, 0, -length / 2},
                                 {mass * length * length / 12, mass * length * length / 12, 0})};
  model.joints = {joint("hinge", JointType::revolute, "world", "rod", {0, 1, 0})};
  model.joints[0].q = std::vector<double>{q};
  return model;
}

inline Model double_pendulum(double q1 = 0, double q2 = 0) {
  Model model = pendulum(1, 1, q1);
  model.bodies.push_back(principal_body("second", 1, {0, 0, -0.5}, {1.0 / 12, 1.0 / 12, 0}));
  model.joints.push_back(
      joint("elbow", JointType::revolute, "rod", "second", {0, 1, 0}, {0, 0, -1}));
  model.joints[1].q = std::vector<double>{q2};
  return model;
}

/// A mass at the end of a massless rod on a hinge across a vertical shaft.
inline Model whirling_pendulum(double length, double angle) {
  Model model;
  model.bodies = {principal_body("shaft", 1, {}, {0.01, 0.01, 0.01}),
                  principal_body("bob", 1, {0, 0, -length}, {})};
  model.joints = {joint("spin", JointType::revolute, "world", "shaft", {0, 0, 1}),
                  joint("hinge", JointType::revolute, "shaft", "bob", {0, 1, 0})};
  model.joints[1].q = std::vector<double>{angle};
  return model;
}

/// Two equal rods hang from the ground and carry a bar between them: hinges all along y, more than
/// a plane linkage needs.
inline Model swing(double rod, double bar, double length, double width, double q = 0) {
  Model model;
  const double I = rod * length * length / 12;
  model.bodies = {principal_body("left", rod, {0, 0, -length / 2}, {I, I, 0}),
                  principal_body("right", rod, {0, 0, -length / 2}, {I, I, 0}),
                  principal_body("bar", bar, {width / 2, 0, 0},
                                 {0, bar * width * width / 12, bar * width * width / 12})};
  model.joints = {joint("a", JointType::revolute, "world", "left", {0, 1, 0}),
                  joint("b", JointType::revolute, "left", "bar", {0, 1, 0}, {0, 0, -length}),
                  joint("d", JointType::revolute, "world", "right", {0, 1, 0}, {width, 0, 0}),
                  joint("c", JointType::revolute, "right", "bar", {0, 1, 0}, {0, 0, -length})};
  model.joints[3].on_child.at = {width, 0, 0};
  model.joints[0].q = std::vector<double>{q};
  return model;
}

}  // namespace sarrus::testing
