// Commands overwrite what they wrote before, and keep the last version.
#pragma once

#include <string>
#include <vector>

#include "output.hpp"

namespace sarrus::app {

/// "plot.previous.svg" of "plot.svg".
std::string previous_name(const std::string& path);

/// Makes room for a file that is about to be written: one that has its name stays as
/// previous_name(), unless `replace` says to drop it. Throws Error(io) for a folder and for one of
/// the `sources`. The caller then writes the file.
void keep_last(const std::string& path, bool replace, const std::vector<std::string>& sources,
               Output& out);

}  // namespace sarrus::app
