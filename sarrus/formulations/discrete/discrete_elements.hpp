// Force elements of the model in the discrete formulation: springs, dampers, motors, friction and
// everything else that acts on bodies and joints. They see bodies in the frames of the mechanism,
// at the velocities of this instant, and their own states.
#pragma once

#include "sarrus/formulations/discrete/discrete_bodies.hpp"
#include "sarrus/formulations/discrete/discrete_clock.hpp"
#include "sarrus/formulations/discrete/discrete_coordinates.hpp"
#include "sarrus/formulations/stages/workspace.hpp"

namespace sarrus {

/// Motions of bodies of the graph in the frames of the mechanism.
void place_bodies(const DiscreteGraph& graph, const std::vector<MotionRecord>& motion,
                  std::vector<BodyMotion<double>>& placed);

class DiscreteElements {
 public:
  DiscreteElements(const Mechanism& m, const DiscreteGraph& graph, const DiscreteScheme& scheme);

  bool empty() const { return !exist_; }
  const std::vector<double>& state() const { return state_; }
  void set_state(int state, double value) { state_[state] = value; }
  const std::vector<BodyMotion<double>>& placed() const { return placed_; }

  void begin(const std::vector<double>& state, const DiscreteBodies& bodies);
  void begin_rates() { rate_before_ = rate_; }
  /// What formulas are where the bodies are, at their half-step velocities.
  const std::vector<double>& formulas(Workspace<double>& w, const DiscreteClock& clock,
                                      const DiscreteCoordinates& at, const DiscreteBodies& bodies);

  /// Before the bodies move: velocities of one kick ago.
  void keep_velocities(const DiscreteBodies& bodies);
  /// States, by the two-step Adams–Bashforth rule of second order.
  void move(double h);
  /// Measures joints, places bodies and pushes them over the present kick. Returns the forces at
  /// its middle, for formulas; the flow of energy is that over the kick.
  const Forces<double>& apply(Workspace<double>& w, const DiscreteClock& clock,
                              DiscreteCoordinates& at, DiscreteBodies& bodies,
                              EnergyFlow<double>& flow);

  /// Parameters have changed: the present kick has the forces of now …
  void change_over(Workspace<double>& w, const DiscreteClock& clock, const DiscreteCoordinates& at,
                   DiscreteBodies& bodies, EnergyFlow<double>& flow);
  /// … and then, after the change, half of them, with half of those before.
  void take_back_half(const DiscreteCoordinates& at, DiscreteBodies& bodies);

  template <class Self, class Memory>
  static void keep(Self& self, Memory& memory) {
    memory(self.state_, self.rate_, self.rate_before_, self.normal_);
    memory(self.V_before_, self.L_before_);
  }

 private:
  /// A friction on a reaction: whose joint, and the body inside that it is booked on.
  struct Rubbing {
    int joint = 0, body = 0;
  };

  void extrapolate(const DiscreteBodies& bodies);
  void read_reactions(const DiscreteBodies& bodies);
  const Forces<double>& load_at(Workspace<double>& w, double t, const DiscreteCoordinates& at);
  const Forces<double>& load_over_kick(Workspace<double>& w, const DiscreteClock& clock,
                                       const DiscreteCoordinates& at, EnergyFlow<double>& flow);
  void average_over_kick(Workspace<double>& w, const DiscreteClock& clock, double from, double to,
                         const DiscreteCoordinates& at, EnergyFlow<double>& flow);
  void push_joints(const DiscreteCoordinates& at, DiscreteBodies& bodies) const;
  void push_bodies(DiscreteBodies& bodies) const;

  const Mechanism* m_;
  const DiscreteGraph* g_;
  bool exist_ = false, extrapolates_ = true;
  std::vector<int> driven_;  // joints that carry τ
  std::vector<Rubbing> rubbing_;
  std::vector<double> state_, rate_, rate_before_;
  std::vector<double> normal_;              // per body inside: the force that friction rubs on
  std::vector<Vec3> V_before_, L_before_;   // one kick ago
  std::vector<MotionRecord> seen_;          // the bodies as elements see them
  std::vector<BodyMotion<double>> placed_;  // the same in the frames of the mechanism
  std::vector<double> tau_;                 // over the present kick
  std::vector<Wrench<double>> pull_;        // likewise
  EnergyFlow<double> own_flow_{};           // likewise, of elements alone
};

}  // namespace sarrus
