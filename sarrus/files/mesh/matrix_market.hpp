// Matrix Market files: matrices as text, the exchange form of NIST.
//
//   %%MatrixMarket matrix coordinate|array real|integer general|symmetric|skew-symmetric
//   % comments
//   rows columns [entries]
//   row column value        from 1; of a symmetric matrix one half
//
// Read strictly: a fault is told with line and column. Complex and pattern files are refused.
// [Boisvert, Pozo, Remington 1996]
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/numerics/matrix.hpp"

namespace sarrus {

/// Throws Error(Fault::model). Entries given more than once are added, with a note in `notes`.
SparseMatrix parse_matrix_market(std::string_view text, const std::string& file,
                                 std::vector<Diagnostic>* notes = nullptr);
SparseMatrix read_matrix_market(const std::string& path, std::vector<Diagnostic>* notes = nullptr);

/// Coordinate form, every digit kept; `symmetric` writes the lower half.
std::string to_matrix_market(const SparseMatrix& A, const std::string& comment = "",
                             bool symmetric = false);
/// Array form.
std::string to_matrix_market(const Matrix& A, const std::string& comment = "");

}  // namespace sarrus
