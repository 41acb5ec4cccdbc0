// The contacts of a model, as pairs of solids.
#pragma once

#include "sarrus/mechanism/mechanism.hpp"

namespace sarrus {

/// `m` has its bodies already. Faults: unknown bodies, bodies without a shape that can touch,
/// shapes without size, impossible numbers.
void add_contacts(const Model& model, Mechanism& m, Diagnostics& faults);

}  // namespace sarrus
