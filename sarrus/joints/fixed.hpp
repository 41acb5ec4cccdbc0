// Fixed joint: the child is part of the parent.   nq = nu = 0
#pragma once

#include "sarrus/joints/reading.hpp"

namespace sarrus {

struct Fixed {
  static constexpr JointKind kind = JointKind::fixed;
  static constexpr int nq = 0, nu = 0, nx = 0;
  static constexpr JointFacts facts{.name = "fixed",
                                    .point = HeldPoint::all,
                                    .turn = HeldTurn::all,
                                    .reverses = true,
                                    .mark = "weld"};

  template <class T>
  static SARRUS_INLINE void place(const JointNumbers<T>&, const T*, const Angles<T>&,
                                  const Matrix3<T>& R_F, Matrix3<T>& R, Vector3<T>& d) {
    R = R_F;
    d = zero3<T>();
  }
  template <class T>
  static SARRUS_INLINE void columns(const JointNumbers<T>&, const T*, const Matrix3<T>&,
                                    const Matrix3<T>&, Twist<T>*) {}
};

}  // namespace sarrus
