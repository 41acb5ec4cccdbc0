// Conditions that are no joint, in the discrete formulation: rods of fixed length, points on lines
// and planes, gears and couplings, edges and wheels that do not slip.
//
// A condition φ = 0 with φ̇ = w · V, w its wrenches on the bodies it moves, is a block of one row:
//
//   μ = −(k φ + c φ̇) on w,   λ = wᵀ M⁻¹ w,   k = β²/(n h² λ),   c = δ/(n h λ)               (1)
//
// with φ̇ of half a step ago, so that the theorem of the gains covers it. λ is that of the present
// places: levers change.
//
// Where a condition holds velocities only, φ is the way that it has slipped,
//
//   φ_k = φ_k−1 + h (w_k + w_k−1)/2 · V_k−½                                                 (2)
//
// which keeps the second order. docs/theory/discrete.md
#pragma once

#include "sarrus/formulations/discrete/discrete_bodies.hpp"
#include "sarrus/formulations/discrete/discrete_clock.hpp"
#include "sarrus/formulations/discrete/discrete_coordinates.hpp"

namespace sarrus {

class DiscreteConditions {
 public:
  DiscreteConditions(const Mechanism& m, const DiscreteGraph& graph, const DiscreteGains& gains);

  void begin();  // nothing has slipped
  void apply(const DiscreteClock& clock, const DiscreteCoordinates& at, DiscreteBodies& bodies);
  /// μ of each.
  const std::vector<double>& forces() const { return mu_; }

  template <class Self, class Memory>
  static void keep(Self& self, Memory& memory) {
    for (auto& s : self.slips_) memory(s.way, s.seen, s.on_a, s.on_b, s.R_a, s.R_b);
    memory(self.mu_);
  }

 private:
  /// A condition on velocities: how far it has slipped, and what it was one step ago.
  struct Slip {
    double way = 0;
    std::int64_t seen = -1;  // step
    WrenchRecord on_a, on_b;
    Mat3 R_a = Mat3::identity(), R_b = Mat3::identity();
  };
  /// A condition at one instant: what its unit exerts on two bodies.
  struct Placed {
    double residual = 0;
    WrenchRecord on_a, on_b;
    Wrench<double> at_frame;  // on B at the origin of its frame
  };

  Placed placed(const GraphCondition& c, const DiscreteBodies& bodies) const;
  double slipped(const GraphCondition& c, const Placed& now, const DiscreteClock& clock,
                 const DiscreteBodies& bodies, Slip& slip) const;
  void apply_coupling(int index, const DiscreteCoordinates& at, DiscreteBodies& bodies);
  double mobility(int slot, const WrenchRecord& w, const DiscreteBodies& bodies) const;

  const Mechanism* m_;
  const DiscreteGraph* g_;
  const DiscreteGains* gains_;
  std::vector<Slip> slips_;         // one per condition
  std::vector<double> mu_;          // per condition: the force on its unit
  std::vector<WrenchRecord> unit_;  // of a coupling, per slot
};

}  // namespace sarrus
