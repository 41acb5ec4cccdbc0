// Refuses headers of one version used with a library of another, whose types may differ.
//
// A function through which a caller enters the library takes the caller's version as its last
// argument, by a default that no caller overrides:
//
//   Mechanism compile(const Model& model, const char* headers = SARRUS_VERSION);
//
// and begins with check_version(headers). A default argument is evaluated where the call is
// compiled, so it carries the version of the headers in use there; an inline function or variable
// would not, as the linker may keep the library's copy of it. docs/decisions/0003-version-check.md
#pragma once

#include "sarrus/core/version.hpp"

namespace sarrus {

/// The version the library was compiled as; `version` is that of the headers in use.
const char* library_version();

/// Throws Error(Fault::usage) with both versions where `headers` is not the library's.
void check_version(const char* headers);

}  // namespace sarrus
