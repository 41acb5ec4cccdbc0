// Which run a command refers to, by the words on the command line.
#pragma once

#include <string>
#include <vector>

#include "output.hpp"

namespace sarrus::app {

/// A file that is a model by its name, .toml or .json.
bool names_model(const std::string& word);

/// The folder that `run` writes for a model: its name, beside it.
std::string folder_beside(const std::string& model);

/// The run that a word means: a folder of results or of modes, a result file, a model that was run,
/// a folder below which runs are, and no word at all for this folder. Of several runs the newest is
/// taken, and a note says so. Throws Error(usage) where there is none.
std::string chosen_run(const std::string& word, Output& out);

/// The words at the front that mean runs, taken out of `words` and resolved; the last run in this
/// folder where there is none.
std::vector<std::string> chosen_runs(std::vector<std::string>& words, Output& out);

}  // namespace sarrus::app
