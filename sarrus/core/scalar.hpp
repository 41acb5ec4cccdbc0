// The scalars that kernels are written over, and what a kernel may ask of one.
//
//   double                 one instance
//   Pack<N>                N instances of one mechanism in lock-step (SIMD lanes)
//   Dual<T>                value and exact derivative along one direction: v + d ε, ε² = 0
//   std::complex<double>   the complex step, a reference for derivatives
//
// A kernel never branches on a value. Where a formula has a threshold it computes both sides and
// takes one with select(less(a, b), x, y); the comparison looks at the real value only. Every lane
// of a pack is computed as if it were alone: its bits do not depend on its neighbours.
#pragma once

#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#if defined(SARRUS_FREE_INLINING)  // the compiler decides, where speed does not count
#define SARRUS_INLINE inline
#else
#define SARRUS_INLINE __attribute__((always_inline)) inline
#endif

namespace sarrus {

// ── Pack ────────────────────────────────────────────────────────────────────────────────────────

/// Vectors of N entries of the compiler's own kind. One per N: g++ 12 gives a vector whose length
/// is a template parameter no subscript.
template <int N>
struct LaneTypes;
#define SARRUS_LANE_TYPES(N)                                    \
  template <>                                                   \
  struct LaneTypes<N> {                                         \
    typedef double Lanes __attribute__((vector_size(N * 8)));   \
    typedef long long Bits __attribute__((vector_size(N * 8))); \
  };
SARRUS_LANE_TYPES(2)
SARRUS_LANE_TYPES(4)
SARRUS_LANE_TYPES(8)
#undef SARRUS_LANE_TYPES

/// N doubles side by side. The compiler maps it to what the machine has (SSE2, AVX2, WebAssembly).
/// The alignment is explicit, since g++ otherwise makes it depend on the instruction set.
template <int N>
struct alignas(N * sizeof(double)) Pack {
  static_assert(N == 2 || N == 4 || N == 8);
  using Lanes = typename LaneTypes<N>::Lanes;
  using Bits = typename LaneTypes<N>::Bits;
  static constexpr int lanes = N;

  Lanes v;

  Pack() = default;
  SARRUS_INLINE Pack(double x) : v(Lanes{} + x) {}
  SARRUS_INLINE explicit Pack(const Lanes& x) : v(x) {}
  SARRUS_INLINE double operator[](int i) const { return v[i]; }
  SARRUS_INLINE void set(int i, double x) { v[i] = x; }

  friend SARRUS_INLINE Pack operator+(const Pack& a, const Pack& b) { return Pack(a.v + b.v); }
  friend SARRUS_INLINE Pack operator-(const Pack& a, const Pack& b) { return Pack(a.v - b.v); }
  friend SARRUS_INLINE Pack operator*(const Pack& a, const Pack& b) { return Pack(a.v * b.v); }
  friend SARRUS_INLINE Pack operator/(const Pack& a, const Pack& b) { return Pack(a.v / b.v); }
  SARRUS_INLINE Pack operator-() const { return Pack(-v); }
  SARRUS_INLINE Pack& operator+=(const Pack& b) { return v += b.v, *this; }
  SARRUS_INLINE Pack& operator-=(const Pack& b) { return v -= b.v, *this; }
  SARRUS_INLINE Pack& operator*=(const Pack& b) { return v *= b.v, *this; }
  SARRUS_INLINE Pack& operator/=(const Pack& b) { return v /= b.v, *this; }
};

template <int N>
struct PackMask {
  typename Pack<N>::Bits v;
};

// ── Dual ────────────────────────────────────────────────────────────────────────────────────────

/// v + d ε. T is double, or a Pack that carries several directions at once.
template <class T>
struct Dual {
  T v{}, d{};

  Dual() = default;
  SARRUS_INLINE Dual(const T& value, const T& derivative) : v(value), d(derivative) {}
  SARRUS_INLINE Dual(const T& value) : v(value), d(T(0.0)) {}
  template <class U>
  requires(std::is_arithmetic_v<U> && !std::is_same_v<T, U>) SARRUS_INLINE Dual(U value)
      : v(T(double(value))), d(T(0.0)) {}

  friend SARRUS_INLINE Dual operator+(const Dual& a, const Dual& b) {
    return {a.v + b.v, a.d + b.d};
  }
  friend SARRUS_INLINE Dual operator-(const Dual& a, const Dual& b) {
    return {a.v - b.v, a.d - b.d};
  }
  friend SARRUS_INLINE Dual operator*(const Dual& a, const Dual& b) {
    return {a.v * b.v, a.d * b.v + a.v * b.d};
  }
  friend SARRUS_INLINE Dual operator/(const Dual& a, const Dual& b) {
    const T q = a.v / b.v;
    return {q, (a.d - q * b.d) / b.v};
  }
  SARRUS_INLINE Dual operator-() const { return {-v, -d}; }
  SARRUS_INLINE Dual& operator+=(const Dual& b) { return *this = *this + b; }
  SARRUS_INLINE Dual& operator-=(const Dual& b) { return *this = *this - b; }
  SARRUS_INLINE Dual& operator*=(const Dual& b) { return *this = *this * b; }
  SARRUS_INLINE Dual& operator/=(const Dual& b) { return *this = *this / b; }
};

// ── comparison and choice ───────────────────────────────────────────────────────────────────────

SARRUS_INLINE bool less(double a, double b) { return a < b; }
SARRUS_INLINE double select(bool c, double a, double b) { return c ? a : b; }

SARRUS_INLINE bool less(const std::complex<double>& a, const std::complex<double>& b) {
  return a.real() < b.real();
}
SARRUS_INLINE std::complex<double> select(bool c, const std::complex<double>& a,
                                          const std::complex<double>& b) {
  return c ? a : b;
}

template <int N>
SARRUS_INLINE PackMask<N> less(const Pack<N>& a, const Pack<N>& b) {
  return {a.v < b.v};
}
template <int N>
SARRUS_INLINE Pack<N> select(const PackMask<N>& c, const Pack<N>& a, const Pack<N>& b) {
  return Pack<N>(c.v ? a.v : b.v);
}

template <class T>
SARRUS_INLINE auto less(const Dual<T>& a, const Dual<T>& b) {
  return less(a.v, b.v);
}
template <class M, class T>
SARRUS_INLINE Dual<T> select(const M& c, const Dual<T>& a, const Dual<T>& b) {
  return {select(c, a.v, b.v), select(c, a.d, b.d)};
}

// ── functions: sqrt, sine and cosine are fast paths; the rest go lane by lane ───────────────────

using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp,
    std::floor, std::log, std::pow, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;

template <int N, class F>
SARRUS_INLINE Pack<N> lane_by_lane(const Pack<N>& x, F f) {
  Pack<N> y(0.0);
  for (int i = 0; i < N; ++i) y.set(i, f(x[i]));
  return y;
}

template <int N>
SARRUS_INLINE Pack<N> sqrt(const Pack<N>& x) {
  return lane_by_lane(x, [](double a) { return std::sqrt(a); });
}

#define SARRUS_PACK_FUNCTION(name)                                 \
  template <int N>                                                 \
  inline Pack<N> name(const Pack<N>& x) {                          \
    return lane_by_lane(x, [](double a) { return std::name(a); }); \
  }
SARRUS_PACK_FUNCTION(abs)
SARRUS_PACK_FUNCTION(acos)
SARRUS_PACK_FUNCTION(asin)
SARRUS_PACK_FUNCTION(atan)
SARRUS_PACK_FUNCTION(cosh)
SARRUS_PACK_FUNCTION(exp)
SARRUS_PACK_FUNCTION(floor)
SARRUS_PACK_FUNCTION(log)
SARRUS_PACK_FUNCTION(sinh)
SARRUS_PACK_FUNCTION(tan)
SARRUS_PACK_FUNCTION(tanh)
#undef SARRUS_PACK_FUNCTION

template <int N>
inline Pack<N> atan2(const Pack<N>& y, const Pack<N>& x) {
  Pack<N> z(0.0);
  for (int i = 0; i < N; ++i) z.set(i, std::atan2(y[i], x[i]));
  return z;
}
template <int N>
inline Pack<N> pow(const Pack<N>& x, const Pack<N>& y) {
  Pack<N> z(0.0);
  for (int i = 0; i < N; ++i) z.set(i, std::pow(x[i], y[i]));
  return z;
}

/// sin and cos together, for T = double or a Pack, without a branch for |x| < 10⁶:
///
///   n = round(x 2/π),  r + tail = x − n π/2 (π/2 in three parts, the first two exact under the
///   product; the tail is what rounding r leaves over)
///   sin, cos of r + tail by the minimax polynomials of fdlibm on |r| ≤ π/4, then the
///   quadrant n mod 4
///
/// Error below one unit in the last place. Larger arguments take the library's function, each lane
/// for itself.
template <class T>
struct SinCos {
  T sin, cos;
};

namespace detail {

/// sin and cos of r + tail, |r| ≤ π/4, |tail| below the last place of r. The large terms 1, r and
/// −r²/2 are added last and their rounding is compensated, so that the sum is rounded once.
template <class T>
SARRUS_INLINE SinCos<T> sincos_reduced(const T& r, const T& tail) {
  const T z = r * r, half = T(0.5) * z, w = T(1.0) - half;
  const T s =
      T(-1.66666666666666324348e-01) +
      z * (T(8.33333333332248946124e-03) +
           z * (T(-1.98412698298579493134e-04) +
                z * (T(2.75573137070700676789e-06) +
                     z * (T(-2.50507602534068634195e-08) + z * T(1.58969099521155010221e-10)))));
  const T c =
      T(4.16666666666666019037e-02) +
      z * (T(-1.38888888888741095749e-03) +
           z * (T(2.48015872894767294178e-05) +
                z * (T(-2.75573143513906633035e-07) +
                     z * (T(2.08757232129817482790e-09) + z * T(-1.13596475577881948265e-11)))));
  return {r + (r * z * s + tail * w), w + (((T(1.0) - w) - half) + (z * z * c - r * tail))};
}

inline constexpr double sincos_limit = 1e6;
inline constexpr double round_magic = 6755399441055744.0;  // 1.5 · 2⁵²: adding it rounds to integer
inline constexpr double two_over_pi = 6.36619772367581382433e-01;
inline constexpr double half_pi_1 = 1.57079632673412561417e+00;
inline constexpr double half_pi_2 = 6.07710050630396597660e-11;
inline constexpr double half_pi_3 = 2.02226624879595063154e-21;

}  // namespace detail

SARRUS_INLINE SinCos<double> sincos(double x) {
  using namespace detail;
  if (!(std::fabs(x) < sincos_limit)) [[unlikely]]
    return {std::sin(x), std::cos(x)};
  const double shifted = x * two_over_pi + round_magic;
  const double n = shifted - round_magic;
  const double first = x - n * half_pi_1, second = n * half_pi_2, difference = first - second;
  const double left_over = ((first - difference) - second) - n * half_pi_3;
  const double r = difference + left_over;
  const SinCos<double> a = sincos_reduced(r, (difference - r) + left_over);
  const int quadrant = static_cast<int>(n) & 3;
  const double s = quadrant & 1 ? a.cos : a.sin, c = quadrant & 1 ? a.sin : a.cos;
  return {quadrant & 2 ? -s : s, (quadrant + 1) & 2 ? -c : c};
}

template <int N>
SARRUS_INLINE SinCos<Pack<N>> sincos(const Pack<N>& x) {
  using namespace detail;
  using P = Pack<N>;
  using Bits = typename P::Bits;
  const P shifted = x * P(two_over_pi) + P(round_magic);
  const P n = shifted - P(round_magic);
  const P first = x - n * P(half_pi_1), second = n * P(half_pi_2), difference = first - second;
  const P left_over = ((first - difference) - second) - n * P(half_pi_3);
  const P r = difference + left_over;
  const SinCos<P> a = sincos_reduced(r, (difference - r) + left_over);
  // the low bits of `shifted` are the integer n
  Bits bits;
  __builtin_memcpy(&bits, &shifted.v, sizeof bits);
  const Bits odd = (bits & 1) != 0;
  const P s(odd ? a.cos.v : a.sin.v), c(odd ? a.sin.v : a.cos.v);
  SinCos<P> y{P((bits & 2) != 0 ? -s.v : s.v), P(((bits + 1) & 2) != 0 ? -c.v : c.v)};
  for (int i = 0; i < N; ++i)
    if (!(std::fabs(x[i]) < sincos_limit)) [[unlikely]] {
      y.sin.set(i, std::sin(x[i]));
      y.cos.set(i, std::cos(x[i]));
    }
  return y;
}

template <int N>
SARRUS_INLINE Pack<N> sin(const Pack<N>& x) {
  return sincos(x).sin;
}
template <int N>
SARRUS_INLINE Pack<N> cos(const Pack<N>& x) {
  return sincos(x).cos;
}

SARRUS_INLINE SinCos<std::complex<double>> sincos(const std::complex<double>& x) {
  return {std::sin(x), std::cos(x)};
}

template <class T>
SARRUS_INLINE SinCos<Dual<T>> sincos(const Dual<T>& x) {
  const SinCos<T> a = sincos(x.v);
  return {{a.sin, a.cos * x.d}, {a.cos, -(a.sin * x.d)}};
}

// ── functions of duals: f(v + d ε) = f(v) + f′(v) d ε ───────────────────────────────────────────

#define SARRUS_DUAL_FUNCTION(name, value, slope) \
  template <class T>                             \
  SARRUS_INLINE Dual<T> name(const Dual<T>& x) { \
    const T f = value;                           \
    return {f, (slope)*x.d};                     \
  }
SARRUS_DUAL_FUNCTION(sqrt, sqrt(x.v), T(0.5) / f)
SARRUS_DUAL_FUNCTION(sin, sin(x.v), cos(x.v))
SARRUS_DUAL_FUNCTION(cos, cos(x.v), -sin(x.v))
SARRUS_DUAL_FUNCTION(tan, tan(x.v), T(1.0) + f * f)
SARRUS_DUAL_FUNCTION(asin, asin(x.v), T(1.0) / sqrt(T(1.0) - x.v * x.v))
SARRUS_DUAL_FUNCTION(acos, acos(x.v), T(-1.0) / sqrt(T(1.0) - x.v * x.v))
SARRUS_DUAL_FUNCTION(atan, atan(x.v), T(1.0) / (T(1.0) + x.v * x.v))
SARRUS_DUAL_FUNCTION(sinh, sinh(x.v), cosh(x.v))
SARRUS_DUAL_FUNCTION(cosh, cosh(x.v), sinh(x.v))
SARRUS_DUAL_FUNCTION(tanh, tanh(x.v), T(1.0) - f * f)
SARRUS_DUAL_FUNCTION(exp, exp(x.v), f)
SARRUS_DUAL_FUNCTION(log, log(x.v), T(1.0) / x.v)
SARRUS_DUAL_FUNCTION(floor, floor(x.v), T(0.0) * f)
#undef SARRUS_DUAL_FUNCTION

template <class T>
SARRUS_INLINE Dual<T> abs(const Dual<T>& x) {
  return select(less(x, Dual<T>(T(0.0))), -x, x);
}
template <class T>
SARRUS_INLINE Dual<T> atan2(const Dual<T>& y, const Dual<T>& x) {
  const T r2 = x.v * x.v + y.v * y.v;
  return {atan2(y.v, x.v), (x.v * y.d - y.v * x.d) / r2};
}
/// x^y; the derivative in y is taken where x > 0 only.
template <class T>
inline Dual<T> pow(const Dual<T>& x, const Dual<T>& y) {
  const T f = pow(x.v, y.v);
  const T slope = y.v * pow(x.v, y.v - T(1.0)), zero(0.0);
  // x^0 is flat also at x = 0, where the formula says 0 · ∞
  const T in_x = select(less(y.v, zero), slope, select(less(zero, y.v), slope, zero)) * x.d;
  const T positive = select(less(T(0.0), x.v), x.v, T(1.0));
  return {f, in_x + f * log(positive) * y.d};
}

/// |x| and atan2 for the complex step: functions of the real part, continued analytically.
inline std::complex<double> step_abs(const std::complex<double>& x) {
  return x.real() < 0 ? -x : x;
}
inline std::complex<double> atan2(const std::complex<double>& y, const std::complex<double>& x) {
  const double r2 = x.real() * x.real() + y.real() * y.real();
  return {std::atan2(y.real(), x.real()), (x.real() * y.imag() - y.real() * x.imag()) / r2};
}
inline std::complex<double> floor(const std::complex<double>& x) { return std::floor(x.real()); }
inline double step_abs(double x) { return std::fabs(x); }
template <int N>
inline Pack<N> step_abs(const Pack<N>& x) {
  return abs(x);
}
template <class T>
inline Dual<T> step_abs(const Dual<T>& x) {
  return abs(x);
}

// ── the plain value of a scalar ─────────────────────────────────────────────────────────────────

SARRUS_INLINE double value(double x) { return x; }
SARRUS_INLINE double value(const std::complex<double>& x) { return x.real(); }
template <int N>
SARRUS_INLINE double value(const Pack<N>& x) {
  return x[0];
}
template <class T>
SARRUS_INLINE double value(const Dual<T>& x) {
  return value(x.v);
}

template <class T>
SARRUS_INLINE T maximum(const T& a, const T& b) {
  return select(less(a, b), b, a);
}
template <class T>
SARRUS_INLINE T minimum(const T& a, const T& b) {
  return select(less(b, a), b, a);
}
template <class T>
SARRUS_INLINE T clamped(const T& x, const T& low, const T& high) {
  return minimum(maximum(x, low), high);
}

}  // namespace sarrus
