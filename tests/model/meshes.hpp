// Meshes with known volumes, for tests.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "sarrus/model/shape.hpp"

namespace sarrus {

/// The box of the given side lengths, centred at the origin: 8 vertices, 12 triangles.
inline Mesh box_mesh(const Vec3& size) {
  Mesh m;
  for (int i = 0; i < 8; ++i)
    m.vertices.push_back({(i & 1 ? 0.5 : -0.5) * size.x, (i & 2 ? 0.5 : -0.5) * size.y,
                          (i & 4 ? 0.5 : -0.5) * size.z});
  // corners of each face, counter-clockwise seen from outside
  for (const auto& [a, b, c, d] :
       {std::array{0, 2, 3, 1}, std::array{4, 5, 7, 6}, std::array{0, 1, 5, 4},
        std::array{2, 6, 7, 3}, std::array{0, 4, 6, 2}, std::array{1, 3, 7, 5}}) {
    m.triangles.push_back({a, b, c});
    m.triangles.push_back({a, c, d});
  }
  return m;
}

/// A globe of n bands from pole to pole and 2n sectors, its vertices on the sphere.
inline Mesh sphere_mesh(double radius, int n) {
  const double pi = std::numbers::pi;
  Mesh m;
  m.vertices.push_back({0, 0, radius});
  for (int i = 1; i < n; ++i)
    for (int j = 0; j < 2 * n; ++j) {
      const double polar = pi * i / n, around = pi * j / n;
      m.vertices.push_back(Vec3{std::sin(polar) * std::cos(around),
                                std::sin(polar) * std::sin(around), std::cos(polar)} *
                           radius);
    }
  m.vertices.push_back({0, 0, -radius});
  const int south = static_cast<int>(m.vertices.size()) - 1;
  const auto at = [n](int band, int sector) { return 1 + (band - 1) * 2 * n + sector % (2 * n); };
  for (int j = 0; j < 2 * n; ++j) {
    m.triangles.push_back({0, at(1, j), at(1, j + 1)});
    for (int i = 1; i + 1 < n; ++i) {
      m.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      m.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
    m.triangles.push_back({at(n - 1, j), south, at(n - 1, j + 1)});
  }
  return m;
}

inline Mesh inside_out(Mesh m) {
  for (Triangle& t : m.triangles) std::swap(t.b, t.c);
  return m;
}

inline Mesh moved(const Pose<double>& X, Mesh m) {
  for (Vec3& v : m.vertices) v = X * v;
  return m;
}

inline Shape mesh_shape(Mesh m) {
  Shape s;
  s.kind = ShapeKind::mesh;
  s.mesh = std::move(m);
  return s;
}

}  // namespace sarrus
