// The multipliers that close loops, on top of the tree's recursion and at a cost that follows the
// pattern of the loops.
//
// With the rows G (closure_rows.hpp) and the factors of the tree at hand:
//
//   (G M⁻¹ Gᵀ) λ = −(G u̇_free + Ġ u)        accelerations of Lagrange's side            (1)
//   (G M⁻¹ Gᵀ) σ = G M⁻¹ p                   velocities of Hamilton's side               (2)
//   (G M⁻¹ Gᵀ) μ = φ                         positions brought back                      (3)
//
// G M⁻¹ Gᵀ is found row by row: the wrenches of a row travel in to the world along the bodies that
// it can move and out again to the rows that can feel it. Rows that depend on others are left out
// of the factors; the motion does not notice, and λ of these rows is zero. Which rows are kept is
// decided by choose() and then holds, so that one step sees one set of equations.
#pragma once

#include <memory>
#include <vector>

#include "sarrus/formulations/loops/closure_rows.hpp"
#include "sarrus/formulations/tree/tree_view.hpp"
#include "sarrus/numerics/sparse/sparse_ldl.hpp"

namespace sarrus {

/// One row in world axes at the origins of its bodies, and the time derivatives of both wrenches.
template <class T>
struct PlacedRow {
  Wrench<T> on_a, on_b, rate_on_a, rate_on_b;
  T residual{};  // φ; 0 where the row holds velocities only
  T rate{};      // G u + φ_t
  T bias{};      // φ̈ − wrenches · spatial accelerations
};

template <class T>
class Loops {
 public:
  explicit Loops(const Mechanism& mechanism);

  bool empty() const { return row_.empty(); }
  int size() const { return static_cast<int>(row_.size()); }
  /// A length of the mechanism, to weigh residuals in metres against residuals in radians.
  double length() const { return length_; }

  /// The rows where the bodies are and as they move.
  void place(const BodyMotion<T>* motion, const T* q, const T* u);
  const PlacedRow<T>& row(int r) const { return row_[static_cast<size_t>(r)]; }
  /// Largest |φ| in units of length(), over all rows.
  double largest_residual() const;
  /// Largest |G u|, rows of positions in units of length().
  double largest_rate() const;

  /// Which rows are kept, and the size that the pivot of each is measured by.
  struct Choice {
    std::vector<char> keep;
    std::vector<double> scale;
  };
  /// The next factor() decides anew.
  void choose() { chosen_ = false; }
  /// It goes by an earlier decision.
  void keep(const Choice& earlier) { choice_ = earlier, chosen_ = true; }
  const Choice& choice() const { return choice_; }
  const std::vector<char>& kept() const { return choice_.keep; }
  int rank() const;
  /// Smallest pivot of the kept rows, relative to its row: 0 at a singular position.
  double independence() const { return independence_; }

  /// After place(), with the factors that forward_dynamics or velocities left in the tree.
  void factor(const TreeView<T>& v);

  /// φ̈ of a row at the bodies' accelerations.
  T acceleration(int r, const Twist<T>* A, const T* udot) const;
  /// λ of (1) from the accelerations of the open tree; false if there is none.
  bool find_forces(const Twist<T>* A, const T* udot);
  /// σ of (2) from the velocities of the open tree, which place() has seen.
  void find_impulses();
  /// μ of (3).
  void find_corrections();
  /// Turns y towards the combination of kept rows that is nearest to vanishing; y of any start.
  void weakest(std::vector<T>& y);
  const std::vector<T>& forces() const { return force_; }            // λ
  const std::vector<T>& impulses() const { return impulse_; }        // σ
  const std::vector<T>& corrections() const { return correction_; }  // μ

  /// Adds s Gᵀ x, as wrenches on bodies and forces on coupled coordinates.
  void add(const std::vector<T>& x, const T& s, Wrench<T>* wrench, T* tau) const;
  /// The same with the time derivatives of the wrenches.
  void add_rates(const std::vector<T>& x, Wrench<T>* wrench) const;

 private:
  /// A row that can feel another, and where their entry of G M⁻¹ Gᵀ lies.
  struct Felt {
    int row, entry;
  };
  void find_paths();
  void find_pattern();
  void assemble(const TreeView<T>& v, bool all);
  void respond(const TreeView<T>& v, int r);
  T felt_by(int r) const;
  void set_floors();

  const Mechanism* m_;
  double length_ = 1, mass_ = 0;  // [m], [kg] of the mechanism
  bool chosen_ = false;
  double independence_ = 1;
  std::vector<PlacedRow<T>> row_;
  std::vector<T> force_, impulse_, correction_;
  Choice choice_;
  std::vector<double> floor_;  // per row

  std::vector<std::vector<int>> inward_, outward_;  // bodies per closure, children/parents first
  std::vector<std::vector<Felt>> felt_;             // per row: rows of higher number
  SparseLdl<T> ldl_;

  // the answer of the tree to one row: by body, and by velocity
  std::vector<Wrench<T>> p_;
  std::vector<Twist<T>> a_;
  std::vector<T> w_, x_, b_;
};

}  // namespace sarrus
