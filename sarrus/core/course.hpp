// What a formula can do over a range of time: bounds of its value, and whether one of its switches
// (abs, if, pulse, the knots of a table …) may turn over in that range.
//
// A scalar like the others: Expression::evaluate<Course> walks the same program on intervals
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
}  // namespace sarrus
