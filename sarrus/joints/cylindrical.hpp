// Cylindrical joint: the child turns about an axis and slides along it, independently.
//
//   R_FM = rot_z(q₁),  p = q₂ z      S = [z; 0], [0; z]      Ṡ = 0, q̇ = u
#pragma once

#include "sarrus/joints/reading.hpp"

namespace sarrus {

struct Cylindrical {
  static constexpr JointKind kind = JointKind::cylindrical;
  static constexpr int nq = 2, nu = 2, nx = 2;
  static constexpr JointFacts facts{.name = "cylindrical",
                                    .freedoms = {Freedom::turns, Freedom::slides},
                                    .axes = JointAxes::line,
                                    .point = HeldPoint::across,
                                    .turn = HeldTurn::across,
                                    .reverses = true,
                                    .mark = "rod"};

  template <class T>
  static SARRUS_INLINE void place(const JointNumbers<T>&, const T* q, const Angles<T>& a,
                                  const Matrix3<T>& R_F, Matrix3<T>& R, Vector3<T>& d) {
    R = turned_about_z(R_F, a.sin[0], a.cos[0]);
    d = R_F.z * q[1];
  }
  template <class T>
  static SARRUS_INLINE void columns(const JointNumbers<T>&, const T*, const Matrix3<T>&,
                                    const Matrix3<T>& R, Twist<T>* S) {
    S[0] = {R.z, zero3<T>()};
    S[1] = {zero3<T>(), R.z};
  }
  static void read(const JointNumbers<double>&, const Mat3& R, const Vec3& p, double* q) {
    q[0] = continued(angle_about_z(R), q[0]);
    q[1] = p.z;
  }
};

}  // namespace sarrus
