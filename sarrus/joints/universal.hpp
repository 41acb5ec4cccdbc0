// Universal joint: a turn about a₁, fixed in the parent, then about a₂ = y, fixed in the child.
//
//   R_FM = rot(a₁, q₁) rot_y(q₂),  p = 0      S = [b; 0], [y; 0]     b = R_F a₁, the first axis
//   Ṡ as seen in the child, where b turns by −u₂ y: [−u₂ (y × b); 0], 0
#pragma once

#include "sarrus/joints/reading.hpp"

namespace sarrus {

struct Universal {
  static constexpr JointKind kind = JointKind::universal;
  static constexpr int nq = 2, nu = 2, nx = 2;
  static constexpr JointFacts facts{.name = "universal",
                                    .freedoms = {Freedom::turns, Freedom::turns},
                                    .axes = JointAxes::cross,
                                    .point = HeldPoint::all,
                                    .turn = HeldTurn::angle,
                                    .mark = "cross"};

  static JointNumbers<double> numbers(const JointShape& shape, const Mat3& axes) {
    return {transposed_times(axes, shape.axis * (1 / norm(shape.axis))), 0};
  }
  template <class T>
  static SARRUS_INLINE void place(const JointNumbers<T>& j, const T* q, const Angles<T>& a,
                                  const Matrix3<T>& R_F, Matrix3<T>& R, Vector3<T>& d) {
    const Matrix3<T> first = R_F * rotation(j.axis, q[0]);
    R = {first.x * a.cos[1] - first.z * a.sin[1], first.y, first.z * a.cos[1] + first.x * a.sin[1]};
    d = zero3<T>();
  }
  template <class T>
  static SARRUS_INLINE void columns(const JointNumbers<T>& j, const T*, const Matrix3<T>& R_F,
                                    const Matrix3<T>& R, Twist<T>* S) {
    S[0] = {R_F * j.axis, zero3<T>()};
    S[1] = {R.y, zero3<T>()};
  }
  template <class T>
  static SARRUS_INLINE void column_rates(const JointNumbers<T>& j, const Matrix3<T>& R_F,
                                         const Matrix3<T>& R, const T* u, Twist<T>* rates) {
    rates[0] = {cross(R_F * j.axis, R.y) * u[1], zero3<T>()};
    rates[1] = {zero3<T>(), zero3<T>()};
  }
  static void read(const JointNumbers<double>& j, const Mat3& R, const Vec3&, double* q) {
    // y turned by rot(a₁, q₁), and a₁ seen from the child, turned by rot_y(−q₂); of both, the part
    // across the axis of the turn gives the angle
    const Vec3 a1 = j.axis, y{0, 1, 0}, b2 = R.y, b1 = transposed_times(R, a1);
    const double c = dot(a1, y);
    q[0] = continued(std::atan2(dot(a1, cross(y, b2)), dot(y, b2) - c * dot(a1, b2)), q[0]);
    q[1] = continued(std::atan2(-dot(y, cross(a1, b1)), dot(a1, b1) - c * dot(y, b1)), q[1]);
  }
};

}  // namespace sarrus
