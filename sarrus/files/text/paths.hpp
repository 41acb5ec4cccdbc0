// Which files a model may name, and reading them.
//
// A model from elsewhere must not reach outside its folder: a path is relative to the file that
// holds it, nothing in it is expanded, and where it really leads (links followed) must lie inside
// the folder of the model that was opened or inside a folder the user allowed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sarrus/core/diagnostic.hpp"

namespace sarrus {

struct AllowedRoots {
  std::string model_folder;         // of the model that was opened
  std::vector<std::string> others;  // allowed by the user
};

struct ResolvedPath {
  std::string path;     // to open
  std::string problem;  // empty: allowed and there
  std::string hint;
};

/// Resolves `written`, found in a file that stands in `folder`.
ResolvedPath resolve_path(const std::string& written, const std::string& folder,
                          const AllowedRoots& roots);

/// The bytes of a model file. Throws Error(Fault::model): the path as typed, the reason, and the
/// nearest name that exists.
std::string read_model_text(const std::string& path, const Place& asked_at);
/// The same for other input, up to `limit` bytes.
std::string read_input_text(const std::string& path, size_t limit);

}  // namespace sarrus
