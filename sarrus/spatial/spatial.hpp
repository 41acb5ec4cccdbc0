// Six-dimensional vectors and inertias, angular part first, at a point and in axes that the caller
// chooses.
//
//   twist   V = [w; v]     wrench  F = [n; f]      power = F · V
//   V × m = [w × m_w;  v × m_w + w × m_v]          (motion cross motion)
//   V ×* F = [w × n + v × f;  w × f]               (motion cross force)
//
// Shifting the point from A to B by r = p_AB, axes unchanged:
//   v_B = v_A + w × r        n_A = n_B + r × f
#pragma once

#include "sarrus/spatial/rotation.hpp"

namespace sarrus {

/// A frame B in a frame A: x_A = R x_B + p.
template <class T>
struct Pose {
  Matrix3<T> R = Matrix3<T>::identity();
  Vector3<T> p{};
};

template <class T>
SARRUS_INLINE Pose<T> operator*(const Pose<T>& X_AB, const Pose<T>& X_BC) {
  return {X_AB.R * X_BC.R, X_AB.p + X_AB.R * X_BC.p};
}
template <class T>
SARRUS_INLINE Pose<T> inverse(const Pose<T>& X) {
  return {transpose(X.R), -transposed_times(X.R, X.p)};
}
template <class T>
SARRUS_INLINE Vector3<T> operator*(const Pose<T>& X, const Vector3<T>& point) {
  return X.p + X.R * point;
}

template <class T>
struct Twist {
  Vector3<T> w, v;
  SARRUS_INLINE Twist& operator+=(const Twist& b) { return w += b.w, v += b.v, *this; }
};
template <class T>
struct Wrench {
  Vector3<T> n, f;
  SARRUS_INLINE Wrench& operator+=(const Wrench& b) { return n += b.n, f += b.f, *this; }
  SARRUS_INLINE Wrench& operator-=(const Wrench& b) { return n -= b.n, f -= b.f, *this; }
};

template <class T>
SARRUS_INLINE Twist<T> operator+(const Twist<T>& a, const Twist<T>& b) {
  return {a.w + b.w, a.v + b.v};
}
template <class T>
SARRUS_INLINE Twist<T> operator-(const Twist<T>& a, const Twist<T>& b) {
  return {a.w - b.w, a.v - b.v};
}
template <class T>
SARRUS_INLINE Twist<T> operator*(const Twist<T>& a, const std::type_identity_t<T>& s) {
  return {a.w * s, a.v * s};
}
template <class T>
SARRUS_INLINE Wrench<T> operator+(const Wrench<T>& a, const Wrench<T>& b) {
  return {a.n + b.n, a.f + b.f};
}
template <class T>
SARRUS_INLINE Wrench<T> operator-(const Wrench<T>& a, const Wrench<T>& b) {
  return {a.n - b.n, a.f - b.f};
}
template <class T>
SARRUS_INLINE Wrench<T> operator*(const Wrench<T>& a, const std::type_identity_t<T>& s) {
  return {a.n * s, a.f * s};
}
template <class T>
SARRUS_INLINE T dot(const Twist<T>& V, const Wrench<T>& F) {
  return dot(V.w, F.n) + dot(V.v, F.f);
}
template <class T>
SARRUS_INLINE Twist<T> cross_motion(const Twist<T>& V, const Twist<T>& m) {
  return {cross(V.w, m.w), cross(V.v, m.w) + cross(V.w, m.v)};
}
template <class T>
SARRUS_INLINE Wrench<T> cross_force(const Twist<T>& V, const Wrench<T>& F) {
  return {cross(V.w, F.n) + cross(V.v, F.f), cross(V.w, F.f)};
}
/// The same motion, at the point r further on.
template <class T>
SARRUS_INLINE Twist<T> shifted_out(const Twist<T>& V, const Vector3<T>& r) {
  return {V.w, V.v + cross(V.w, r)};
}
/// The same wrench, at the point r further back.
template <class T>
SARRUS_INLINE Wrench<T> shifted_in(const Wrench<T>& F, const Vector3<T>& r) {
  return {F.n + cross(r, F.f), F.f};
}
/// The same vector in the axes that R maps into.
template <class T>
SARRUS_INLINE Twist<T> rotated(const Matrix3<T>& R, const Twist<T>& V) {
  return {R * V.w, R * V.v};
}
template <class T>
SARRUS_INLINE Wrench<T> rotated(const Matrix3<T>& R, const Wrench<T>& F) {
  return {R * F.n, R * F.f};
}

/// Inertia of one rigid body at a point O: mass, mass times centre, second moments about O.
///   [n; f] = [I, mc×; −mc×, m] [w; v]
template <class T>
struct BodyInertia {
  T m{};
  Vector3<T> mc;
  Symmetric3<T> I;
};

template <class T>
SARRUS_INLINE Wrench<T> operator*(const BodyInertia<T>& B, const Twist<T>& V) {
  return {B.I * V.w + cross(B.mc, V.v), V.v * B.m - cross(B.mc, V.w)};
}

/// Any symmetric 6 × 6 inertia, [n; f] = [I, H; Hᵀ, M] [w; v]: 21 numbers.
template <class T>
struct ArticulatedInertia {
  Symmetric3<T> I;
  Matrix3<T> H;
  Symmetric3<T> M;
};

template <class T>
SARRUS_INLINE Wrench<T> operator*(const ArticulatedInertia<T>& A, const Twist<T>& V) {
  return {A.I * V.w + A.H * V.v, transposed_times(A.H, V.w) + A.M * V.v};
}

}  // namespace sarrus
