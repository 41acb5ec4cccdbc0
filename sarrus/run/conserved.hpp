// Momenta that the symmetry of a mechanism conserves, and how far a run drifts from them.
//
// Candidates are, for every group of bodies connected by springs and joints,
//
//   J = a · L + b · P      P, L: linear momentum, and angular momentum about the world's origin
//
// (rotation about any axis, translation, screw), and the momentum p of every joint. J is conserved
// where J̇ = 0 in every state, whatever forces act; this is tested on the equations of motion
// themselves, in a few random states and with every force, drive and motion replaced by a
// random one of its kind. A force that is zero today, or that begins later, therefore counts; its
// size does not. [Noether 1918], docs/theory/hamiltonian.md
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sarrus/motion/motion.hpp"

namespace sarrus {

struct ConservedMomentum {
  std::string name;          // "angular momentum about z"
  std::string unit;          // "kg.m2/s"
  std::vector<int> bodies;   // of the group; empty for the momentum of a joint
  Vec3 angular{}, linear{};  // a, b
  int u = -1;                // the velocity that a joint's momentum belongs to
};

/// "hinge.p", "ball.p2": the momentum that belongs to a velocity, as columns show it.
std::string momentum_name(const Mechanism& mechanism, int u);

/// Empty for mechanisms with loops, and with small coordinates, whose truncated equations conserve
/// truncated momenta.
std::vector<ConservedMomentum> find_conserved(const Mechanism& mechanism);

/// How far something that stays constant has moved.
struct Drift {
  std::string name, unit;
  double start = 0, largest = 0;  // value at the start; largest change since
  double size = 0;                // what that is measured against: the sum of the parts' sizes
};

/// The drifts of one run: the energy where nothing changes it, then the momenta.
class ConservedAccount {
 public:
  explicit ConservedAccount(const Motion& motion);

  /// The first look is the reference for all later ones.
  void look(const Snapshot& now);
  const std::vector<Drift>& drifts() const { return drifts_; }

  /// For checkpoints: all numbers, as many as count().
  size_t count() const { return 1 + 3 * drifts_.size(); }
  void store(std::vector<double>& into) const;
  void restore(std::span<const double> from);

 private:
  bool started_ = false, has_energy_ = false;
  std::vector<ConservedMomentum> momenta_;
  std::vector<Drift> drifts_;
};

}  // namespace sarrus
