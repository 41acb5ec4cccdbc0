// Mechanisms with closed loops whose motion is known in closed form or from independent programs.
#pragma once

#include <cmath>

#include "builders.hpp"

namespace sarrus::testing {

inline BodySpec rod_along_x(const std::string& name, double mass, double length, double thin) {
  BodySpec body;
  body.name = name;
  body.mass = mass;
  body.com = Vec3{length / 2, 0, 0};
  const double I = mass * length * length / 12;
  body.inertia = Sym3{thin, I, I, 0, 0, 0}.full();
  return body;
}

inline JointSpec hinge(const std::string& name, const std::string& parent, const std::string& child,
                       const Vec3& at_parent, const Vec3& at_child, const Vec3& axis = {0, 0, 1}) {
  JointSpec joint;
  joint.name = name;
  joint.type = JointType::revolute;
  joint.parent = parent;
  joint.child = child;
  joint.on_parent.at = at_parent;
  joint.on_child.at = at_child;
  joint.axis = axis;
  return joint;
}

/// Four spatial hinges with parallel axes: three of the five rows of the closing one are redundant.
inline Model four_bar(JointType closing = JointType::revolute) {
  Model m;
  m.name = "four-bar";
  m.gravity = {0, -9.81, 0};
  for (const auto& [name, length] : {std::pair{"crank", 1.0}, {"coupler", 3.5}, {"rocker", 3.0}})
    m.bodies.push_back(rod_along_x(name, length, length, 1e-3 * length * length * length));
  m.joints.push_back(hinge("a", "world", "crank", {}, {}));
  m.joints.push_back(hinge("b", "crank", "coupler", {1, 0, 0}, {}));
  m.joints.push_back(hinge("c", "world", "rocker", {4, 0, 0}, {}));
  m.joints.push_back(hinge("d", "coupler", "rocker", {3.5, 0, 0}, {3, 0, 0}));
  m.joints.back().type = closing;
  const double q[] = {1, -0.361052092213, 1.789251403388};
  const double u[] = {2, -2.444320678020, 0.257978881148};
  for (size_t i = 0; i < 3; ++i)
    m.joints[i].q = std::vector<double>{q[i]}, m.joints[i].u = std::vector<double>{u[i]};
  return m;
}

/// Two hinged legs at right angles: the platform can only rise and fall.
struct SarrusLinkage {
  static constexpr double L = 0.5, b = 0.4, m = 0.8, platform = 2, g = 9.81;
  static constexpr double I = m * L * L / 12;

  /// Acceleration of the angle from the closed form of one freedom.
  static double acceleration(double phi, double rate) {
    const double c = std::cos(phi), s = std::sin(phi);
    const double M = 2 * (I + m * L * L / 4) + 2 * (I + m * L * L * (s * s / 4 + 9 * c * c / 4)) +
                     4 * platform * L * L * c * c;
    const double dM = 2 * m * L * L * (s * c / 2 - 9 * s * c / 2) - 8 * platform * L * L * c * s;
    const double dV = g * L * (4 * m + 2 * platform) * c;
    return (-dV - 0.5 * dM * rate * rate) / M;
  }
};

inline Model sarrus_linkage(double phi = 0.6, double rate = 0.5) {
  using S = SarrusLinkage;
  Model m;
  m.name = "Sarrus linkage";
  m.gravity = {0, 0, -S::g};
  const auto link = [&](const std::string& name, const Vec3& along) {
    BodySpec body;
    body.name = name;
    body.mass = S::m;
    body.com = along * (S::L / 2);
    Mat3 I{};
    for (int i = 0; i < 3; ++i) I(i, i) = along[i] == 0 ? S::I : 1e-3;
    body.inertia = I;
    m.bodies.push_back(body);
  };
  const Vec3 x{1, 0, 0}, y{0, 1, 0};
  link("lower_x", y), link("upper_x", y), link("lower_y", x), link("upper_y", x);
  BodySpec platform;
  platform.name = "platform";
  platform.mass = S::platform;
  platform.inertia = Sym3{0.05, 0.05, 0.05, 0, 0, 0}.full();
  m.bodies.push_back(platform);
  const double b = S::b, L = S::L;
  m.joints.push_back(hinge("a1", "world", "lower_x", {0, b, 0}, {}, x));
  m.joints.push_back(hinge("a2", "lower_x", "upper_x", {0, L, 0}, {}, x));
  m.joints.push_back(hinge("a3", "upper_x", "platform", {0, L, 0}, {0, b, 0}, x));
  m.joints.push_back(hinge("b1", "world", "lower_y", {b, 0, 0}, {}, y));
  m.joints.push_back(hinge("b2", "lower_y", "upper_y", {L, 0, 0}, {}, y));
  m.joints.push_back(hinge("b3", "upper_y", "platform", {L, 0, 0}, {b, 0, 0}, y));
  // links written outward along y (x): the knee turns them back by π − 2φ
  const double pi = 3.14159265358979324;
  const double q[] = {phi, pi - 2 * phi, phi - pi, -phi, 2 * phi - pi};
  const double u[] = {rate, -2 * rate, rate, -rate, 2 * rate};
  for (size_t i = 0; i < 5; ++i)
    m.joints[i].q = std::vector<double>{q[i]}, m.joints[i].u = std::vector<double>{u[i]};
  return m;
}

/// N four-bars in a row: posts on the ground 1 m apart, beams between their tops.
inline Model n_four_bar(int N) {
  Model m;
  m.name = "N four-bars";
  m.gravity = {0, -9.81, 0};
  for (int i = 0; i <= N; ++i) {
    BodySpec post = rod_along_x("post" + std::to_string(i), 1, 1, 0);
    post.com = Vec3{0, 0.5, 0};
    post.inertia = Sym3{1.0 / 12, 0, 1.0 / 12, 0, 0, 0}.full();
    m.bodies.push_back(post);
    m.joints.push_back(
        hinge("a" + std::to_string(i), "world", post.name, {static_cast<double>(i), 0, 0}, {}));
    m.joints.back().u = std::vector<double>{-1};
  }
  for (int i = 1; i <= N; ++i) {
    const std::string n = std::to_string(i), beam = "beam" + n;
    m.bodies.push_back(rod_along_x(beam, 1, 1, 0));
    m.joints.push_back(hinge("b" + n, "post" + std::to_string(i - 1), beam, {0, 1, 0}, {}));
    m.joints.back().u = std::vector<double>{1};
    m.joints.push_back(hinge("c" + n, beam, "post" + n, {1, 0, 0}, {0, 1, 0}));
  }
  return m;
}

/// Six hinges, neighbours at right angles: one freedom although counting gives none.
inline double bricard_partner(double theta) {
  return std::acos(-std::cos(theta) / (1 + std::cos(theta)));
}

inline Model bricard(double theta = 1.2, double rate = 1) {
  Model m;
  m.name = "Bricard";
  const double pi = 3.14159265358979324;
  const auto turn_x = [](double angle) {
    return Quat{std::cos(angle / 2), std::sin(angle / 2), 0, 0};
  };
  const double phi = bricard_partner(theta);
  // derivative of cos θ + cos φ + cos θ cos φ = 0
  const double dphi =
      -rate * std::sin(theta) * (1 + std::cos(phi)) / (std::sin(phi) * (1 + std::cos(theta)));
  for (int k = 0; k < 5; ++k) {
    const std::string name = "link" + std::to_string(k);
    m.bodies.push_back(rod_along_x(name, 1 + 0.1 * k, 1, 0.01));
    const std::string parent = k == 0 ? "world" : "link" + std::to_string(k - 1);
    JointSpec j = hinge("j" + std::to_string(k + 1), parent, name, {}, {});
    if (k > 0) {
      j.on_parent.at = {1, 0, 0};
      j.on_parent.rotation = turn_x(k % 2 == 1 ? pi / 2 : -pi / 2);
    }
    j.q = std::vector<double>{k % 2 == 0 ? theta : phi};
    j.u = std::vector<double>{k % 2 == 0 ? rate : dphi};
    m.joints.push_back(j);
  }
  JointSpec last = hinge("j6", "world", "link4", {-1, 0, 0}, {1, 0, 0});
  last.on_parent.rotation = turn_x(pi / 2);
  last.on_child.rotation = turn_x(pi / 2);
  m.joints.push_back(last);
  return m;
}

}  // namespace sarrus::testing
