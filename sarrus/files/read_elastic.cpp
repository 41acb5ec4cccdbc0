// Elastic bodies: beams by section, material and functions of the deflection, solids by a mesh.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sarrus/core/near_match.hpp"
#include "sarrus/elastic/solid.hpp"
#include "sarrus/files/mesh/read_gmsh.hpp"
#include "sarrus/files/reading.hpp"

namespace sarrus {
namespace {

constexpr int most_functions = 40;  // per deflection: polynomials beyond lose their digits
constexpr int most_elements = 2000;
constexpr int most_segments = 500;       // bodies of a chain
constexpr int functions_of_segment = 2;  // cubics: exact for forces at its ends
constexpr int most_solid_modes = 200;

/// Torsion constant of a rectangle with sides a ≥ b (Saint-Venant's series).
double rectangle_torsion(double a, double b) {
  if (a < b) std::swap(a, b);
  double sum = 0;
  for (int n = 1; n < 40; n += 2)
    sum += std::tanh(n * std::numbers::pi * a / (2 * b)) / std::pow(n, 5);
  return a * b * b * b / 3 * (1 - 192 * b / (std::pow(std::numbers::pi, 5) * a) * sum);
}

BeamSection read_section(Reading& r, const Node& node, const std::string& element) {
  Fields f(r.scope, node, "section", element);
  BeamSection s;
  if (!f.is_table()) return s;
  const bool rectangle = f.has("width") || f.has("height"), circle = f.has("radius"),
             numbers = f.has("area");
  if (rectangle + circle + numbers != 1) {
    r.scope.faults->error("missing-key", f.place(), element,
                          "a section is a rectangle (width and height), a circle (radius), or area "
                          "with Iy and Iz",
                          "for example { width = 0.02, height = 0.01 }");
    return s;
  }
  if (rectangle) {
    const double w = f.number("width", 0), h = f.number("height", 0);
    for (const char* key : {"width", "height"})
      if (!(f.number(key, 0) > 0))
        f.error(key, "bad-size", fmt::format("a rectangle needs a {} above 0", key));
    s = {w * h, w * h * h * h / 12, h * w * w * w / 12, 0, w / 2, h / 2};
    if (w > 0 && h > 0) s.J = rectangle_torsion(w, h);
  } else if (circle) {
    const double R = f.number("radius", 0), inner = f.number("inner_radius", 0);
    if (!(R > 0)) f.error("radius", "bad-size", fmt::format("{} m is not a radius above 0", R));
    if (!(inner >= 0 && inner < R))
      f.error("inner_radius", "bad-size",
              fmt::format("{} m is not between 0 and the radius {} m", inner, R));
    const double I = std::numbers::pi / 4 * (std::pow(R, 4) - std::pow(inner, 4));
    s = {std::numbers::pi * (R * R - inner * inner), I, I, 2 * I, R, R};
  } else {
    s.area = f.number("area", 0);
    s.Iy = f.number("Iy", 0), s.Iz = f.number("Iz", 0);
    s.J = f.number("J", s.Iy + s.Iz);
    s.y = s.z = std::sqrt(std::max(0.0, s.area)) / 2;
  }
  return s;
}

ElasticMaterial read_material(Reading& r, const Node& node, const std::string& element) {
  Fields f(r.scope, node, "material", element);
  ElasticMaterial m;
  m.E = f.number("E", 0);
  m.density = f.number("density", 0);
  const double nu = f.number("nu", 0.3);
  if (f.has("nu") && f.has("G"))
    f.error("G", "doubled-key", "both nu and G are given", "keep one of them");
  if (!(nu > -1 && nu <= 0.5))
    f.error("nu", "bad-material",
            fmt::format("Poisson's ratio {} is not above -1 and at most 0.5", nu));
  m.G = f.number("G", m.E / (2 * (1 + nu)));
  return m;
}

ElasticDamping read_damping(Reading& r, const Node& node, const std::string& element) {
  Fields f(r.scope, node, "elastic_damping", element);
  ElasticDamping d;
  d.stiffness = f.number("stiffness", 0);
  d.mass = f.number("mass", 0);
  if (auto ratios = f.numbers_of("ratio", dimensions::none)) d.ratios = std::move(*ratios);
  return d;
}

std::vector<Deflection> read_deflections(Fields& f) {
  const std::vector<std::string> known{"y", "z", "torsion", "axial"};
  std::vector<Deflection> found;
  for (const std::string& word : f.words("deforms")) {
    const auto at = std::find(known.begin(), known.end(), word);
    if (at == known.end()) {
      f.error("deforms", "unknown-word",
              fmt::format("'{}' is not one of y, z, torsion, axial", shown(word)),
              did_you_mean(word, known));
      continue;
    }
    const auto kind = static_cast<Deflection>(at - known.begin());
    if (std::find(found.begin(), found.end(), kind) != found.end())
      f.error("deforms", "doubled-word", fmt::format("'{}' is said twice", word));
    else
      found.push_back(kind);
  }
  if (found.empty())
    f.error("deforms", "no-deflection", "a beam that deforms in no way is rigid",
            "leave out elastic, or name y, z, torsion or axial");
  return found;
}

int read_count(Fields& f, const char* key, int fallback, int most) {
  const long long n = f.integer(key).value_or(fallback);
  if (n >= 1 && n <= most) return static_cast<int>(n);
  f.error(key, "bad-count", fmt::format("{} = {} is not from 1 to {}", key, n, most));
  return fallback;
}

/// Coordinates and modes of the whole beam are not those of its segments.
int read_segments(Fields& f, const ElasticSpec& spec) {
  const int n = read_count(f, "segments", 1, most_segments);
  const ElasticDamping& damping = spec.beam.damping;
  if (n > 1 && !spec.start.empty())
    f.error("q", "unused-key", "elastic coordinates are those of one beam, and it has segments",
            "leave out q: the beam starts straight");
  if (n > 1 && (!damping.ratios.empty() || damping.mass != 0))
    f.error("damping", "unused-key",
            "ratio and mass count by the modes of one beam, and it has segments",
            "give damping = { stiffness = 2*ratio/omega } for the mode omega that matters");
  return n;
}

/// Keys of the other kind of elastic body are a misunderstanding and refused.
void check_elastic_keys(Fields& f, bool solid) {
  for (const char* key : {"length", "section"})
    if (!solid && !f.has(key)) f.error(key, "missing-key", fmt::format("a beam needs '{}'", key));
  for (const char* key : {"file", "interfaces"}) {
    if (solid && !f.has(key)) f.error(key, "missing-key", fmt::format("a solid needs '{}'", key));
    if (!solid && f.has(key)) f.error(key, "unused-key", fmt::format("a beam has no '{}'", key));
  }
  for (const char* key : {"scale", "reduction"})
    if (!solid && f.has(key)) f.error(key, "unused-key", fmt::format("a beam has no '{}'", key));
  for (const char* key :
       {"length", "section", "deforms", "basis", "elements", "tip_mass", "segments"})
    if (solid && f.has(key)) f.error(key, "unused-key", fmt::format("a solid has no '{}'", key));
}

/// The mesh in metres; nullptr, with a fault, where it cannot be read.
std::shared_ptr<const SolidMesh> read_solid_mesh(Reading& r, Fields& f) {
  const std::string file = f.text("file").value_or("");
  const double scale = f.number("scale", 1);
  if (!(scale > 0 && std::isfinite(scale)))
    f.error("scale", "bad-size", fmt::format("a scale of {} is not above 0", scale));
  if (file.empty()) return nullptr;
  const ResolvedPath found = resolve_path(file, r.folder, r.roots);
  if (!found.problem.empty()) {
    f.error("file", "bad-path", found.problem, found.hint);
    return nullptr;
  }
  r.files->push_back(found.path);
  try {
    GmshFile read = read_gmsh(found.path, f.place("file"));
    for (Vec3& x : read.mesh.nodes) x = x * scale;
    if (!read.loose.empty())
      f.note("file", "loose-nodes",
             fmt::format("{} nodes that no tetrahedron or brick has were left out, the first is "
                         "node {}",
                         read.loose.size(), read.loose.front()));
    return std::make_shared<const SolidMesh>(std::move(read.mesh));
  } catch (const Error& e) {
    for (Diagnostic d : e.diagnostics()) {
      if (d.element.empty()) d.element = f.path("file");
      r.scope.faults->add(std::move(d));
    }
  }
  return nullptr;
}

std::shared_ptr<const SolidSpec> read_solid(Reading& r, Fields& f) {
  SolidSpec s;
  s.mesh = read_solid_mesh(r, f);
  int i = 0;
  for (const Node* node : f.tables("interfaces")) {
    Fields g(r.scope, *node, "interface", fmt::format("{}/interfaces[{}]", f.element(), ++i));
    SolidInterface face;
    face.group = g.text("group").value_or("");
    face.name = g.text("name").value_or(face.group);
    s.interfaces.push_back(std::move(face));
  }
  s.reduction = static_cast<SolidReduction>(f.choice("reduction").value_or(0));
  const bool all_nodes = s.reduction == SolidReduction::nodes;
  if (all_nodes && f.has("modes"))
    f.error("modes", "unused-key", "with all nodes kept there are no modes to count");
  const long long modes = f.integer("modes").value_or(s.modes);
  if (modes >= 0 && modes <= most_solid_modes)
    s.modes = static_cast<int>(modes);
  else
    f.error("modes", "bad-count", fmt::format("{} is not from 0 to {}", modes, most_solid_modes));
  s.stiffening = f.boolean("stiffening").value_or(true);
  const bool many = all_nodes && s.mesh && coordinate_count(s) > most_extended;
  s.form = "QXI"[f.choice("form").value_or(many ? 2 : 1)];
  if (s.form == 'Q')
    f.error("form", "wrong-form", "a solid is given by integrals, it has no samples",
            "form = \"X\", or \"I\" for small deflections");
  if (const Node* material = f.node("material"))
    s.material = read_material(r, *material, f.element() + "/material");
  if (const Node* damping = f.node("damping"))
    s.damping = read_damping(r, *damping, f.element() + "/damping");
  return std::make_shared<const SolidSpec>(std::move(s));
}

}  // namespace

ElasticSpec read_elastic(Reading& r, const Node& node, const std::string& element, int& segments) {
  Fields f(r.scope, node, "elastic", element);
  ElasticSpec spec;
  spec.where = f.place();
  if (!f.is_table()) return spec;
  if (auto start = f.numbers_of("q", dimensions::length)) spec.start = std::move(*start);
  const bool solid = f.choice("type").value_or(0) == 1;
  check_elastic_keys(f, solid);
  if (solid) {
    spec.solid = read_solid(r, f);
    return spec;
  }
  BeamSpec& b = spec.beam;
  b.length = f.number("length", 0);
  if (const Node* section = f.node("section"))
    b.section = read_section(r, *section, element + "/section");
  if (const Node* material = f.node("material"))
    b.material = read_material(r, *material, element + "/material");
  if (const Node* damping = f.node("damping"))
    b.damping = read_damping(r, *damping, element + "/damping");
  if (f.has("deforms")) b.deforms = read_deflections(f);
  b.basis = static_cast<BeamBasis>(f.choice("basis").value_or(0));
  const bool fe = b.basis == BeamBasis::fe;
  if (f.has("elements") && !fe)
    f.error("elements", "unused-key", "elements without basis = \"fe\"");
  if (fe) b.elements = read_count(f, "elements", b.elements, most_elements);
  segments = read_segments(f, spec);
  if (segments > 1 && !fe) b.modes = functions_of_segment;
  b.modes = fe && !f.has("modes") ? 0 : read_count(f, "modes", b.modes, most_functions);
  const bool bends = std::any_of(b.deforms.begin(), b.deforms.end(), [](Deflection k) {
    return k == Deflection::y || k == Deflection::z;
  });
  const int available = bends ? 2 * b.elements : b.elements;
  if (fe && b.modes > available)
    f.error("modes", "too-many-modes",
            fmt::format("{} modes are asked of {} elements, which have {} coordinates per "
                        "deflection",
                        b.modes, b.elements, available),
            "fewer modes, or more elements");
  b.tip_mass = f.number("tip_mass", 0);
  b.stiffening = f.boolean("stiffening").value_or(true);
  b.form = "QXI"[f.choice("form").value_or(0)];
  return spec;
}

}  // namespace sarrus
