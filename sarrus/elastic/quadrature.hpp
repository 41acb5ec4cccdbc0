// Gauss–Legendre points on an interval: n points integrate polynomials up to degree 2n − 1 exactly.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "sarrus/numerics/newton.hpp"

namespace sarrus {

struct QuadraturePoint {
  double x = 0, weight = 0;
};

inline std::vector<QuadraturePoint> gauss_points(int n, double from, double to) {
  std::vector<QuadraturePoint> points(n);
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  for (int i = 0; i < n; ++i) {
    // a root of Pₙ by Newton, from the classical estimate
    double x = -std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 1, dx = 0;
    const auto judge = [&]() -> NewtonResidual {
      double p0 = 1, p1 = x;
      for (int j = 2; j <= n; ++j) {
        const double p2 = ((2 * j - 1) * x * p1 - (j - 1) * p0) / j;
        p0 = p1, p1 = p2;
      }
      slope = n * (x * p1 - p0) / (x * x - 1);
      dx = -p1 / slope;
      return {std::fabs(dx), 1e-16};
    };
    const auto step = [&] {
      x += dx;
      return NewtonStep::taken;
    };
    newton({.most_steps = 19}, judge, step);
    step();
    points[i] = {middle + half * x, half * 2 / ((1 - x * x) * slope * slope)};
  }
  return points;
}

}  // namespace sarrus
