#include "sarrus/core/version_check.hpp"

#include <doctest/doctest.h>

#include <string>

#include "sarrus/core/diagnostic.hpp"

using namespace sarrus;

TEST_CASE("version: headers and library of one build agree") {
  CHECK(std::string(library_version()) == version);
  CHECK_NOTHROW(check_version(SARRUS_VERSION));
}

TEST_CASE("version: headers of another version are refused, and both versions are named") {
  for (const char* other : {"0.0.9", "", SARRUS_VERSION ".1"}) {
    try {
      check_version(other);
      FAIL("accepted headers of version " << other);
    } catch (const Error& e) {
      CHECK(e.exit_code() == 2);
      CHECK(std::string(e.what()).find(std::string("headers of Sarrus ") + other) !=
            std::string::npos);
      CHECK(std::string(e.what()).find(std::string("library of Sarrus ") + SARRUS_VERSION) !=
            std::string::npos);
    }
  }
}
