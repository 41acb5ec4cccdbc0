// A linear system under linear constraints, reduced to independent coordinates.
//
//   M̄ z̈ + D̄ ż + K̄ z = Z,   C z = d         any C: redundant rows, dependent coordinates
//   z = T q + z_p,   M = TᵀM̄T,  D = TᵀD̄T,  K = TᵀK̄T,  Q = TᵀZ                              (1)
//
// Any T̄ = T H with a nonsingular H is as good. Coordinates x = S z that the user names become the
// first of them:                                                                           (2)
//   G = S T,  H = [G; Nᵀ]⁻¹ with N the null space of G,  so that S T̄ = [I 0]
//
// Directions without mass follow the others statically:                                    (3)
//   TᵀM̄T = V diag(μ, 0) Vᵀ,   q = (V₁ − V₀ K₀₀⁻¹ K₀₁) q₁
//
// [Walton, Steeves 1969], docs/theory/linear.md
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/numerics/sparse/null_space.hpp"

namespace sarrus {

struct LinearSystem {
  SparseMatrix M, K, D, C;                            // D and C may be empty
  std::vector<std::string> coordinates, constraints;  // names, or empty
  std::string M_file, K_file, D_file, C_file;         // for messages

  int size() const { return K.rows; }
  std::string coordinate(int i) const;
  std::string constraint(int i) const;
};

/// Shapes, symmetry, signs of the mass. Throws Error (model or physics) with all that is wrong.
void check(const LinearSystem& system);

struct ReductionOptions {
  NullSpaceOptions null_space;
  SparseMatrix chosen;  // S of (2), k × P; empty: none
  std::vector<std::string> chosen_names;
  SparseMatrix H;                  // T̄ = T H; empty: none
  std::vector<double> right_side;  // d; empty: 0
};

struct Reduction {
  NullSpace basis;
  SparseMatrix T;  // z = T q, after (2), (3) or H
  bool orthonormal = true;
  SparseMatrix M, K, D;                  // of the independent coordinates
  std::vector<std::string> coordinates;  // names of q
  double choice_condition = 1;           // of G in (2)
  int massless = 0;                      // directions condensed by (3)
  std::vector<double> z_particular;      // a solution of C z = d, the shortest
  std::vector<Diagnostic> notes;

  int freedoms() const { return T.cols; }
};

/// Throws Error(physics) for a right-hand side that contradicts itself, for a mass that is negative
/// in some direction, and for a choice (2) whose quantities depend on each other.
Reduction reduce(const LinearSystem& system, const ReductionOptions& options = {});

/// q with T q nearest to z: Tᵀ z for an orthonormal T, least squares otherwise.
std::vector<double> coordinates_of(const Reduction& reduction, std::span<const double> z);
/// The largest |C z − d|, and its row.
struct Violation {
  double size = 0;
  int row = -1;
};
Violation violation(const LinearSystem& system, std::span<const double> z,
                    std::span<const double> d);
/// M⁻¹ Tᵀ M̄ z: the nearest state in the norm of the mass, which keeps momenta.
std::vector<double> projected_coordinates(const LinearSystem& system, const Reduction& reduction,
                                          std::span<const double> z);
/// The shortest z with C z = d.
std::vector<double> particular_solution(const LinearSystem& system, const Reduction& reduction,
                                        std::span<const double> d);
/// Rows that contradict each other under d, in words; empty where d is consistent.
std::vector<Diagnostic> contradictions(const LinearSystem& system, const Redundancy& rows,
                                       std::span<const double> d);
/// "c4 = c1 − c2 + c3".
std::string in_words(const LinearSystem& system, const Dependency& dependency);

}  // namespace sarrus
