#include "sarrus/numerics/sparse/null_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/numerics/dense/qr.hpp"
#include "sarrus/numerics/dense/svd.hpp"
#include "sarrus/numerics/eigen_maps.hpp"
#include "sarrus/numerics/jacobi.hpp"
#include "sarrus/numerics/row_blocks.hpp"
#include "sarrus/numerics/sparse/sparse_elimination.hpp"

namespace sarrus {
namespace {

constexpr int most_svd_columns = 500;     // beyond: pivoted QR
constexpr int most_jacobi_columns = 120;  // of the shorter side; beyond: divide and conquer
constexpr int most_exact_columns = 300;   // of the shorter side, for 32 digits

SparseMatrix scaled(const SparseMatrix& C, const std::vector<double>& row,
                    const std::vector<double>& col) {
  SparseMatrix B = C;
  for (int j = 0; j < C.cols; ++j)
    for (int k = C.start[j]; k < C.start[j + 1]; ++k) {
      const auto at = static_cast<size_t>(k);
      B.value[at] *= (row.empty() ? 1 : row[C.index[at]]) * (col.empty() ? 1 : col[j]);
    }
  return B;
}

/// 1/|row|; 0 for rows without an entry.
std::vector<double> row_scales(const SparseMatrix& C) {
  std::vector<double> sum(C.rows, 0.0);
  // in two steps, so that the square of an entry cannot leave the range of numbers
  std::vector<double> most = sum;
  for (size_t k = 0; k < C.value.size(); ++k) {
    double& m = most[C.index[k]];
    m = std::max(m, std::fabs(C.value[k]));
  }
  for (size_t k = 0; k < C.value.size(); ++k) {
    const auto i = static_cast<size_t>(C.index[k]);
    if (most[i] > 0) sum[i] += (C.value[k] / most[i]) * (C.value[k] / most[i]);
  }
  for (size_t i = 0; i < sum.size(); ++i)
    sum[i] = most[i] > 0 ? 1 / (most[i] * std::sqrt(sum[i])) : 0;
  return sum;
}

void by_jacobi(const SparseMatrix& C, const NullSpaceOptions& o, NullSpace& found, Matrix& T) {
  const Matrix dense = to_dense(C);
  found.E = transposed_multiply(dense, dense);  // (1)
  const SymmetricEigen eigen = threshold_jacobi(found.E);
  std::vector<double> sigma;
  const size_t values = static_cast<size_t>(std::min(C.rows, C.cols));
  for (size_t i = 0; i < values; ++i) sigma.push_back(std::sqrt(std::max(eigen.values[i], 0.0)));
  RankOptions rank = o.rank;
  rank.squared = true;
  found.decision = decide_rank(sigma, C.rows, C.cols, rank);
  found.values = "roots of the eigenvalues of CᵀC";
  found.U = eigen.vectors;
  T = from_eigen(map(eigen.vectors).rightCols(C.cols - found.decision.rank));
}

void by_svd(const SparseMatrix& C, const NullSpaceOptions& o, NullSpace& found, Matrix& T) {
  const Matrix dense = to_dense(C);
  const Svd svd = std::min(C.rows, C.cols) <= most_jacobi_columns
                      ? fully_pivoted_svd(map(dense))
                      : divide_and_conquer_svd(map(dense), Eigen::ComputeFullV);
  const std::span<const double> sigma(svd.sigma.data(), static_cast<size_t>(svd.sigma.size()));
  found.decision = decide_rank(sigma, C.rows, C.cols, o.rank);
  found.values = "singular values of C";
  found.U = from_eigen(svd.V);
  T = from_eigen(svd.V.rightCols(C.cols - found.decision.rank));  // (2)
}

void by_qr(const SparseMatrix& C, const NullSpaceOptions& o, NullSpace& found, Matrix& T) {
  const Matrix dense = to_dense(C);
  const PivotedQr qr(map(dense).transpose());
  std::vector<double> diagonal;
  for (int i = 0; i < std::min(C.rows, C.cols); ++i) diagonal.push_back(std::fabs(qr.pivot(i)));
  std::sort(diagonal.rbegin(), diagonal.rend());
  found.decision = decide_rank(diagonal, C.rows, C.cols, o.rank);
  found.values = "diagonal of R in the pivoted QR of Cᵀ";
  T = from_eigen(qr.Q().rightCols(C.cols - found.decision.rank));  // (3)
}

Route chosen(const SparseMatrix& C, const NullSpaceOptions& o, std::string& why) {
  if (o.route != Route::automatic) {
    why = "asked for";
    if (o.route != Route::sparse && C.cols > most_dense_columns)
      throw Error(Fault::usage,
                  Diagnostic{.code = "route-too-large",
                             .element = to_text(o.route),
                             .message = fmt::format(
                                 "full matrices of {} columns; this route takes at most {}", C.cols,
                                 most_dense_columns),
                             .hint = "use --route sparse",
                             .value = std::to_string(C.cols),
                             .limit = std::to_string(most_dense_columns)});
    return o.route;
  }
  if (C.cols > most_dense_columns) {
    why = fmt::format("{} coordinates, more than {}", C.cols, most_dense_columns);
    return Route::sparse;
  }
  if (C.cols > most_svd_columns && C.rows > 0) {
    why = fmt::format("{} coordinates, more than {}", C.cols, most_svd_columns);
    return Route::qr;
  }
  why = fmt::format("at most {} coordinates", most_svd_columns);
  return Route::svd;
}

/// Singular values above it count.
double line_of(const RankDecision& d) {
  return d.sigma.empty() ? 0 : d.tolerance * d.sigma.front();
}

int rank_above(const Matrix& B, double line) {
  return static_cast<int>((divide_and_conquer_svd(map(B)).sigma.array() > line).count());
}

/// Within each block the values above the same line count.
Redundancy dependent_rows(const SparseMatrix& C, const RankDecision& decision,
                          const std::vector<RowBlock>& blocks) {
  Redundancy all;
  all.takes_part.assign(C.rows, 0);
  std::vector<char> used(C.rows, 0);
  for (const RowBlock& block : blocks) {
    for (const int i : block.rows) used[i] = 1;
    const Matrix B = to_dense(block_of(C, block));
    Redundancy part =
        redundancy(B, blocks.size() == 1 ? decision.rank : rank_above(B, line_of(decision)));
    all.add(std::move(part), block.rows);
  }
  all.sort();
  for (int i = 0; i < C.rows; ++i)
    if (!used[i]) all.empty.push_back(i);
  return all;
}

/// Dependencies of the scaled rows in terms of the rows as given.
void unscale(Redundancy& rows, const std::vector<double>& scale) {
  if (scale.empty()) return;
  for (Dependency& d : rows.redundant)
    for (auto& [row, coefficient] : d.of) coefficient *= scale[row] / scale[d.row];
}

void take_second_opinion(const SparseMatrix& C, const RankOptions& rank, NullSpace& found) {
  if (std::min(C.rows, C.cols) > most_exact_columns) {
    found.no_second =
        fmt::format("32 digits are kept for at most {} rows or columns", most_exact_columns);
    return;
  }
  RankOptions exact = rank;
  exact.squared = false;
  exact.epsilon = 1e-31;
  exact.data_tolerance = 1e-28;  // C is taken as written
  found.second = decide_rank(singular_values_with_32_digits(to_dense(C)), C.rows, C.cols, exact);
}

double residual(const SparseMatrix& C, const SparseMatrix& T) {
  if (C.nonzeros() == 0 || T.nonzeros() == 0) return 0;
  return max_abs(multiply(C, T).value) / (max_abs(C.value) * max_abs(T.value));
}

}  // namespace

const char* to_text(Route route) {
  switch (route) {
    case Route::automatic: return "auto";
    case Route::jacobi: return "jacobi";
    case Route::svd: return "svd";
    case Route::qr: return "qr";
    case Route::sparse: return "sparse";
  }
  return "";
}

std::optional<Route> route_of(const std::string& name) {
  for (const Route r : {Route::automatic, Route::jacobi, Route::svd, Route::qr, Route::sparse})
    if (name == to_text(r)) return r;
  return std::nullopt;
}

NullSpace null_space(const SparseMatrix& C, const NullSpaceOptions& o) {
  NullSpace found;
  found.route = chosen(C, o, found.why);
  const std::vector<double> row_scale = o.scale_rows ? row_scales(C) : std::vector<double>{};
  const SparseMatrix Cs = scaled(C, row_scale, o.column_scale);
  const std::vector<RowBlock> blocks = row_blocks(Cs);
  found.blocks = static_cast<int>(blocks.size());

  Matrix T;
  if (found.route == Route::sparse) {
    eliminate_sparse(Cs, blocks, o.rank, found);
  } else if (Cs.nonzeros() == 0) {
    found.decision = decide_rank({}, C.rows, C.cols, o.rank);
    found.values = "none: C is zero";
    T = Matrix::identity(C.cols);
    found.rows = dependent_rows(Cs, found.decision, blocks);
  } else {
    if (found.route == Route::jacobi) by_jacobi(Cs, o, found, T);
    if (found.route == Route::svd) by_svd(Cs, o, found, T);
    if (found.route == Route::qr) by_qr(Cs, o, found, T);
    found.rows = dependent_rows(Cs, found.decision, blocks);
  }
  if (o.scale_rows) found.values += ", rows scaled to unit length";
  unscale(found.rows, row_scale);
  if (found.route != Route::sparse) found.T = to_sparse(T);
  if (!o.column_scale.empty()) {
    found.orthonormal = false;
    std::vector<double> scale = o.column_scale;
    found.T = scaled(found.T, scale, {});  // T = S T̃
  }
  if (o.second_opinion) take_second_opinion(Cs, o.rank, found);
  found.residual = residual(C, found.T);
  found.residual_limit = 100.0 * std::max(C.rows, C.cols) * 2.22e-16;
  return found;
}

}  // namespace sarrus
