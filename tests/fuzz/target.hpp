// A fuzz target takes any bytes and must come back: with a value, or with a sarrus::Error. What
// else it asks of the answer it asks by require(), which ends the program as a sanitizer would.
//
// fuzzer.cpp runs a target under libFuzzer (`./dev fuzz NAME`); replay.cpp runs it over its corpus
// and mutations of it, with any compiler, as an ordinary test.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "sarrus/core/diagnostic.hpp"

namespace sarrus::fuzz {

/// The target of this program; each has a file of its own.
void take(std::string_view bytes);

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: %s\n", what);
  std::abort();
}

/// Runs what may refuse. A refusal says what is wrong, in words.
template <class F>
void may_refuse(F&& run) {
  try {
    run();
  } catch (const Error& e) {
    require(!e.diagnostics().empty() && !e.diagnostics().front().message.empty(),
            "a refusal without words");
    require(!e.diagnostics().front().code.empty(), "a refusal without a code");
  }
}

/// The bytes as a file, for readers that take a path. One per program, in a folder that goes.
std::string as_file(std::string_view bytes, const char* name);

}  // namespace sarrus::fuzz
