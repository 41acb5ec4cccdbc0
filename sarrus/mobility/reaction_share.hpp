// Reactions of redundant joints: of all distributions that give the same motion, the
// one with the smallest weighted sum of squares.
//
//   minimise Σ λᵢ²/kᵢ  with the same Gᵀ λ                                            (1)
//
// kᵢ is the stiffness that the user gave a joint, the same for all where none is given; that is how
// elastic joints between rigid bodies would share the load. With the rows G of all joints
// (constraint_matrix.hpp), A = K^½ G and λ' = K^(−½) λ, the answer is the part of λ' in the range
// of A, from sparse normal equations; a motion that the joints leave free, A x = 0, changes
// nothing:
//
//   (AᵀA + ε 1) x = Aᵀ λ',  refined;   λ' ← A x                                        (2)
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sarrus/mobility/constraint_matrix.hpp"

namespace sarrus {

/// Beyond it no reactions are shared: six rows per body are factored for every row of results.
constexpr int most_bodies_shared = 200;

class ReactionShare {
 public:
  explicit ReactionShare(const Mechanism& mechanism);

  /// What (1) adds to the wrench of each joint, by its entry in
  /// Mechanism::joints, in world axes at the origin of the moved body, or of the joint's frame on
  /// the child where it closes a loop. Empty where nothing repeats.
  const std::map<int, Wrench<double>>& corrections(const Snapshot& now);

  /// Joints with a reaction that is not unique; corrections() looks again when the rank changes.
  const std::vector<std::string>& shared() const { return shared_; }
  /// Whether the mechanism is small enough for it.
  bool is_possible() const { return possible_; }

 private:
  void list_shared(const ConstraintMatrix& c, const std::vector<double>& parts);

  const Mechanism* m_;
  bool possible_ = true;
  int rank_ = -1;  // of the closing rows, for which shared_ was listed
  std::map<int, Wrench<double>> correction_;
  std::vector<std::string> shared_;
};

}  // namespace sarrus
