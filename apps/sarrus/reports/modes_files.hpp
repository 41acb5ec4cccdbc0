// Files of `sarrus modes`: docs/reference/linear.md.
#pragma once

#include "sarrus/linear/linear_files.hpp"
#include "sarrus/linear/modes.hpp"
#include "sarrus/model/model.hpp"

namespace sarrus::app {

/// The linear model in every form, modes, shapes and shares of energy.
void write_modes(OutputFolder& out, const Mechanism& mechanism, const ModelModes& modes);

/// A run's folder `mode_N` in which the mechanism swings in one mode for one period.
void animate_mode(const std::string& folder, const std::string& model_path, const Model& model,
                  const Mechanism& mechanism, const ModelModes& modes, int mode, double amplitude,
                  bool replace);

}  // namespace sarrus::app
