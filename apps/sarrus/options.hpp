// Options that commands share, and how they become a model and its settings.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "output.hpp"
#include "parser.hpp"
#include "sarrus/model/valid_model.hpp"

namespace sarrus::app {

/// Which model, and what is changed in it.
struct ModelOptions {
  std::string path;
  std::vector<std::string> set;  // NAME=VALUE, of parameters
  std::vector<std::string> inputs;
  std::vector<std::string> allow;  // folders from which parts may be read
};

/// The keys of [simulate] given as flags: name with _, value as typed.
using SimulateFlags = std::map<std::string, std::string>;

void add_output_options(Command& command, Output& out);
/// --replace: what is there is not kept.
void add_replace_flag(Command& command, bool& replace);
void add_model_options(Command& command, ModelOptions& options);
void add_simulate_flags(Command& command, SimulateFlags& flags);

/// The parameters of --set and the inputs of --input, in SI.
std::map<std::string, double> parameters_set(const ModelOptions& options);
ValidModel read_model(const ModelOptions& options);
/// The text that a run keeps of its model.
std::string model_text(const ModelOptions& options);

/// Applies flags to the settings of the model. Throws Error(usage) for impossible values.
void apply_flags(ValidModel& model, const SimulateFlags& flags);
/// Refuses unknown methods, from a flag as a usage error, from the file as an error of the model;
/// notes the keys that the chosen method does not use.
void check_methods(const Model& model, const SimulateFlags& flags, Output& out);

Error usage_error(const std::string& code, const std::string& element, const std::string& message,
                  const std::string& hint = "");
/// A build without CVODE lists the method and refuses to make it.
bool has_cvode();
/// The number that a flag gives.
double number(const char* flag, const std::string& text);
/// The values that a flag of [simulate] may have, where it has a list of them.
std::vector<std::string> choices_of(const std::string& flag);
/// "--output-step" of "output_step".
std::string flag_name(std::string_view key);
/// A path as an argument of a shell: quoted where it must be.
std::string shell_word(const std::string& text);

}  // namespace sarrus::app
