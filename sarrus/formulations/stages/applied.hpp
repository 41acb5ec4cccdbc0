// Joint forces that a caller gives, beside those of the model.
#pragma once

#include "sarrus/formulations/stages/workspace.hpp"

namespace sarrus {

/// From here on every load() adds tau, nu entries, to the forces on the velocities; nullptr: none.
/// The account of energy does not know them.
template <class T>
void apply_joint_forces(Workspace<T>& w, const T* tau);

}  // namespace sarrus
