// Random vectors, rotations, twists and the like, and how far two of them are apart.
#pragma once

#include <algorithm>
#include <cmath>

#include "sarrus/core/random.hpp"
#include "sarrus/spatial/spatial.hpp"

namespace sarrus {

inline Vec3 random_vector(Random& random, double size = 1) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}
/// A direction times a length below `size`.
inline Vec3 random_in_ball(Random& random, double size) {
  Vec3 v;
  do v = random_vector(random);
  while (norm(v) > 1 || norm(v) < 1e-3);
  return v * (random.uniform(0, size) / norm(v));
}
/// Any rotation: a random unit quaternion.
inline Quat random_quaternion(Random& random) {
  Quat q;
  double n;
  do {
    q = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
         random.uniform(-1, 1)};
    n = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
  } while (n > 1 || n < 1e-2);
  return normalized(q);
}
inline Pose<double> random_pose(Random& random) {
  return {rotation(random_quaternion(random)), random_vector(random, 3)};
}
inline Twist<double> random_twist(Random& random) {
  return {random_vector(random), random_vector(random)};
}
inline Wrench<double> random_wrench(Random& random) {
  return {random_vector(random), random_vector(random)};
}

inline double apart(const Vec3& a, const Vec3& b) {
  return std::max({std::fabs(a.x - b.x), std::fabs(a.y - b.y), std::fabs(a.z - b.z)});
}
inline double apart(const Mat3& A, const Mat3& B) {
  return std::max({apart(A.x, B.x), apart(A.y, B.y), apart(A.z, B.z)});
}
inline double apart(const Pose<double>& X, const Pose<double>& Y) {
  return std::max(apart(X.R, Y.R), apart(X.p, Y.p));
}
inline double apart(const Twist<double>& a, const Twist<double>& b) {
  return std::max(apart(a.w, b.w), apart(a.v, b.v));
}
inline double apart(const Wrench<double>& a, const Wrench<double>& b) {
  return std::max(apart(a.n, b.n), apart(a.f, b.f));
}

}  // namespace sarrus
