// A quintic smoothing spline: the smoothest curve that stays as near to measured points as their
// noise requires.
//
//   minimise  Σ (f(tᵢ) − yᵢ)² + λ ∫ f‴² dt,   λ such that the mean square of f(tᵢ) − yᵢ is the
//   variance of the noise (Reinsch). Without noise the spline goes through all points.
//
// Interpolation of noisy points is useless for derivatives: an error σ becomes σ/h² in the second.
#pragma once

#include <memory>
#include <span>
#include <vector>

namespace sarrus {

class SmoothingSpline {
 public:
  /// Times rise strictly; at least 8 of them.
  SmoothingSpline(std::vector<double> t, std::span<const double> y, double variance);

  /// The value, or a derivative up to the third.
  double operator()(double t, int derivative = 0) const;
  /// Root of the mean square of f(tᵢ) − yᵢ.
  double residual() const { return residual_; }

 private:
  std::vector<double> knots_, coefficients_;
  double residual_ = 0;
};

/// The noise of equally spaced samples of a smooth curve, from their sixth differences.
double estimated_noise(std::span<const double> y);

}  // namespace sarrus
