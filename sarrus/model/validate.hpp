// Whether a model makes sense, before it is compiled: for models from files and from C++ alike.
#pragma once

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/model/model.hpp"

namespace sarrus {

/// Every problem it can find, not only the first.
///
/// model_faults: names, references, sizes, options (exit code 3). physics_faults: masses, inertias,
/// axes, damping and whatever else is readable but impossible (exit code 4). Warnings and notes go
/// to the list they belong to. Element paths are "body/arm/mass"; places are those that the model
/// carries.
///
/// Called by ValidModel (model/valid_model.hpp) and nowhere else.
void validate(const Model& model, Diagnostics& model_faults, Diagnostics& physics_faults);
/// The settings of the run alone.
void validate_settings(const Model& model, Diagnostics& model_faults);

}  // namespace sarrus
