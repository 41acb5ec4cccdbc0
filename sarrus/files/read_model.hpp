// Model files: TOML, or JSON with the same content. docs/reference/model.md lists every key. Robots of
// other programs (import/import_robot.hpp) are read wherever a model is.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sarrus/core/version_check.hpp"
#include "sarrus/files/text/document.hpp"
#include "sarrus/model/model.hpp"

namespace sarrus {

struct ReadOptions {
  /// Values for [parameters] and inputs, in SI; they win over the file's. A part's parameter is
  /// "prefix.name".
  std::map<std::string, double> parameters = {};
  /// Folders besides the model's own from which include, mesh and table files may be read.
  std::vector<std::string> allowed_roots = {};
  /// Where a program made the text: what each of its lines comes from, for messages.
  std::vector<Place> origins = {};
};

/// Reads and validates a model. Throws Error(Fault::model) where it cannot be read or is invalid
/// and Error(Fault::physics) where it is readable but inconsistent; warnings and notes are in
/// Model::notes.
Model read_model(const std::string& path, const ReadOptions& options = {},
                 const char* headers = SARRUS_VERSION);

/// The same from text. Files that it names are looked for beside `file_name`.
Model parse_model(std::string_view text, const std::string& file_name, Format format = Format::toml,
                  const ReadOptions& options = {}, const char* headers = SARRUS_VERSION);

/// The text of a model file; of another program's file the model that an import makes of it.
std::string model_text(const std::string& path, const ReadOptions& options = {});

/// What a model's text is: JSON where its file is called so or it begins with a brace.
Format format_of(const std::string& path, std::string_view text);

}  // namespace sarrus
