// L D Lᵀ of a large sparse symmetric matrix, without exchange of pivots: for definite matrices, and
// for quasi-definite ones [A Bᵀ; B −C] with A and C positive.
//
// Columns of L with the same pattern form supernodes, each a dense front: what it loses to its
// pivots is a small dense update that its parent in the elimination tree takes up (multifrontal
// method). Ordering by approximate minimum degree, or by nested dissection where that costs less.
//
// For matrices as large as memory allows, factored a few times; the small ones of loops, factored
// in every step without allocation and with rows left out, have sparse_ldl.hpp.
//
// The number of negative pivots is the number of negative eigenvalues (Sylvester): with A = K − σM
// it counts the modes below σ. [Duff, Reid 1983; Liu 1992]
#pragma once

#include <memory>
#include <string>

#include "sarrus/numerics/matrix.hpp"

namespace sarrus {

class SparseLdlt {
 public:
  /// Both halves of A are given. Throws std::bad_alloc where memory does not suffice.
  explicit SparseLdlt(const SparseMatrix& A);
  ~SparseLdlt();
  SparseLdlt(SparseLdlt&&) noexcept;
  SparseLdlt& operator=(SparseLdlt&&) noexcept;

  /// New values on the same pattern; the ordering stays.
  void refactor(const SparseMatrix& A);

  bool ok() const;            // every pivot is a number other than zero
  int negative() const;       // pivots
  double smallest() const;    // |pivot| against the largest diagonal entry of A
  long long entries() const;  // of L, with the zeros in fronts
  double operations() const;  // multiplications and additions of the factorisation
  const char* ordering() const;

  /// X ← A⁻¹ X, column by column of `columns` right-hand sides, together.
  void solve(double* X, int columns) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace sarrus
