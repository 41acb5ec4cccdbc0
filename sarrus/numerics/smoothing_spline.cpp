#include "sarrus/numerics/smoothing_spline.hpp"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <algorithm>
#include <array>
#include <cmath>

namespace sarrus {
namespace {

constexpr int degree = 5, order = degree + 1;
constexpr int most_trials = 80;
constexpr double close_enough = 1e-3;  // of the wanted mean square

using Sparse = Eigen::SparseMatrix<double>;

/// Every end knot six times, the times in between once but for the two next to each end: as many
/// functions as times.
std::vector<double> clamped_knots(const std::vector<double>& t) {
  std::vector<double> knots(order, t.front());
  knots.insert(knots.end(), t.begin() + 3, t.end() - 3);
  knots.insert(knots.end(), order, t.back());
  return knots;
}

/// The last interval [kᵢ, kᵢ₊₁) of positive length with kᵢ ≤ t.
size_t interval_of(const std::vector<double>& knots, double t) {
  const auto last = knots.end() - order;
  const auto found = std::upper_bound(knots.begin() + order, last, t);
  return static_cast<size_t>(found - knots.begin()) - 1;
}

/// The six B-splines that are not zero in an interval, or a derivative of them (de Boor; Cox).
std::array<double, order> functions_at(const std::vector<double>& knots, size_t interval, double t,
                                       int derivative) {
  // all degrees up to the last one; derivatives by differences of lower ones
  std::array<double, order> values{};
  values[degree] = 1;
  const int plain = degree - derivative;
  for (int p = 1; p <= degree; ++p) {
    std::array<double, order> next{};
    for (int j = degree - p; j <= degree; ++j) {
      const size_t i = interval + static_cast<size_t>(j) - degree;
      const auto k = static_cast<size_t>(p);
      const double left = knots[i + k] - knots[i], right = knots[i + k + 1] - knots[i + 1];
      const double a = values[j], b = j < degree ? values[j + 1] : 0;
      double& out = next[j];
      if (p <= plain) {
        if (left > 0) out += (t - knots[i]) / left * a;
        if (right > 0) out += (knots[i + k + 1] - t) / right * b;
      } else {
        if (left > 0) out += p / left * a;
        if (right > 0) out -= p / right * b;
      }
    }
    values = next;
  }
  return values;
}

/// ∫ Bᵢ‴ Bⱼ‴: polynomials of degree 4, three Gauss points.
Sparse roughness(const std::vector<double>& knots, Eigen::Index n) {
  std::vector<Eigen::Triplet<double>> entries;
  const double x[] = {-std::sqrt(0.6), 0, std::sqrt(0.6)}, w[] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  for (size_t i = degree; i + order < knots.size(); ++i) {
    const double half = 0.5 * (knots[i + 1] - knots[i]), middle = knots[i] + half;
    for (int g = 0; g < 3; ++g) {
      const auto f = functions_at(knots, i, middle + half * x[g], 3);
      for (size_t a = 0; a < order; ++a)
        for (size_t b = 0; b < order; ++b)
          entries.emplace_back(static_cast<int>(i - degree + a), static_cast<int>(i - degree + b),
                               half * w[g] * f[a] * f[b]);
    }
  }
  Sparse P(n, n);
  P.setFromTriplets(entries.begin(), entries.end());
  return P;
}

Sparse collocation(const std::vector<double>& knots, const std::vector<double>& t, Eigen::Index n) {
  std::vector<Eigen::Triplet<double>> entries;
  for (size_t r = 0; r < t.size(); ++r) {
    const size_t i = interval_of(knots, t[r]);
    const auto f = functions_at(knots, i, t[r], 0);
    for (size_t a = 0; a < order; ++a)
      entries.emplace_back(static_cast<int>(r), static_cast<int>(i - degree + a), f[a]);
  }
  Sparse B(static_cast<Eigen::Index>(t.size()), n);
  B.setFromTriplets(entries.begin(), entries.end());
  return B;
}

}  // namespace

SmoothingSpline::SmoothingSpline(std::vector<double> t, std::span<const double> y, double variance)
    : knots_(clamped_knots(t)) {
  const auto n = static_cast<Eigen::Index>(knots_.size()) - order;
  const Eigen::Map<const Eigen::VectorXd> wanted(y.data(), static_cast<Eigen::Index>(y.size()));
  const Sparse B = collocation(knots_, t, n), P = roughness(knots_, n);
  const Sparse BtB = B.transpose() * B;
  const Eigen::VectorXd Bty = B.transpose() * wanted;
  Eigen::SimplicialLDLT<Sparse> solver;
  solver.analyzePattern(Sparse(BtB + P));
  // λ in units in which both terms have the same size
  const double unit = BtB.diagonal().sum() / P.diagonal().sum();
  Eigen::VectorXd c;
  const auto mean_square = [&](double log_lambda) {
    solver.factorize(Sparse(BtB + unit * std::exp(log_lambda) * P));
    c = solver.solve(Bty);
    return (B * c - wanted).squaredNorm() / static_cast<double>(y.size());
  };
  // the residual grows with λ; beyond the last one only parabolas are left, and digits are lost
  double low = -60, high = 18;
  double found = mean_square(low);
  for (int k = 0; k < most_trials && variance > found; ++k) {
    const double middle = 0.5 * (low + high), here = mean_square(middle);
    (here < variance ? low : high) = middle;
    if (std::fabs(here - variance) < close_enough * variance) break;
  }
  coefficients_.assign(c.data(), c.data() + c.size());
  residual_ = (B * c - wanted).norm() / std::sqrt(static_cast<double>(y.size()));
}

double SmoothingSpline::operator()(double t, int derivative) const {
  const size_t i = interval_of(knots_, t);
  const auto f = functions_at(knots_, i, t, derivative);
  double sum = 0;
  for (size_t a = 0; a < order; ++a) sum += f[a] * coefficients_[i - degree + a];
  return sum;
}

double estimated_noise(std::span<const double> y) {
  constexpr double binomial[] = {1, -6, 15, -20, 15, -6, 1};
  constexpr double gain = 924;  // Σ binomial²
  double sum = 0;
  const size_t count = y.size() < 7 ? 0 : y.size() - 6;
  for (size_t i = 0; i < count; ++i) {
    double d = 0;
    for (size_t k = 0; k < 7; ++k) d += binomial[k] * y[i + k];
    sum += d * d;
  }
  return count == 0 ? 0 : std::sqrt(sum / (gain * static_cast<double>(count)));
}

}  // namespace sarrus
