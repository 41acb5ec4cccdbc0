// Where the meshes of an imported robot lie: package:// and file:// as their programs mean them,
// other paths relative to the file, all inside the folders that may be read.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sarrus/files/text/paths.hpp"

namespace sarrus {

class MeshPaths {
 public:
  /// `file` is the robot's. Its package, the nearest folder above it with a package.xml, belongs to it.
  /// Paths are given for the model file `destination`; where that is not empty, meshes outside its folder
  /// are listed to be copied into one beside it.
  MeshPaths(const std::string& file, AllowedRoots roots, const std::string& destination);

  struct Found {
    std::string path;     // as a model file in the robot's folder would write it
    std::string problem;  // empty: it is there, allowed, and of a format that is read
  };
  Found find(const std::string& written);

  /// The robot's package, to be allowed beside its folder; may be empty.
  const std::string& package_folder() const { return package_folder_; }
  /// From, to.
  const std::vector<std::pair<std::string, std::string>>& copies() const { return copies_; }

 private:
  std::string at_destination(const std::string& path);

  std::string folder_, package_folder_, package_name_, destination_;
  std::vector<std::pair<std::string, std::string>> copies_;
  AllowedRoots roots_;
};

}  // namespace sarrus
