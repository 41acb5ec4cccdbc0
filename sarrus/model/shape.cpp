// Mass properties of shapes.
//
// Solids of revolution stand along z, so that Ixx = Iyy; closed forms as in any handbook of
// statics. A closed mesh is the signed sum of the tetrahedra (o, a, b, c) over its triangles, o any
// point:
//
//   V     = Σ d/6                                   d = a · (b × c), corners relative to o     (1)
//   ∫x    = Σ d/24 s                                s = a + b + c                              (2)
//   ∫x xᵀ = Σ d/120 (a aᵀ + b bᵀ + c cᵀ + s sᵀ)                                                (3)
//   I     = ρ (tr(S) 1 − S)                         S = ∫x xᵀ − V c cᵀ about the centre c      (4)
//
// (2) and (3) are the moments of linear shape functions over a tetrahedron, ∫λᵢλⱼ = V (1 + δᵢⱼ)/20.
#include "sarrus/model/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numbers>
#include <stdexcept>

namespace sarrus {
namespace {

constexpr double pi = std::numbers::pi;

Mat3 diagonal(double xx, double yy, double zz) { return {{xx, 0, 0}, {0, yy, 0}, {0, 0, zz}}; }

Mat3 outer(const Vec3& a) { return {a * a.x, a * a.y, a * a.z}; }

/// tr(S) 1 − S: the inertia that belongs to a second-moment matrix.
Mat3 inertia_from_second_moment(const Mat3& S) {
  const double t = trace(S);
  return diagonal(t, t, t) - S;
}

/// Inertia of a point of the given mass at r, about the origin.
Mat3 point_inertia(double mass, const Vec3& r) {
  return inertia_from_second_moment(outer(r) * mass);
}

MassProperties box(const Vec3& size, double density) {
  const double x = size.x * size.x, y = size.y * size.y, z = size.z * size.z;
  const double m = density * size.x * size.y * size.z;
  return {m, {}, diagonal(y + z, x + z, x + y) * (m / 12)};
}

MassProperties cylinder(double r, double l, double density) {
  const double m = density * pi * r * r * l;
  const double across = m * (3 * r * r + l * l) / 12;
  return {m, {}, diagonal(across, across, m * r * r / 2)};
}

MassProperties sphere(double r, double density) {
  const double m = density * 4 / 3 * pi * r * r * r;
  const double i = 0.4 * m * r * r;
  return {m, {}, diagonal(i, i, i)};
}

/// A cylinder and two half spheres. The centre of a half sphere lies 3/8 r beyond the cylinder's
/// end: the caps add m (2/5 r² + l²/4 + 3/8 l r) across the axis, m being the mass of both.
MassProperties capsule(double r, double l, double density) {
  MassProperties whole = cylinder(r, l, density);
  const MassProperties caps = sphere(r, density);
  const double across = caps.mass * (l * l / 4 + 3.0 / 8 * l * r);
  whole.mass += caps.mass;
  whole.inertia = whole.inertia + caps.inertia + diagonal(across, across, 0);
  return whole;
}

MassProperties cone(double r, double l, double density) {
  const double m = density * pi * r * r * l / 3;
  const double across = m * (3.0 / 20 * r * r + 3.0 / 80 * l * l);
  return {m, {0, 0, l / 4}, diagonal(across, across, 0.3 * m * r * r)};
}

/// A point amid the vertices: measured from there, far-away meshes lose no digits.
Vec3 middle(const Mesh& mesh) {
  Vec3 sum{};
  for (const Vec3& v : mesh.vertices) sum += v;
  return mesh.vertices.empty() ? sum : sum * (1.0 / static_cast<double>(mesh.vertices.size()));
}

struct Moments {
  double zeroth = 0;  // V
  Vec3 first{};       // ∫x
  Mat3 second{};      // ∫x xᵀ
};

/// Moments of the enclosed volume about `origin`.
Moments moments(const Mesh& mesh, const Vec3& origin) {
  Moments sum;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t.a] - origin;
    const Vec3 b = mesh.vertices[t.b] - origin;
    const Vec3 c = mesh.vertices[t.c] - origin;
    const Vec3 s = a + b + c;
    const double d = dot(a, cross(b, c));

    sum.zeroth += d / 6;                                                                // (1)
    sum.first += s * (d / 24);                                                          // (2)
    sum.second = sum.second + (outer(a) + outer(b) + outer(c) + outer(s)) * (d / 120);  // (3)
  }
  return sum;
}

MassProperties solid(const Shape& shape, double density) {
  const Vec3 origin = middle(shape.mesh);
  const Moments sum = moments(shape.mesh, origin);
  if (!(sum.zeroth > 0))
    throw Error(
        Fault::physics,
        {.code = "mesh-volume",
         .where = shape.where,
         .message = fmt::format("the mesh '{}' encloses {:.6g} m³, which gives no mass", shape.file,
                                sum.zeroth),
         .hint = "turn its triangles outward and close its surface, or state mass, com and inertia",
         .value = fmt::format("{}", sum.zeroth),
         .limit = "> 0"});
  const Vec3 c = sum.first * (1 / sum.zeroth);
  const Mat3 S = sum.second - outer(c) * sum.zeroth;
  return {density * sum.zeroth, origin + c, inertia_from_second_moment(S) * density};  // (4)
}

}  // namespace

MassProperties mass_properties(const Shape& shape, double density) {
  switch (shape.kind) {
    case ShapeKind::box: return box(shape.size, density);
    case ShapeKind::cylinder: return cylinder(shape.radius, shape.length, density);
    case ShapeKind::capsule: return capsule(shape.radius, shape.length, density);
    case ShapeKind::sphere: return sphere(shape.radius, density);
    case ShapeKind::cone: return cone(shape.radius, shape.length, density);
    case ShapeKind::mesh: return solid(shape, density);
  }
  throw std::logic_error("mass_properties: a kind of shape that is not listed");
}

MassProperties combined(const std::vector<MassProperties>& parts) {
  MassProperties whole;
  for (const MassProperties& p : parts) {
    whole.mass += p.mass;
    whole.com += p.com * p.mass;
  }
  // parts without mass have no centre of their own: the origin stands in
  if (whole.mass != 0) whole.com = whole.com * (1 / whole.mass);
  for (const MassProperties& p : parts)
    whole.inertia = whole.inertia + p.inertia + point_inertia(p.mass, p.com - whole.com);
  return whole;
}

MassProperties transformed(const Pose<double>& X_AB, const MassProperties& p) {
  return {p.mass, X_AB * p.com, X_AB.R * p.inertia * transpose(X_AB.R)};
}

double volume(const Mesh& mesh) { return moments(mesh, middle(mesh)).zeroth; }

bool is_closed(const Mesh& mesh) {
  std::vector<std::uint64_t> edges;
  edges.reserve(3 * mesh.triangles.size());
  const auto edge = [](int from, int to) {
    return static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to);
  };
  for (const Triangle& t : mesh.triangles) {
    // a triangle that has shrunk to a line bounds nothing: its neighbours meet along that line
    if (t.a == t.b || t.b == t.c || t.c == t.a) continue;
    edges.insert(edges.end(), {edge(t.a, t.b), edge(t.b, t.c), edge(t.c, t.a)});
  }
  std::sort(edges.begin(), edges.end());
  if (edges.empty() || std::adjacent_find(edges.begin(), edges.end()) != edges.end()) return false;
  return std::all_of(edges.begin(), edges.end(), [&](std::uint64_t e) {
    return std::binary_search(edges.begin(), edges.end(), e << 32 | e >> 32);
  });
}

}  // namespace sarrus
