// Planar joint: the child slides in a plane with normal z and turns about that normal.
//
//   q = (angle, x, y), x and y along the parent's axes      R_FM = rot_z(q₁),  p = (q₂, q₃, 0)
//   u = (turning speed, velocity along the child's x, along its y)
//   S = [z; 0], [0; x], [0; y] in B      Ṡ = 0      (q̇₂, q̇₃) = rot(q₁) (u₂, u₃)
#pragma once

#include "sarrus/joints/reading.hpp"

namespace sarrus {

struct Planar {
  static constexpr JointKind kind = JointKind::planar;
  static constexpr int nq = 3, nu = 3, nx = 3;
  static constexpr JointFacts facts{.name = "planar",
                                    .freedoms = {Freedom::turns, Freedom::slides, Freedom::slides},
                                    .chart = ChartKind::plane,
                                    .axes = JointAxes::plane,
                                    .point = HeldPoint::along,
                                    .turn = HeldTurn::across};

  template <class T>
  static SARRUS_INLINE void place(const JointNumbers<T>&, const T* q, const Angles<T>& a,
                                  const Matrix3<T>& R_F, Matrix3<T>& R, Vector3<T>& d) {
    R = turned_about_z(R_F, a.sin[0], a.cos[0]);
    d = R_F.x * q[1] + R_F.y * q[2];
  }
  template <class T>
  static SARRUS_INLINE void columns(const JointNumbers<T>&, const T*, const Matrix3<T>&,
                                    const Matrix3<T>& R, Twist<T>* S) {
    S[0] = {R.z, zero3<T>()};
    S[1] = {zero3<T>(), R.x};
    S[2] = {zero3<T>(), R.y};
  }
  static void read(const JointNumbers<double>&, const Mat3& R, const Vec3& p, double* q) {
    q[0] = continued(angle_about_z(R), q[0]);
    q[1] = p.x, q[2] = p.y;
  }
};

}  // namespace sarrus
