// A number of about 32 digits as the unevaluated sum of two doubles: hi + lo, |lo| ≤ ulp(hi)/2.
//
//   two_sum    a + b = s + e exactly (six additions)                                       (1)
//   two_prod   a b = p + fma(a, b, −p) exactly                                             (2)
//
// [Dekker 1971; Hida, Li, Bailey 2001]. Needs strict arithmetic: no -ffast-math.
#pragma once

#include <cmath>

namespace sarrus {

struct DoubleDouble {
  double hi = 0, lo = 0;

  DoubleDouble() = default;
  DoubleDouble(double x) : hi(x) {}
  DoubleDouble(double h, double l) : hi(h), lo(l) {}
  explicit operator double() const { return hi + lo; }

  friend DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
    const DoubleDouble s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo);
    const DoubleDouble v = quick_sum(s.hi, s.lo + t.hi);
    return quick_sum(v.hi, v.lo + t.lo);
  }
  friend DoubleDouble operator-(const DoubleDouble& a) { return {-a.hi, -a.lo}; }
  friend DoubleDouble operator-(const DoubleDouble& a, const DoubleDouble& b) { return a + -b; }
  friend DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
    const double p = a.hi * b.hi;
    const double e = std::fma(a.hi, b.hi, -p);  // (2)
    return quick_sum(p, e + (a.hi * b.lo + a.lo * b.hi));
  }
  friend DoubleDouble operator/(const DoubleDouble& a, const DoubleDouble& b) {
    const double q1 = a.hi / b.hi;
    const DoubleDouble r1 = a - b * DoubleDouble(q1);
    const double q2 = r1.hi / b.hi;
    const DoubleDouble r2 = r1 - b * DoubleDouble(q2);
    return quick_sum(q1, q2) + DoubleDouble(r2.hi / b.hi);
  }
  DoubleDouble& operator+=(const DoubleDouble& b) { return *this = *this + b; }
  DoubleDouble& operator-=(const DoubleDouble& b) { return *this = *this - b; }
  friend bool operator<(const DoubleDouble& a, const DoubleDouble& b) {
    return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
  }

 private:
  static DoubleDouble two_sum(double a, double b) {
    const double s = a + b, bb = s - a;
    return {s, (a - (s - bb)) + (b - bb)};  // (1)
  }
  static DoubleDouble quick_sum(double a, double b) {  // |a| ≥ |b|
    const double s = a + b;
    return {s, b - (s - a)};
  }
};

inline DoubleDouble sqrt(const DoubleDouble& a) {
  if (!(a.hi > 0)) return 0.0;
  // one step of Newton on 1/√a doubles the digits
  const double x = 1 / std::sqrt(a.hi), y = a.hi * x;
  return DoubleDouble(y) + DoubleDouble((a - DoubleDouble(y) * DoubleDouble(y)).hi * (x * 0.5));
}
inline DoubleDouble abs(const DoubleDouble& a) { return a.hi < 0 ? -a : a; }

}  // namespace sarrus
