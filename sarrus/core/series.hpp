// Power series in one small number ε up to ε²: arithmetic that finds the order of a quantity.
//
//   (a₀ + a₁ ε + a₂ ε²)(b₀ + b₁ ε + b₂ ε²) = a₀b₀ + (a₀b₁ + a₁b₀) ε + (a₀b₂ + a₁b₁ + a₂b₀) ε²   (1)
//   f(a₀ + a₁ ε + a₂ ε²) = f + f′ a₁ ε + (f′ a₂ + ½ f″ a₁²) ε²                                  (2)
//
// Coefficients, not derivatives as in jet.hpp: what is kept and what is cut off can be read off.
#pragma once

#include "sarrus/core/scalar.hpp"

namespace sarrus {

template <class T>
struct Series {
  T c0{}, c1{}, c2{};

  Series() = default;
  explicit Series(double x) : c0(x) {}
  Series(const T& a, const T& b, const T& c) : c0(a), c1(b), c2(c) {}

  friend Series operator+(const Series& a, const Series& b) {
    return {a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2};
  }
  friend Series operator-(const Series& a, const Series& b) {
    return {a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2};
  }
  friend Series operator*(const Series& a, const Series& b) {  // (1)
    return {a.c0 * b.c0, a.c0 * b.c1 + a.c1 * b.c0, a.c0 * b.c2 + a.c1 * b.c1 + a.c2 * b.c0};
  }
  friend Series operator/(const Series& a, const Series& b) {  // from a = x b by (1)
    const T x0 = a.c0 / b.c0, x1 = (a.c1 - x0 * b.c1) / b.c0;
    return {x0, x1, (a.c2 - x0 * b.c2 - x1 * b.c1) / b.c0};
  }
  Series operator-() const { return {-c0, -c1, -c2}; }
  Series& operator+=(const Series& b) { return *this = *this + b; }
  Series& operator-=(const Series& b) { return *this = *this - b; }
};

/// (2) from f, f′ and f″ at a₀.
template <class T>
Series<T> composed(const Series<T>& a, const T& f, const T& f1, const T& f2) {
  return {f, f1 * a.c1, f1 * a.c2 + T(0.5) * f2 * a.c1 * a.c1};
}
template <class T>
SinCos<Series<T>> sincos(const Series<T>& a) {
  const SinCos<T> s = sincos(a.c0);
  return {composed(a, s.sin, s.cos, -s.sin), composed(a, s.cos, -s.sin, -s.cos)};
}
template <class T>
Series<T> sqrt(const Series<T>& a) {
  const T f = sqrt(a.c0), f1 = T(0.5) / f;
  return composed(a, f, f1, T(-0.5) * f1 / a.c0);
}

}  // namespace sarrus
