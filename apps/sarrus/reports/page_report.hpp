// The page of a result: writes it, and says so.
#pragma once

#include <cstdint>
#include <string>

#include "output.hpp"

namespace sarrus::app {

/// Writes the page of a result with every n-th row; a file of that name is kept unless `replace`.
void write_page(const std::string& result, const std::string& file, std::int64_t every,
                bool replace, Output& out);

}  // namespace sarrus::app
