#include "sarrus/numerics/row_blocks.hpp"

#include <algorithm>
#include <numeric>

namespace sarrus {

std::vector<RowBlock> row_blocks(const SparseMatrix& C) {
  // union of the rows that meet in a column
  std::vector<int> leader(C.rows);
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](int i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  std::vector<char> used(C.rows, 0);
  for (int j = 0; j < C.cols; ++j)
    for (int k = C.start[j]; k < C.start[j + 1]; ++k) {
      const int row = C.index[k];
      used[row] = 1;
      const int a = find(C.index[C.start[j]]), b = find(row);
      leader[std::max(a, b)] = std::min(a, b);
    }
  std::vector<int> number(C.rows, -1);
  std::vector<RowBlock> blocks;
  for (int i = 0; i < C.rows; ++i) {
    if (!used[i]) continue;
    const auto root = static_cast<size_t>(find(i));
    if (number[root] < 0) number[root] = static_cast<int>(blocks.size()), blocks.emplace_back();
    blocks[number[root]].rows.push_back(i);
  }
  for (int j = 0; j < C.cols; ++j) {
    const int first = C.start[j];
    if (first == C.start[j + 1]) continue;
    const auto root = static_cast<size_t>(find(C.index[first]));
    blocks[number[root]].cols.push_back(j);
  }
  return blocks;
}

SparseMatrix block_of(const SparseMatrix& C, const RowBlock& block) {
  SparseMatrix B(static_cast<int>(block.rows.size()), static_cast<int>(block.cols.size()));
  for (size_t j = 0; j < block.cols.size(); ++j) {
    const auto col = static_cast<size_t>(block.cols[j]);
    for (int k = C.start[col]; k < C.start[col + 1]; ++k) {
      const auto at = std::lower_bound(block.rows.begin(), block.rows.end(), C.index[k]);
      B.index.push_back(static_cast<int>(at - block.rows.begin()));
      B.value.push_back(C.value[k]);
    }
    B.start[j + 1] = B.nonzeros();
  }
  return B;
}

}  // namespace sarrus
