// A program of a user's own, built against the installed library.
#include <cstdio>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/core/units.hpp"
#include "sarrus/core/version_check.hpp"

int main() {
  try {
    sarrus::check_version(SARRUS_VERSION);
    std::printf("one rpm is %.6f rad/s\n", sarrus::parse_unit("rpm").value().factor);
  } catch (const sarrus::Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return e.exit_code();
  }
}
