// Screw joint: the child turns about an axis and advances h metres per radian along it.
//
//   R_FM(q) = rot_z(q),  p(q) = h q z      S = [z; h z]      Ṡ = 0, q̇ = u, q in rad
#pragma once

#include "sarrus/joints/reading.hpp"

namespace sarrus {

struct Screw {
  static constexpr JointKind kind = JointKind::screw;
  static constexpr int nq = 1, nu = 1, nx = 1;
  static constexpr JointFacts facts{.name = "screw",
                                    .freedoms = {Freedom::turns},
                                    .axes = JointAxes::line,
                                    .point = HeldPoint::thread,
                                    .turn = HeldTurn::across,
                                    .reverses = true,
                                    .mark = "rod"};

  static JointNumbers<double> numbers(const JointShape& shape, const Mat3&) {
    return {{}, shape.pitch / (2 * std::numbers::pi)};
  }
  template <class T>
  static SARRUS_INLINE void place(const JointNumbers<T>& j, const T* q, const Angles<T>& a,
                                  const Matrix3<T>& R_F, Matrix3<T>& R, Vector3<T>& d) {
    R = turned_about_z(R_F, a.sin[0], a.cos[0]);
    d = R_F.z * (j.size * q[0]);
  }
  template <class T>
  static SARRUS_INLINE void columns(const JointNumbers<T>& j, const T*, const Matrix3<T>&,
                                    const Matrix3<T>& R, Twist<T>* S) {
    S[0] = {R.z, R.z * j.size};
  }
  static void read(const JointNumbers<double>&, const Mat3& R, const Vec3&, double* q) {
    q[0] = continued(angle_about_z(R), q[0]);
  }
};

}  // namespace sarrus
