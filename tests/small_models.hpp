// Small mechanisms that tests put together: bodies, joints, pendulums, chains.
#pragma once

#include <doctest/doctest.h>

#include "builders.hpp"
#include "random_tree.hpp"
#include "sarrus/run/simulate.hpp"

namespace sarrus::testing {

/// A solid with the same moment of inertia about every axis.
inline BodySpec ball(const std::string& name, double mass, double inertia, const Vec3& com = {}) {
  BodySpec b;
  b.name = name;
  b.mass = mass;
  b.com = com;
  b.inertia = Mat3{{inertia, 0, 0}, {0, inertia, 0}, {0, 0, inertia}};
  return b;
}

inline JointSpec joint(const std::string& name, JointType type, const std::string& parent,
                       const std::string& child, const Vec3& axis = {0, 0, 1}) {
  JointSpec j;
  j.name = name;
  j.type = type;
  j.parent = parent;
  j.child = child;
  j.axis = axis;
  j.axis2 = std::fabs(axis.x) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  return j;
}

inline SensorSpec point_sensor(const std::string& name, const std::string& body, const Vec3& at) {
  SensorSpec s;
  s.name = name;
  s.point = PointSpec{body, {}, at};
  return s;
}

/// A mass point on a massless rod of length 1 m, swinging about y; q from straight down.
inline Model pendulum(double q, double u = 0) {
  Model model;
  model.name = "pendulum";
  model.bodies = {ball("bob", 1, 0, {0, 0, -1})};
  model.joints = {joint("hinge", JointType::revolute, "world", "bob", {0, 1, 0})};
  model.joints[0].q = {q};
  model.joints[0].u = {u};
  return model;
}

/// A mass on a rail along x, without gravity.
inline Model slider(double mass, double q, double u) {
  Model model;
  model.name = "slider";
  model.gravity = {0, 0, 0};
  model.bodies = {ball("block", mass, 1)};
  model.joints = {joint("rail", JointType::prismatic, "world", "block", {1, 0, 0})};
  model.joints[0].q = {q};
  model.joints[0].u = {u};
  return model;
}

/// A flywheel that turns about z.
inline Model flywheel(double inertia, double u = 0) {
  Model model;
  model.name = "flywheel";
  model.bodies = {ball("wheel", 1, inertia)};
  model.joints = {joint("axle", JointType::revolute, "world", "wheel")};
  model.joints[0].u = {u};
  return model;
}

/// A chain of n equal rods hanging by hinges about y.
inline Model rods(int n, double length = 0.1, double mass = 0.1) {
  Model model;
  model.name = "chain";
  for (int i = 0; i < n; ++i) {
    BodySpec b = ball("b" + std::to_string(i), mass, 0, {0, 0, -length / 2});
    const double I = mass * length * length / 12;
    b.inertia = Mat3{{I, 0, 0}, {0, I, 0}, {0, 0, I / 100}};
    model.bodies.push_back(b);
    JointSpec j = joint("j" + std::to_string(i), JointType::revolute,
                        i == 0 ? "world" : "b" + std::to_string(i - 1), b.name, {0, 1, 0});
    if (i > 0) j.on_parent.at = {0, 0, -length};
    model.joints.push_back(j);
  }
  return model;
}

inline Run run(Model model, double until, double rtol = 1e-12) {
  model.simulate.until = until;
  model.simulate.rtol = rtol;
  return simulate(compile(model), model.simulate);
}
/// A run that reaches its end.
inline Run run_in(Model model, const std::string& formulation, double until, double output_step,
                  double rtol) {
  model.simulate.formulation = formulation;
  model.simulate.output_step = output_step;
  Run done = run(std::move(model), until, rtol);
  REQUIRE_MESSAGE(done.summary.status == RunStatus::done,
                  (done.summary.failure ? done.summary.failure->message : ""));
  return done;
}
inline double last(const Run& r, const std::string& column) {
  return r.trajectory.at(r.trajectory.rows() - 1, column);
}

inline bool has(const std::vector<Diagnostic>& notes, const std::string& code) {
  for (const Diagnostic& d : notes)
    if (d.code == code) return true;
  return false;
}

}  // namespace sarrus::testing
