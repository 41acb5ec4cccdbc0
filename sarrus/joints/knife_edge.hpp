// Knife edge (skate, sleigh): a planar joint whose child moves only along its blade, its own x.
//
//   q as the planar joint      u = (turning speed, speed along the blade)
//   S = [z; 0], [0; x] in B      Ṡ = 0      (q̇₂, q̇₃) = rot(q₁) (u₂, 0)
//
// A nonholonomic constraint as quasi-velocities: three coordinates, two velocities.
#pragma once

#include "sarrus/joints/planar.hpp"
#include "sarrus/joints/reading.hpp"

namespace sarrus {

struct KnifeEdge {
  static constexpr JointKind kind = JointKind::knife_edge;
  static constexpr int nq = 3, nu = 2, nx = 3;
  static constexpr JointFacts facts{.name = "knife_edge",
                                    .freedoms = {Freedom::turns, Freedom::slides},
                                    .chart = ChartKind::plane,
                                    .axes = JointAxes::plane,
                                    .point = HeldPoint::along,
                                    .turn = HeldTurn::across};

  template <class T>
  static SARRUS_INLINE void place(const JointNumbers<T>& j, const T* q, const Angles<T>& a,
                                  const Matrix3<T>& R_F, Matrix3<T>& R, Vector3<T>& d) {
    Planar::place(j, q, a, R_F, R, d);
  }
  /// Nothing across the blade.
  template <class T>
  static void chart_velocity(const JointNumbers<T>&, const T*, const T* u, T* v) {
    v[0] = u[0], v[1] = u[1], v[2] = T(0.0);
  }
  template <class T>
  static SARRUS_INLINE void columns(const JointNumbers<T>&, const T*, const Matrix3<T>&,
                                    const Matrix3<T>& R, Twist<T>* S) {
    S[0] = {R.z, zero3<T>()};
    S[1] = {zero3<T>(), R.x};
  }
  static void read(const JointNumbers<double>& j, const Mat3& R, const Vec3& p, double* q) {
    Planar::read(j, R, p, q);
  }
};

}  // namespace sarrus
