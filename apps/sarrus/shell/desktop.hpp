// The desktop that the program may be started from.
#pragma once

#include <string>

namespace sarrus::app {

/// Whether there is a screen to open windows on.
bool has_desktop();

/// Opens a file with the program that the desktop has for it, and does not wait. False where there
/// is no desktop or nothing that opens files.
bool open_on_desktop(const std::string& file);

}  // namespace sarrus::app
