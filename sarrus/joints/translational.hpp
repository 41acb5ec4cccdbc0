// Translational joint: the child slides along three axes and does not turn.
//
//   R_FM = 1,  p = (q₁, q₂, q₃)      S = [0; x], [0; y], [0; z]      Ṡ = 0, q̇ = u
#pragma once

#include "sarrus/joints/reading.hpp"

namespace sarrus {

struct Translational {
  static constexpr JointKind kind = JointKind::translational;
  static constexpr int nq = 3, nu = 3, nx = 3;
  static constexpr JointFacts facts{.name = "translational",
                                    .freedoms = {Freedom::slides, Freedom::slides, Freedom::slides},
                                    .turn = HeldTurn::all,
                                    .mark = "block"};

  template <class T>
  static SARRUS_INLINE void place(const JointNumbers<T>&, const T* q, const Angles<T>&,
                                  const Matrix3<T>& R_F, Matrix3<T>& R, Vector3<T>& d) {
    R = R_F;
    d = R_F * Vector3<T>{q[0], q[1], q[2]};
  }
  template <class T>
  static SARRUS_INLINE void columns(const JointNumbers<T>&, const T*, const Matrix3<T>&,
                                    const Matrix3<T>& R, Twist<T>* S) {
    S[0] = {zero3<T>(), R.x};
    S[1] = {zero3<T>(), R.y};
    S[2] = {zero3<T>(), R.z};
  }
  static void read(const JointNumbers<double>&, const Mat3&, const Vec3& p, double* q) {
    q[0] = p.x, q[1] = p.y, q[2] = p.z;
  }
};

}  // namespace sarrus
