#include "sarrus/numerics/smoothing_spline.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "near.hpp"
#include "sarrus/core/random.hpp"

using namespace sarrus;
using sarrus::testing::near;

namespace {

std::vector<double> times(int n, double until) {
  std::vector<double> t;
  for (int i = 0; i < n; ++i) t.push_back(until * i / (n - 1));
  return t;
}

/// Sum of twelve uniform numbers: near enough to normal.
double noise(Random& random, double sigma) {
  double sum = 0;
  for (int i = 0; i < 12; ++i) sum += random.uniform(-0.5, 0.5);
  return sigma * sum;
}

}  // namespace

TEST_CASE("smoothing spline: without noise it goes through the points and has their derivatives") {
  const std::vector<double> t = times(200, 2);
  std::vector<double> y;
  for (const double x : t) y.push_back(std::sin(3 * x) + 0.2 * x * x);
  const SmoothingSpline f(t, y, 0);
  CHECK(f.residual() < 1e-13);  // rounding of y, sixth differences of it
  for (const double x : {0.31, 0.77, 1.0, 1.513}) {
    // (3 h)⁶/720 with h = 0.01, and two powers of 1/h more for each derivative
    CHECK(std::fabs(f(x) - std::sin(3 * x) - 0.2 * x * x) < 1e-12);
    CHECK(std::fabs(f(x, 1) - 3 * std::cos(3 * x) - 0.4 * x) < 1e-9);
    CHECK(std::fabs(f(x, 2) + 9 * std::sin(3 * x) - 0.4) < 1e-7);
  }
}

TEST_CASE("smoothing spline: a parabola comes back whatever the smoothing") {
  const std::vector<double> t{0, 0.1, 0.15, 0.4, 0.5, 0.7, 0.72, 0.9, 1.1, 1.3};
  std::vector<double> y;
  for (const double x : t) y.push_back(2 - x + 3 * x * x);
  const SmoothingSpline f(t, y, 1.0);  // no λ is too large
  // a λ that leaves eight digits of the sums, and seven of a second derivative
  CHECK(near(f(0.55), 2 - 0.55 + 3 * 0.55 * 0.55, 1e-8));
  CHECK(std::fabs(f(0.55, 2) - 6) < 1e-7);
}

TEST_CASE("smoothing spline: noise is taken out as far as it is there") {
  Random random(5);
  constexpr double sigma = 1e-3;
  const std::vector<double> t = times(400, 2);
  std::vector<double> y;
  for (const double x : t) y.push_back(std::sin(4 * x) + noise(random, sigma));
  CHECK(near(estimated_noise(y), sigma,
             0.15));  // of 394 sixth differences, which depend on each other: 11 % with this seed
  const SmoothingSpline f(t, y, sigma * sigma);
  CHECK(near(f.residual(), sigma, 2e-3));  // λ is found to a thousandth of the noise
  double value = 0, slope = 0, bend = 0;
  int count = 0;
  for (double x = 0.1; x < 1.9; x += 0.01, ++count) {
    value += std::pow(f(x) - std::sin(4 * x), 2);
    slope += std::pow(f(x, 1) - 4 * std::cos(4 * x), 2);
    bend += std::pow(f(x, 2) + 16 * std::sin(4 * x), 2);
  }
  CHECK(std::sqrt(value / count) < 0.4 * sigma);
  CHECK(std::sqrt(slope / count) < 0.02);  // of 4
  CHECK(std::sqrt(bend / count) < 0.3);    // of 16; differences of neighbours would have 40
}
