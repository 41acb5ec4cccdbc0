// A function of one variable given by points: piecewise linear or cubic spline.
#pragma once

#include <string>
#include <vector>

namespace sarrus {

enum class Interpolation { linear, cubic };
enum class Outside { hold, extrapolate, refuse };  // beyond the first and the last point

/// y(x) through points with rising x. Cubic: natural spline, twice continuously differentiable.
struct Table {
  std::string name;
  std::vector<double> x, y;
  Interpolation interpolation = Interpolation::cubic;
  Outside outside = Outside::hold;
  std::vector<double> second;  // y″ at the points (cubic), filled by prepare()

  /// Checks the points and fits the spline. Returns what is wrong, in words, or "".
  std::string prepare();

  /// Value, first and second derivative at x. Outside::refuse gives NaN beyond the ends.
  struct Sample {
    double value, first, second;
  };
  Sample at(double x) const;
};

}  // namespace sarrus
