// Spherical joint: the child turns freely about a point.
//
//   q = (w, x, y, z), the unit quaternion of R_FM      u = ω in the child's joint frame
//   S = [1; 0] in B      Ṡ = 0      q̇ = ½ q ⊗ (0, u)
#pragma once

#include "sarrus/joints/reading.hpp"

namespace sarrus {

struct Spherical {
  static constexpr JointKind kind = JointKind::spherical;
  static constexpr int nq = 4, nu = 3, nx = 3;
  static constexpr JointFacts facts{.name = "spherical",
                                    .freedoms = {Freedom::turns, Freedom::turns, Freedom::turns},
                                    .chart = ChartKind::rotation,
                                    .point = HeldPoint::all,
                                    .mark = "ball"};

  template <class T>
  static SARRUS_INLINE void place(const JointNumbers<T>&, const T* q, const Angles<T>&,
                                  const Matrix3<T>& R_F, Matrix3<T>& R, Vector3<T>& d) {
    R = R_F * rotation(Quaternion<T>{q[0], q[1], q[2], q[3]});
    d = zero3<T>();
  }
  template <class T>
  static SARRUS_INLINE void columns(const JointNumbers<T>&, const T*, const Matrix3<T>&,
                                    const Matrix3<T>& R, Twist<T>* S) {
    S[0] = {R.x, zero3<T>()};
    S[1] = {R.y, zero3<T>()};
    S[2] = {R.z, zero3<T>()};
  }
  static void read(const JointNumbers<double>&, const Mat3& R, const Vec3&, double* q) {
    read_rotation(R, q);
  }
};

}  // namespace sarrus
