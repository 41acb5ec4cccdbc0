// The skin of an elastic solid, to be drawn: the outer faces of its mesh as triangles, and how far
// each coordinate moves their nodes.
//
//   x_i(q) = X_i + Σ_k φ_k(X_i) q_k
//
// without the terms of second order in q, which would not be visible.
#pragma once

#include <array>
#include <vector>

#include "sarrus/elastic/solid.hpp"

namespace sarrus {

struct SolidSurface {
  std::vector<Vec3> points;                   // [m] in the user's frame, only those of outer faces
  std::vector<std::array<int, 3>> triangles;  // counterclockwise from outside
  int n = 0;                                  // coordinates
  std::vector<Vec3> phi;                      // of coordinate k at point i: phi[k * points + i]

  /// Where the points are.
  std::vector<Vec3> bent(const double* q) const;
};

/// Triangles that the outer faces will have: 1 and 4 of a tetrahedron's side, 2 of a brick's.
size_t surface_triangles(const SolidMesh& mesh);

/// `clamp` is the point where the body is clamped to its frame (ElasticShape::clamp).
SolidSurface solid_surface(const SolidSpec& spec, const Vec3& clamp);

}  // namespace sarrus
