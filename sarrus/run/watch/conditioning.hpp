// How well the mass matrix determines the accelerations.
//
//   M̂ = D^(−1/2) M D^(−1/2),  D = diag M        has no units: metres and radians may be mixed
//   1/λ_min(M̂) by inverse iteration, one pass over the tree each;  λ_max(M̂) ≤ tr M̂ = n
//
// A relative error ε in the forces or of rounding may grow to n ε/λ_min in the accelerations.
#pragma once

#include "sarrus/formulations/snapshot.hpp"

namespace sarrus {

struct MassCondition {
  double number = 1;  // n/λ_min(M̂), an upper bound on the condition of M̂
  int u = -1;         // the velocity that takes most part in the weakest direction
};

/// Of the mass matrix of the tree at an instant.
MassCondition mass_condition(const Snapshot& now);

}  // namespace sarrus
