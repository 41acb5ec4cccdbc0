// Words about loops that are open: which closures miss, by how much.
#pragma once

#include <string>
#include <vector>

#include "sarrus/formulations/loops/loop_rows.hpp"

namespace sarrus {

/// Of a dense matrix of rows: larger ones are not searched for what to name.
inline constexpr size_t most_row_entries = 1'000'000;
/// Of a row: what takes less part in it is not named.
inline constexpr double named_share = 1e-3;

struct OpenClosure {
  int closure = 0;
  double distance = 0, angle = 0;  // [m], [rad] largest residual of its rows
};

/// As messages call it: "joint 'a'", "constraint 'rod'".
std::string called(const Closure& closure);

/// Closures by the size of their residual, largest first.
std::vector<OpenClosure> by_residual(const Mechanism& m, const LoopRows<double>& rows);

/// "joint 'a' by 1.2e-3 m, joint 'b' by 2e-4 rad": the worst few.
std::string open_closures(const Mechanism& m, const LoopRows<double>& rows);

}  // namespace sarrus
