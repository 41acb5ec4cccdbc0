// Meshes of bars, for tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>

#include "sarrus/elastic/solid.hpp"

namespace sarrus::testing {

inline constexpr SolidElementType all_types[] = {SolidElementType::tet4, SolidElementType::tet10,
                                                 SolidElementType::hex8};

/// A bar from x = 0 to size.x, about the x axis, of cells[0] × cells[1] × cells[2] bricks or six
/// times as many tetrahedra; groups "root" and "tip" at its ends.
inline SolidMesh bar_mesh(SolidElementType type, std::array<int, 3> cells, const Vec3& size) {
  SolidMesh mesh;
  std::map<std::array<int, 3>, int> number;  // in half cells
  const auto node = [&](const std::array<int, 3>& at) {
    const auto [found, is_new] = number.try_emplace(at, static_cast<int>(mesh.nodes.size()));
    if (is_new) {
      Vec3 x{};
      for (int a = 0; a < 3; ++a) x[a] = size[a] * (0.5 * at[a] / cells[a] - (a == 0 ? 0 : 0.5));
      mesh.nodes.push_back(x);
      mesh.tags.push_back(static_cast<long long>(mesh.nodes.size()));
    }
    return found->second;
  };
  const auto add = [&](std::vector<std::array<int, 3>> corners) {
    SolidElement e;
    e.type = type;
    e.tag = static_cast<long long>(mesh.elements.size()) + 1;
    size_t i = 0;
    for (const auto& c : corners) e.node[i++] = node(c);
    if (type == SolidElementType::tet10)
      for (const auto& [a, b] : {std::pair{0, 1}, {1, 2}, {2, 0}, {3, 0}, {3, 2}, {3, 1}}) {
        std::array<int, 3> middle{};
        for (size_t k = 0; k < 3; ++k) middle[k] = (corners[a][k] + corners[b][k]) / 2;
        e.node[i++] = node(middle);
      }
    mesh.elements.push_back(e);
  };
  for (int i = 0; i < cells[0]; ++i)
    for (int j = 0; j < cells[1]; ++j)
      for (int k = 0; k < cells[2]; ++k) {
        const auto corner = [&](int x, int y, int z) {
          return std::array<int, 3>{2 * (i + x), 2 * (j + y), 2 * (k + z)};
        };
        if (type == SolidElementType::hex8) {
          add({corner(0, 0, 0), corner(1, 0, 0), corner(1, 1, 0), corner(0, 1, 0), corner(0, 0, 1),
               corner(1, 0, 1), corner(1, 1, 1), corner(0, 1, 1)});
          continue;
        }
        // from corner to corner along the axes, in each order
        std::array<size_t, 3> order{0, 1, 2};
        do {
          std::array<std::array<int, 3>, 4> path{};
          for (size_t s = 0; s < 3; ++s) path[s + 1] = path[s], path[s + 1][order[s]] = 1;
          const bool even = (order[1] + 3 - order[0]) % 3 == 1;
          if (!even) std::swap(path[1], path[2]);
          std::vector<std::array<int, 3>> c;
          for (const auto& p : path) c.push_back(corner(p[0], p[1], p[2]));
          add(c);
        } while (std::next_permutation(order.begin(), order.end()));
      }
  for (const char* name : {"root", "tip"}) {
    NodeGroup g{name, {}};
    const double x = g.name == "root" ? 0 : size.x;
    for (size_t n = 0; n < mesh.nodes.size(); ++n)
      if (std::fabs(mesh.nodes[n].x - x) < 1e-9 * size.x) g.nodes.push_back(static_cast<int>(n));
    mesh.groups.push_back(std::move(g));
  }
  return mesh;
}

inline ElasticMaterial material_of(double E, double nu, double density) {
  return {E, E / (2 * (1 + nu)), density};
}

/// With an interface at its root, and one at its tip if asked for.
inline SolidSpec bar_solid(SolidMesh mesh, const ElasticMaterial& material, int modes,
                           bool tip = false) {
  SolidSpec s;
  s.mesh = std::make_shared<const SolidMesh>(std::move(mesh));
  s.material = material;
  s.interfaces = {{"root", "root"}};
  if (tip) s.interfaces.push_back({"tip", "tip"});
  s.modes = modes;
  return s;
}

}  // namespace sarrus::testing
