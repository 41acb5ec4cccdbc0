#include "sarrus/numerics/sparse/sparse_ldl.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <complex>

namespace sarrus {
namespace {

/// A fill-reducing order of the rows: position → row.
std::vector<int> fill_reducing_order(const std::vector<std::vector<int>>& pairs) {
  const auto n = static_cast<Eigen::Index>(pairs.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const int row = static_cast<int>(i);
    entries.emplace_back(row, row, 1.0);
    for (const int j : pairs[i])
      entries.emplace_back(row, j, 1.0), entries.emplace_back(j, row, 1.0);
  }
  Eigen::SparseMatrix<double> A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(A, permutation);
  return {permutation.indices().data(), permutation.indices().data() + n};
}

}  // namespace

SparsePattern::SparsePattern(const std::vector<std::vector<int>>& pairs) {
  const size_t n = pairs.size();
  if (n == 0) return;
  order_ = fill_reducing_order(pairs);
  place_.resize(n);
  for (size_t k = 0; k < n; ++k) place_[order_[k]] = static_cast<int>(k);

  std::vector<std::vector<int>> left(n);
  for (size_t i = 0; i < n; ++i)
    for (const int j : pairs[i]) {
      const int a = place_[i], b = place_[j];
      left[std::max(a, b)].push_back(std::min(a, b));
    }

  // elimination tree, and with it the columns that each row of L reaches
  std::vector<int> parent(n, -1), mark(n, -1), count(n, 0);
  row_begin_.push_back(0), reach_begin_.push_back(0);
  for (size_t k = 0; k < n; ++k) {
    std::vector<int>& row = left[k];
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    column_.insert(column_.end(), row.begin(), row.end());
    row_begin_.push_back(static_cast<int>(column_.size()));

    mark[k] = static_cast<int>(k);
    std::vector<int> reached;
    for (int j : row)
      for (; mark[j] != static_cast<int>(k); j = parent[j]) {
        mark[j] = static_cast<int>(k);
        reached.push_back(j);
        ++count[j];
        if (parent[j] < 0) parent[j] = static_cast<int>(k);
      }
    std::sort(reached.begin(), reached.end());
    reach_.insert(reach_.end(), reached.begin(), reached.end());
    reach_begin_.push_back(static_cast<int>(reach_.size()));
  }
  l_begin_.assign(n + 1, 0);
  for (size_t k = 0; k < n; ++k) l_begin_[k + 1] = l_begin_[k] + count[k];
}

int SparsePattern::entry(int i, int j) const {
  const int a = place_[i], b = place_[j];
  const auto row = static_cast<size_t>(std::max(a, b));
  const auto begin = column_.begin() + row_begin_[row], end = column_.begin() + row_begin_[row + 1];
  const auto found = std::lower_bound(begin, end, std::min(a, b));
  return found != end && *found == std::min(a, b) ? static_cast<int>(found - column_.begin()) : -1;
}

template <class T>
SparseLdl<T>::SparseLdl(std::shared_ptr<const SparsePattern> pattern)
    : pattern_(std::move(pattern)) {
  const auto n = static_cast<size_t>(pattern_->size());
  value_.assign(pattern_->entries(), T(0.0));
  diagonal_.assign(n, T(0.0)), pivot_ = diagonal_, inverse_ = diagonal_, y_ = diagonal_;
  l_.assign(pattern_->reach_.size(), T(0.0));
  l_row_.assign(pattern_->reach_.size(), 0);
  l_end_.assign(n, 0);
}

/// (1) for row k; returns its pivot.
template <class T>
T SparseLdl<T>::eliminate_row(int k) {
  const SparsePattern& p = *pattern_;
  const auto row = static_cast<size_t>(k);
  for (int e = p.row_begin_[row]; e < p.row_begin_[row + 1]; ++e) y_[p.column_[e]] = value_[e];
  T d = diagonal_[p.order_[row]];
  for (int e = p.reach_begin_[row]; e < p.reach_begin_[row + 1]; ++e) {
    const auto i = static_cast<size_t>(p.reach_[e]);
    const T y = y_[i];
    y_[i] = T(0.0);
    for (int m = p.l_begin_[i]; m < l_end_[i]; ++m) y_[l_row_[m]] -= l_[m] * y;
    const T l = y * inverse_[i];
    d -= l * y;
    const auto at = static_cast<size_t>(l_end_[i]++);
    l_row_[at] = k;
    l_[at] = l;
  }
  return d;
}

template <class T>
void SparseLdl<T>::factor(const std::vector<char>& keep) {
  std::copy_n(pattern_->l_begin_.begin(), l_end_.size(), l_end_.begin());
  for (int k = 0; k < pattern_->size(); ++k) {
    const auto row = static_cast<size_t>(k);
    pivot_[row] = eliminate_row(k);
    const bool kept = keep[pattern_->order_[row]] != 0;
    inverse_[row] = kept ? T(1.0) / pivot_[row] : T(0.0);
  }
}

template <class T>
void SparseLdl<T>::factor_and_choose(const std::vector<double>& floor, std::vector<char>& keep) {
  std::copy_n(pattern_->l_begin_.begin(), l_end_.size(), l_end_.begin());
  for (int k = 0; k < pattern_->size(); ++k) {
    const auto row = static_cast<size_t>(k), i = static_cast<size_t>(pattern_->order_[row]);
    pivot_[row] = eliminate_row(k);
    keep[i] = value(pivot_[row]) > floor[i];
    inverse_[row] = keep[i] ? T(1.0) / pivot_[row] : T(0.0);
  }
}

template <class T>
double SparseLdl<T>::smallest_pivot(const std::vector<double>& scale,
                                    const std::vector<char>& keep) const {
  double smallest = 1;
  for (size_t k = 0; k < pivot_.size(); ++k) {
    const auto i = static_cast<size_t>(pattern_->order_[k]);
    if (keep[i]) smallest = std::min(smallest, value(pivot_[k]) / scale[i]);
  }
  return smallest;
}

/// A row left out has no column in L and no inverse pivot: it changes nothing and stays zero.
template <class T>
void SparseLdl<T>::solve(T* x) const {
  const SparsePattern& p = *pattern_;
  const size_t n = pivot_.size();
  for (size_t k = 0; k < n; ++k) y_[k] = x[p.order_[k]];
  for (size_t k = 0; k < n; ++k)
    for (int m = p.l_begin_[k]; m < l_end_[k]; ++m) y_[l_row_[m]] -= l_[m] * y_[k];
  for (size_t k = 0; k < n; ++k) y_[k] *= inverse_[k];
  for (size_t k = n; k-- > 0;)
    for (int m = p.l_begin_[k]; m < l_end_[k]; ++m) y_[k] -= l_[m] * y_[l_row_[m]];
  for (size_t k = 0; k < n; ++k) {
    x[p.order_[k]] = y_[k];
    y_[k] = T(0.0);
  }
}

template class SparseLdl<double>;
template class SparseLdl<Dual<double>>;
template class SparseLdl<std::complex<double>>;

}  // namespace sarrus
