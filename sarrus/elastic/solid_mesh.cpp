#include "sarrus/elastic/solid_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "sarrus/elastic/solid_element.hpp"

namespace sarrus {
namespace {

constexpr double flat = 1e-9;      // shape_quality() of an element without volume
constexpr size_t most_listed = 5;  // numbers in one message

/// "12, 15, 16, 18, 21 and 7 more"
std::string listed(const std::vector<long long>& numbers) {
  const size_t shown = std::min(numbers.size(), most_listed);
  std::string text = fmt::format(
      "{}", fmt::join(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (numbers.size() > shown) text += fmt::format(" and {} more", numbers.size() - shown);
  return text;
}

void check_shapes(const SolidMesh& mesh, std::vector<SolidProblem>& found) {
  std::vector<long long> inverted, thin;
  double worst = 1;
  for (const SolidElement& e : mesh.elements) {
    const double quality = shape_quality(mesh, e);
    if (std::fabs(quality) < flat || !std::isfinite(quality))
      thin.push_back(e.tag);
    else if (quality < 0)
      inverted.push_back(e.tag), worst = std::min(worst, quality);
  }
  if (!inverted.empty())
    found.push_back({"file", "inverted-element",
                     fmt::format("{} of {} elements are turned inside out: element {} (smallest "
                                 "Jacobian {:.3g} of an even element's, must be above 0)",
                                 inverted.size(), mesh.elements.size(), listed(inverted), worst),
                     inverted.size() == mesh.elements.size()
                         ? "the order of the nodes is mirrored: exchange two corners of each"
                         : "move the nodes of these elements, or mesh again"});
  if (!thin.empty())
    found.push_back({"file", "flat-element",
                     fmt::format("{} of {} elements have no volume: element {} (Jacobian below "
                                 "{:.0e} of an even element's)",
                                 thin.size(), mesh.elements.size(), listed(thin), flat),
                     "remove them, or mesh again"});
}

/// Two elements on the same nodes count their mass twice.
void check_doubled(const SolidMesh& mesh, std::vector<SolidProblem>& found) {
  std::map<std::vector<int>, long long> seen;  // nodes in order of their numbers → first element
  std::vector<long long> doubled;
  for (const SolidElement& e : mesh.elements) {
    std::vector<int> nodes(e.node.begin(), e.node.begin() + node_count(e.type));
    std::sort(nodes.begin(), nodes.end());
    if (!seen.emplace(std::move(nodes), e.tag).second) doubled.push_back(e.tag);
  }
  if (!doubled.empty())
    found.push_back({"file", "doubled-element",
                     fmt::format("{} of {} elements are given twice: element {} has the nodes of "
                                 "another, and its mass would count twice",
                                 doubled.size(), mesh.elements.size(), listed(doubled)),
                     "remove them (in gmsh: volumes that lie in two physical groups are saved "
                     "twice; Mesh.SaveAll = 0 and one group per volume)"});
}

void check_loose_nodes(const SolidMesh& mesh, std::vector<SolidProblem>& found) {
  std::vector<char> used(mesh.nodes.size(), 0);
  for (const SolidElement& e : mesh.elements)
    for (int i = 0; i < node_count(e.type); ++i) used[e.node[i]] = 1;
  std::vector<long long> loose;
  for (size_t i = 0; i < used.size(); ++i)
    if (!used[i]) loose.push_back(mesh.tags[i]);
  if (!loose.empty())
    found.push_back(
        {"file", "loose-node",
         fmt::format("{} nodes belong to no element: node {}", loose.size(), listed(loose)),
         "remove them"});
}

/// Parts that share no node.
void check_parts(const SolidMesh& mesh, std::vector<SolidProblem>& found) {
  std::vector<int> root(mesh.nodes.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const SolidElement& e : mesh.elements)
    for (int i = 1; i < node_count(e.type); ++i) root[find(e.node[i])] = find(e.node[0]);
  std::map<int, std::vector<long long>> parts;
  for (const SolidElement& e : mesh.elements) parts[find(e.node[0])].push_back(e.tag);
  if (parts.size() < 2) return;
  std::string text;
  size_t shown = 0;
  for (const auto& [node, elements] : parts) {
    if (++shown > most_listed) break;
    text += fmt::format("{}{} elements with element {}", text.empty() ? "" : "; ", elements.size(),
                        elements.front());
  }
  found.push_back({"file", "loose-part",
                   fmt::format("the mesh has {} parts that share no node: {}{}", parts.size(), text,
                               parts.size() > most_listed ? "; …" : ""),
                   "join them in the mesher (in gmsh: Coherence, or BooleanFragments)"});
}

}  // namespace

const char* to_text(SolidElementType type) {
  switch (type) {
    case SolidElementType::tet4: return "tet4";
    case SolidElementType::tet10: return "tet10";
    case SolidElementType::hex8: return "hex8";
  }
  return "";
}

const NodeGroup* SolidMesh::find(const std::string& name) const {
  for (const NodeGroup& g : groups)
    if (g.name == name) return &g;
  return nullptr;
}

std::vector<SolidProblem> mesh_problems(const SolidMesh& mesh) {
  if (mesh.elements.empty())
    return {{"file", "empty-mesh", "the mesh has no tetrahedra or bricks",
             "mesh the volume, and put it into a physical group"}};
  std::vector<SolidProblem> found;
  check_shapes(mesh, found);
  check_doubled(mesh, found);
  check_loose_nodes(mesh, found);
  check_parts(mesh, found);
  return found;
}

double extent(const SolidMesh& mesh) {
  Vec3 low = mesh.nodes.front(), high = low;
  for (const Vec3& v : mesh.nodes)
    for (int a = 0; a < 3; ++a) low[a] = std::min(low[a], v[a]), high[a] = std::max(high[a], v[a]);
  return std::max({high.x - low.x, high.y - low.y, high.z - low.z});
}

}  // namespace sarrus
