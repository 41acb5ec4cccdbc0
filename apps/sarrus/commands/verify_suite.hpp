// sarrus verify --suite: every model below a folder that has an expected.json, against its numbers
// and against itself.
#pragma once

#include "output.hpp"
#include "sarrus/verify/verify.hpp"

namespace sarrus::app {

struct SuiteOptions {
  std::string folder;
  bool is_short = false;          // a tenth of each horizon, and little time for each formulation
  std::vector<std::string> only;  // names that must be part of a path; empty: all
  bool fail_fast = false;         // the first problem ends it
  VerifyOptions verify;
};

/// Prints the table; the exit code of the worst line.
int run_suite(const SuiteOptions& options, Output& out);

}  // namespace sarrus::app
