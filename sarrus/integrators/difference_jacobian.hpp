// ∂f/∂y by differences, one evaluation for each entry.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <span>

namespace sarrus {

/// J = ∂f/∂y at y, where f is known: so many entries of f as J has rows, of y as it has columns.
///   evaluate   bool(span<const double> y, span<double> ydot)
/// at and rate are room of the size of y. False where f could not be evaluated.
template <class Evaluate>
bool difference_jacobian(std::span<const double> y, std::span<const double> f, size_t split,
                         Evaluate&& evaluate, std::span<double> at, std::span<double> rate,
                         Eigen::MatrixXd& J) {
  constexpr double difference = 1.5e-8;  // √ε
  std::copy(y.begin(), y.end(), at.begin());
  for (Eigen::Index j = 0; j < J.cols(); ++j) {
    const auto k = static_cast<size_t>(j);
    // positions in a chart are small while their sense of scale is one radian or metre
    at[k] = y[k] + difference * std::max(std::fabs(y[k]), k < split ? 1.0 : 1e-3);
    const double d = at[k] - y[k];
    const bool done = evaluate(std::span<const double>(at), rate);
    at[k] = y[k];
    if (!done) return false;
    for (Eigen::Index i = 0; i < J.rows(); ++i)
      J(i, j) = (rate[static_cast<size_t>(i)] - f[static_cast<size_t>(i)]) / d;
  }
  return true;
}

}  // namespace sarrus
