// Which rows of C are redundant, and which others they depend on.
//
// Naming "the" redundant row is a convention. Two statements are well defined, and both are made:
//   in the order given, a row is redundant if it depends on those kept before it;
//   row = Σ coefficient · kept row, so that any row of that sum could be left out instead.
//
//   w = v − Q(Qᵀv), twice;  kept where |w| > 1e-9 and there are fewer than R             (1)
//   C_keptᵀ co = C_redᵀ      by least squares                                            (2)
//   defect = d_red − Σ co_i d_i                                                          (3)
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sarrus/numerics/matrix.hpp"

namespace sarrus {

struct Dependency {
  int row = 0;                             // redundant
  std::vector<std::pair<int, double>> of;  // kept rows and their coefficients
};

struct Redundancy {
  std::vector<int> kept, empty;       // empty: rows without an entry
  std::vector<Dependency> redundant;  // in the order of the rows
  std::vector<char> takes_part;       // per row: part of a dependency, its multiplier not unique

  /// Adds what was found among some rows; `rows` says which rows of the whole these are.
  void add(Redundancy part, const std::vector<int>& rows);
  void sort();
};

/// Rows of one block (no empty ones) of known rank; indices count within C.
Redundancy redundancy(const Matrix& C, int rank);

/// (3) for every redundant row; 0 for an empty row means that 0 = d fails by d itself.
double defect(const Dependency& dependency, std::span<const double> d);

}  // namespace sarrus
