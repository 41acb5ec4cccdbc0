// Detects when a mechanism passes a position where its loops lose independence: dead centres of
// parallelograms, bifurcations. There it may go on in more than one way.
//
// Near such a position one combination y of the rows hardly acts on the velocities, and beyond it
// acts in the opposite direction: what it moves, g = M⁻¹ Gᵀ y, passes through zero and changes its
// direction between two looks while y keeps its own. A long step is examined at several places.
// Velocities that turn between two looks tell that it did not go straight on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sarrus/formulations/snapshot.hpp"

namespace sarrus {

/// Names of the closures that take part in the combination y of rows: "'c1', 'c2'".
std::string closures_in(const Mechanism& mechanism, const std::vector<double>& y);
/// Of the combination that is nearest to vanishing.
std::string weak_closures(const Mechanism& mechanism, const LoopFactors<double>& factors);

class SingularWatch {
 public:
  explicit SingularWatch(const Mechanism& mechanism) : w_(mechanism) {}

  /// At a step over which the loops were as independent as said; `inside` shows the motion at a
  /// part of the step, from 0 to 1.
  void look(double independence, const std::function<const Snapshot&(double)>& inside);
  const std::vector<Diagnostic>& notes() const { return notes_; }

 private:
  void look_at(const Snapshot& now);
  void note(double t);
  void tell_of_turn();
  double turn_since(const Kinematics<double>& k, const std::vector<double>& u);

  Workspace<double> w_;
  bool near_ = false;
  double t_ = 0;
  std::vector<double> y_, g_, y_before_, g_before_;
  std::vector<double> u_before_;  // at the last look
  size_t first_here_ = 0;         // of the notes, since it came near
  bool passed_ = false;           // since then
  double turn_ = 0;               // largest since then, from look to look
  int passages_ = 0;
  std::vector<Diagnostic> notes_;
};

}  // namespace sarrus
