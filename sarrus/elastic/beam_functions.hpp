// Families of functions on s ∈ [0, 1] that vanish, with their slope where bending asks for it, at
// s = 0. Each answers with its value and three derivatives by s.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

namespace sarrus {

using FunctionJet = std::array<double, 4>;

/// Legendre polynomial P_k(2s − 1) with derivatives.
inline FunctionJet legendre(int k, double s) {
  const double x = 2 * s - 1;
  FunctionJet p0{1, 0, 0, 0}, p1{x, 2, 0, 0};
  if (k == 0) return p0;
  for (int j = 2; j <= k; ++j) {
    // j P_j = (2j − 1) x P_{j−1} − (j − 1) P_{j−2}, differentiated by s with x′ = 2
    FunctionJet p2;
    for (size_t d = 0; d < 4; ++d) {
      const double product = x * p1[d] + (d > 0 ? 2 * static_cast<double>(d) * p1[d - 1] : 0);
      p2[d] = ((2 * j - 1) * product - (j - 1) * p0[d]) / j;
    }
    p0 = p1, p1 = p2;
  }
  return p1;
}

/// s² P_k: bending.
inline FunctionJet bending_polynomial(int k, double s) {
  const FunctionJet p = legendre(k, s);
  return {s * s * p[0], 2 * s * p[0] + s * s * p[1], 2 * p[0] + 4 * s * p[1] + s * s * p[2],
          6 * p[1] + 6 * s * p[2] + s * s * p[3]};
}

/// s P_k: torsion and stretch.
inline FunctionJet axial_polynomial(int k, double s) {
  const FunctionJet p = legendre(k, s);
  return {s * p[0], p[0] + s * p[1], 2 * p[1] + s * p[2], 3 * p[2] + s * p[3]};
}

/// Eigenfunctions of the cantilever in a form without cancellation:
///   φ = A e^{−bs} + B e^{bs} − cos bs + σ sin bs
inline FunctionJet cantilever_function(int k, double s) {
  // cos b + 1/cosh b = 0, from the zero of the cosine; the first is farther from it
  double b = k == 0 ? 1.875 : (2 * k + 1) * std::numbers::pi / 2;
  for (int i = 0; i < 6; ++i)
    b -= (std::cos(b) + 1 / std::cosh(b)) / (-std::sin(b) - std::tanh(b) / std::cosh(b));
  const double e = std::exp(-b), below = 2 * (std::sinh(b) + std::sin(b));
  const double sigma = (std::cosh(b) + std::cos(b)) / (std::sinh(b) + std::sin(b));
  const double A = (1 + sigma) / 2, B = (std::sin(b) - std::cos(b) - e) / below;
  const double down = A * std::exp(-b * s), up = B * std::exp(b * s);
  const double c = std::cos(b * s), n = std::sin(b * s);
  return {down + up - c + sigma * n, b * (-down + up + n + sigma * c),
          b * b * (down + up + c - sigma * n), b * b * b * (-down + up - n - sigma * c)};
}

/// sin((2k + 1) π s/2): torsion and stretch of a bar that is free at its end.
inline FunctionJet bar_function(int k, double s) {
  const double b = (2 * k + 1) * std::numbers::pi / 2;
  return {std::sin(b * s), b * std::cos(b * s), -b * b * std::sin(b * s),
          -b * b * b * std::cos(b * s)};
}

/// Hermite function of an element [0, 1] with unit length: 0, 1: value and slope at 0; 2, 3: at 1.
inline FunctionJet hermite(int which, double s) {
  switch (which) {
    case 0: return {1 - 3 * s * s + 2 * s * s * s, -6 * s + 6 * s * s, -6 + 12 * s, 12};
    case 1: return {s - 2 * s * s + s * s * s, 1 - 4 * s + 3 * s * s, -4 + 6 * s, 6};
    case 2: return {3 * s * s - 2 * s * s * s, 6 * s - 6 * s * s, 6 - 12 * s, -12};
    default: return {-s * s + s * s * s, -2 * s + 3 * s * s, -2 + 6 * s, 6};
  }
}

}  // namespace sarrus
