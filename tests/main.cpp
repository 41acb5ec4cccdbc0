#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "places.hpp"

namespace sarrus::testing {

const char* const source_folder = SARRUS_SOURCE_DIR;
const char* const sarrus_program = SARRUS_PROGRAM;

}  // namespace sarrus::testing
