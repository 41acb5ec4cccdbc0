// Reactions of joints that repeat each other: of all distributions that give the same motion, the
// one with the smallest weighted sum of squares.
//
//   minimise Σ λᵢ²/kᵢ  with the same Gᵀ λ:   λ ← λ − Y (Yᵀ K⁻¹ Y)⁻¹ Yᵀ K⁻¹ λ         (1)
//
// Y spans the left null space of the rows of all joints (constraint_matrix.hpp), kᵢ is the
// stiffness that the user gave a joint, the same for all where none is given. That is how elastic
// joints between rigid bodies would share the load.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sarrus/analysis/constraint_matrix.hpp"

namespace sarrus {

/// Beyond it no reactions are shared: a dense matrix of six rows per body is factored for every row
/// of results.
constexpr int most_bodies_shared = 80;

class ReactionShare {
 public:
  explicit ReactionShare(const Mechanism& mechanism);

  /// After accelerate(): what (1) adds to the wrench of each joint, by its entry in
  /// Mechanism::joints, in world axes at the origin of the moved body, or of the joint's frame on
  /// the child where it closes a loop. Empty where nothing repeats.
  const std::map<int, Wrench<double>>& corrections(const Dynamics<double>& d);

  /// Joints with a reaction that is not unique, as corrections() found them last.
  const std::vector<std::string>& shared() const { return shared_; }
  /// Whether the mechanism is small enough for it.
  bool is_possible() const { return possible_; }

 private:
  const Mechanism* m_;
  bool possible_ = true;
  std::map<int, Wrench<double>> correction_;
  std::vector<std::string> shared_;
};

}  // namespace sarrus
