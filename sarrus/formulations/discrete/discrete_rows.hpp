// Rows of the discrete formulation: prescribed motions, screws, rotors. Each is a block of one
// freedom of a joint; a rotor has a place and a velocity of its own.
#pragma once

#include "sarrus/formulations/discrete/discrete_bodies.hpp"
#include "sarrus/formulations/discrete/discrete_clock.hpp"
#include "sarrus/formulations/discrete/discrete_coordinates.hpp"
#include "sarrus/formulations/stages/workspace.hpp"

namespace sarrus {

class DiscreteRows {
 public:
  /// `leapfrog`: velocities are those of half a step ago.
  DiscreteRows(const Mechanism& m, const DiscreteGraph& graph, const DiscreteGains& gains,
               bool leapfrog);

  /// Rotors and prescribed speeds at the coordinates of their joints.
  void begin(const DiscreteCoordinates& at);
  void turn_back_half_a_kick(double h);
  /// The rotors, and the places of motions whose speed is prescribed; before the clock moves on.
  void move(Workspace<double>& w, const DiscreteClock& clock);

  /// Pushes the bodies, and adds the power of prescribed motions to the flow.
  void apply(Workspace<double>& w, const DiscreteClock& clock, const DiscreteCoordinates& at,
             DiscreteBodies& bodies, EnergyFlow<double>& flow);

  int rotors() const { return static_cast<int>(rotors_.size()); }
  double place(int rotor) const { return rotors_[rotor].x; }
  /// At the present instant.
  double velocity(int rotor, double h) const {
    return rotors_[rotor].v - h / 2 * rotors_[rotor].force / gains_->rotors[rotor];
  }

  template <class Self, class Memory>
  static void keep(Self& self, Memory& memory) {
    for (auto& r : self.rotors_) memory(r.x, r.v, r.force);
    memory(self.way_);
  }

 private:
  struct Rotor {
    double x = 0, v = 0, force = 0;
  };
  /// The velocity that a row prescribes, and the one at which it does work.
  struct Target {
    double place = 0, speed = 0, power_speed = 0;
  };

  Target target(Workspace<double>& w, const RowBlock& row, const DiscreteClock& clock) const;

  const Mechanism* m_;
  const DiscreteGraph* g_;
  const DiscreteGains* gains_;
  bool leapfrog_;
  std::vector<Rotor> rotors_;
  std::vector<double> way_;  // per prescribed motion: the position, where only its speed is given
};

}  // namespace sarrus
