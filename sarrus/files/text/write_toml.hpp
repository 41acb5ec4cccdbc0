// Nodes of a model file as TOML.
#pragma once

#include <string>

#include "sarrus/files/text/document.hpp"

namespace sarrus {

/// The value of a node on one line: 1.5, "text", [1, 2], { at = [0, 0, 1] }.
std::string toml_value(const Node& node);
/// "key = value" and a line end. A list of tables, or of lists, has a line for each entry.
std::string toml_line(const Node& node);

}  // namespace sarrus
