// The contacts of a model, as pairs of solids.
#pragma once

#include "sarrus/mechanism/mechanism.hpp"

namespace sarrus {

/// After the bodies of the mechanism are placed. Faults: unknown bodies, bodies without a shape
/// that can touch, shapes without size, numbers that make no sense.
void add_contacts(const Model& model, Mechanism& m, Diagnostics& faults);

}  // namespace sarrus
