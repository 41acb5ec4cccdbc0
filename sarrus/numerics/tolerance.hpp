// How near is near: what rounding leaves of a number, limits that have a relative and an absolute
// part, and whole numbers that rounding has missed.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace sarrus {

/// n units in the last place of 1; of a number of another size, n ε |x| is at least as much.
constexpr double ulps(double n) { return n * std::numeric_limits<double>::epsilon(); }

/// relative · |x| + absolute
struct Tolerance {
  double relative = 0, absolute = 0;

  double of(double x) const { return relative * std::fabs(x) + absolute; }
};

/// A size to divide by, never zero: 0/0 becomes 0, and anything else over 0 huge.
inline double divisor(double size) { return std::max(size, 1e-300); }

/// How many steps a span takes, the last one perhaps shorter, and how many whole ones fit into it:
/// a step that divides the span does so even if rounding makes the quotient miss the whole number.
inline double steps_over(double span, double step) { return std::ceil(span / step * (1 - 1e-12)); }
inline double steps_within(double span, double step) {
  return std::floor(span / step * (1 + 1e-12));
}

}  // namespace sarrus
