#include "sarrus/elastic/solid_surface.hpp"

#include <algorithm>
#include <map>

#include "sarrus/core/index.hpp"
#include "sarrus/elastic/solid_reduction.hpp"

namespace sarrus {
namespace {

/// Corners of a side, counterclockwise from outside, and for tet10 the middles of its edges from
/// each corner to the next.
struct Side {
  std::vector<int> corners, middles;
};

std::vector<Side> sides(const SolidElement& e) {
  // local numbers, in the order of SolidElement
  static const std::vector<Side> tet4 = {
      {{0, 2, 1}, {}}, {{0, 1, 3}, {}}, {{1, 2, 3}, {}}, {{2, 0, 3}, {}}};
  static const std::vector<Side> tet10 = {{{0, 2, 1}, {6, 5, 4}},
                                          {{0, 1, 3}, {4, 9, 7}},
                                          {{1, 2, 3}, {5, 8, 9}},
                                          {{2, 0, 3}, {6, 7, 8}}};
  static const std::vector<Side> hex8 = {{{0, 3, 2, 1}, {}}, {{4, 5, 6, 7}, {}},
                                         {{0, 1, 5, 4}, {}}, {{1, 2, 6, 5}, {}},
                                         {{2, 3, 7, 6}, {}}, {{3, 0, 4, 7}, {}}};
  const std::vector<Side>& local = e.type == SolidElementType::tet4    ? tet4
                                   : e.type == SolidElementType::tet10 ? tet10
                                                                       : hex8;
  std::vector<Side> out = local;
  for (Side& s : out) {
    for (int& i : s.corners) i = e.node[at(i)];
    for (int& i : s.middles) i = e.node[at(i)];
  }
  return out;
}

/// Sides that only one element has.
std::vector<Side> outer_sides(const SolidMesh& mesh) {
  std::map<std::vector<int>, Side> open;
  for (const SolidElement& e : mesh.elements)
    for (Side& s : sides(e)) {
      std::vector<int> key = s.corners;
      std::sort(key.begin(), key.end());
      const auto [found, is_new] = open.try_emplace(std::move(key), std::move(s));
      if (!is_new) open.erase(found);
    }
  std::vector<Side> out;
  for (auto& [key, s] : open) out.push_back(std::move(s));
  return out;
}

std::vector<std::array<int, 3>> triangles_of(const Side& s) {
  const std::vector<int>&c = s.corners, &m = s.middles;
  if (c.size() == 4) return {{c[0], c[1], c[2]}, {c[0], c[2], c[3]}};
  if (m.empty()) return {{c[0], c[1], c[2]}};
  return {{c[0], m[0], m[2]}, {m[0], c[1], m[1]}, {m[1], c[2], m[2]}, {m[0], m[1], m[2]}};
}

/// The patch whose centre the frame sits on.
int clamped_patch(const std::vector<Patch>& patches, const Vec3& clamp) {
  const auto nearer = [&](const Patch& a, const Patch& b) {
    return norm(a.centre - clamp) < norm(b.centre - clamp);
  };
  return static_cast<int>(std::min_element(patches.begin(), patches.end(), nearer) -
                          patches.begin());
}

}  // namespace

std::vector<Vec3> SolidSurface::bent(const double* q) const {
  std::vector<Vec3> x = points;
  for (int k = 0; k < n; ++k)
    for (size_t i = 0; i < points.size(); ++i) x[i] = x[i] + phi[at(k) * points.size() + i] * q[k];
  return x;
}

size_t surface_triangles(const SolidMesh& mesh) {
  size_t count = 0;
  for (const Side& s : outer_sides(mesh)) count += triangles_of(s).size();
  return count;
}

SolidSurface solid_surface(const SolidSpec& spec, const Vec3& clamp) {
  const SolidMesh& mesh = *spec.mesh;
  SolidSurface out;
  std::vector<int> nodes, index(mesh.nodes.size(), -1);  // of the mesh; where each is in the skin
  for (const Side& s : outer_sides(mesh))
    for (std::array<int, 3> t : triangles_of(s)) {
      for (int& corner : t) {
        if (index[at(corner)] < 0) {
          index[at(corner)] = static_cast<int>(nodes.size());
          nodes.push_back(corner);
        }
        corner = index[at(corner)];
      }
      out.triangles.push_back(t);
    }
  for (const int i : nodes) out.points.push_back(mesh.nodes[at(i)]);

  // the same basis as that of the body, in the same order and with the same signs
  std::vector<Patch> patches;
  for (const SolidInterface& f : spec.interfaces)
    patches.push_back(make_patch(mesh, mesh.find(f.group)->nodes));
  const SolidSystem system = solid_system(spec, patches, clamped_patch(patches, clamp));
  const Eigen::MatrixXd Phi = times(system.z.T, solid_basis(spec, system).z);
  out.n = static_cast<int>(Phi.cols());
  for (int k = 0; k < out.n; ++k)
    for (const int i : nodes)
      out.phi.push_back({Phi(3 * i, k), Phi(3 * i + 1, k), Phi(3 * i + 2, k)});
  return out;
}

}  // namespace sarrus
