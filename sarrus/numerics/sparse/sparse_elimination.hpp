// The null space of a large sparse C with a T of few entries.
//
// C falls into blocks that share no column. A small block is judged by its singular values, a large
// one by the diagonal of R in a sparse QR of its transpose. The rows that count are eliminated:
// each names one coordinate through the others,
//
//   a_c z_c + Σ a_j z_j = 0   →   z_c = −Σ (a_j/a_c) z_j                                    (1)
//
// the shortest row first, and in it, among the entries of at least a tenth of the largest, the one
// whose column has fewest others. Going back through the rows makes every named coordinate a sum of
// free ones: T = [−A⁻¹B; I].
#pragma once

#include "sarrus/numerics/row_blocks.hpp"
#include "sarrus/numerics/sparse/null_space.hpp"

namespace sarrus {

/// Fills T, the decision and the rows of `found`. Throws Error(numerics) where T fills up.
void eliminate_sparse(const SparseMatrix& C, const std::vector<RowBlock>& blocks,
                      const RankOptions& rank, NullSpace& found);

}  // namespace sarrus
