// Robots from other programs' files: URDF, MJCF, SDF.
//
// An import makes the nodes of a model file out of the elements of an XML file. What follows
// (grammar, units, checks, messages) is the same as for a model written by hand, and each node
// knows the line of the XML file that it comes from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sarrus/files/import/import_report.hpp"
#include "sarrus/files/text/document.hpp"
#include "sarrus/files/text/paths.hpp"

namespace sarrus {

struct ImportOptions {
  AllowedRoots roots = {};  // from where meshes and included files may be read
  bool floating = false;    // URDF: the root link moves freely, instead of being fixed to the world
  std::string key = {};     // MJCF: keyframe that is the start; empty: the model's own
  bool draw = true;         // shapes and meshes
  /// The model file that will hold the text; empty: one beside the robot. Meshes outside its folder
  /// are to be copied there.
  std::string destination = {};
};

struct Imported {
  Document document;  // the model
  std::string toml;   // the same as text
  ImportReport report;
  std::vector<std::string> roots;  // folders beside the model's own that it belongs to: its package
  std::vector<std::string> files;  // that were read beside it
  std::vector<std::pair<std::string, std::string>>
      copies;  // of meshes for the destination: from, to
};

/// Whether a text is one of those: its first element is <robot>, <mujoco> or <sdf>, or some other XML.
bool is_xml(std::string_view text);

/// Throws Error(Fault::model) with the places of all faults.
Imported import_robot(std::string_view text, const std::string& file, const ImportOptions& options);

}  // namespace sarrus
