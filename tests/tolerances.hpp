// Limits that many comparisons share, each with its reason. A limit that belongs to one comparison
// stands beside it, with its reason in a comment.
#pragma once

#include <limits>

namespace sarrus::testing {

/// Relative: n roundings of a double, none of which is amplified by a cancellation.
constexpr double rounding(int n) { return n * std::numeric_limits<double>::epsilon() / 2; }

/// Relative: a reference that is printed with so many significant digits.
constexpr double printed(int digits) { return digits == 0 ? 5 : printed(digits - 1) / 10; }

/// Absolute: a reference that is printed with so many decimals.
constexpr double decimals(int places) { return places == 0 ? 0.5 : decimals(places - 1) / 10; }

}  // namespace sarrus::testing
