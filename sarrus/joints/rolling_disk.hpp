// Rolling disk: a thin disk of radius ρ that rolls without slipping on the plane z = 0 of F.
//
//   q as the free joint, r the centre of the disk      u = ω in the child's joint frame
//   k: plane's normal, d: axis of the disk, k_p = k − (k·d) d
//   r_pc = −ρ k_p/|k_p|                     from the centre to the point of contact
//   no slip: v + ω × r_pc = 0               S = [1; [r_pc]×]      Ṡ = [0; [ṙ_pc]×]
//
// The apparent derivative is taken in B, where k turns by −ω: k̇ = −ω × k, and r_pc with it.
// A nonholonomic constraint as quasi-velocities: seven coordinates, three velocities.
#pragma once

#include "sarrus/joints/free.hpp"
#include "sarrus/joints/reading.hpp"

namespace sarrus {

struct RollingDisk {
  static constexpr JointKind kind = JointKind::rolling_disk;
  static constexpr int nq = 7, nu = 3, nx = 6;
  static constexpr JointFacts facts{.name = "rolling_disk",
                                    .freedoms = {Freedom::turns, Freedom::turns, Freedom::turns},
                                    .chart = ChartKind::pose,
                                    .axes = JointAxes::disk};

  static JointNumbers<double> numbers(const JointShape& shape, const Mat3&) {
    return {shape.axis * (1 / norm(shape.axis)), shape.radius};
  }
  template <class T>
  static SARRUS_INLINE void place(const JointNumbers<T>& j, const T* q, const Angles<T>& a,
                                  const Matrix3<T>& R_F, Matrix3<T>& R, Vector3<T>& d) {
    Free::place(j, q, a, R_F, R, d);
  }
  /// r_pc in world axes.
  template <class T>
  static SARRUS_INLINE Vector3<T> contact(const JointNumbers<T>& j, const Vector3<T>& k,
                                          const Matrix3<T>& R) {
    const Vector3<T> d = R * j.axis;
    const Vector3<T> k_p = k - d * dot(k, d);
    return k_p * (-(j.size / norm(k_p)));
  }
  /// v = r_pc × ω, in the axes of B.
  template <class T>
  static void chart_velocity(const JointNumbers<T>& j, const T* q, const T* u, T* v) {
    const Matrix3<T> R = rotation(Quaternion<T>{q[0], q[1], q[2], q[3]});
    const Vector3<T> r_pc = transposed_times(R, contact(j, Vector3<T>{T(0.0), T(0.0), T(1.0)}, R));
    const Vector3<T> w{u[0], u[1], u[2]}, c = cross(r_pc, w);
    for (int i = 0; i < 3; ++i) v[i] = w[i], v[3 + i] = c[i];
  }
  template <class T>
  static SARRUS_INLINE void columns(const JointNumbers<T>& j, const T*, const Matrix3<T>& R_F,
                                    const Matrix3<T>& R, Twist<T>* S) {
    const Vector3<T> r_pc = contact(j, R_F.z, R);
    S[0] = {R.x, cross(r_pc, R.x)};
    S[1] = {R.y, cross(r_pc, R.y)};
    S[2] = {R.z, cross(r_pc, R.z)};
  }
  template <class T>
  static SARRUS_INLINE void column_rates(const JointNumbers<T>& j, const Matrix3<T>& R_F,
                                         const Matrix3<T>& R, const T* u, Twist<T>* rates) {
    const Vector3<T> w = R * Vector3<T>{u[0], u[1], u[2]};
    const Vector3<T> d = R * j.axis, k = R_F.z;
    const Vector3<T> k_p = k - d * dot(k, d);
    const Vector3<T> k_dot = cross(k, w);  // as seen in B, where d rests
    const Vector3<T> k_p_dot = k_dot - d * dot(k_dot, d);
    const T n2 = dot(k_p, k_p), n = sqrt(n2);
    const Vector3<T> r_dot = (k_p_dot - k_p * (dot(k_p, k_p_dot) / n2)) * (-(j.size / n));
    rates[0] = {zero3<T>(), cross(r_dot, R.x)};
    rates[1] = {zero3<T>(), cross(r_dot, R.y)};
    rates[2] = {zero3<T>(), cross(r_dot, R.z)};
  }
  static void read(const JointNumbers<double>& j, const Mat3& R, const Vec3& p, double* q) {
    Free::read(j, R, p, q);
  }
};

}  // namespace sarrus
