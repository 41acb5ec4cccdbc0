// A = L D Lᵀ for sparse symmetric matrices whose pattern stays, over any scalar.
//
// The pattern is analysed once (fill-reducing order, elimination tree); after that factor() and
// solve() allocate nothing and cost what the pattern's fill costs. Rows may be left out: a row that
// is not kept has no pivot and its unknown is zero, which is how dependent constraints are treated.
//
//   row k of L:   solve L₁ y = a_k,   l_ki = y_i / d_i,   d_k = a_kk − Σ l_ki y_i       (1)
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "sarrus/core/scalar.hpp"

namespace sarrus {

/// Which entries of a symmetric matrix are not zero, below and on the diagonal, in an order that
/// keeps the fill of L small.
class SparsePattern {
 public:
  /// `pairs[i]`: the columns j < i with an entry, in any order.
  explicit SparsePattern(const std::vector<std::vector<int>>& pairs);
  SparsePattern() = default;

  int size() const { return static_cast<int>(order_.size()); }
  const std::vector<int>& order() const { return order_; }  // position → row
  size_t entries() const { return column_.size(); }
  /// Where the entry (i, j) lies in the list of values, j ≠ i in any order; −1 where it is zero.
  int entry(int i, int j) const;

 private:
  template <class T>
  friend class SparseLdl;
  std::vector<int> order_, place_;        // and the inverse of order_
  std::vector<int> row_begin_, column_;   // entries left of the diagonal, by rows in the new order
  std::vector<int> reach_begin_, reach_;  // of each row of L: its columns, in the order of use
  std::vector<int> l_begin_;              // where each column of L starts
};

template <class T>
class SparseLdl {
 public:
  SparseLdl() = default;
  explicit SparseLdl(std::shared_ptr<const SparsePattern> pattern);

  /// Off-diagonal values by SparsePattern::entry(), diagonal values by row.
  std::vector<T>& values() { return value_; }
  std::vector<T>& diagonal() { return diagonal_; }

  /// Factors the rows with keep[i] ≠ 0.
  void factor(const std::vector<char>& keep);
  /// Factors and decides on the way: a row is kept if its pivot exceeds floor[i].
  void factor_and_choose(const std::vector<double>& floor, std::vector<char>& keep);
  /// The smallest of pivot/scale over the kept rows, 1 if there are none.
  double smallest_pivot(const std::vector<double>& scale, const std::vector<char>& keep) const;

  /// x := A⁻¹ x over the kept rows; entries of the others become zero.
  void solve(T* x) const;

 private:
  T eliminate_row(int k);

  std::shared_ptr<const SparsePattern> pattern_;
  std::vector<T> value_, diagonal_;
  std::vector<T> l_, pivot_, inverse_;  // by the new order
  std::vector<int> l_row_, l_end_;
  mutable std::vector<T> y_;  // scratch, zero between two calls
};

}  // namespace sarrus
