// Prismatic joint: the child slides along one axis fixed in both bodies.
//
//   R_FM = 1,  p(q) = q z      S = [0; z]      Ṡ = 0, q̇ = u, q in m
#pragma once

#include "sarrus/joints/reading.hpp"

namespace sarrus {

struct Prismatic {
  static constexpr JointKind kind = JointKind::prismatic;
  static constexpr int nq = 1, nu = 1, nx = 1;
  static constexpr JointFacts facts{.name = "prismatic",
                                    .freedoms = {Freedom::slides},
                                    .axes = JointAxes::line,
                                    .point = HeldPoint::across,
                                    .turn = HeldTurn::all,
                                    .reverses = true,
                                    .mark = "block"};

  template <class T>
  static SARRUS_INLINE void place(const JointNumbers<T>&, const T* q, const Angles<T>&,
                                  const Matrix3<T>& R_F, Matrix3<T>& R, Vector3<T>& d) {
    R = R_F;
    d = R_F.z * q[0];
  }
  template <class T>
  static SARRUS_INLINE void columns(const JointNumbers<T>&, const T*, const Matrix3<T>&,
                                    const Matrix3<T>& R, Twist<T>* S) {
    S[0] = {zero3<T>(), R.z};
  }
  static void read(const JointNumbers<double>&, const Mat3&, const Vec3& p, double* q) {
    q[0] = p.z;
  }
};

}  // namespace sarrus
