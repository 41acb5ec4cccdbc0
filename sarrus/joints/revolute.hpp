// Revolute joint: the child turns about one axis fixed in both bodies.
//
//   R_FM(q) = rot_z(q),  p = 0      S = [z; 0]      Ṡ = 0, q̇ = u, q in rad
//
// [Featherstone 2008, ch. 4], docs/theory/joints.md
#pragma once

#include "sarrus/joints/reading.hpp"

namespace sarrus {

struct Revolute {
  static constexpr JointKind kind = JointKind::revolute;
  static constexpr int nq = 1, nu = 1, nx = 1;
  static constexpr JointFacts facts{.name = "revolute",
                                    .freedoms = {Freedom::turns},
                                    .axes = JointAxes::line,
                                    .point = HeldPoint::all,
                                    .turn = HeldTurn::across,
                                    .reverses = true,
                                    .mark = "pin"};

  template <class T>
  static SARRUS_INLINE void place(const JointNumbers<T>&, const T*, const Angles<T>& a,
                                  const Matrix3<T>& R_F, Matrix3<T>& R, Vector3<T>& d) {
    R = turned_about_z(R_F, a.sin[0], a.cos[0]);
    d = zero3<T>();
  }
  template <class T>
  static SARRUS_INLINE void columns(const JointNumbers<T>&, const T*, const Matrix3<T>&,
                                    const Matrix3<T>& R, Twist<T>* S) {
    S[0] = {R.z, zero3<T>()};
  }
  static void read(const JointNumbers<double>&, const Mat3& R, const Vec3&, double* q) {
    q[0] = continued(angle_about_z(R), q[0]);
  }
};

}  // namespace sarrus
