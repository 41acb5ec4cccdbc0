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

/// Loops are closed to 1e-13 of the mechanism's length after every step, and their rates to the
/// rounding of velocities of some rad/s.
constexpr double closed = 1e-12, closed_rate = 1e-11;

/// Relative to the energies exchanged: the account of a run at rtol 1e-12 over some hundred steps,
/// in rows that are interpolated.
constexpr double account = 1e-9;

}  // namespace sarrus::testing
