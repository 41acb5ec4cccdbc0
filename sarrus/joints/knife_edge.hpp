// Knife edge (skate, sleigh): a planar joint whose child moves only along its blade, its own x.
//
//   q as the planar joint      u = (turning speed, speed along the blade)
//   S = [z; 0], [0; x] in B      Ṡ = 0      (q̇₂, q̇₃) = rot(q₁) (u₂, 0)
//
// A nonholonomic constraint as quasi-velocities: three coordinates, two velocities.
#pragma once

#include "sarrus/joints/joint_numbers.hpp"
#include "sarrus/joints/planar.hpp"

namespace sarrus {

struct KnifeEdge {
  static constexpr JointKind kind = JointKind::knife_edge;
  static constexpr int nq = 3, nu = 2, nx = 3;

  template <class T>
  static SARRUS_INLINE void place(const JointNumbers<T>& j, const T* q, const Angles<T>& a,
                                  const Matrix3<T>& R_F, Matrix3<T>& R, Vector3<T>& d) {
    Planar::place(j, q, a, R_F, R, d);
  }
  template <class T>
  static SARRUS_INLINE void columns(const JointNumbers<T>&, const T*, const Matrix3<T>&,
                                    const Matrix3<T>& R, Twist<T>* S) {
    S[0] = {R.z, zero3<T>()};
    S[1] = {zero3<T>(), R.x};
  }
};

}  // namespace sarrus
