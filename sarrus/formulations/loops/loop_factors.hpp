// G M⁻¹ Gᵀ of the rows of loops, on top of the tree's recursion and at a cost that follows the
// pattern of the loops. With it
//
//   (G M⁻¹ Gᵀ) λ = −(G u̇_free + Ġ u)        accelerations of Lagrange's side            (1)
//   (G M⁻¹ Gᵀ) σ = G M⁻¹ p                   velocities of Hamilton's side               (2)
//   (G M⁻¹ Gᵀ) μ = φ                         positions brought back                      (3)
//
// It is computed row by row: the wrenches of a row are passed inward to the world along the bodies
// that it can move, and outward again to the rows coupled with it. Rows that depend on others are
// left out of the factors; the motion is the same, and their multipliers are zero. `choose` decides
// which rows are kept; that choice then holds, so that one step sees one set of equations.
#pragma once

#include <memory>
#include <vector>

#include "sarrus/formulations/loops/loop_rows.hpp"
#include "sarrus/formulations/tree/tree_view.hpp"
#include "sarrus/numerics/sparse/sparse_ldl.hpp"

namespace sarrus {

/// Which rows are kept, and the size that the pivot of each is measured by.
struct RowChoice {
  std::vector<char> keep;
  std::vector<double> scale;
};

template <class T>
class LoopFactors {
 public:
  explicit LoopFactors(const Mechanism& mechanism);

  const std::vector<char>& kept() const { return choice_.keep; }
  const RowChoice& choice() const { return choice_; }
  int rank() const;
  /// Smallest pivot of the kept rows, relative to its row: 0 at a singular position.
  double independence() const { return independence_; }

  /// x ← (G M⁻¹ Gᵀ)⁻¹ x over the rows that are kept, 0 for the others.
  void solve(std::vector<T>& x) const { ldl_.solve(x.data()); }
  /// Turns y towards the combination of kept rows that is nearest to vanishing; y of any start.
  void turn_to_weakest(std::vector<T>& y) const;

  /// From the rows and the factors of the tree in v.
  void factor(const TreeView<T>& v, const LoopRows<T>& rows, bool choose);
  /// Goes by an earlier choice.
  void keep(const RowChoice& earlier) { choice_ = earlier, chosen_ = true; }

 private:
  /// A row coupled with another, and where their entry of G M⁻¹ Gᵀ lies.
  struct Felt {
    int row, entry;
  };
  void find_paths();
  void find_pattern();
  void assemble(const TreeView<T>& v, const LoopRows<T>& rows, bool all);
  void respond(const TreeView<T>& v, const LoopRows<T>& rows, int r);
  T felt_by(const LoopRows<T>& rows, int r) const;
  void set_floors(double length);

  const Mechanism* m_;
  bool chosen_ = false;
  double independence_ = 1;
  double mass_ = 0;  // [kg] of the mechanism
  RowChoice choice_;
  std::vector<double> floor_;  // per row

  std::vector<std::vector<int>> inward_, outward_;  // bodies per closure, children/parents first
  std::vector<std::vector<Felt>> felt_;             // per row: rows of higher number
  SparseLdl<T> ldl_;

  // the response of the tree to one row: by body, and by velocity
  std::vector<Wrench<T>> p_;
  std::vector<Twist<T>> a_;
  std::vector<T> w_, x_, b_;
};

/// Rows in place and G M⁻¹ Gᵀ factored; null where nothing is closed.
template <class T>
struct ClosedLoops {
  const LoopRows<T>* rows = nullptr;
  const LoopFactors<T>* factors = nullptr;
};

}  // namespace sarrus
