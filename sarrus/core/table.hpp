// A function of one variable given by points: piecewise linear or cubic spline.
#pragma once

#include <string>
#include <vector>

namespace sarrus {

enum class Interpolation { linear, cubic };

/// Beyond the first and the last point. hold: the end's value, derivatives zero; extrapolate: the
/// straight line with the end's slope (a natural spline goes on smoothly in it); refuse: NaN.
enum class Outside { hold, extrapolate, refuse };

/// y(x) through points with rising x. Cubic: natural spline, twice continuously differentiable.
struct Table {
  std::string name;
  std::vector<double> x, y;
  Interpolation interpolation = Interpolation::cubic;
  Outside outside = Outside::hold;
  std::vector<double> second;  // y″ at the points (cubic), filled by prepare()

  /// Checks the points and fits the spline. Returns what is wrong, in words, or "".
  std::string prepare();

  /// Value and first to third derivative at x, of a prepared table. At a corner of a linear table
  /// the derivative is that of the piece to the right.
  struct Sample {
    double value, first, second, third = 0;
  };
  Sample at(double x) const;
};

}  // namespace sarrus
