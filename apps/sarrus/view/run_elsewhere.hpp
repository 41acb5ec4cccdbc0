// A run as `sarrus run` does it, asked for by another command.
#pragma once

#include <functional>
#include <string>

#include "options.hpp"

namespace sarrus::app {

/// Simulates the model into the folder, replacing an earlier run there. `interrupted` is asked
/// after every step; another answer than 0 ends the run early. Throws Error where it cannot begin
/// or fails.
void run_elsewhere(const ModelOptions& model, const std::string& folder,
                   std::function<int()> interrupted, Output& out);

}  // namespace sarrus::app
