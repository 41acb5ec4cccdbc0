#include "sarrus/numerics/redundancy.hpp"

#include <algorithm>
#include <cmath>

#include "sarrus/numerics/dense/qr.hpp"
#include "sarrus/numerics/dense/svd.hpp"
#include "sarrus/numerics/eigen_maps.hpp"

namespace sarrus {
namespace {

constexpr double new_direction = 1e-9;  // what a row must add to count as independent
constexpr double no_coefficient = 1e-9;
constexpr double poor_choice = 1e-3;  // of the smallest singular value that counts

Eigen::MatrixXd unit_rows(const Matrix& C) {
  Eigen::MatrixXd V = map(C).transpose();  // one column per row of C
  for (Eigen::Index i = 0; i < V.cols(); ++i)
    if (const double n = V.col(i).norm(); n > 0) V.col(i) /= n;
  return V;
}

/// (1): rows that add a direction to those before them, in the order given.
std::vector<int> kept_in_order(const Eigen::MatrixXd& V, int rank) {
  Eigen::MatrixXd Q(V.rows(), rank);
  std::vector<int> kept;
  for (Eigen::Index i = 0; i < V.cols() && static_cast<int>(kept.size()) < rank; ++i) {
    const auto k = static_cast<Eigen::Index>(kept.size());
    Eigen::VectorXd w = V.col(i);
    for (int twice = 0; twice < 2; ++twice)
      w -= Q.leftCols(k) * (Q.leftCols(k).transpose() * w);  // (1)
    if (w.norm() <= new_direction) continue;
    Q.col(k) = w / w.norm();
    kept.push_back(static_cast<int>(i));
  }
  return kept;
}

std::vector<int> kept_by_pivots(const Eigen::MatrixXd& V, int rank) {
  std::vector<int> kept = PivotedQr(V).order();
  kept.resize(rank);
  std::sort(kept.begin(), kept.end());
  return kept;
}

double smallest_singular_value(const Eigen::MatrixXd& A, int rank) {
  return rank > 0 ? divide_and_conquer_svd(A).sigma[rank - 1] : 0;
}

Eigen::MatrixXd columns(const Eigen::MatrixXd& A, const std::vector<int>& which) {
  Eigen::MatrixXd B(A.rows(), static_cast<Eigen::Index>(which.size()));
  for (size_t i = 0; i < which.size(); ++i) B.col(static_cast<Eigen::Index>(i)) = A.col(which[i]);
  return B;
}

}  // namespace

void Redundancy::add(Redundancy part, const std::vector<int>& rows) {
  const auto global = [&](int i) { return rows[i]; };
  for (const int i : part.kept) kept.push_back(global(i));
  for (Dependency& d : part.redundant) {
    d.row = global(d.row);
    for (auto& [row, coefficient] : d.of) row = global(row);
    redundant.push_back(std::move(d));
  }
  for (size_t i = 0; i < part.takes_part.size(); ++i)
    if (part.takes_part[i]) takes_part[rows[i]] = 1;
}

void Redundancy::sort() {
  std::sort(kept.begin(), kept.end());
  std::sort(redundant.begin(), redundant.end(),
            [](const Dependency& a, const Dependency& b) { return a.row < b.row; });
}

Redundancy redundancy(const Matrix& C, int rank) {
  Redundancy found;
  found.takes_part.assign(C.rows, 0);
  if (rank == C.rows) {
    for (int i = 0; i < C.rows; ++i) found.kept.push_back(i);
    return found;
  }
  const Eigen::MatrixXd V = unit_rows(C);
  found.kept = kept_in_order(V, rank);
  if (static_cast<int>(found.kept.size()) < rank ||
      smallest_singular_value(columns(V, found.kept), rank) <
          poor_choice * smallest_singular_value(V, rank))
    found.kept = kept_by_pivots(V, rank);

  const Eigen::MatrixXd Ct = map(C).transpose();
  const Qr qr(columns(Ct, found.kept));
  for (int i = 0; i < C.rows; ++i) {
    if (std::binary_search(found.kept.begin(), found.kept.end(), i)) continue;
    Dependency d{i, {}};
    if (rank > 0) {
      const Eigen::VectorXd co = qr.solve(Ct.col(i));  // (2)
      for (Eigen::Index k = 0; k < co.size(); ++k)
        if (std::fabs(co[k]) > no_coefficient) d.of.emplace_back(found.kept[k], co[k]);
    }
    found.takes_part[i] = 1;
    for (const auto& [row, coefficient] : d.of) found.takes_part[row] = 1;
    found.redundant.push_back(std::move(d));
  }
  return found;
}

double defect(const Dependency& dependency, std::span<const double> d) {
  double sum = d[dependency.row];
  for (const auto& [row, coefficient] : dependency.of) sum -= coefficient * d[row];  // (3)
  return sum;
}

}  // namespace sarrus
