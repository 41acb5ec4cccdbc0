// Small vectors and matrices over any scalar, written out so that a compiler keeps them in
// registers.
#pragma once

#include "sarrus/core/scalar.hpp"

namespace sarrus {

template <class T>
struct Vector3 {
  T x{}, y{}, z{};

  SARRUS_INLINE T& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  SARRUS_INLINE const T& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  SARRUS_INLINE Vector3& operator+=(const Vector3& b) {
    return x += b.x, y += b.y, z += b.z, *this;
  }
  SARRUS_INLINE Vector3& operator-=(const Vector3& b) {
    return x -= b.x, y -= b.y, z -= b.z, *this;
  }
};

using Vec3 = Vector3<double>;

template <class T>
SARRUS_INLINE Vector3<T> operator+(const Vector3<T>& a, const Vector3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
SARRUS_INLINE Vector3<T> operator-(const Vector3<T>& a, const Vector3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
SARRUS_INLINE Vector3<T> operator-(const Vector3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
SARRUS_INLINE Vector3<T> operator*(const Vector3<T>& a, const std::type_identity_t<T>& s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class T>
SARRUS_INLINE Vector3<T> operator*(const std::type_identity_t<T>& s, const Vector3<T>& a) {
  return a * s;
}
template <class T>
SARRUS_INLINE T dot(const Vector3<T>& a, const Vector3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
SARRUS_INLINE Vector3<T> cross(const Vector3<T>& a, const Vector3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
SARRUS_INLINE T norm(const Vector3<T>& a) {
  return sqrt(dot(a, a));
}
template <class T>
SARRUS_INLINE Vector3<T> select3(const auto& c, const Vector3<T>& a, const Vector3<T>& b) {
  return {select(c, a.x, b.x), select(c, a.y, b.y), select(c, a.z, b.z)};
}

/// 3 × 3, by columns: M v = x v.x + y v.y + z v.z.
template <class T>
struct Matrix3 {
  Vector3<T> x, y, z;

  static SARRUS_INLINE Matrix3 identity() {
    return {{T(1.0), T(0.0), T(0.0)}, {T(0.0), T(1.0), T(0.0)}, {T(0.0), T(0.0), T(1.0)}};
  }
  SARRUS_INLINE const T& operator()(int row, int column) const {
    return (column == 0 ? x : column == 1 ? y : z)[row];
  }
  SARRUS_INLINE T& operator()(int row, int column) {
    return (column == 0 ? x : column == 1 ? y : z)[row];
  }
};

using Mat3 = Matrix3<double>;

template <class T>
SARRUS_INLINE Vector3<T> operator*(const Matrix3<T>& M, const Vector3<T>& v) {
  return {M.x.x * v.x + M.y.x * v.y + M.z.x * v.z, M.x.y * v.x + M.y.y * v.y + M.z.y * v.z,
          M.x.z * v.x + M.y.z * v.y + M.z.z * v.z};
}
template <class T>
SARRUS_INLINE Matrix3<T> operator*(const Matrix3<T>& A, const Matrix3<T>& B) {
  return {A * B.x, A * B.y, A * B.z};
}
template <class T>
SARRUS_INLINE Matrix3<T> operator+(const Matrix3<T>& A, const Matrix3<T>& B) {
  return {A.x + B.x, A.y + B.y, A.z + B.z};
}
template <class T>
SARRUS_INLINE Matrix3<T> operator-(const Matrix3<T>& A, const Matrix3<T>& B) {
  return {A.x - B.x, A.y - B.y, A.z - B.z};
}
template <class T>
SARRUS_INLINE Matrix3<T> operator*(const Matrix3<T>& A, const std::type_identity_t<T>& s) {
  return {A.x * s, A.y * s, A.z * s};
}
template <class T>
SARRUS_INLINE Matrix3<T> transpose(const Matrix3<T>& M) {
  return {{M.x.x, M.y.x, M.z.x}, {M.x.y, M.y.y, M.z.y}, {M.x.z, M.y.z, M.z.z}};
}
/// Mᵀ v
template <class T>
SARRUS_INLINE Vector3<T> transposed_times(const Matrix3<T>& M, const Vector3<T>& v) {
  return {dot(M.x, v), dot(M.y, v), dot(M.z, v)};
}
template <class T>
SARRUS_INLINE T determinant(const Matrix3<T>& M) {
  return dot(M.x, cross(M.y, M.z));
}
template <class T>
SARRUS_INLINE T trace(const Matrix3<T>& M) {
  return M.x.x + M.y.y + M.z.z;
}
/// [a]× with [a]× b = a × b
template <class T>
SARRUS_INLINE Matrix3<T> skew(const Vector3<T>& a) {
  return {{T(0.0), a.z, -a.y}, {-a.z, T(0.0), a.x}, {a.y, -a.x, T(0.0)}};
}

/// Symmetric 3 × 3: six numbers.
template <class T>
struct Symmetric3 {
  T xx{}, yy{}, zz{}, xy{}, xz{}, yz{};

  SARRUS_INLINE Symmetric3& operator+=(const Symmetric3& b) {
    xx += b.xx, yy += b.yy, zz += b.zz, xy += b.xy, xz += b.xz, yz += b.yz;
    return *this;
  }
  SARRUS_INLINE Matrix3<T> full() const { return {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}; }
};

using Sym3 = Symmetric3<double>;

template <class T>
SARRUS_INLINE Symmetric3<T> operator+(Symmetric3<T> a, const Symmetric3<T>& b) {
  return a += b;
}
template <class T>
SARRUS_INLINE Vector3<T> operator*(const Symmetric3<T>& S, const Vector3<T>& v) {
  return {S.xx * v.x + S.xy * v.y + S.xz * v.z, S.xy * v.x + S.yy * v.y + S.yz * v.z,
          S.xz * v.x + S.yz * v.y + S.zz * v.z};
}
/// The symmetric part of M (of a matrix that is symmetric but for rounding).
template <class T>
SARRUS_INLINE Symmetric3<T> symmetric(const Matrix3<T>& M) {
  const T h(0.5);
  return {M.x.x, M.y.y, M.z.z, h * (M.x.y + M.y.x), h * (M.x.z + M.z.x), h * (M.y.z + M.z.y)};
}
/// R S Rᵀ
template <class T>
SARRUS_INLINE Symmetric3<T> rotated(const Matrix3<T>& R, const Symmetric3<T>& S) {
  // columns of R S, then the six products with the rows of R
  const Vector3<T> a = R.x * S.xx + R.y * S.xy + R.z * S.xz;
  const Vector3<T> b = R.x * S.xy + R.y * S.yy + R.z * S.yz;
  const Vector3<T> c = R.x * S.xz + R.y * S.yz + R.z * S.zz;
  return {a.x * R.x.x + b.x * R.y.x + c.x * R.z.x, a.y * R.x.y + b.y * R.y.y + c.y * R.z.y,
          a.z * R.x.z + b.z * R.y.z + c.z * R.z.z, a.x * R.x.y + b.x * R.y.y + c.x * R.z.y,
          a.x * R.x.z + b.x * R.y.z + c.x * R.z.z, a.y * R.x.z + b.y * R.y.z + c.y * R.z.z};
}

}  // namespace sarrus
