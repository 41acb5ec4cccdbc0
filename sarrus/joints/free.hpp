// Free joint: no constraint.
//
//   q = (w, x, y, z, r), orientation and position of B in F      u = [ω; v] of B, in its own axes
//   S = 1₆ in B      Ṡ = 0      q̇ = ½ q ⊗ (0, ω),  ṙ = R v
#pragma once

#include "sarrus/joints/reading.hpp"
#include "sarrus/joints/spherical.hpp"

namespace sarrus {

struct Free {
  static constexpr JointKind kind = JointKind::free;
  static constexpr int nq = 7, nu = 6, nx = 6;
  static constexpr JointFacts facts{.name = "free",
                                    .freedoms = {Freedom::turns, Freedom::turns, Freedom::turns,
                                                 Freedom::slides, Freedom::slides, Freedom::slides},
                                    .chart = ChartKind::pose};

  template <class T>
  static SARRUS_INLINE void place(const JointNumbers<T>& j, const T* q, const Angles<T>& a,
                                  const Matrix3<T>& R_F, Matrix3<T>& R, Vector3<T>& d) {
    Spherical::place(j, q, a, R_F, R, d);
    d = R_F * Vector3<T>{q[4], q[5], q[6]};
  }
  template <class T>
  static SARRUS_INLINE void columns(const JointNumbers<T>& j, const T* q, const Matrix3<T>& R_F,
                                    const Matrix3<T>& R, Twist<T>* S) {
    Spherical::columns(j, q, R_F, R, S);
    S[3] = {zero3<T>(), R.x};
    S[4] = {zero3<T>(), R.y};
    S[5] = {zero3<T>(), R.z};
  }
  static void read(const JointNumbers<double>&, const Mat3& R, const Vec3& p, double* q) {
    read_rotation(R, q);
    q[4] = p.x, q[5] = p.y, q[6] = p.z;
  }
};

}  // namespace sarrus
