// The model that a run keeps beside its rows, so that a result can be drawn wherever it is moved.
//
//   model.toml     the file that was opened
//   model.parts    the files it names (parts, meshes, tables), where there are any: the magic
//                  SARRUSM1, then a frame FILE for each, its path relative to the model, a zero
//                  byte, its bytes
//
// Parameters set on the command line stand in the settings of the result's header, under `set`.
#pragma once

#include <optional>
#include <string>

#include "sarrus/model/valid_model.hpp"
#include "sarrus/results/result_format.hpp"

namespace sarrus {

inline constexpr std::string_view parts_magic = "SARRUSM1";
inline constexpr std::uint64_t parts_limit = 256u << 20;  // of all files together [bytes]

/// The content of model.parts; empty where the model is one file. Files named by an absolute path,
/// or beyond the limit, are left out.
std::string pack_parts(const Model& model);

struct KeptModel {
  std::optional<ValidModel> model;
  std::string text;     // of model.toml; may be empty
  std::string problem;  // why there is no model
};

/// The model of the run whose result file this is. Never throws for a model that is missing or
/// cannot be read: `problem` says it.
KeptModel read_kept_model(const std::string& result_path, const ResultHeader& header);

}  // namespace sarrus
