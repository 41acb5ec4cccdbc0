// Columns and times as they are named on the command line.
#pragma once

#include <string>
#include <vector>

#include "sarrus/run/trajectory.hpp"

namespace sarrus::app {

/// "a,b*" as its words.
std::vector<std::string> words_of_list(const std::string& list);

/// The columns that the words name, in their order; * and ? stand for letters. `where` is the flag
/// or command that a refusal names.
std::vector<std::string> chosen_columns(const std::string& where,
                                        const std::vector<std::string>& words,
                                        const std::vector<Column>& columns);

/// "2", "2 s", "3 min" in seconds.
double parse_time(const std::string& flag, const std::string& text);

}  // namespace sarrus::app
