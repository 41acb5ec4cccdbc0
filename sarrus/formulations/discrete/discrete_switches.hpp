// Joints that engage and release during a run of the discrete formulation.
//
// Nothing is solved from step to step, so that anything may change between two of them; the error
// of a switch is of the order of the step.
#pragma once

#include "sarrus/formulations/discrete/discrete_bodies.hpp"
#include "sarrus/formulations/stages/workspace.hpp"

namespace sarrus {

class DiscreteSwitches {
 public:
  /// Their frames on A in the graph are moved where a joint takes hold of bodies as they are.
  DiscreteSwitches(const Mechanism& m, DiscreteGraph& graph);

  bool empty() const { return switches_.empty(); }
  /// Whether a joint of the graph is one that has released.
  bool are_open(int joint) const;

  /// At the start a joint that holds and is closed stays in its own place.
  void begin(const std::vector<double>& formula, double h, DiscreteBodies& bodies);
  /// Engages and releases as the formulas say.
  void work(const std::vector<double>& formula, double h, DiscreteBodies& bodies);

  /// A joint that takes hold of moving bodies is a blow that takes energy: the work of its block is
  /// booked, F · h (V_k−½ + V_k+½)/2 for a kick by F, which `kick` carries out.
  template <class Kick>
  void book(const DiscreteBodies& bodies, double h, double& dissipated, Kick&& kick) {
    grip(bodies);
    kick();
    book_grips(bodies, h, dissipated);
  }

  /// The blocks as the memory has them.
  void engage(DiscreteBodies& bodies) const;

  template <class Self, class Memory>
  static void keep(Self& self, Memory& memory) {
    for (auto& s : self.switches_) memory(s.holds, self.g_->joints[s.joint].X_a);
  }

 private:
  /// Its frame on A as the model gives it.
  struct Switch {
    int joint = 0;
    bool holds = true;
    Pose<double> X_a;
  };
  /// What a joint exerts in one step, and how its bodies moved before it.
  struct Grip {
    WrenchRecord on_a, on_b;
    Vec3 V_a, w_a, V_b, w_b;
  };

  void grip(const DiscreteBodies& bodies);
  void book_grips(const DiscreteBodies& bodies, double h, double& dissipated) const;

  const Mechanism* m_;
  DiscreteGraph* g_;
  std::vector<Switch> switches_;
  std::vector<Grip> grips_;  // one per switch
};

}  // namespace sarrus
