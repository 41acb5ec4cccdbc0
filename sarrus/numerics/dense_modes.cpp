#include "sarrus/numerics/dense_modes.hpp"

#include <algorithm>
#include <cmath>

#include "sarrus/numerics/dense/eigenvalues.hpp"
#include "sarrus/numerics/eigen_maps.hpp"

namespace sarrus {
namespace {

using Mat = Eigen::MatrixXd;

/// The largest entry of every column is positive.
void fix_signs(Matrix& V) {
  for (int j = 0; j < V.cols; ++j) {
    double most = 0;
    // of entries equal up to rounding the first decides
    for (const double x : V.column(j))
      if (std::fabs(x) > (1 + 1e-9) * std::fabs(most)) most = x;
    if (most < 0)
      for (double& x : V.column(j)) x = -x;
  }
}

}  // namespace

DenseModes dense_modes(const Matrix& M_given, const Matrix& K_given) {
  DenseModes found;
  const int n = M_given.rows;
  found.vectors = Matrix(n, n);
  if (n == 0) return found;
  const Mat M = map(M_given), K = map(K_given);
  auto [solved, lambda, V] = symmetric_eigen(K, M);
  found.ok = solved && lambda.allFinite();
  if (!found.ok) return found;

  const double largest = lambda.cwiseAbs().maxCoeff();
  const double zero = 100.0 * n * 2.22e-16 * largest;
  double elastic = 0;  // the lowest that is not zero for certain
  for (int i = n - 1; i >= 0; --i)
    if (lambda[i] > zero) elastic = lambda[i];
  bool turned_round = false;
  if (elastic > 0 && lambda[0] > -zero) {
    const double middle = std::sqrt(2 * elastic * largest);
    const double shift = lambda[0] > zero ? 0 : elastic;  // only where K alone is not definite
    const EigenPairs turned = symmetric_eigen(M, K + shift * M);  // (1)
    turned_round = turned.ok;
    for (int i = 0; i < n && turned_round; ++i) {
      const int k = n - 1 - i;
      const double mu = turned.values[k];
      if (!(mu > 0) || 1 / mu > middle) break;
      lambda[i] = 1 / mu - shift;
      V.col(i) = turned.vectors.col(k) / std::sqrt(mu);
    }
  }
  for (int i = 0; i < n; ++i) {
    if (std::fabs(lambda[i]) <= (turned_round ? 1e-9 * elastic : zero))
      lambda[i] = 0, ++found.rigid;
    found.lambda.push_back(lambda[i]);
  }
  map(found.vectors) = V;
  fix_signs(found.vectors);
  return found;
}

}  // namespace sarrus
