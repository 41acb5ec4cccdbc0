// Reads solids from gmsh's .msh files, as text, versions 4.1 and 2.2.
#pragma once

#include <string>
#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/elastic/solid_mesh.hpp"

namespace sarrus {

struct GmshFile {
  SolidMesh mesh;                // in the file's own numbers (not scaled)
  std::vector<long long> loose;  // nodes of the file that no tetrahedron or brick has, left out
};

/// Tetrahedra of 4 and 10 nodes and bricks of 8 become elements; physical groups, of any dimension,
/// become groups of nodes. A group without a name goes by its number.
///
/// Throws Error(Fault::model), placed at `asked_at`, whose message says the file and its line.
GmshFile read_gmsh(const std::string& path, const Place& asked_at);

}  // namespace sarrus
