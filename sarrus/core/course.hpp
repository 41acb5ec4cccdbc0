// What a formula can do over an interval of time: bounds on its value, and whether one of its
// switches (abs, if, pulse, the knots of a table …) may change over within it. The last part says
// on which side each switch stands at an instant.
//
// A scalar like the others: Expression::evaluate<Course> runs the same program on intervals
// [lo, hi]. Ends are computed by the operations of double, each of which is monotonic, so that the
// bounds hold for what double computes and a switch is found between two neighbouring doubles.
//
//   breaks    the lowest derivative that jumps at a switch of time which is not decided over the
//             range: 0 the value (pulse, if, sign, floor), 1 the slope (abs, clamp, ramp, linear
//             tables), 3 the third derivative (step, cubic tables)
//   by_state  the same of switches that depend on more than time; nothing is known about these
//
// [Moore, Interval Analysis, 1966], docs/theory/breakpoints.md
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "sarrus/core/scalar.hpp"
#include "sarrus/core/table.hpp"

namespace sarrus {

struct Course {
  static constexpr int smooth = 9;  // no derivative jumps
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  double lo = 0, hi = 0;
  bool has_state = false;  // depends on more than time and parameters
  int breaks = smooth, by_state = smooth;

  Course() = default;
  explicit Course(double x) : lo(x), hi(x) {}
  Course(double low, double high) : lo(low), hi(high) {}
  /// A quantity of the state, of which nothing is known.
  static Course state() {
    Course c(-infinity, infinity);
    c.has_state = true;
    return c;
  }

  bool is_point() const { return lo == hi; }
  bool contains(double x) const { return lo <= x && x <= hi; }
};

Course operator+(const Course& a, const Course& b);
Course operator-(const Course& a, const Course& b);
Course operator*(const Course& a, const Course& b);
Course operator/(const Course& a, const Course& b);
Course operator-(const Course& a);

SinCos<Course> sincos(const Course& x);
Course tan(const Course& x);
Course asin(const Course& x);
Course acos(const Course& x);
Course atan(const Course& x);
Course sinh(const Course& x);
Course cosh(const Course& x);
Course tanh(const Course& x);
Course exp(const Course& x);
Course log(const Course& x);
Course sqrt(const Course& x);
Course floor(const Course& x);
Course step_abs(const Course& x);
Course atan2(const Course& y, const Course& x);

// the functions of expression_functions.hpp
namespace program {

Course log_10(const Course& x);
Course sign(const Course& x);
Course is_less(const Course& a, const Course& b);
Course is_equal(const Course& a, const Course& b);
Course negated(const Course& a);
Course both(const Course& a, const Course& b);
Course choose(const Course& condition, const Course& a, const Course& b);
Course larger(const Course& a, const Course& b);
Course smaller(const Course& a, const Course& b);
Course modulo(const Course& x, const Course& y);
Course whole_power(const Course& x, int n);
Course general_power(const Course& x, const Course& y);
Course smooth_step(const Course& x, const Course& x0, const Course& y0, const Course& x1,
                   const Course& y1);
Course ramp(const Course& x, const Course& x0, const Course& y0, const Course& x1,
            const Course& y1);
Course look_up(const Table& table, const Course& x);

}  // namespace program

// ── switches at an instant ──────────────────────────────────────────────────────────────────────

/// On which side each switch of a formula stands: the value comes with a number that changes as
/// soon as a switch changes over. A comparison passes its outcome on with what it chooses; what is
/// not chosen passes nothing on: in if(q > 0, abs(u), 1) the sign of u counts only while q > 0.
/// Switches without a kink in value or slope (step, the points of a spline) have no sides.
struct Sided {
  double v = 0;
  std::uint64_t sides = 0;

  Sided() = default;
  explicit Sided(double x) : v(x) {}
  Sided(double x, std::uint64_t s) : v(x), sides(s) {}

  /// Depends on both and on their order; different inputs give equal results only by chance.
  static std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    std::uint64_t x = a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    return x ^ (x >> 27);
  }
  static Sided joined(double v, const Sided& a, const Sided& b) {
    return {v, a.sides == 0 && b.sides == 0 ? 0 : mixed(a.sides, b.sides)};
  }
  static Sided turned(double v, const Sided& a, std::uint64_t side) {
    return {v, mixed(a.sides, side)};
  }

  friend Sided operator+(const Sided& a, const Sided& b) { return joined(a.v + b.v, a, b); }
  friend Sided operator-(const Sided& a, const Sided& b) { return joined(a.v - b.v, a, b); }
  friend Sided operator*(const Sided& a, const Sided& b) { return joined(a.v * b.v, a, b); }
  friend Sided operator/(const Sided& a, const Sided& b) { return joined(a.v / b.v, a, b); }
  friend Sided operator-(const Sided& a) { return {-a.v, a.sides}; }

  /// Of a comparison.
  struct Outcome {
    bool is = false;
  };
  friend Outcome less(const Sided& a, const Sided& b) { return {a.v < b.v}; }
  friend Outcome same(const Sided& a, const Sided& b) { return {a.v == b.v}; }
  friend Sided select(const Outcome& outcome, const Sided& a, const Sided& b) {
    return outcome.is ? turned(a.v, a, 1) : turned(b.v, b, 2);
  }
};

inline SinCos<Sided> sincos(const Sided& x) {
  const SinCos<double> a = sincos(x.v);
  return {{a.sin, x.sides}, {a.cos, x.sides}};
}
inline Sided tan(const Sided& x) { return {std::tan(x.v), x.sides}; }
inline Sided asin(const Sided& x) { return {std::asin(x.v), x.sides}; }
inline Sided acos(const Sided& x) { return {std::acos(x.v), x.sides}; }
inline Sided atan(const Sided& x) { return {std::atan(x.v), x.sides}; }
inline Sided sinh(const Sided& x) { return {std::sinh(x.v), x.sides}; }
inline Sided cosh(const Sided& x) { return {std::cosh(x.v), x.sides}; }
inline Sided tanh(const Sided& x) { return {std::tanh(x.v), x.sides}; }
inline Sided exp(const Sided& x) { return {std::exp(x.v), x.sides}; }
inline Sided log(const Sided& x) { return {std::log(x.v), x.sides}; }
inline Sided sqrt(const Sided& x) { return {std::sqrt(x.v), x.sides}; }
inline Sided atan2(const Sided& y, const Sided& x) {
  return Sided::joined(std::atan2(y.v, x.v), y, x);
}
inline Sided floor(const Sided& x) {
  const double whole = std::floor(x.v);
  return std::fabs(whole) < 1e18
             ? Sided::turned(whole, x, static_cast<std::uint64_t>(std::int64_t(whole)))
             : Sided(whole, x.sides);
}
inline Sided step_abs(const Sided& x) {
  return x.v < 0 ? Sided::turned(-x.v, x, 1) : Sided::turned(x.v, x, 2);
}

// the functions of expression_functions.hpp that are not made of the above
namespace program {

inline Sided log_10(const Sided& x) { return {std::log10(x.v), x.sides}; }
inline Sided whole_power(const Sided& x, int n) { return {std::pow(x.v, n), x.sides}; }
inline Sided general_power(const Sided& x, const Sided& y) {
  return Sided::joined(std::pow(x.v, y.v), x, y);
}
inline Sided smooth_step(const Sided& x, const Sided& x0, const Sided& y0, const Sided& x1,
                         const Sided& y1) {
  const double s = std::clamp((x.v - x0.v) / (x1.v - x0.v), 0.0, 1.0);
  const Sided ends = Sided::joined(0, Sided::joined(0, x0, y0), Sided::joined(0, x1, y1));
  return Sided::joined(y0.v + (y1.v - y0.v) * (s * s * s * (10 - s * (15 - 6 * s))), x, ends);
}
/// The piece that x lies in; of a spline only whether x lies before, within or beyond it.
inline Sided look_up(const Table& table, const Sided& x) {
  const double value = table.at(x.v).value;
  if (x.v < table.x.front()) return Sided::turned(value, x, 1);
  if (x.v > table.x.back()) return Sided::turned(value, x, 2);
  if (table.interpolation == Interpolation::cubic) return Sided::turned(value, x, 3);
  const auto piece = std::upper_bound(table.x.begin(), table.x.end(), x.v) - table.x.begin();
  return Sided::turned(value, x, 3 + static_cast<std::uint64_t>(piece));
}

}  // namespace program
}  // namespace sarrus
