// Natural cubic spline: on each interval of width h, with a = (x₁ − x)/h and b = 1 − a,
//
//   y = a y₀ + b y₁ + ((a³ − a) y″₀ + (b³ − b) y″₁) h²/6                                   (1)
//
// where y″ is zero at both ends and inside makes the slope continuous:
//
//   hᵢ₋₁ y″ᵢ₋₁ + 2 (hᵢ₋₁ + hᵢ) y″ᵢ + hᵢ y″ᵢ₊₁ = 6 (sᵢ − sᵢ₋₁),  sᵢ = (yᵢ₊₁ − yᵢ)/hᵢ        (2)
//
// a tridiagonal system, solved by elimination downward and substitution upward.
// [de Boor, A Practical Guide to Splines, ch. IV]
#include "sarrus/core/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sarrus {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string problem_in_points(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() != y.size())
    return fmt::format("{} values of x but {} values of y", x.size(), y.size());
  if (x.size() < 2)
    return fmt::format("{} {}, at least 2 are needed", x.size(), x.size() == 1 ? "row" : "rows");
  for (size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i]))
      return fmt::format("row {}: ({}, {}) is not finite", i + 1, x[i], y[i]);
    if (i > 0 && x[i] == x[i - 1])
      return fmt::format("rows {} and {} have the same x = {}, with y = {} and y = {}", i, i + 1,
                         x[i], y[i - 1], y[i]);
    if (i > 0 && x[i] < x[i - 1])
      return fmt::format("row {}: x = {} is below x = {} of row {}; x must rise", i + 1, x[i],
                         x[i - 1], i);
  }
  return "";
}

/// y″ at the points, from (2).
std::vector<double> natural_spline(const std::vector<double>& x, const std::vector<double>& y) {
  const size_t n = x.size();
  std::vector<double> second(n, 0.0), factor(n, 0.0);
  for (size_t i = 1; i + 1 < n; ++i) {
    const double h0 = x[i] - x[i - 1], h1 = x[i + 1] - x[i];
    const double pivot = 2 * (h0 + h1) - h0 * factor[i - 1];
    const double jump = (y[i + 1] - y[i]) / h1 - (y[i] - y[i - 1]) / h0;
    factor[i] = h1 / pivot;
    second[i] = (6 * jump - h0 * second[i - 1]) / pivot;
  }
  for (size_t i = n - 2; i > 0; --i) second[i] -= factor[i] * second[i + 1];
  return second;
}

}  // namespace

std::string Table::prepare() {
  second.clear();
  if (std::string problem = problem_in_points(x, y); !problem.empty()) return problem;
  std::vector<double> fitted = interpolation == Interpolation::cubic
                                   ? natural_spline(x, y)
                                   : std::vector<double>(x.size(), 0.0);
  for (size_t i = 0; i < x.size(); ++i) {
    const double slope = i == 0 ? 0 : (y[i] - y[i - 1]) / (x[i] - x[i - 1]);
    if (!std::isfinite(slope) || !std::isfinite(fitted[i]))
      return fmt::format("row {}: ({}, {}) is too steep for a double", i + 1, x[i], y[i]);
  }
  second = std::move(fitted);
  return "";
}

Table::Sample Table::at(double at_x) const {
  if (std::isnan(at_x)) return {nan, nan, nan};
  const bool before = at_x<x.front(), after = at_x> x.back();
  if ((before || after) && outside == Outside::refuse) return {nan, nan, nan};
  if ((before || after) && outside == Outside::hold) return {before ? y.front() : y.back(), 0, 0};

  // the interval to the right of a point, but the last one at the end
  const auto next = std::upper_bound(x.begin() + 1, x.end() - 1, at_x);
  const size_t i = static_cast<size_t>(next - x.begin()) - 1;
  const double h = x[i + 1] - x[i], slope = (y[i + 1] - y[i]) / h;
  const double m0 = second[i], m1 = second[i + 1];

  // beyond the ends: the line with the end's slope, where y″ is zero anyhow
  if (before) {
    const double end = slope - h / 6 * (2 * m0 + m1);
    return {y.front() + end * (at_x - x.front()), end, 0};
  }
  if (after) {
    const double end = slope + h / 6 * (m0 + 2 * m1);
    return {y.back() + end * (at_x - x.back()), end, 0};
  }
  const double a = (x[i + 1] - at_x) / h, b = (at_x - x[i]) / h;
  return {
      a * y[i] + b * y[i + 1] + ((a * a - 1) * a * m0 + (b * b - 1) * b * m1) * h * h / 6,  // (1)
      slope + h / 6 * ((1 - 3 * a * a) * m0 + (3 * b * b - 1) * m1), a * m0 + b * m1,
      (m1 - m0) / h};
}

}  // namespace sarrus
