// Again on every save: a command is repeated whenever a file beside the model changes.
#pragma once

#include <functional>
#include <string>

#include "output.hpp"

namespace sarrus::app {

/// Runs `once`, then again after each change of a file beside the model that models are made of, until
/// a signal ends the program. What is wrong with the model is told and waits for the next save.
/// `written` is a file that `once` writes itself.
int repeat_on_save(const std::string& model, const std::string& written, Output& out,
                   const std::function<int()>& once);

}  // namespace sarrus::app
