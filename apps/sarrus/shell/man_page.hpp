// Manual pages in the language of man(7).
#pragma once

#include <string>
#include <vector>

#include "parser.hpp"

namespace sarrus::app {

/// sarrus(1): what there is.
std::string man_page(const std::vector<DescribedCommand>& commands);
/// sarrus-run(1): one command.
std::string man_page(const DescribedCommand& command);

}  // namespace sarrus::app
