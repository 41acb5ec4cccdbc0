// How a formulation computes velocities and ∂T/∂q, and which choices do not fit.
#pragma once

#include "sarrus/formulations/formulation.hpp"

namespace sarrus {

/// The options with nothing left open. Throws Error where they do not belong to the formulation or
/// cannot serve the mechanism; usage where they came from outside a file.
FormulationOptions resolved(const std::string& formulation, const Mechanism& mechanism,
                            const FormulationOptions& options);

/// For code that treats all coordinates in full: throws Error(model) where some are marked small.
void refuse_small(const Mechanism& mechanism, const std::string& who);
/// For code that supports rigid bodies only: throws Error(physics) where some are elastic.
void refuse_elastic(const Mechanism& mechanism, const std::string& who);

}  // namespace sarrus
