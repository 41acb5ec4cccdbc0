// Prismatic joint: the child slides along one axis fixed in both bodies.
//
//   R_FM = 1,  p(q) = q z      S = [0; z]      Ṡ = 0, q̇ = u, q in m
#pragma once

#include "sarrus/joints/joint_numbers.hpp"

namespace sarrus {

struct Prismatic {
  static constexpr JointKind kind = JointKind::prismatic;
  static constexpr int nq = 1, nu = 1, nx = 1;

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
};

}  // namespace sarrus
