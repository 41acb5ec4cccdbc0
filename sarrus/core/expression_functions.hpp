// The functions of expressions over every scalar: what scalar.hpp and jet.hpp do not already give.
// None branches on a value; a NaN in an argument that counts is a NaN in the result.
#pragma once

#include "sarrus/core/jet.hpp"
#include "sarrus/core/scalar.hpp"
#include "sarrus/core/table.hpp"

namespace sarrus::program {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// ── comparison: false for NaN ───────────────────────────────────────────────────────────────────

inline bool same(double a, double b) { return a == b; }
inline bool same(const std::complex<double>& a, const std::complex<double>& b) {
  return a.real() == b.real();
}
template <int N>
PackMask<N> same(const Pack<N>& a, const Pack<N>& b) {
  return {a.v == b.v};
}
template <class T>
auto same(const Dual<T>& a, const Dual<T>& b) {
  return same(a.v, b.v);
}
template <class T>
auto same(const Jet<T>& a, const Jet<T>& b) {
  return same(a.v, b.v);
}

/// `result` where neither a nor b is NaN.
template <class T>
T unless_nan(const T& a, const T& b, const T& result) {
  return select(same(a, a), select(same(b, b), result, T{nan}), T{nan});
}

template <class T>
T is_less(const T& a, const T& b) {
  return unless_nan(a, b, select(less(a, b), T{1.0}, T{0.0}));
}
template <class T>
T is_equal(const T& a, const T& b) {
  return unless_nan(a, b, select(same(a, b), T{1.0}, T{0.0}));
}
template <class T>
T negated(const T& a) {
  return unless_nan(a, a, select(same(a, T{0.0}), T{1.0}, T{0.0}));
}
template <class T>
T both(const T& a, const T& b) {
  const T zero{0.0};
  return unless_nan(a, b, select(same(a, zero), zero, select(same(b, zero), zero, T{1.0})));
}
template <class T>
T choose(const T& condition, const T& a, const T& b) {
  const T chosen = select(same(condition, T{0.0}), b, a);
  return select(same(condition, condition), chosen, T{nan});
}
template <class T>
T larger(const T& a, const T& b) {
  return unless_nan(a, b, select(less(a, b), b, a));
}
template <class T>
T smaller(const T& a, const T& b) {
  return unless_nan(a, b, select(less(b, a), b, a));
}
template <class T>
T sign(const T& x) {
  const T zero{0.0};
  const T s = select(less(x, zero), T{-1.0}, select(less(zero, x), T{1.0}, zero));
  return unless_nan(x, x, s);
}

// ── logarithm to base ten ───────────────────────────────────────────────────────────────────────

inline constexpr double ln_10 = 2.302585092994045684;

inline double log_10(double x) { return std::log10(x); }
inline std::complex<double> log_10(const std::complex<double>& x) { return std::log10(x); }
template <int N>
Pack<N> log_10(const Pack<N>& x) {
  return lane_by_lane(x, [](double a) { return std::log10(a); });
}
template <class T>
Dual<T> log_10(const Dual<T>& x) {
  return {log_10(x.v), x.d / (T(ln_10) * x.v)};
}
template <class T>
Jet<T> log_10(const Jet<T>& x) {
  const T f1 = T(1.0) / (T(ln_10) * x.v);
  return chain(x, log_10(x.v), f1, -f1 / x.v);
}

// ── powers ──────────────────────────────────────────────────────────────────────────────────────

/// x^n for a whole number n: good for every x, also negative ones and zero.
inline double whole_power(double x, int n) { return std::pow(x, n); }
inline std::complex<double> whole_power(const std::complex<double>& x, int n) {
  // by products, since the library's x^n = exp(n log x) leaves an imaginary part where there is
  // none
  std::complex<double> result = 1.0, square = x;
  for (unsigned m = static_cast<unsigned>(n < 0 ? -n : n); m != 0; m >>= 1) {
    if (m & 1) result *= square;
    square *= square;
  }
  return n < 0 ? 1.0 / result : result;
}
template <int N>
Pack<N> whole_power(const Pack<N>& x, int n) {
  return lane_by_lane(x, [n](double a) { return std::pow(a, n); });
}
template <class T>
Dual<T> whole_power(const Dual<T>& x, int n) {
  if (n == 0) return T(1.0);
  return {whole_power(x.v, n), T(double(n)) * whole_power(x.v, n - 1) * x.d};
}
template <class T>
Jet<T> whole_power(const Jet<T>& x, int n) {
  if (n == 0) return {T(1.0)};
  if (n == 1) return x;
  const double n1 = n, n2 = n1 * (n1 - 1);
  return chain(x, whole_power(x.v, n), T(n1) * whole_power(x.v, n - 1),
               T(n2) * whole_power(x.v, n - 2));
}

/// x^y for any y: real where x > 0, or where y happens to be whole.
inline double general_power(double x, double y) { return std::pow(x, y); }
inline std::complex<double> general_power(const std::complex<double>& x,
                                          const std::complex<double>& y) {
  const double r = y.real();
  if (y.imag() == 0 && r == std::floor(r) && std::fabs(r) < 1e6)
    return whole_power(x, static_cast<int>(r));
  if (x.real() < 0) return {nan, nan};
  return std::pow(x, y);
}
template <int N>
Pack<N> general_power(const Pack<N>& x, const Pack<N>& y) {
  return sarrus::pow(x, y);
}

/// a · b, and 0 where a = 0: the other factor may be infinite where the whole is meant to vanish.
template <class T>
T vanishing(const T& a, const T& b) {
  return select(same(a, T(0.0)), T(0.0), a * b);
}
/// log x where x > 0, otherwise 0: the slope in the exponent is taken for positive bases only.
template <class T>
T log_of_positive(const T& x) {
  return log(select(less(T(0.0), x), x, T(1.0)));
}
template <class T>
Dual<T> general_power(const Dual<T>& x, const Dual<T>& y) {
  const T f = general_power(x.v, y.v);
  const T fx = vanishing(y.v, general_power(x.v, y.v - T(1.0)));
  return {f, fx * x.d + vanishing(y.d, f * log_of_positive(x.v))};
}
template <class T>
Jet<T> general_power(const Jet<T>& x, const Jet<T>& y) {
  const T one(1.0), L = log_of_positive(x.v);
  const T f = general_power(x.v, y.v), f1 = general_power(x.v, y.v - one);
  const T fx = vanishing(y.v, f1), fy = f * L;
  const T fxx = vanishing(y.v * (y.v - one), general_power(x.v, y.v - T(2.0)));
  const T fxy = f1 * (one + y.v * L), fyy = fy * L;
  return {f, fx * x.d + vanishing(y.d, fy),
          fxx * x.d * x.d + vanishing(T(2.0) * x.d * y.d, fxy) + vanishing(y.d * y.d, fyy) +
              fx * x.dd + vanishing(y.dd, fy)};
}

// ── steps ───────────────────────────────────────────────────────────────────────────────────────

/// (x − x₀)/(x₁ − x₀), held at 0 and 1 beyond the ends.
template <class T>
T fraction(const T& x, const T& x0, const T& x1) {
  return smaller(larger((x - x0) / (x1 - x0), T{0.0}), T{1.0});
}
/// y₀ + (y₁ − y₀) s³ (10 − 15 s + 6 s²): first and second derivative vanish at both ends.
template <class T>
T smooth_step(const T& x, const T& x0, const T& y0, const T& x1, const T& y1) {
  const T s = fraction(x, x0, x1);
  return y0 + (y1 - y0) * (s * s * s * (T{10.0} - s * (T{15.0} - T{6.0} * s)));
}
template <class T>
T ramp(const T& x, const T& x0, const T& y0, const T& x1, const T& y1) {
  return y0 + (y1 - y0) * fraction(x, x0, x1);
}
/// x − y floor(x/y): the remainder with the sign of y.
template <class T>
T modulo(const T& x, const T& y) {
  return x - y * floor(x / y);
}

// ── tables ──────────────────────────────────────────────────────────────────────────────────────

/// The table's derivative of order k as a function over the scalar: its own derivative is that of
/// order k + 1.
template <int k>
double derivative(const Table& table, double x) {
  const Table::Sample s = table.at(x);
  return k == 0 ? s.value : k == 1 ? s.first : k == 2 ? s.second : s.third;
}
template <int k>
std::complex<double> derivative(const Table& table, const std::complex<double>& x) {
  return {derivative<k>(table, x.real()), derivative<k + 1>(table, x.real()) * x.imag()};
}
template <int k, int N>
Pack<N> derivative(const Table& table, const Pack<N>& x) {
  return lane_by_lane(x, [&](double a) { return derivative<k>(table, a); });
}
template <int k, class T>
Dual<T> derivative(const Table& table, const Dual<T>& x) {
  return {derivative<k>(table, x.v), derivative<k + 1>(table, x.v) * x.d};
}

template <class T>
T look_up(const Table& table, const T& x) {
  return derivative<0>(table, x);
}
template <class T>
Jet<T> look_up(const Table& table, const Jet<T>& x) {
  return chain(x, derivative<0>(table, x.v), derivative<1>(table, x.v), derivative<2>(table, x.v));
}

}  // namespace sarrus::program
