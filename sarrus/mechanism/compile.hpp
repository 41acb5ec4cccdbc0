// From a model that was validated to its mechanism; `compile(const Model&)` validates first.
#pragma once

#include "sarrus/mechanism/mechanism.hpp"
#include "sarrus/model/valid_model.hpp"

namespace sarrus {

/// Throws Error (model or physics) where the parts do not fit together.
Mechanism compile(const ValidModel& model, const char* headers = SARRUS_VERSION);

}  // namespace sarrus
