// Jets: a function of time by its value, first and second derivative at one instant.
//
//   f(x(t)):   v = f,   d = f′ ẋ,   dd = f″ ẋ² + f′ ẍ                                       (1)
//
// Truncated Taylor arithmetic of second order. [Griewank, Walther, Evaluating Derivatives, ch. 13]
#pragma once

#include "sarrus/core/scalar.hpp"

namespace sarrus {

/// f(t) with its first and second derivative: truncated Taylor arithmetic of second order.
template <class T>
struct Jet {
  T v{}, d{}, dd{};

  friend Jet operator+(const Jet& a, const Jet& b) { return {a.v + b.v, a.d + b.d, a.dd + b.dd}; }
  friend Jet operator-(const Jet& a, const Jet& b) { return {a.v - b.v, a.d - b.d, a.dd - b.dd}; }
  friend Jet operator*(const Jet& a, const Jet& b) {
    return {a.v * b.v, a.d * b.v + a.v * b.d, a.dd * b.v + T(2.0) * (a.d * b.d) + a.v * b.dd};
  }
  friend Jet operator/(const Jet& a, const Jet& b) {
    // from a = q b: ȧ = q̇ b + q ḃ,  ä = q̈ b + 2 q̇ ḃ + q b̈
    const T q = a.v / b.v, qd = (a.d - q * b.d) / b.v;
    return {q, qd, (a.dd - T(2.0) * (qd * b.d) - q * b.dd) / b.v};
  }
  Jet operator-() const { return {-v, -d, -dd}; }
};

template <class T>
auto less(const Jet<T>& a, const Jet<T>& b) {
  return less(a.v, b.v);
}
template <class M, class T>
Jet<T> select(const M& c, const Jet<T>& a, const Jet<T>& b) {
  return {select(c, a.v, b.v), select(c, a.d, b.d), select(c, a.dd, b.dd)};
}

/// (1): f(x) from f, f′ and f″ at x.v.
template <class T>
Jet<T> chain(const Jet<T>& x, const T& f, const T& f1, const T& f2) {
  return {f, f1 * x.d, f2 * x.d * x.d + f1 * x.dd};
}

template <class T>
SinCos<Jet<T>> sincos(const Jet<T>& x) {
  const SinCos<T> a = sincos(x.v);
  return {chain(x, a.sin, a.cos, -a.sin), chain(x, a.cos, -a.sin, -a.cos)};
}
template <class T>
Jet<T> sqrt(const Jet<T>& x) {
  const T f = sqrt(x.v), f1 = T(0.5) / f;
  return chain(x, f, f1, T(-0.5) * f1 / x.v);
}
template <class T>
Jet<T> tan(const Jet<T>& x) {
  const T f = tan(x.v), f1 = T(1.0) + f * f;
  return chain(x, f, f1, T(2.0) * f * f1);
}
template <class T>
Jet<T> asin(const Jet<T>& x) {
  const T w = T(1.0) - x.v * x.v, f1 = T(1.0) / sqrt(w);
  return chain(x, asin(x.v), f1, x.v * f1 / w);
}
template <class T>
Jet<T> acos(const Jet<T>& x) {
  const T w = T(1.0) - x.v * x.v, f1 = T(-1.0) / sqrt(w);
  return chain(x, acos(x.v), f1, x.v * f1 / w);
}
template <class T>
Jet<T> atan(const Jet<T>& x) {
  const T f1 = T(1.0) / (T(1.0) + x.v * x.v);
  return chain(x, atan(x.v), f1, T(-2.0) * x.v * f1 * f1);
}
template <class T>
Jet<T> sinh(const Jet<T>& x) {
  const T f = sinh(x.v);
  return chain(x, f, cosh(x.v), f);
}
template <class T>
Jet<T> cosh(const Jet<T>& x) {
  const T f = cosh(x.v);
  return chain(x, f, sinh(x.v), f);
}
template <class T>
Jet<T> tanh(const Jet<T>& x) {
  const T f = tanh(x.v), f1 = T(1.0) - f * f;
  return chain(x, f, f1, T(-2.0) * f * f1);
}
template <class T>
Jet<T> exp(const Jet<T>& x) {
  const T f = exp(x.v);
  return chain(x, f, f, f);
}
template <class T>
Jet<T> log(const Jet<T>& x) {
  const T f1 = T(1.0) / x.v;
  return chain(x, log(x.v), f1, -f1 * f1);
}
template <class T>
Jet<T> floor(const Jet<T>& x) {
  return {floor(x.v), T(0.0), T(0.0)};
}
template <class T>
Jet<T> step_abs(const Jet<T>& x) {
  return select(less(x.v, T(0.0)), -x, x);
}
/// The angle of (x, y): φ̇ = (x ẏ − y ẋ)/r² and its derivative.
template <class T>
Jet<T> atan2(const Jet<T>& y, const Jet<T>& x) {
  const T r2 = x.v * x.v + y.v * y.v;
  const T d = (x.v * y.d - y.v * x.d) / r2;
  const T half_r2d = x.v * x.d + y.v * y.d;
  return {atan2(y.v, x.v), d, (x.v * y.dd - y.v * x.dd - T(2.0) * half_r2d * d) / r2};
}

}  // namespace sarrus
