#include "sarrus/numerics/rank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sarrus {

const char* to_text(RankStatus status) {
  switch (status) {
    case RankStatus::clear: return "clear";
    case RankStatus::weak: return "weak";
    case RankStatus::marginal: return "marginal";
    case RankStatus::ill: return "ill";
  }
  return "";
}

RankDecision decide_rank(std::span<const double> sigma, int rows, int cols,
                         const RankOptions& options) {
  RankDecision d;
  d.sigma.assign(sigma.begin(), sigma.end());
  const double largest = d.sigma.empty() ? 0 : d.sigma.front();
  const double level = std::max({rows, cols, 1}) * options.epsilon;
  d.rounding = options.squared ? std::sqrt(level) : level;
  const double data = std::max(options.data_tolerance, d.rounding);
  d.tolerance = data;
  if (!(largest > 0)) return d;

  const auto x = [&](int i) {  // x_i, counted from 1
    return i >= 1 && i <= static_cast<int>(d.sigma.size()) ? d.sigma[i - 1] / largest : 0.0;
  };
  const auto above = [&](double tau) {
    return static_cast<int>(
        std::count_if(d.sigma.begin(), d.sigma.end(), [&](double s) { return s / largest > tau; }));
  };
  const auto ratio = [&](int R) { return x(R) / std::max(x(R + 1), d.rounding / 100); };
  const int by_rounding = above(d.rounding), by_data = above(data);
  const int full = std::min(rows, cols);
  if (by_rounding == by_data) {
    d.rank = by_rounding;
    const bool clear = d.rank == 0 || ratio(d.rank) >= options.gap ||
                       (d.rank == full && x(d.rank) > options.gap * d.rounding);
    d.status = !clear                     ? RankStatus::ill
               : x(d.rank) < options.warn ? RankStatus::weak
                                          : RankStatus::clear;
  } else {
    d.rank = options.keep_marginal ? by_rounding : by_data;
    if (options.keep_marginal) d.tolerance = d.rounding;
    d.status = ratio(d.rank) >= options.gap ? RankStatus::marginal : RankStatus::ill;
  }
  d.kept = x(d.rank);
  d.dropped = x(d.rank + 1);
  d.gap_decades = d.rank == 0 ? 0 : std::log10(ratio(d.rank));
  d.condition = d.kept > 0 ? 1 / d.kept : 1;
  return d;
}

std::string doubt(const RankDecision& d) {
  switch (d.status) {
    case RankStatus::clear: return "";
    case RankStatus::weak:
      return fmt::format(
          "the smallest value that counts is {:.2e} of the largest: a constraint that is nearly "
          "a combination of the others",
          d.kept);
    case RankStatus::marginal:
      return fmt::format(
          "values between rounding ({:.1e}) and the accuracy of the data ({:.1e}) were taken as "
          "{}: "
          "the last that counts is {:.2e}, the next {:.2e}",
          d.rounding, d.tolerance, d.tolerance > d.rounding ? "zero" : "constraints", d.kept,
          d.dropped);
    case RankStatus::ill:
      return fmt::format(
          "there is no gap: {:.2e} counts, {:.2e} does not ({:.1f} decades apart, 4 are wanted); "
          "the "
          "constraints are ill-conditioned",
          d.kept, d.dropped, d.gap_decades);
  }
  return "";
}

}  // namespace sarrus
