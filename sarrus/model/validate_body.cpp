// Bodies: mass, inertia, shapes.
//
// An inertia about the centre of mass has principal values I₁ ≤ I₂ ≤ I₃ with I₁ ≥ 0 and I₁ + I₂ ≥
// I₃, since Iⱼ + Iₖ − Iᵢ = 2 ∫ xᵢ² dm.
#include <fmt/format.h>

#include <cmath>

#include "sarrus/elastic/solid.hpp"
#include "sarrus/model/validate_parts.hpp"
#include "sarrus/numerics/dense/eigenvalues.hpp"

namespace sarrus {
namespace {

constexpr double rounding = 1e-9;   // of inertias that were printed with few digits
constexpr double far_apart = 1e10;  // ratio of masses

void check_inertia(Validation& v, const BodySpec& body, const std::string& path) {
  const Mat3& I = *body.inertia;
  double largest = 0, skew = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      if (!std::isfinite(I(i, j)))
        return v.physics.error("bad-inertia", body.where, path, "an entry is not finite");
      largest = std::max(largest, std::fabs(I(i, j)));
      skew = std::max(skew, std::fabs(I(i, j) - I(j, i)));
    }
  if (skew > rounding * largest)
    return v.physics.error(
        "bad-inertia", body.where, path,
        fmt::format("not symmetric: entries across the diagonal differ by {:.3g}", skew));

  Eigen::Matrix3d M;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) M(i, j) = 0.5 * (I(i, j) + I(j, i));
  const Eigen::Vector3d p = symmetric_eigenvalues(M);
  if (body.second_moment) {  // J = ½ tr(I) 1 − I has the same axes
    const double half = 0.5 * (p[0] + p[1] + p[2]), lowest = half - p[2];
    if (lowest < -rounding * largest)
      v.physics.error(
          "bad-inertia", body.where, path,
          fmt::format("principal values {:.6g}, {:.6g}, {:.6g} kg.m² of ∫ x xᵀ dm: {:.6g} is "
                      "negative, which no body has",
                      lowest, half - p[1], half - p[0], lowest),
          "if this is the inertia tensor, call it inertia");
    return;
  }
  const std::string values =
      fmt::format("principal values {:.6g}, {:.6g}, {:.6g} kg.m²", p[0], p[1], p[2]);
  if (p[0] < -rounding * largest)
    v.physics.error(
        "bad-inertia", body.where, path, fmt::format("{}: {:.6g} is negative", values, p[0]),
        "moments of inertia are not negative; of six values the last three are products");
  else if (p[0] + p[1] < p[2] * (1 - rounding)) {
    const std::string problem =
        fmt::format("{}: {:.6g} + {:.6g} < {:.6g}, which no body has", values, p[0], p[1], p[2]);
    if (body.unphysical)
      v.physics.warning("unphysical-inertia", body.where, path, problem + "; it is run as given");
    else
      v.physics.error(
          "bad-inertia", body.where, path, problem,
          "the inertia is about the centre of mass, in the body's axes; products are negative "
          "integrals; unphysical = true runs it as it is");
  }
}

void check_mesh(Validation& v, const Shape& shape, const std::string& path) {
  if (shape.mesh.triangles.empty())
    return v.model_faults.error("empty-mesh", shape.where, path, "the mesh has no triangles");
  if (!(shape.density > 0)) return;
  if (!is_closed(shape.mesh))
    v.physics.error("open-mesh", shape.where, path,
                    "the surface is not closed, so a density gives no mass",
                    "give mass and inertia instead, or repair the mesh");
  else if (const double enclosed = volume(shape.mesh); !(enclosed > 0))
    v.physics.error("inside-out-mesh", shape.where, path,
                    fmt::format("the surface encloses {:.3g} m³", enclosed),
                    "turn the triangles so that they face outwards");
}

void check_shape(Validation& v, const Shape& shape, const std::string& path) {
  switch (shape.kind) {
    case ShapeKind::box:
      for (int i = 0; i < 3; ++i)
        require_positive(v, shape.size[i], "m", shape.where, path + "/size");
      break;
    case ShapeKind::sphere:
      require_positive(v, shape.radius, "m", shape.where, path + "/radius");
      break;
    case ShapeKind::cylinder:
    case ShapeKind::capsule:
    case ShapeKind::cone:
      require_positive(v, shape.radius, "m", shape.where, path + "/radius");
      require_positive(v, shape.length, "m", shape.where, path + "/length");
      break;
    case ShapeKind::mesh:
      require_positive(v, shape.scale, "", shape.where, path + "/scale");
      check_mesh(v, shape, path + "/file");
      break;
  }
  check_length(v, shape.size, shape.where, path + "/size");
  check_length(v, {shape.radius, shape.length, 0}, shape.where,
               path + (shape.radius > shape.length ? "/radius" : "/length"));
  check_length(v, shape.X_BS.p, shape.where, path + "/at");
}

void check_damping(Validation& v, const ElasticDamping& d, const Place& where,
                   const std::string& path) {
  refuse_negative(v, d.stiffness, "s", where, path + "/stiffness");
  refuse_negative(v, d.mass, "1/s", where, path + "/mass");
  for (const double ratio : d.ratios) refuse_negative(v, ratio, "", where, path + "/ratio");
}

void check_solid(Validation& v, const ElasticSpec& elastic, const std::string& path) {
  const SolidSpec& s = *elastic.solid;
  require_positive(v, s.material.E, "Pa", elastic.where, path + "/material/E");
  require_positive(v, s.material.G, "Pa", elastic.where, path + "/material/G");
  require_positive(v, s.material.density, "kg/m³", elastic.where, path + "/material/density");
  const double nu = s.material.E / (2 * s.material.G) - 1;
  if (s.material.E > 0 && s.material.G > 0 && !(nu > -1 && nu < 0.5))
    v.physics.error("poisson-ratio", elastic.where, path + "/material",
                    fmt::format("Poisson's ratio {:.6g} is not above -1 and below 0.5: a solid "
                                "that keeps its volume has no finite stiffness",
                                nu),
                    "0.49 for rubber");
  check_damping(v, s.damping, elastic.where, path + "/damping");
  for (SolidProblem& p : solid_problems(s))
    v.physics.error(std::move(p.code), elastic.where, path + "/" + p.key, std::move(p.message),
                    std::move(p.hint));
}

void check_elastic(Validation& v, const ElasticSpec& elastic, const std::string& path) {
  if (elastic.solid) return check_solid(v, elastic, path);
  const BeamSpec& b = elastic.beam;
  const auto positive = [&](double x, const char* unit, const char* key) {
    require_positive(v, x, unit, elastic.where, path + "/" + key);
  };
  positive(b.length, "m", "length");
  positive(b.section.area, "m²", "section/area");
  positive(b.material.E, "Pa", "material/E");
  positive(b.material.density, "kg/m³", "material/density");
  for (const Deflection kind : b.deforms) {
    if (kind == Deflection::y) positive(b.section.Iz, "m⁴", "section/Iz");
    if (kind == Deflection::z) positive(b.section.Iy, "m⁴", "section/Iy");
    if (kind == Deflection::torsion) {
      positive(b.section.J, "m⁴", "section/J");
      positive(b.section.Iy + b.section.Iz, "m⁴", "section/Iy + Iz");
      positive(b.material.G, "Pa", "material/G");
    }
  }
  if (b.material.G > 0 && !(b.material.E / (2 * b.material.G) - 1 < 0.5 + 1e-12))
    v.physics.warning(
        "poisson-ratio", elastic.where, path + "/material",
        fmt::format("E = {:.4g} Pa and G = {:.4g} Pa make Poisson's ratio {:.3g}, "
                    "above 0.5",
                    b.material.E, b.material.G, b.material.E / (2 * b.material.G) - 1));
  refuse_negative(v, b.tip_mass, "kg", elastic.where, path + "/tip_mass");
  check_damping(v, b.damping, elastic.where, path + "/damping");
}

}  // namespace

void validate_body(Validation& v, const BodySpec& body, const std::string& path) {
  bool has_density = false;
  for (size_t i = 0; i < body.shapes.size(); ++i) {
    has_density |= body.shapes[i].density > 0;
    check_shape(v, body.shapes[i], fmt::format("{}/shape[{}]", path, i + 1));
  }
  if (body.elastic) check_elastic(v, *body.elastic, path + "/elastic");
  if (!body.mass && !has_density && !body.elastic)
    v.model_faults.error("missing-mass", body.where, path,
                         "it has neither a mass nor a shape with density",
                         "give mass = …, or density to a shape; mass = 0 is allowed");
  if (body.mass && !(*body.mass >= 0 && std::isfinite(*body.mass)))  // also catches NaN
    v.physics.error("bad-mass", body.where, path + "/mass",
                    fmt::format("{} kg is not a mass", *body.mass),
                    "positive, or zero if massless");
  if (body.com) check_length(v, *body.com, body.where, path + "/com");
  if (body.inertia)
    check_inertia(v, body, path + (body.second_moment ? "/second_moment" : "/inertia"));
}

void validate_mass_ratio(Validation& v) {
  const BodySpec *light = nullptr, *heavy = nullptr;
  for (const BodySpec& body : v.model.bodies) {
    if (!body.mass || !(*body.mass > 0)) continue;
    if (!light || *body.mass < *light->mass) light = &body;
    if (!heavy || *body.mass > *heavy->mass) heavy = &body;
  }
  if (!light) return;
  const std::string hint = "check the units of the masses";
  if (*heavy->mass / *light->mass > far_apart)
    v.physics.warning(
        "mass-ratio", light->where, "body/" + light->name + "/mass",
        fmt::format("{:.3g} kg beside {:.3g} kg of '{}': a ratio of {:.3g}", *light->mass,
                    *heavy->mass, heavy->name, *heavy->mass / *light->mass),
        hint);
  else if (*light->mass < 1 / far_apart || *heavy->mass > far_apart)
    for (const BodySpec* body : {light, heavy}) {
      const double ratio = *body->mass;
      if (ratio < 1 / far_apart || ratio > far_apart)
        v.physics.warning("extreme-mass", body->where, "body/" + body->name + "/mass",
                          fmt::format("{:.3g} kg, a ratio of {:.3g} to one kilogram", ratio, ratio),
                          hint);
      if (light == heavy) break;
    }
}

}  // namespace sarrus
