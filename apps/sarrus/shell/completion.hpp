// Completion in shells. The scripts of bash, zsh and fish are short: at each press of Tab they hand the
// words to `sarrus --complete`, which answers from the descriptions of the commands, the model and
// the result that the words name.
//
//   candidate<Tab>explanation      one line each
//   :files [END…]                  names of files, of these kinds, or of all
//   :folders                       names of folders
#pragma once

#include <string>
#include <vector>

#include "parser.hpp"

namespace sarrus::app {

inline constexpr const char* completion_word = "--complete";

/// The answer to the words after `sarrus`, of which the last is to be completed. Never throws for
/// what a user may have typed: where nothing is known, it is empty.
std::string completed(const Parser& parser, std::vector<std::string> words);

/// The script that a shell reads; "" for a shell that is not known.
std::string completion_script(const std::string& shell);

}  // namespace sarrus::app
