#include "sarrus/numerics/bounded_eigen.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sarrus/numerics/dense/eigenvalues.hpp"
#include "sarrus/numerics/dense/svd.hpp"
#include "sarrus/numerics/dense/triangular.hpp"
#include "sarrus/numerics/eigen_maps.hpp"
#include "sarrus/numerics/tolerance.hpp"

namespace sarrus {
namespace {

using Mat = Eigen::MatrixXd;
using Vec = Eigen::VectorXd;
using Complex = std::complex<double>;

constexpr int most_sweeps = 60;

/// e of (3).
double rounding_of(const Mat& A) { return ulps(10 * static_cast<double>(A.rows())) * A.norm(); }

/// (1): the diagonal of S.
Vec balance(Mat& A) {
  Vec s = Vec::Ones(A.rows());
  bool changed = true;
  for (int sweep = 0; sweep < most_sweeps && changed; ++sweep) {
    changed = false;
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const double own = A(i, i) * A(i, i), column = std::sqrt(A.col(i).squaredNorm() - own),
                   row = std::sqrt(A.row(i).squaredNorm() - own);
      if (!(column > 0) || !(row > 0)) continue;
      const double f = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (column * f + row / f > 0.95 * (column + row)) continue;
      A.col(i) *= f, A.row(i) /= f, s[i] *= f;
      changed = true;
    }
  }
  return s;
}

/// One level of (2): x of A is S (V0 X y/λ + V1 y) for y of A₁.
struct Split {
  Vec s;
  Mat V0, V1, X;

  Eigen::VectorXcd lifted(const Eigen::VectorXcd& y, Complex lambda) const {
    return s.asDiagonal() * (V0 * (X * y) / lambda + V1 * y);
  }
  Vec chained(const Vec& y) const { return s.asDiagonal() * (V1 * y); }
};

/// Splits the null space off and leaves A₁; false where there is none.
bool split(Mat& A, std::vector<Split>& levels) {
  Split level;
  level.s = balance(A);
  if (A.rows() == 0) return false;
  const Svd svd = divide_and_conquer_svd(A, Eigen::ComputeFullV);
  const double zero = rounding_of(A);
  Eigen::Index rank = 0;
  while (rank < svd.sigma.size() && svd.sigma[rank] > zero) ++rank;
  level.V1 = svd.V.leftCols(rank), level.V0 = svd.V.rightCols(A.rows() - rank);
  const bool found = rank < A.rows();
  if (!found) level.V1 = Mat::Identity(rank, rank);
  const Mat AV = A * level.V1;
  level.X = level.V0.transpose() * AV;
  A = level.V1.transpose() * AV;
  levels.push_back(std::move(level));
  return found;
}

/// (3) for the columns of X, of length 1.
Vec bounds(const Mat& A, const Eigen::MatrixXcd& X) {
  const double e = rounding_of(A), worst = std::sqrt(e * A.norm());
  const Eigen::MatrixXcd Y = inverse(X);
  Vec error(A.rows());
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const double first_order = e * Y.row(i).norm() * X.col(i).norm();
    error[i] = first_order < worst ? first_order : worst;
  }
  return error;
}

/// In the order of |λ|, of a pair the one with positive imaginary part first.
std::vector<int> order_of(const Eigen::VectorXcd& lambda) {
  std::vector<int> order(lambda.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    const double da = std::abs(lambda[a]), db = std::abs(lambda[b]);
    if (std::fabs(da - db) > 1e-12 * std::max(da, db)) return da < db;
    return lambda[a].imag() > lambda[b].imag();
  });
  return order;
}

void add(Complex lambda, double error, const Eigen::VectorXcd& x, BoundedEigen& found) {
  const int j = static_cast<int>(found.re.size());
  found.re.push_back(lambda.real()), found.im.push_back(lambda.imag());
  found.error.push_back(error);
  for (int i = 0; i < found.x_re.rows; ++i)
    found.x_re(i, j) = x[i].real(), found.x_im(i, j) = x[i].imag();
}

}  // namespace

BoundedEigen bounded_eigen(const Matrix& given) {
  BoundedEigen found;
  found.x_re = Matrix(given.rows, given.rows), found.x_im = found.x_re;
  Mat A = map(given);
  std::vector<Split> levels;
  while (split(A, levels)) {
  }
  const double error = given.rows > 0 ? rounding_of(map(given)) : 0;
  for (size_t k = 0; k < levels.size(); ++k)
    for (Eigen::Index j = 0; j < levels[k].V0.cols(); ++j) {
      Vec x = levels[k].s.asDiagonal() * levels[k].V0.col(j);
      for (size_t above = k; above-- > 0;) x = levels[above].chained(x);
      add(0, error, x.cast<Complex>(), found);
      ++found.zeros;
    }
  if (A.rows() == 0) return found;
  const auto [solved, lambda, X] = complex_eigen(A);
  found.ok = solved;
  if (!found.ok) return found;
  const Vec bound = bounds(A, X);
  for (const int i : order_of(lambda)) {
    Eigen::VectorXcd x = X.col(i);
    for (size_t k = levels.size(); k-- > 0;) x = levels[k].lifted(x, lambda[i]);
    add(lambda[i], bound[i], x, found);
  }
  return found;
}

ModalForm modal_form(std::span<const double> Lambda, const Matrix& D, int left_out) {
  ModalForm form;
  const int n = static_cast<int>(Lambda.size()), r = n - left_out;
  double least = 0;
  for (const double x : Lambda)
    if (x != 0 && (least == 0 || std::fabs(x) < least)) least = std::fabs(x);
  for (const double x : Lambda)
    form.scale.push_back(std::sqrt(x != 0 ? std::fabs(x) : least > 0 ? least : 1));
  form.A = Matrix(r + n, r + n);
  for (int j = 0; j < n; ++j) {
    const int at = j - left_out;
    if (at >= 0) form.A(at, r + j) = form.scale[j], form.A(r + j, at) = -Lambda[j] / form.scale[j];
    for (int i = 0; i < n; ++i) form.A(r + i, r + j) = -D(i, j);
  }
  return form;
}

BoundedEigen skew_eigen(const Matrix& given) {
  BoundedEigen found;
  const int n = given.rows;
  found.x_re = Matrix(n, n), found.x_im = found.x_re;
  if (n == 0) return found;
  const Mat S = map(given);
  const HermitianPairs pairs = hermitian_eigen(Complex(0, -0.5) * (S - S.transpose()));
  found.ok = pairs.ok;
  if (!found.ok) return found;
  const Eigen::VectorXcd lambda = Complex(0, 1) * pairs.values.cast<Complex>();
  const double error = rounding_of(S);
  for (const int i : order_of(lambda)) {
    const bool is_zero = std::abs(lambda[i]) <= error;
    found.zeros += is_zero;
    add(is_zero ? 0 : lambda[i], error, pairs.vectors.col(i), found);
  }
  return found;
}

}  // namespace sarrus
