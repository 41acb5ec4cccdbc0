// Limits that many comparisons share, each with its reason. A limit that belongs to one comparison
// stands beside it, with its reason in a comment.
#pragma once

#include <limits>

namespace sarrus::testing {

/// Relative: n roundings of a double, none of which is amplified by a cancellation.
constexpr double rounding(int n) { return n * std::numeric_limits<double>::epsilon() / 2; }

}  // namespace sarrus::testing
