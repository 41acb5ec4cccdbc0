// The tree of a mechanism drawn with lines, parents above children.
#pragma once

#include <string>
#include <vector>

#include "sarrus/mechanism/mechanism.hpp"

namespace sarrus::app {

/// One line per body; joints that close loops follow under the body that they come back to.
std::vector<std::string> tree_sketch(const Mechanism& m, size_t most_lines);

}  // namespace sarrus::app
