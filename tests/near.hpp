// A number beside the number it should be.
//
//   near(x, e, r)      |x − e| ≤ r |e|     r: a share of what is expected
//   within(x, e, a)    |x − e| ≤ a         a: a size, in the unit of x
//
// For vectors and lists the left side is the largest difference of an entry, and |e| the largest
// entry expected. Only 0 is near 0: a number that should vanish can only be compared with a size,
// so use `within` there. NaN is near nothing.
//
// doctest's Approx asks |x − e| < r (1 + max(|x|, |e|)), which takes any two numbers far below 1
// for equal; tests/structure/tolerances.py keeps it out.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>

#include "tolerances.hpp"

namespace sarrus::testing {

/// The answer to `near` and `within`: true or false for CHECK, and what is printed if false.
struct Nearness {
  bool holds = false;
  std::string said;

  explicit operator bool() const { return holds; }
  friend std::ostream& operator<<(std::ostream& out, const Nearness& n) { return out << n.said; }
};

namespace nearness {

inline Nearness judged(double value, double expected, double difference, double size, double limit,
                       const char* kind, const std::string& where) {
  std::ostringstream said;
  said.precision(17);
  said << value << where << " beside " << expected << ": ";
  said.precision(4);
  said << kind << " difference " << (difference == 0 ? 0 : difference / size) << ", limit "
       << limit;
  if (size == 0 && difference != 0) said << "; only 0 is near 0, `within` takes a size";
  return {difference <= limit * size, said.str()};
}

/// The entry that is farthest from what it should be, against the largest that is expected.
template <class Value, class Expected>
Nearness judged_list(const Value& value, const Expected& expected, size_t n, double size,
                     double limit, const char* kind) {
  size_t worst = 0;
  double farthest = -1;
  for (size_t i = 0; i < n; ++i) {
    const double apart = std::fabs(double(value[int(i)]) - double(expected[int(i)]));
    if (apart <= farthest) continue;  // NaN is farther than all
    worst = i, farthest = apart;
    if (std::isnan(apart)) break;
  }
  if (n == 0) return {true, "nothing beside nothing"};
  return judged(double(value[int(worst)]), double(expected[int(worst)]), farthest, size, limit,
                kind, " [" + std::to_string(worst) + "]");
}

template <class V>
size_t length(const V& v) {
  if constexpr (requires { v.size(); })
    return size_t(v.size());
  else if constexpr (requires { v.x + v.y + v.z; })
    return 3;
  else
    return std::size(v);
}

template <class V>
double largest(const V& v) {
  double most = 0;
  for (size_t i = 0; i < length(v); ++i) most = std::max(most, std::fabs(double(v[int(i)])));
  return most;
}

template <class V>
concept Number = std::is_arithmetic_v<V>;

template <class Value, class Expected>
Nearness unequal_lengths(const Value& value, const Expected& expected) {
  return {false,
          std::to_string(length(value)) + " numbers beside " + std::to_string(length(expected))};
}

}  // namespace nearness

/// |value − expected| ≤ relative · |expected|
inline Nearness near(double value, double expected, double relative) {
  return nearness::judged(value, expected, std::fabs(value - expected), std::fabs(expected),
                          relative, "relative", "");
}

/// |value − expected| ≤ absolute
inline Nearness within(double value, double expected, double absolute) {
  return nearness::judged(value, expected, std::fabs(value - expected), 1, absolute, "absolute",
                          "");
}

/// max |valueᵢ − expectedᵢ| ≤ relative · max |expectedᵢ|
template <class Value, class Expected>
requires(!nearness::Number<Value> && !nearness::Number<Expected>) Nearness
    near(const Value& value, const Expected& expected, double relative) {
  const size_t n = nearness::length(value);
  if (n != nearness::length(expected)) return nearness::unequal_lengths(value, expected);
  return nearness::judged_list(value, expected, n, nearness::largest(expected), relative,
                               "relative");
}

/// max |valueᵢ − expectedᵢ| ≤ absolute
template <class Value, class Expected>
requires(!nearness::Number<Value> && !nearness::Number<Expected>) Nearness
    within(const Value& value, const Expected& expected, double absolute) {
  const size_t n = nearness::length(value);
  if (n != nearness::length(expected)) return nearness::unequal_lengths(value, expected);
  return nearness::judged_list(value, expected, n, 1, absolute, "absolute");
}

}  // namespace sarrus::testing
