#include "sarrus/numerics/sparse/sparse_elimination.hpp"

#include <fmt/format.h>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseQR>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/numerics/dense/svd.hpp"
#include "sarrus/numerics/eigen_maps.hpp"

namespace sarrus {
namespace {

constexpr int most_block_rows = 400, most_block_cols = 1500;  // for singular values
constexpr double pivot_shares[] = {
    0.3, 1.0};                          // of the largest entry in the row: at first, then strictly
constexpr double growth_allowed = 1e3;  // of the entries of T
constexpr size_t most_entries = 60'000'000;  // of T

using SparseQr = Eigen::SparseQR<EigenSparse, Eigen::COLAMDOrdering<int>>;
using Row = std::map<int, double>;

bool is_small(const RowBlock& b) {
  return b.rows.size() <= most_block_rows && b.cols.size() <= most_block_cols;
}

std::vector<double> singular_values(const Matrix& B) {
  if (B.rows == 1 || B.cols == 1) return {map(B).norm()};
  const Svd svd = divide_and_conquer_svd(map(B));
  return {svd.sigma.data(), svd.sigma.data() + svd.sigma.size()};
}

/// Sparse QR of a block's transpose; rows below the line are found dependent.
std::unique_ptr<SparseQr> factor(const SparseMatrix& B, double line) {
  auto qr = std::make_unique<SparseQr>();
  EigenSparse Bt = map(B).transpose();
  Bt.makeCompressed();
  qr->setPivotThreshold(line);
  qr->compute(Bt);
  return qr;
}

Redundancy rows_of(const SparseQr& qr) {
  Redundancy found;
  const auto n = qr.colsPermutation().size();
  const Eigen::Index rank = qr.rank();
  const auto& order = qr.colsPermutation().indices();
  found.takes_part.assign(n, 0);
  for (Eigen::Index k = 0; k < rank; ++k) found.kept.push_back(static_cast<int>(order[k]));
  const EigenSparse R = qr.matrixR();
  const EigenSparse R11 = R.topLeftCorner(rank, rank);
  for (Eigen::Index k = rank; k < n; ++k) {
    const Eigen::VectorXd r = Eigen::VectorXd(R.col(k)).head(rank);
    const Eigen::VectorXd co = R11.triangularView<Eigen::Upper>().solve(r);
    Dependency d{static_cast<int>(order[k]), {}};
    found.takes_part[d.row] = 1;
    for (Eigen::Index i = 0; i < rank; ++i)
      if (std::fabs(co[i]) > 1e-9) {
        d.of.emplace_back(static_cast<int>(order[i]), co[i]);
        found.takes_part[order[i]] = 1;
      }
    found.redundant.push_back(std::move(d));
  }
  return found;
}

/// Rows being eliminated, with the rows that each column still has.
class Elimination {
 public:
  Elimination(const SparseMatrix& B, const std::vector<int>& kept, double share) : share_(share) {
    std::vector<int> number(B.rows, -1);
    for (size_t i = 0; i < kept.size(); ++i) number[kept[i]] = static_cast<int>(i);
    row_.resize(kept.size());
    for (int j = 0; j < B.cols; ++j)
      for (int k = B.start[j]; k < B.start[j + 1]; ++k) {
        const int i = number[B.index[k]];
        const double value = B.value[k];
        if (i >= 0 && value != 0) row_[i][j] = value, column_[j].insert(i);
      }
    for (size_t i = 0; i < row_.size(); ++i) waiting_.insert({row_[i].size(), static_cast<int>(i)});
  }

  /// (1) until no row waits; then every named coordinate as a sum of free ones.
  std::map<int, Row> run() {
    while (!waiting_.empty()) {
      const int i = waiting_.begin()->second;
      waiting_.erase(waiting_.begin());
      const int c = pivot(i);
      if (c < 0) continue;
      order_.push_back({i, c});
      remove_from_columns(i);
      clear_column(i, c);
    }
    return go_back();
  }

 private:
  int pivot(int i) const {
    double most = 0;
    for (const auto& [col, value] : row_[i]) most = std::max(most, std::fabs(value));
    int best = -1;
    size_t fewest = 0;
    for (const auto& [col, value] : row_[i]) {
      if (most == 0 || std::fabs(value) < share_ * most) continue;
      const size_t others = column_.at(col).size();
      if (best < 0 || others < fewest) best = col, fewest = others;
    }
    return best;
  }

  void remove_from_columns(int i) {
    for (const auto& [col, value] : row_[i]) column_[col].erase(i);
  }

  void clear_column(int i, int c) {
    const Row& a = row_[i];
    const std::set<int> others = column_[c];
    for (const int r : others) {
      Row& b = row_[r];
      waiting_.erase({b.size(), r});
      const double factor = b[c] / a.at(c);
      for (const auto& [col, value] : a) {
        if (col == c) continue;
        double& x = b[col];
        const double sum = x - factor * value;
        // what cancels to rounding is zero
        if (std::fabs(sum) <= 1e-14 * (std::fabs(x) + std::fabs(factor * value)))
          b.erase(col), column_[col].erase(r);
        else
          x = sum, column_[col].insert(r);
      }
      b.erase(c);
      waiting_.insert({b.size(), r});
    }
    column_[c].clear();
  }

  std::map<int, Row> go_back() const {
    std::map<int, Row> named;
    size_t entries = 0;
    for (auto step = order_.rbegin(); step != order_.rend(); ++step) {
      const auto& [i, c] = *step;
      const Row& a = row_[i];
      Row sum;
      for (const auto& [col, value] : a) {
        if (col == c) continue;
        const double factor = -value / a.at(c);  // (1)
        const auto known = named.find(col);
        if (known == named.end())
          sum[col] += factor;
        else
          for (const auto& [free, share] : known->second) sum[free] += factor * share;
      }
      entries += sum.size();
      if (entries > most_entries)
        throw Error(
            Fault::numerics,
            Diagnostic{
                .code = "no-sparse-basis",
                .element = "constraints",
                .message = fmt::format("every basis of the free coordinates fills up: more than {} "
                                       "entries",
                                       most_entries),
                .hint = "use coordinates in which a constraint joins neighbours only"});
      named.emplace(c, std::move(sum));
    }
    return named;
  }

  double share_;
  std::vector<Row> row_;
  std::map<int, std::set<int>> column_;
  std::set<std::pair<size_t, int>> waiting_;  // by length
  std::vector<std::pair<int, int>> order_;    // row, column of each pivot
};

double largest(const std::map<int, Row>& named) {
  double most = 1;
  for (const auto& [c, sum] : named)
    for (const auto& [col, share] : sum) most = std::max(most, std::fabs(share));
  return most;
}

/// The coordinates named by the rows; more strictly pivoted where they would grow large.
std::map<int, Row> eliminated(const SparseMatrix& B, const std::vector<int>& kept) {
  std::map<int, Row> best;
  double least = INFINITY;
  for (const double share : pivot_shares) {
    std::map<int, Row> named = Elimination(B, kept, share).run();
    const double most = largest(named);
    if (most < least) least = most, best = std::move(named);
    if (least <= growth_allowed) break;
  }
  return best;
}

SparseMatrix basis(int cols, const std::map<int, Row>& named) {
  std::vector<int> place(cols, -1);
  int n = 0;
  for (int j = 0; j < cols; ++j)
    if (named.find(j) == named.end()) place[j] = n++;
  std::vector<Entry> entries;
  for (int j = 0; j < cols; ++j) {
    const auto known = named.find(j);
    if (known == named.end()) {
      entries.push_back({j, place[j], 1});
      continue;
    }
    for (const auto& [free, share] : known->second)
      if (share != 0) entries.push_back({j, place[free], share});
  }
  return to_sparse(cols, n, entries);
}

}  // namespace

void eliminate_sparse(const SparseMatrix& C, const std::vector<RowBlock>& blocks,
                      const RankOptions& rank, NullSpace& found) {
  std::vector<SparseMatrix> parts;
  std::vector<std::vector<double>> sigma(blocks.size());
  std::vector<std::unique_ptr<SparseQr>> qr(blocks.size());
  std::vector<double> all;
  bool only_values = true;
  for (size_t b = 0; b < blocks.size(); ++b) {
    parts.push_back(block_of(C, blocks[b]));
    if (is_small(blocks[b])) {
      sigma[b] = singular_values(to_dense(parts[b]));
    } else {
      // the largest singular value is not below the longest row
      double longest = 0;
      for (const double x : transposed(parts[b]).value) longest = std::max(longest, std::fabs(x));
      qr[b] = factor(parts[b], rank.data_tolerance * longest);
      for (Eigen::Index i = 0; i < qr[b]->rank(); ++i)
        sigma[b].push_back(std::fabs(qr[b]->matrixR().coeff(i, i)));
      sigma[b].resize(std::min(blocks[b].rows.size(), blocks[b].cols.size()), 0.0);
      only_values = false;
    }
    all.insert(all.end(), sigma[b].begin(), sigma[b].end());
  }
  std::sort(all.rbegin(), all.rend());
  found.decision = decide_rank(all, C.rows, C.cols, rank);
  found.values = only_values ? "singular values of C, block by block"
                             : "singular values of small blocks, diagonal of R of large ones";
  found.orthonormal = C.nonzeros() == 0;

  const double line = all.empty() ? 0 : found.decision.tolerance * all.front();
  std::map<int, Row> named;
  found.rows.takes_part.assign(C.rows, 0);
  for (size_t b = 0; b < blocks.size(); ++b) {
    const auto count =
        std::count_if(sigma[b].begin(), sigma[b].end(), [&](double s) { return s > line; });
    Redundancy rows =
        qr[b] ? rows_of(*qr[b]) : redundancy(to_dense(parts[b]), static_cast<int>(count));
    for (const auto& [c, sum] : eliminated(parts[b], rows.kept)) {
      Row global;
      for (const auto& [col, share] : sum) global.emplace(blocks[b].cols[col], share);
      named.emplace(blocks[b].cols[c], std::move(global));
    }
    found.rows.add(std::move(rows), blocks[b].rows);
  }
  found.rows.sort();
  std::vector<char> used(C.rows, 0);
  for (const RowBlock& b : blocks)
    for (const int i : b.rows) used[i] = 1;
  for (int i = 0; i < C.rows; ++i)
    if (!used[i]) found.rows.empty.push_back(i);
  found.T = basis(C.cols, named);
}

}  // namespace sarrus
