// Matrices with known ranks and spectra for tests.
#pragma once

#include <cmath>
#include <vector>

#include "sarrus/core/random.hpp"
#include "sarrus/numerics/matrix.hpp"

namespace sarrus::testing {

inline Matrix random_matrix(int rows, int cols, Random& random) {
  Matrix A(rows, cols);
  for (double& x : A.values) x = random.uniform(-1, 1);
  return A;
}

/// Columns made orthonormal one after the other, twice.
inline Matrix orthonormal(Matrix A) {
  for (int j = 0; j < A.cols; ++j) {
    for (int twice = 0; twice < 2; ++twice)
      for (int k = 0; k < j; ++k) {
        double h = 0;
        for (int i = 0; i < A.rows; ++i) h += A(i, k) * A(i, j);
        for (int i = 0; i < A.rows; ++i) A(i, j) -= h * A(i, k);
      }
    double size = 0;
    for (const double x : A.column(j)) size += x * x;
    for (double& x : A.column(j)) x /= std::sqrt(size);
  }
  return A;
}

/// U diag(sigma) Vᵀ with random orthonormal U, V.
inline Matrix with_singular_values(const std::vector<double>& sigma, int rows, int cols,
                                   Random& random) {
  const int r = static_cast<int>(sigma.size());
  const Matrix U = orthonormal(random_matrix(rows, r, random)),
               V = orthonormal(random_matrix(cols, r, random));
  Matrix A(rows, cols);
  for (int j = 0; j < cols; ++j)
    for (int i = 0; i < rows; ++i)
      for (int k = 0; k < r; ++k) A(i, j) += U(i, k) * sigma[k] * V(j, k);
  return A;
}

/// Velocity constraints of the Sarrus linkage: ground, two legs of two links, a platform. Five
/// twists [v; w] at the origin in inertial axes, six hinges of five rows. `tilt` turns the middle
/// hinge of the first leg towards z.
inline Matrix sarrus_linkage(double tilt = 0) {
  struct Hinge {
    int a, b;  // bodies, −1: ground
    double at[3], axis[3];
  };
  const Hinge hinges[] = {
      {-1, 0, {1, 0, 0}, {0, 1, 0}},    {0, 1, {1.3, 0, 0.4}, {0, std::cos(tilt), std::sin(tilt)}},
      {1, 4, {1, 0, 0.8}, {0, 1, 0}},   {-1, 2, {0, 1, 0}, {1, 0, 0}},
      {2, 3, {0, 1.3, 0.4}, {1, 0, 0}}, {3, 4, {0, 1, 0.8}, {1, 0, 0}}};
  Matrix C(30, 30);
  int row = 0;
  for (const Hinge& h : hinges) {
    // two directions across the axis
    const double* e = h.axis;
    const double n1[3] = {0, 0, 1};
    double p[3], q[3];
    const double along = e[2];
    double size = 0;
    for (int i = 0; i < 3; ++i) p[i] = n1[i] - along * e[i], size += p[i] * p[i];
    for (int i = 0; i < 3; ++i) p[i] /= std::sqrt(size);
    q[0] = e[1] * p[2] - e[2] * p[1], q[1] = e[2] * p[0] - e[0] * p[2],
    q[2] = e[0] * p[1] - e[1] * p[0];
    for (const auto& [body, sign] : {std::pair{h.a, -1.0}, std::pair{h.b, 1.0}}) {
      if (body < 0) continue;
      // v + w × r
      for (int i = 0; i < 3; ++i) {
        C(row + i, 6 * body + i) = sign;
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        C(row + i, 6 * body + 3 + j) = sign * h.at[k];
        C(row + i, 6 * body + 3 + k) = -sign * h.at[j];
      }
      for (int i = 0; i < 3; ++i) {
        C(row + 3, 6 * body + 3 + i) = sign * p[i];
        C(row + 4, 6 * body + 3 + i) = sign * q[i];
      }
    }
    row += 5;
  }
  return C;
}

/// Second differences on a grid of n³ points, zero outside: λ = Σ 4 sin²(iπ/(2(n+1))).
inline SparseMatrix grid_laplacian(int n) {
  std::vector<Entry> entries;
  const auto at = [&](int x, int y, int z) { return (x * n + y) * n + z; };
  for (int x = 0; x < n; ++x)
    for (int y = 0; y < n; ++y)
      for (int z = 0; z < n; ++z) {
        entries.push_back({at(x, y, z), at(x, y, z), 6});
        const auto join = [&](int i) {
          entries.push_back({at(x, y, z), i, -1}), entries.push_back({i, at(x, y, z), -1});
        };
        if (x + 1 < n) join(at(x + 1, y, z));
        if (y + 1 < n) join(at(x, y + 1, z));
        if (z + 1 < n) join(at(x, y, z + 1));
      }
  return to_sparse(n * n * n, n * n * n, entries);
}

}  // namespace sarrus::testing
