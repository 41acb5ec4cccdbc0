// From approximate positions to a closed mechanism, and from approximate speeds to admissible ones.
//
// Positions that the user gave are held first and the others moved (Newton in the metric of the
// masses, steps limited and halved where they do not help); where that cannot close the loops, all
// may move. Elastic bodies keep their shape as long as joints can close the loops; otherwise they
// take the deformation of least energy. Initial guesses for closing joints choose among assemblies
// (wishes.hpp). Speeds likewise. Notes say what was changed, and what could not be done.
#pragma once

#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/core/random.hpp"
#include "sarrus/formulations/stages/workspace.hpp"

namespace sarrus {

struct Assembly {
  Coordinates start;    // closed
  double residual = 0;  // in units of LoopRows::length()
  int iterations = 0;
  std::vector<Diagnostic> notes;
};

/// The start of a mechanism with its loops closed at time t. Throws Error(physics) with the
/// residual of each joint, largest first, and the best configuration found, where they cannot be
/// closed; and where constraints or motions contradict each other, with their names.
Assembly assemble(const Mechanism& mechanism, double t);
/// The same for a run. At a singular position the equations see fewer rows than a motion has to
/// obey, and speeds that fit them may belong to no motion: such a start goes on along its speeds,
/// or its accelerations, to where all rows are seen, and its speeds are fitted there.
Assembly assemble_to_run(const Mechanism& mechanism, double t);

/// A closed configuration about `size` (radians, or lengths of the mechanism) beside q, in a
/// direction that the loops allow; empty where it cannot be reached.
std::vector<double> beside(const Mechanism& mechanism, double t, const std::vector<double>& q,
                           double size, Random& random);

}  // namespace sarrus
