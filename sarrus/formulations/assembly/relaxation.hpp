// Elastic bodies that loops force to deform, at rest: of all shapes that close the loops the one
// with the least strain energy.
//
//   minimise  E = ½ Σ qₑᵀ K qₑ   with φ(q) = 0                                             (1)
//
// by Newton's steps on its equations, in which joints, which have no stiffness here, follow:
//
//   [K Gᵀ; G 0] [δ; λ] = [−K q; −φ]                                                       (2)
//
// Dense; the shortest solution where a motion costs nothing.
#pragma once

#include <vector>

#include "sarrus/formulations/stages/workspace.hpp"

namespace sarrus {

/// ½ qᵀ K q [J] of one elastic body, and of all.
double strain_energy(const ElasticInfo& body, const std::vector<double>& q);
double strain_energy(const Mechanism& mechanism, const std::vector<double>& q);

/// δ of (2), per velocity; bodies that are held stay where they are on their parents.
std::vector<double> towards_rest(Workspace<double>& w, const Kinematics<double>& k,
                                 const ClosedLoops<double>& loops, const std::vector<char>& held);

}  // namespace sarrus
