// Independent coordinates under C z = 0, whatever the rank of C: z = T q with C T = 0.
//
//   jacobi   E = CᵀC, UᵀEU = diag λ; T = the columns of U with λ = 0: the zero eigenvalues
//            theorem of Walton and Steeves as they wrote it                                (1)
//   svd      C = W diag(σ) Vᵀ; T = the last columns of V                                   (2)
//   qr       Cᵀ Π = Q R with column pivots; T = the last columns of Q                      (3)
//   sparse   block by block: kept rows [A B] with A nonsingular, T = [−A⁻¹B; I]            (4)
//
// (1) squares the condition of C and is blind below 10⁻⁷; (2) and (3) are not. In (4) T is not
// orthonormal but has few entries. Rows may be scaled to unit length (the null space does not
// change), columns by s (T = S T̃, T̃ orthonormal). [Walton, Steeves 1969], docs/theory/linear.md
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sarrus/numerics/matrix.hpp"
#include "sarrus/numerics/rank.hpp"
#include "sarrus/numerics/redundancy.hpp"

namespace sarrus {

enum class Route { automatic, jacobi, svd, qr, sparse };
const char* to_text(Route route);
std::optional<Route> route_of(const std::string& name);

struct NullSpaceOptions {
  Route route = Route::automatic;
  RankOptions rank;
  bool scale_rows = true;
  std::vector<double> column_scale;  // empty: ones
  bool second_opinion = false;       // the singular values once more, with 32 digits
};

struct NullSpace {
  Route route = Route::svd;
  std::string why;  // this route
  SparseMatrix T;   // P × (P − R)
  bool orthonormal = true;
  RankDecision decision;
  std::string values;  // what decision.sigma are, in words
  std::optional<RankDecision> second;
  std::string no_second;  // why there is none, where one was asked for
  Redundancy rows;
  int blocks = 0;       // independent parts of C
  double residual = 0;  // max |C T| against max |C| max |T|
  double residual_limit = 0;
  Matrix E, U;  // (1): CᵀC and all of U; (2): all of V; empty otherwise
};

/// Largest number of columns for which full matrices are formed.
inline constexpr int most_dense_columns = 3000;

/// Throws Error(usage) where a route is asked for that cannot serve so many columns.
NullSpace null_space(const SparseMatrix& C, const NullSpaceOptions& options = {});

}  // namespace sarrus
