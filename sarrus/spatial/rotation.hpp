// Rotations: unit quaternions, the exponential map, its inverse and its tangent.
//
//   quaternion (w, x, y, z), scalar first, Hamilton product, R(a ⊗ b) = R(a) R(b)
//   exp([ξ]×) = 1 + a [ξ]× + b [ξ]×²        a = sin θ/θ, b = (1 − cos θ)/θ², θ = |ξ|
//   R(t) = R₀ exp([ξ(t)]×):  ξ̇ = J⁻¹(ξ) ω   with ω in body axes and
//   J⁻¹(ξ) = 1 + ½ [ξ]× + e [ξ]×²             e = (1 − θ/2 cot θ/2)/θ²
//
// Series take over below a threshold of θ², by select: no branch, no division by zero. The
// quaternion's sign is free: q and −q are the same rotation.
#pragma once

#include "sarrus/spatial/vector.hpp"

namespace sarrus {

template <class T>
struct Quaternion {
  T w = T(1.0), x{}, y{}, z{};
};

using Quat = Quaternion<double>;

template <class T>
SARRUS_INLINE Quaternion<T> operator*(const Quaternion<T>& a, const Quaternion<T>& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
template <class T>
SARRUS_INLINE Quaternion<T> conjugate(const Quaternion<T>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}
template <class T>
SARRUS_INLINE Quaternion<T> normalized(const Quaternion<T>& q) {
  const T s = T(1.0) / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {q.w * s, q.x * s, q.y * s, q.z * s};
}
template <class T>
SARRUS_INLINE Matrix3<T> rotation(const Quaternion<T>& q) {
  const T one(1.0), two(2.0);
  return {{one - two * (q.y * q.y + q.z * q.z), two * (q.x * q.y + q.w * q.z),
           two * (q.x * q.z - q.w * q.y)},
          {two * (q.x * q.y - q.w * q.z), one - two * (q.x * q.x + q.z * q.z),
           two * (q.y * q.z + q.w * q.x)},
          {two * (q.x * q.z + q.w * q.y), two * (q.y * q.z - q.w * q.x),
           one - two * (q.x * q.x + q.y * q.y)}};
}

namespace detail {

inline constexpr double small_angle_squared = 0.25;

/// Σ (−1)^k x^k / (2k + n)! for x = θ² < ¼, nine terms: sin θ/θ (n = 1), (1 − cos θ)/θ² (n = 2), …
template <class T>
SARRUS_INLINE T trigonometric_series(const T& x, int n) {
  // Horner from the last term: 1/n! (1 − x/((n+1)(n+2)) (1 − x/((n+3)(n+4)) (…)))
  T s(1.0);
  for (int k = 8; k >= 1; --k) s = T(1.0) - x * s * T(1.0 / ((2 * k + n - 1.0) * (2 * k + n)));
  double factorial = 1;
  for (int k = 2; k <= n; ++k) factorial *= k;
  return s * T(1.0 / factorial);
}

}  // namespace detail

/// The unit quaternion of the rotation vector ξ: (cos θ/2, sin θ/2 ξ/θ).
template <class T>
SARRUS_INLINE Quaternion<T> quaternion_exp(const Vector3<T>& xi) {
  const T quarter = dot(xi, xi) * T(0.25);  // (θ/2)²
  const auto small = less(quarter, T(detail::small_angle_squared));
  const T half = sqrt(select(small, T(1.0), quarter));
  const SinCos<T> a = sincos(half);
  const T s = T(0.5) * select(small, detail::trigonometric_series(quarter, 1), a.sin / half);
  const T c = select(small, detail::trigonometric_series(quarter, 0), a.cos);
  return {c, s * xi.x, s * xi.y, s * xi.z};
}

/// The rotation matrix of the rotation vector ξ (Rodrigues).
template <class T>
SARRUS_INLINE Matrix3<T> rotation_exp(const Vector3<T>& xi) {
  return rotation(quaternion_exp(xi));
}

/// Rotation by `angle` about a unit axis.
template <class T>
SARRUS_INLINE Matrix3<T> rotation(const Vector3<T>& axis, const T& angle) {
  const SinCos<T> a = sincos(angle);
  const T k = T(1.0) - a.cos;
  const Vector3<T> s = axis * a.sin, m = axis * k;
  return {{a.cos + m.x * axis.x, m.x * axis.y + s.z, m.x * axis.z - s.y},
          {m.x * axis.y - s.z, a.cos + m.y * axis.y, m.y * axis.z + s.x},
          {m.x * axis.z + s.y, m.y * axis.z - s.x, a.cos + m.z * axis.z}};
}

/// J⁻¹(ξ) ω: the rate of the rotation vector from a fixed start, from the angular velocity in body
/// axes. Good for |ξ| < 2π.
template <class T>
SARRUS_INLINE Vector3<T> rotation_vector_rate(const Vector3<T>& xi, const Vector3<T>& w) {
  const T x = dot(xi, xi);
  const auto small = less(x, T(detail::small_angle_squared));
  // e by the Bernoulli series |B₂ₖ|/(2k)!
  const T series =
      T(1.0 / 12) +
      x * (T(1.0 / 720) +
           x * (T(1.0 / 30240) +
                x * (T(1.0 / 1209600) +
                     x * (T(1.0 / 47900160) +
                          x * (T(691.0 / 1307674368000) +
                               x * (T(1.0 / 74724249600) + x * T(3617.0 / 10670622842880000)))))));
  const T safe = select(small, T(1.0), x);
  const T half = T(0.5) * sqrt(safe);
  const SinCos<T> a = sincos(half);
  const T e = select(small, series, (T(1.0) - half * a.cos / a.sin) / safe);
  const Vector3<T> xw = cross(xi, w);
  return w + xw * T(0.5) + cross(xi, xw) * e;
}

/// J(ξ) ξ̇ = ω in body axes, the inverse of rotation_vector_rate():
///   J(ξ) = 1 − b [ξ]× + c [ξ]×²,  b = (1 − cos θ)/θ², c = (θ − sin θ)/θ³
template <class T>
SARRUS_INLINE Vector3<T> angular_velocity_of_rate(const Vector3<T>& xi, const Vector3<T>& rate) {
  const T x = dot(xi, xi);
  const auto small = less(x, T(detail::small_angle_squared));
  const T safe = select(small, T(1.0), x);
  const T angle = sqrt(safe);
  const SinCos<T> a = sincos(angle);
  const T b = select(small, detail::trigonometric_series(x, 2), (T(1.0) - a.cos) / safe);
  const T c = select(small, detail::trigonometric_series(x, 3), (angle - a.sin) / (safe * angle));
  const Vector3<T> xr = cross(xi, rate);
  return rate - xr * b + cross(xi, xr) * c;
}

/// The quaternion of a rotation matrix, from its largest component (Shepperd). Not for kernels: it
/// branches.
inline Quat quaternion(const Mat3& R) {
  const double t = trace(R);
  Quat q;
  if (t >= R.x.x && t >= R.y.y && t >= R.z.z) {
    q = {1 + t, R.y.z - R.z.y, R.z.x - R.x.z, R.x.y - R.y.x};
  } else if (R.x.x >= R.y.y && R.x.x >= R.z.z) {
    q = {R.y.z - R.z.y, 1 + 2 * R.x.x - t, R.x.y + R.y.x, R.z.x + R.x.z};
  } else if (R.y.y >= R.z.z) {
    q = {R.z.x - R.x.z, R.x.y + R.y.x, 1 + 2 * R.y.y - t, R.y.z + R.z.y};
  } else {
    q = {R.x.y - R.y.x, R.z.x + R.x.z, R.y.z + R.z.y, 1 + 2 * R.z.z - t};
  }
  return normalized(q);
}

/// The rotation vector of a unit quaternion, |ξ| ≤ π; the shorter way round.
template <class T>
SARRUS_INLINE Vector3<T> rotation_log(const Quaternion<T>& q) {
  // ξ = 2 atan2(|v|, |w|) v/|v| sign(w); near the identity 2 v/w (1 − |v|²/(3 w²) + …)
  const Vector3<T> v{q.x, q.y, q.z};
  const T sign = select(less(q.w, T(0.0)), T(-1.0), T(1.0));
  const T w = q.w * sign;
  const T n2 = dot(v, v);
  const auto small = less(n2, T(1e-6));
  const T n = sqrt(select(small, T(1.0), n2));
  const T w_safe = select(small, w, T(1.0));
  const T r = n2 / (w_safe * w_safe);
  const T series = T(2.0) / w_safe * (T(1.0) - r * (T(1.0 / 3) - r * (T(0.2) - r * T(1.0 / 7))));
  return v * (sign * select(small, series, T(2.0) * atan2(n, w) / n));
}

/// A rotation that turns z into the unit vector a; the identity for a = z.
inline Mat3 rotation_from_z(const Vec3& a) {
  if (a.z > 1 - 1e-15) return Mat3::identity();
  // x: the coordinate axis least along a, made orthogonal, so that main axes give exact entries
  const double ax = std::fabs(a.x), ay = std::fabs(a.y), az = std::fabs(a.z);
  const Vec3 e = ax <= ay && ax <= az ? Vec3{1, 0, 0} : ay <= az ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  Vec3 x = e - a * dot(e, a);
  x = x * (1 / norm(x));
  return {x, cross(a, x), a};
}

}  // namespace sarrus
