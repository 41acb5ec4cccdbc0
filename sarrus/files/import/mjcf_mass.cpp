// Meshes, "legacy": every triangle with a middle makes a tetrahedron whose volume counts positive, whichever
// way the triangle faces; "exact": with its sign. In two passes, as MuJoCo does it: where volumes overlap
// the second differs from the first.
//
//   c = Σ A x̄ / Σ A over the triangles, A their areas, x̄ their centres                       (1)
//   com = Σ v (a + b + d + c)/4 / Σ v, v the volumes about c                                    (2)
//   V = Σ v and ∫x xᵀ = Σ v (a aᵀ + b bᵀ + d dᵀ + s sᵀ)/20, s = a + b + d, now about com         (3)
#include "sarrus/files/import/mjcf_mass.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "sarrus/numerics/dense/eigenvalues.hpp"

namespace sarrus {
namespace {

constexpr double default_density = 1000;  // [kg/m³] of geoms

Mat3 outer(const Vec3& a, const Vec3& b) { return {a * b.x, a * b.y, a * b.z}; }

/// Sums over the tetrahedra of all triangles with a point.
struct Tetrahedra {
  double volume = 0;
  Vec3 first{};
  Mat3 second{};
};

Tetrahedra tetrahedra(const Mesh& mesh, const Vec3& about, bool signed_volume) {
  Tetrahedra t;
  const auto corner = [&](int i) { return mesh.vertices[static_cast<size_t>(i)] - about; };
  for (const Triangle& face : mesh.triangles) {
    const Vec3 a = corner(face.a), b = corner(face.b), d = corner(face.c), sum = a + b + d;
    double v = dot(a, cross(b, d)) / 6;
    if (!signed_volume) v = std::fabs(v);
    t.volume += v;
    t.first += sum * (v / 4);
    t.second = t.second + (outer(a, a) + outer(b, b) + outer(d, d) + outer(sum, sum)) * (v / 20);
  }
  return t;
}

/// Of density 1: volume as mass.
MassProperties mesh_solid(const Mesh& mesh, bool signed_volume) {
  Vec3 middle{};
  double area = 0;
  const auto corner = [&](int i) { return mesh.vertices[static_cast<size_t>(i)]; };
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = corner(t.a), b = corner(t.b), c = corner(t.c);
    const double A = 0.5 * norm(cross(b - a, c - a));
    middle += (a + b + c) * (A / 3), area += A;
  }
  if (area > 0) middle = middle * (1 / area);  // (1)
  const Tetrahedra coarse = tetrahedra(mesh, middle, signed_volume);
  if (!(coarse.volume > 0)) return {};
  const Vec3 com = middle + coarse.first * (1 / coarse.volume);  // (2)
  const Tetrahedra fine = tetrahedra(mesh, com, signed_volume);  // (3)
  const double t = trace(fine.second);
  return {fine.volume, com, Mat3{{t, 0, 0}, {0, t, 0}, {0, 0, t}} - fine.second};
}

std::optional<MassProperties> unit_solid(const MjcfGeom& g, const MeshOf& mesh_of,
                                         ImportReport& report) {
  const auto size = [&](size_t i) { return i < g.size.size() ? g.size[i] : 0.0; };
  Shape shape;
  if (g.type == "box") {
    shape.kind = ShapeKind::box, shape.size = {2 * size(0), 2 * size(1), 2 * size(2)};
  } else if (g.type == "sphere") {
    shape.kind = ShapeKind::sphere, shape.radius = size(0);
  } else if (g.type == "capsule" || g.type == "cylinder") {
    shape.kind = g.type == "capsule" ? ShapeKind::capsule : ShapeKind::cylinder;
    shape.radius = size(0), shape.length = 2 * size(1);
  } else if (g.type == "ellipsoid") {
    const double a = size(0), b = size(1), c = size(2), V = 4.0 / 3 * std::numbers::pi * a * b * c;
    return MassProperties{V,
                          {},
                          Mat3{{V / 5 * (b * b + c * c), 0, 0},
                               {0, V / 5 * (a * a + c * c), 0},
                               {0, 0, V / 5 * (a * a + b * b)}}};
  } else if (g.type == "mesh") {
    const MjcfMesh* mesh = mesh_of(g.mesh);
    if (!mesh) {
      report.leave_out("the mass of a mesh", "the mesh cannot be read", Effect::changes,
                       g.from->place());
      return std::nullopt;
    }
    if (mesh->inertia != "legacy" && mesh->inertia != "exact")
      report.leave_out(fmt::format("inertia=\"{}\" of a mesh", shown(mesh->inertia)),
                       "its volume is integrated instead", Effect::changes, g.from->place());
    const MassProperties p = mesh_solid(mesh->mesh, mesh->inertia == "exact");
    if (p.mass > 0) return p;
    report.leave_out("the mass of a mesh", "it encloses no volume", Effect::changes,
                     g.from->place());
    return std::nullopt;
  } else {
    return std::nullopt;  // planes and height fields weigh nothing
  }
  return mass_properties(shape, 1);
}

}  // namespace

MjcfGeom read_geom(const MjcfSource& source, const XmlElement& e, const std::string& inherited) {
  MjcfGeom g;
  g.from = &e;
  const std::string* type = source.attribute(e, "type", inherited);
  const std::string* mesh = source.attribute(e, "mesh", inherited);
  g.type = type ? *type : mesh ? "mesh" : "sphere";
  if (mesh) g.mesh = *mesh;
  g.size = source.numbers(e, "size", inherited);
  g.group = static_cast<int>(source.number(e, "group", inherited).value_or(0));
  g.X = source.pose(e, inherited);
  if (const std::vector<double> ends = source.numbers(e, "fromto", inherited);
      ends.size() == 6 && g.type != "mesh") {
    const Vec3 a{ends[0], ends[1], ends[2]}, b{ends[3], ends[4], ends[5]};
    const double length = norm(b - a);
    if (!(length > 0)) {
      source.faults().error(e, "bad-size", "fromto: both ends are one point");
      return g;
    }
    g.X.p = (a + b) * 0.5;
    const Vec3 z = (a - b) * (1 / length), axis = cross(Vec3{0, 0, 1}, z);
    const double s = norm(axis);
    g.X.R = s < 1e-14 ? (z.z > 0 ? Mat3::identity() : rotation(Vec3{1, 0, 0}, std::numbers::pi))
                      : rotation(axis * (1 / s), std::atan2(s, z.z));
    const double radius = g.size.empty() ? 0 : g.size[0];
    if (g.type == "capsule" || g.type == "cylinder")
      g.size = {radius, length / 2};
    else
      g.size = {radius, g.size.size() > 1 ? g.size[1] : radius, length / 2};
  }
  return g;
}

std::optional<MassProperties> geom_mass(const MjcfSource& source, const MjcfGeom& g,
                                        const std::string& inherited, const MeshOf& mesh_of,
                                        ImportReport& report) {
  const MjcfSettings& s = source.settings();
  const std::optional<double> mass = source.number(*g.from, "mass", inherited);
  const double density = source.number(*g.from, "density", inherited).value_or(default_density);
  if (g.group < s.group_low || g.group > s.group_high) return std::nullopt;
  if (mass ? *mass == 0 : density == 0) return std::nullopt;
  if (const std::string* shell = source.attribute(*g.from, "shellinertia", inherited);
      shell && *shell == "true")
    report.leave_out("shellinertia", "the geom counts as solid", Effect::changes, g.from->place());
  if (!g.mesh.empty() && g.type != "mesh") {
    report.leave_out("a primitive fitted to a mesh", "its mass is not computed", Effect::changes,
                     g.from->place());
    return std::nullopt;
  }
  std::optional<MassProperties> p = unit_solid(g, mesh_of, report);
  if (!p || !(p->mass > 0)) return std::nullopt;
  const double factor = mass ? *mass / p->mass : density;
  p->mass *= factor;
  p->inertia = p->inertia * factor;
  return transformed(g.X, *p);
}

MassProperties written_mass(const MjcfSource& source, const XmlElement& e) {
  MassProperties p;
  const Mat3 R = source.rotation(e, "");
  p.com = vector_of(source.faults(), e, "pos").value_or(Vec3{});
  const auto mass = number_of(source.faults(), e, "mass");
  if (!mass)
    source.faults().error(e, "missing-key", "an <inertial> without mass", "write mass=\"…\"");
  p.mass = mass.value_or(0);
  if (!(p.mass >= 0 && std::isfinite(p.mass)))
    source.faults().error(e, "bad-mass", fmt::format("{} kg is not a mass", p.mass),
                          "positive, or zero if massless");
  if (const std::vector<double> full = source.numbers(e, "fullinertia", ""); !full.empty()) {
    if (full.size() != 6) {
      source.faults().error(e, "wrong-length",
                            fmt::format("fullinertia: {} numbers, not 6", full.size()));
      return p;
    }
    p.inertia =
        Mat3{{full[0], full[3], full[4]}, {full[3], full[1], full[5]}, {full[4], full[5], full[2]}};
  } else if (const auto d = vector_of(source.faults(), e, "diaginertia")) {
    p.inertia = Mat3{{d->x, 0, 0}, {0, d->y, 0}, {0, 0, d->z}};
  }
  p.inertia = R * p.inertia * transpose(R);
  p.inertia = (p.inertia + transpose(p.inertia)) * 0.5;
  return p;
}

MassProperties bounded(const MjcfSettings& s, MassProperties p) {
  if (p.mass < s.bound_mass) p.mass = s.bound_mass;
  if (!(s.bound_inertia > 0) && !s.balance_inertia) return p;
  Eigen::MatrixXd I(3, 3);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) I(i, j) = p.inertia(i, j);
  const EigenPairs found = symmetric_eigen(I);
  Eigen::Vector3d d = found.values;
  bool changed = false;
  for (int i = 0; i < 3; ++i)
    if (d[i] < s.bound_inertia) d[i] = s.bound_inertia, changed = true;
  if (s.balance_inertia && d[0] + d[1] < d[2]) d.setConstant(d.mean()), changed = true;
  if (!changed) return p;
  const Eigen::Matrix3d made = found.vectors * d.asDiagonal() * found.vectors.transpose();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) p.inertia(i, j) = 0.5 * (made(i, j) + made(j, i));
  return p;
}

}  // namespace sarrus
