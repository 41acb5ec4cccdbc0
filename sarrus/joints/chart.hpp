// Charts: how a joint's configuration moves within a step.
//
//   q = q₀ ⊕ ξ      the configuration at ξ around the base q₀
//   ξ̇ = chart_rate(ξ, u)
//
// additive joints      q = q₀ + ξ,  ξ̇ = u
// rotations            quaternion q₀ ⊗ exp(ξ/2),  ξ̇ = J⁻¹(ξ) ω       (rotation.hpp)
// positions            r = r₀ + R₀ ξ_r,  ξ̇_r = R₀ᵀ R v = exp([ξ]×) v
// planar               angle + ξ₁, (x, y) + rot(angle₀) (ξ₂, ξ₃),  (ξ̇₂, ξ̇₃) = rot(ξ₁) (u₂, u₃)
#pragma once

#include "sarrus/joints/joint.hpp"

namespace sarrus {

/// The configuration in which q is zero: identity quaternions, no displacement.
template <class T>
inline void zero_configuration(JointKind kind, T* q) {
  const int nq = joint_nq(kind);
  for (int i = 0; i < nq; ++i) q[i] = T(0.0);
  if (has_quaternion(facts_of(kind).chart)) q[0] = T(1.0);
}

namespace detail {

template <class T>
SARRUS_INLINE void retract_rotation(const T* q0, const T* xi, T* q) {
  const Quaternion<T> p = normalized(Quaternion<T>{q0[0], q0[1], q0[2], q0[3]} *
                                     quaternion_exp(Vector3<T>{xi[0], xi[1], xi[2]}));
  q[0] = p.w, q[1] = p.x, q[2] = p.y, q[3] = p.z;
}

}  // namespace detail

/// q = q₀ ⊕ ξ for one joint.
template <class T>
inline void retract(JointKind kind, const T* q0, const T* xi, T* q) {
  switch (facts_of(kind).chart) {
    case ChartKind::rotation: detail::retract_rotation(q0, xi, q); return;
    case ChartKind::pose: {
      const Quaternion<T> p0{q0[0], q0[1], q0[2], q0[3]};
      const Vector3<T> r = rotation(p0) * Vector3<T>{xi[3], xi[4], xi[5]};
      detail::retract_rotation(q0, xi, q);
      for (int i = 0; i < 3; ++i) q[4 + i] = q0[4 + i] + r[i];
      return;
    }
    case ChartKind::plane: {
      const SinCos<T> a = sincos(q0[0]);
      q[0] = q0[0] + xi[0];
      q[1] = q0[1] + a.cos * xi[1] - a.sin * xi[2];
      q[2] = q0[2] + a.sin * xi[1] + a.cos * xi[2];
      return;
    }
    case ChartKind::additive:
      for (int i = 0; i < joint_nq(kind); ++i) q[i] = q0[i] + xi[i];
  }
}

/// The velocity of the joint's frame that belongs to u, in the layout of the chart (nx entries):
/// for quasi-velocity joints more than u itself.
template <class T>
inline void chart_velocity(JointKind kind, const JointNumbers<T>& j, const T* q, const T* u, T* v) {
  with_joint(kind, [&](auto joint) {
    using J = decltype(joint);
    if constexpr (NonholonomicJoint<J>)
      J::chart_velocity(j, q, u, v);
    else
      for (int i = 0; i < J::nu; ++i) v[i] = u[i];
  });
}

/// ξ̇ at ξ for the velocity v of chart_velocity().
template <class T>
inline void chart_rate(JointKind kind, const T* xi, const T* v, T* rate) {
  const ChartKind chart = facts_of(kind).chart;
  switch (chart) {
    case ChartKind::rotation:
    case ChartKind::pose: {
      const Vector3<T> x{xi[0], xi[1], xi[2]};
      const Vector3<T> r = rotation_vector_rate(x, Vector3<T>{v[0], v[1], v[2]});
      for (int i = 0; i < 3; ++i) rate[i] = r[i];
      if (chart == ChartKind::rotation) return;
      const Vector3<T> p = rotation_exp(x) * Vector3<T>{v[3], v[4], v[5]};
      for (int i = 0; i < 3; ++i) rate[3 + i] = p[i];
      return;
    }
    case ChartKind::plane: {
      const SinCos<T> a = sincos(xi[0]);
      rate[0] = v[0];
      rate[1] = a.cos * v[1] - a.sin * v[2];
      rate[2] = a.sin * v[1] + a.cos * v[2];
      return;
    }
    case ChartKind::additive:
      for (int i = 0; i < joint_nu(kind); ++i) rate[i] = v[i];
  }
}

/// The inverse of chart_rate(): the velocity whose rate at ξ is given. At a base moved to ξ it is
/// the rate itself.
template <class T>
inline void chart_velocity_of_rate(JointKind kind, const T* xi, const T* rate, T* v) {
  const ChartKind chart = facts_of(kind).chart;
  switch (chart) {
    case ChartKind::rotation:
    case ChartKind::pose: {
      const Vector3<T> x{xi[0], xi[1], xi[2]};
      const Vector3<T> w = angular_velocity_of_rate(x, Vector3<T>{rate[0], rate[1], rate[2]});
      for (int i = 0; i < 3; ++i) v[i] = w[i];
      if (chart == ChartKind::rotation) return;
      const Vector3<T> p = rotation_exp(-x) * Vector3<T>{rate[3], rate[4], rate[5]};
      for (int i = 0; i < 3; ++i) v[3 + i] = p[i];
      return;
    }
    case ChartKind::plane: {
      const SinCos<T> a = sincos(xi[0]);
      v[0] = rate[0];
      v[1] = a.cos * rate[1] + a.sin * rate[2];
      v[2] = a.cos * rate[2] - a.sin * rate[1];
      return;
    }
    case ChartKind::additive:
      for (int i = 0; i < joint_nu(kind); ++i) v[i] = rate[i];
  }
}

}  // namespace sarrus
