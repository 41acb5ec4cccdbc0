// A solid as finite elements: nodes, tetrahedra and bricks, and named groups of nodes.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sarrus/spatial/spatial.hpp"

namespace sarrus {

enum class SolidElementType { tet4, tet10, hex8 };

inline constexpr int node_count(SolidElementType type) {
  return type == SolidElementType::tet4 ? 4 : type == SolidElementType::tet10 ? 10 : 8;
}
const char* to_text(SolidElementType type);

/// Corners first. Tetrahedra: seen from corner 3, corners 0, 1, 2 run counterclockwise; then the
/// middles of 01, 12, 20, 30, 32, 31. Bricks: 0…3 around one face, 4…7 beside them, 0…3 seen from
/// there counterclockwise. This is the order of gmsh.
struct SolidElement {
  SolidElementType type = SolidElementType::tet4;
  std::array<int, 10> node{};
  long long tag = 0;  // its number in the file, for messages
};

struct NodeGroup {
  std::string name;
  std::vector<int> nodes;  // rising
};

struct SolidMesh {
  std::string file;  // for messages; may be empty
  std::vector<Vec3> nodes;
  std::vector<long long> tags;  // of the nodes in the file
  std::vector<SolidElement> elements;
  std::vector<NodeGroup> groups;

  const NodeGroup* find(const std::string& name) const;
};

/// Something wrong with a mesh or with what is asked of it.
struct SolidProblem {
  std::string key;  // of the model file: "file", "interfaces", "modes" …
  std::string code, message, hint;
};

/// Elements without volume or turned inside out, nodes that belong to no element, parts that are
/// not connected.
std::vector<SolidProblem> mesh_problems(const SolidMesh& mesh);

/// [m] largest side of the box around all nodes.
double extent(const SolidMesh& mesh);

}  // namespace sarrus
