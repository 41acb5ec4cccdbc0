// The independent parts of a sparse matrix: rows that share no column, even through others, have
// nothing to do with each other. Singular values, ranks and null spaces of the parts together are
// those of the whole.
#pragma once

#include <vector>

#include "sarrus/numerics/matrix.hpp"

namespace sarrus {

struct RowBlock {
  std::vector<int> rows, cols;  // rising
};

/// Blocks in the order of their first rows; empty rows and columns belong to none.
std::vector<RowBlock> row_blocks(const SparseMatrix& C);

/// The entries of a block, with rows and columns counted within it.
SparseMatrix block_of(const SparseMatrix& C, const RowBlock& block);

}  // namespace sarrus
