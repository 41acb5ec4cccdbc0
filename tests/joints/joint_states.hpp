// Every kind of joint with random numbers, and its motion seen from outside.
#pragma once

#include <vector>

#include "sarrus/core/random.hpp"
#include "sarrus/joints/chart.hpp"
#include "spatial/random_motion.hpp"

namespace sarrus::testing {

constexpr JointKind all_kinds[] = {
    JointKind::fixed,       JointKind::revolute,   JointKind::prismatic,   JointKind::screw,
    JointKind::cylindrical, JointKind::universal,  JointKind::spherical,   JointKind::planar,
    JointKind::free,        JointKind::knife_edge, JointKind::rolling_disk};

/// A joint at rest on a parent that does not move, with room for any kind.
struct JointState {
  JointKind kind{};
  JointNumbers<double> numbers;
  Mat3 R_F;
  std::vector<double> q = std::vector<double>(8), u = std::vector<double>(6);

  Pose<double> pose(const std::vector<double>& at) const {
    std::vector<double> s(8), c(8);
    for (size_t i = 0; i < 8; ++i) s[i] = std::sin(at[i]), c[i] = std::cos(at[i]);
    Pose<double> X;
    with_joint(kind, [&](auto joint) {
      joint.place(numbers, at.data(), Angles<double>{s.data(), c.data()}, R_F, X.R, X.p);
    });
    return X;
  }
  Twist<double> velocity(const std::vector<double>& at) const {
    Twist<double> S[6], V{};
    with_joint(kind, [&](auto joint) {
      joint.columns(numbers, at.data(), R_F, pose(at).R, S);
      for (int k = 0; k < joint.nu; ++k) V += S[k] * u[k];
    });
    return V;
  }
  /// q after a time h with u constant, for small h: the chart's rate at its base.
  std::vector<double> moved(double h) const {
    std::vector<double> v(8), rate(8), xi(8), zero(8), to(8);
    chart_velocity(kind, numbers, q.data(), u.data(), v.data());
    chart_rate(kind, zero.data(), v.data(), rate.data());
    for (size_t i = 0; i < 8; ++i) xi[i] = h * rate[i];
    retract(kind, q.data(), xi.data(), to.data());
    return to;
  }
};

inline JointState random_joint(Random& r, JointKind kind) {
  JointState j;
  j.kind = kind;
  Vec3 axis = random_in_ball(r, 1);
  if (kind == JointKind::universal) axis.y = 0;  // the second axis is y
  j.numbers.axis = axis * (1 / norm(axis));
  j.numbers.size = r.uniform(0.1, 0.6);
  j.R_F = rotation(random_quaternion(r));
  std::vector<double> zero(8), xi(8);
  zero_configuration(kind, zero.data());
  for (double& x : xi) x = r.uniform(-1, 1);
  retract(kind, zero.data(), xi.data(), j.q.data());
  for (double& x : j.u) x = r.uniform(-2, 2);
  return j;
}

/// The axial vector of a matrix that is skew but for rounding.
inline Vec3 axial(const Mat3& W) {
  return {(W.y.z - W.z.y) / 2, (W.z.x - W.x.z) / 2, (W.x.y - W.y.x) / 2};
}

}  // namespace sarrus::testing
