// An elimination order from halving the graph of a matrix again and again: the nodes that separate
// the halves come last. Halves follow from the distance to a node on the periphery, cut where the
// layer is thin and the halves are even; small parts are ordered by approximate minimum degree.
// Coordinates with the same neighbours (the three of one point) are moved as one. [George 1973]
#pragma once

#include <vector>

#include "sarrus/numerics/matrix.hpp"

namespace sarrus {

/// order[k]: the coordinate to eliminate k-th.
std::vector<int> nested_dissection(const SparseMatrix& A);

}  // namespace sarrus
