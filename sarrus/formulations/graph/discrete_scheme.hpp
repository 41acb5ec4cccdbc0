// How the discrete formulation takes its steps: their length, how bodies turn, how dampers are
// evaluated.
#pragma once

#include "sarrus/formulations/graph/discrete_gains.hpp"

namespace sarrus {

enum class Rotation { dlm, lie2, exp, paper };

struct DiscreteScheme {
  double h = 0;  // [s]
  Rotation rotation = Rotation::dlm;
  bool leapfrog = true;              // false: the source's own order of operations
  bool second_order_damping = true;  // dampers see velocities that are carried on by half a step
};

/// As the settings say, the step chosen where they do not. Throws Error: a step beyond what is
/// stable, or one that would have to be too short.
DiscreteScheme discrete_scheme(const Mechanism& m, const DiscreteGraph& graph,
                               const DiscreteGains& gains, const SimulateSpec& settings);

}  // namespace sarrus
