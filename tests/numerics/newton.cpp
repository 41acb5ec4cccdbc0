// Newton's method: what each status means, by equations whose iterates are known.
#include "sarrus/numerics/newton.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "near.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// f(x) = 0 from x, with steps that lessen |f|, down to `least` of the whole.
template <class F, class Slope>
NewtonResult solve(double& x, F f, Slope slope, NewtonLimits limits, double tolerance,
                   double least = 1e-6) {
  const auto judge = [&] { return NewtonResidual{std::fabs(f(x)), tolerance}; };
  const auto step = [&] {
    const double from = x, dx = -f(from) / slope(from);
    if (!std::isfinite(dx)) return NewtonStep::not_finite;
    const double share = halved(1, least, [&](double s) {
      x = from + s * dx;
      return least == 1 || std::fabs(f(x)) < std::fabs(f(from));
    });
    if (share > 0) return NewtonStep::taken;
    x = from;
    return NewtonStep::uphill;
  };
  return newton(limits, judge, step);
}

}  // namespace

TEST_CASE("newton: the root of 2 takes four steps from 3/2") {
  double x = 1.5;
  const NewtonResult found = solve(
      x, [](double v) { return v * v - 2; }, [](double v) { return 2 * v; }, {}, 1e-15);
  CHECK(found.status == NewtonStatus::converged);
  CHECK(found.is_solved());
  // |x − √2| = 0.086, 2.5e-3, 2.1e-6, 1.6e-12, 9e-25 by e' = e²/2x
  CHECK(found.steps == 4);
  CHECK(near(x, std::sqrt(2.0), rounding(2)));
}

TEST_CASE("newton: a double root halves the error in every step") {
  double x = 1;
  const NewtonResult found = solve(
      x, [](double v) { return v * v; }, [](double v) { return 2 * v; }, {}, 1e-12);
  CHECK(found.status == NewtonStatus::converged);
  CHECK(found.steps == 20);  // 4^-20 = 0.9e-12
  CHECK(x == std::ldexp(1.0, -20));

  x = 1;
  const NewtonResult ended = solve(
      x, [](double v) { return v * v; }, [](double v) { return 2 * v; }, {.most_steps = 5}, 1e-12);
  CHECK(ended.status == NewtonStatus::exhausted);
  CHECK_FALSE(ended.is_solved());
  CHECK(ended.steps == 5);
  CHECK(ended.residual == std::ldexp(1.0, -10));  // of the point after the last step
}

TEST_CASE("newton: halved steps find the root of atan from where whole ones fly off") {
  const auto f = [](double v) { return std::atan(v); };
  const auto slope = [](double v) { return 1 / (1 + v * v); };
  double x = 3;  // whole steps converge from |x| < 1.3917 only
  const NewtonResult found = solve(x, f, slope, {}, 1e-15);
  CHECK(found.status == NewtonStatus::converged);
  CHECK(within(x, 0, 1e-15));  // the tolerance: atan x = x there
}

TEST_CASE("newton: no root, and no step that lessens the residual") {
  const auto f = [](double v) { return v * v + 1; };
  double x = 0.75;
  const NewtonResult found = solve(
      x, f, [](double v) { return 2 * v; }, {}, 1e-12);
  CHECK(found.status == NewtonStatus::stalled);
  CHECK(within(found.residual, 1, 1e-3));  // the least there is, as near as 1e-6 of a step shows
  CHECK(f(x) == found.residual);           // x is where it was judged

  // the same where what is left counts as rounding
  x = 0.75;
  const NewtonResult rounded = solve(
      x, f, [](double v) { return 2 * v; }, {.nearly = 1.1}, 1e-12);
  CHECK(rounded.status == NewtonStatus::rounded);
  CHECK(rounded.is_solved());
}

TEST_CASE("newton: whole steps end where the residual is small and no longer falls") {
  // a residual of 2, 1e-7, 9e-8: small from the second on, and falling slowly at the third
  const double sizes[] = {2, 1e-7, 9e-8, 1e-20};
  int looks = 0;
  const NewtonResult found = newton(
      {.nearly = 1e-6, .slow = 0.5},
      [&] {
        return NewtonResidual{sizes[looks++], 1e-13};
      },
      [] { return NewtonStep::taken; });
  CHECK(found.status == NewtonStatus::rounded);
  CHECK(found.steps == 2);
  CHECK(found.residual == 9e-8);
}

TEST_CASE("newton: numbers that are none end it") {
  double x = 0;  // slope 0
  CHECK(solve(
            x, [](double v) { return v * v + 1; }, [](double v) { return 2 * v; }, {}, 1e-12)
            .status == NewtonStatus::not_finite);
  x = -2;  // outside of the function's range
  CHECK(solve(
            x, [](double v) { return std::log(v); }, [](double v) { return 1 / v; }, {}, 1e-12)
            .status == NewtonStatus::not_finite);
}

TEST_CASE("newton: shares of a step are halves of the first, above the least") {
  int tries = 0;
  CHECK(halved(0.3, 1.0 / 4096, [&](double) { return ++tries, false; }) == 0);
  CHECK(tries == 12);
  CHECK(halved(0.3, 1.0 / 4096, [](double share) { return share < 0.1; }) == 0.3 / 4);
}
