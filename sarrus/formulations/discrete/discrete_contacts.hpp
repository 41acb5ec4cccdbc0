// Contact in the discrete formulation: bodies whose shapes touch push each other apart, and stick
// where friction holds them.
#pragma once

#include "sarrus/formulations/discrete/discrete_bodies.hpp"
#include "sarrus/formulations/stages/workspace.hpp"

namespace sarrus {

class DiscreteContacts {
 public:
  DiscreteContacts(const Mechanism& m, const DiscreteGraph& graph);

  bool empty() const { return first_stick_.empty(); }
  void begin();  // nothing sticks
  /// Pushes bodies that touch, with `placed` in the frames of the mechanism, and adds what they
  /// absorb to the flow. h: the time since the last step, 0 at the start.
  void apply(const std::vector<BodyMotion<double>>& placed, double h, DiscreteBodies& bodies,
             EnergyFlow<double>& flow);
  /// Bodies that overlap at the start, for a warning.
  std::vector<Diagnostic> overlaps(const std::vector<BodyMotion<double>>& placed) const;

  template <class Self, class Memory>
  static void keep(Self& self, Memory& memory) {
    memory(self.sticks_);
  }

 private:
  const Mechanism* m_;
  const DiscreteGraph* g_;
  std::vector<Vec3> sticks_;  // pair after pair
  std::vector<size_t> first_stick_;
};

}  // namespace sarrus
