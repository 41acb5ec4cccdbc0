#include "sarrus/files/mesh/matrix_market.hpp"

#include "fuzz/target.hpp"

void sarrus::fuzz::take(std::string_view bytes) {
  may_refuse([&] {
    const SparseMatrix A = parse_matrix_market(bytes, "a.mtx");
    require(A.start.size() == static_cast<size_t>(A.cols) + 1, "columns without a start");
    for (const int row : A.index) require(row >= 0 && row < A.rows, "an entry outside");
  });
}
