#include "sarrus/numerics/jacobi.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sarrus/numerics/double_double.hpp"
#include "sarrus/numerics/tolerance.hpp"

namespace sarrus {
namespace {

constexpr int most_sweeps = 60;

/// Sum of the squares above the diagonal.
double off_diagonal(const Matrix& E) {
  double sum = 0;
  for (int q = 1; q < E.cols; ++q)
    for (int p = 0; p < q; ++p) sum += E(p, q) * E(p, q);
  return sum;
}

struct Rotation {
  double c = 1, s = 0, t = 0;
};

/// The smaller angle with t² + 2 t cot 2θ = 1, cot 2θ = (e_qq − e_pp)/(2 e_pq).
Rotation rotation_for(double app, double aqq, double apq) {
  const double cot = (aqq - app) / (2 * apq);
  const double t = (cot < 0 ? -1 : 1) / (std::fabs(cot) + std::hypot(1, cot));
  const double c = 1 / std::hypot(1, t);
  return {c, c * t, t};
}

void rotate_rows_and_columns(Matrix& E, int p, int q, const Rotation& r) {
  const double apq = E(p, q), app = E(p, p), aqq = E(q, q);
  for (int k = 0; k < E.rows; ++k) {
    if (k == p || k == q) continue;
    const double kp = E(k, p), kq = E(k, q);
    E(k, p) = E(p, k) = r.c * kp - r.s * kq;
    E(k, q) = E(q, k) = r.s * kp + r.c * kq;
  }
  E(p, p) = app - r.t * apq;
  E(q, q) = aqq + r.t * apq;
  E(p, q) = E(q, p) = 0;
}

void rotate_columns(Matrix& U, int p, int q, const Rotation& r) {
  for (int k = 0; k < U.rows; ++k) {
    const double kp = U(k, p), kq = U(k, q);
    U(k, p) = r.c * kp - r.s * kq;
    U(k, q) = r.s * kp + r.c * kq;
  }
}

}  // namespace

SymmetricEigen threshold_jacobi(const Matrix& given) {
  Matrix E = given;
  const int n = E.rows;
  SymmetricEigen found;
  Matrix U = Matrix::identity(n);
  const double scale = max_abs(E.values);
  // what rounding leaves; below it a rotation only moves rounding about
  const double smallest = ulps(1) * scale;
  double threshold = n > 1 ? std::sqrt(2 * off_diagonal(E)) / n : 0;
  bool rotated = true;
  while (rotated || threshold > smallest) {
    if (++found.sweeps > most_sweeps) {
      found.converged = false;
      break;
    }
    rotated = false;
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) {
        if (!(std::fabs(E(p, q)) > threshold)) continue;
        const Rotation r = rotation_for(E(p, p), E(q, q), E(p, q));
        rotate_rows_and_columns(E, p, q, r);
        rotate_columns(U, p, q, r);
        rotated = true;
      }
    threshold = std::max(threshold / 10, smallest);
  }
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  // stable: equal eigenvalues keep the order of their coordinates
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return E(a, a) > E(b, b); });
  found.vectors = Matrix(n, n);
  for (int j = 0; j < n; ++j) {
    const int from = order[j];
    found.values.push_back(E(from, from));
    std::copy_n(U.column(from).begin(), n, found.vectors.column(j).begin());
  }
  return found;
}

std::vector<double> singular_values_with_32_digits(const Matrix& A) {
  using D = DoubleDouble;
  // the columns to be made orthogonal: the shorter side of A
  const bool turned = A.cols > A.rows;
  const int n = turned ? A.rows : A.cols, length = turned ? A.cols : A.rows;
  std::vector<std::vector<D>> column(n, std::vector<D>(length));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < length; ++i) column[j][i] = turned ? A(j, i) : A(i, j);

  const auto product = [](const std::vector<D>& a, const std::vector<D>& b) {
    D sum = 0.0;
    for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  constexpr double orthogonal = 1e-30;  // |aᵀb| against |a||b|
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < most_sweeps; ++sweep) {
    rotated = false;
    for (size_t p = 0; p < column.size(); ++p)
      for (size_t q = p + 1; q < column.size(); ++q) {
        std::vector<D>&a = column[p], &b = column[q];
        const D aa = product(a, a), bb = product(b, b), ab = product(a, b);
        if (!(double(sqrt(aa)) * double(sqrt(bb)) * orthogonal < std::fabs(double(ab)))) continue;
        const D cot = (bb - aa) / (D(2.0) * ab);
        const D t = D(cot.hi < 0 ? -1.0 : 1.0) / (abs(cot) + sqrt(D(1.0) + cot * cot));
        const D c = D(1.0) / sqrt(D(1.0) + t * t), s = c * t;
        for (size_t i = 0; i < a.size(); ++i) {
          const D ai = a[i], bi = b[i];
          a[i] = c * ai - s * bi;
          b[i] = s * ai + c * bi;
        }
        rotated = true;
      }
  }
  std::vector<double> sigma;
  for (const std::vector<D>& c : column) sigma.push_back(double(sqrt(product(c, c))));
  std::sort(sigma.rbegin(), sigma.rend());
  return sigma;
}

}  // namespace sarrus
