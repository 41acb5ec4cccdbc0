// Coordinates of a joint read off two frames: R, p place M in F.
#pragma once

#include <cmath>
#include <numbers>

#include "sarrus/joints/joint_numbers.hpp"

namespace sarrus {

/// The branch of an angle nearest to the last reading.
inline double continued(double angle, double last) {
  constexpr double turn = 2 * std::numbers::pi;
  return angle + turn * std::round((last - angle) / turn);
}

/// The angle of a turn about z.
inline double angle_about_z(const Mat3& R) { return std::atan2(R.x.y - R.y.x, R.x.x + R.y.y); }

/// The quaternion of R nearer to the last reading: q and −q are the same rotation.
inline void read_rotation(const Mat3& R, double* q) {
  const Quat p = quaternion(R);
  const double same = p.w * q[0] + p.x * q[1] + p.y * q[2] + p.z * q[3];
  const double sign = same < 0 ? -1 : 1;
  q[0] = sign * p.w, q[1] = sign * p.x, q[2] = sign * p.y, q[3] = sign * p.z;
}

}  // namespace sarrus
