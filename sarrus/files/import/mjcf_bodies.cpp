// Bodies of MJCF: assets, frames, masses, what is drawn.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sarrus/core/near_match.hpp"
#include "sarrus/files/import/mjcf_reader.hpp"
#include "sarrus/files/mesh/read_mesh.hpp"

namespace sarrus {

// ── assets ───────────────────────────────────────────────────────────────────────────────────────

void MjcfReader::read_assets() {
  for (const XmlElement* section : source_.sections("asset")) {
    for (const XmlElement* m : section->all("mesh")) {
      const std::string* name = m->attribute("name");
      const std::string* file = source_.attribute(*m, "file", "");
      const std::string key = name   ? *name
                              : file ? std::filesystem::path(*file).stem().string()
                                     : "";
      if (!key.empty()) meshes_[key] = {m, file ? *file : "", std::nullopt, false};
    }
    for (const XmlElement* m : section->all("material"))
      if (const std::string* name = m->attribute("name"))
        if (const std::string* rgba = source_.attribute(*m, "rgba", "")) colors_[*name] = *rgba;
  }
}

std::string MjcfReader::mesh_path(const std::string& file) const {
  const MjcfSettings& s = source_.settings();
  const std::string name = s.strip_path ? std::filesystem::path(file).filename().string() : file;
  return s.mesh_folder.empty() ? name
                               : (std::filesystem::path(s.mesh_folder) / name).generic_string();
}

/// The triangles of an asset in its own frame, scaled.
const MjcfMesh* MjcfReader::mesh_of(const std::string& name) {
  const auto found = meshes_.find(name);
  if (found == meshes_.end()) return nullptr;
  Asset& a = found->second;
  if (a.tried) return a.mesh ? &*a.mesh : nullptr;
  a.tried = true;
  if (a.file.empty()) return nullptr;
  const ResolvedPath path = resolve_path(mesh_path(a.file), folder_, options_.roots);
  if (!path.problem.empty()) return nullptr;
  try {
    MjcfMesh made{read_mesh(path.path, a.from->place()), "legacy"};
    const Vec3 scale = source_.vector(*a.from, "scale", "").value_or(Vec3{1, 1, 1});
    for (Vec3& v : made.mesh.vertices) v = {v.x * scale.x, v.y * scale.y, v.z * scale.z};
    const Pose<double> ref{reference_turn(*a.from),
                           source_.vector(*a.from, "refpos", "").value_or(Vec3{})};
    for (Vec3& v : made.mesh.vertices) v = inverse(ref) * v;
    if (const std::string* how = source_.attribute(*a.from, "inertia", "")) made.inertia = *how;
    if (scale.x * scale.y * scale.z < 0)
      for (Triangle& t : made.mesh.triangles) std::swap(t.b, t.c);
    a.mesh = std::move(made);
  } catch (const Error&) {
    return nullptr;
  }
  return &*a.mesh;
}

Mat3 MjcfReader::reference_turn(const XmlElement& mesh) {
  const std::vector<double> q = source_.numbers(mesh, "refquat", "");
  if (q.size() != 4) return Mat3::identity();
  return rotation(normalized(Quat{q[0], q[1], q[2], q[3]}));
}

// ── bodies ───────────────────────────────────────────────────────────────────────────────────────

void MjcfReader::world_body(const XmlElement& e) {
  std::vector<Placed> inside;
  gather(e, {}, "", inside);
  for (const Placed& p : inside) {
    if (p.e->name == "body") body(p, nullptr, "world", bodies_["world"].X_W);
    if (p.e->name == "site") site(p, "world");
    if (p.e->name == "geom") {
      p.e->use_all();
      ++geoms_;
    }
  }
}

/// The children of a body, with <frame> opened.
void MjcfReader::gather(const XmlElement& e, const Pose<double>& X, const std::string& inherited,
                        std::vector<Placed>& into) {
  for (const XmlElement& c : e.children) {
    if (c.name == "frame") {
      c.used = true;
      const std::string* own = c.attribute("childclass");
      gather(c, X * source_.pose(c, inherited), own ? *own : inherited, into);
      continue;
    }
    static const std::vector<std::string> known = {"body", "joint", "freejoint",
                                                   "geom", "site",  "inertial"};
    if (std::find(known.begin(), known.end(), c.name) == known.end()) continue;
    c.used = true;
    into.push_back({&c, X, inherited});
  }
}

std::string MjcfReader::new_name(const std::string& set, const XmlElement& e,
                                 std::string fallback) {
  const std::string* name = e.attribute("name");
  if (!name || name->empty()) return sheet_.unique_name(set, fallback, e);
  const std::string wanted = name_for_formulas(*name);
  const std::string made = sheet_.unique_name(set, wanted, e);
  if (made == wanted && wanted != *name)
    sheet_.report.approximate("a name that does not fit formulas",
                              fmt::format("'{}' is now '{}'", shown(*name), made), e.place(),
                              Effect::none);
  return made;
}

void MjcfReader::body(const Placed& placed, const Body* above, const std::string& parent,
                      const Pose<double>& X_WP) {
  const XmlElement& e = *placed.e;
  const std::string* own = e.attribute("childclass");
  const std::string inherited = own ? *own : placed.inherited;
  const Pose<double> X_PB = placed.X * source_.pose(e, placed.inherited);
  const std::string* given = e.attribute("name");
  const std::string key =
      given && !given->empty() ? *given : fmt::format("unnamed body {}", bodies_.size());
  if (bodies_.count(key))
    return faults_.error(e, "doubled-name", fmt::format("a second body '{}'", shown(key)),
                         "give each its own name");
  Body& b = bodies_[key];
  b.name = new_name("body", e, fmt::format("body{}", bodies_.size() - 1));
  b.X_W = X_WP * X_PB;
  b.from = &e;
  b.parent = above;
  sheet_.report.count("bodies");

  std::vector<Placed> inside;
  gather(e, {}, inherited, inside);
  std::vector<const Placed*> joints;
  for (const Placed& p : inside)
    if (p.e->name == "joint" || p.e->name == "freejoint") joints.push_back(&p);

  b.mass = bounded(source_.settings(), mass_of(inside, joints.empty() && parent == "world"));
  b.node = &sheet_.add("body", e);
  put(*b.node, "name", text_node(b.name));
  put_mass(sheet_, *b.node, {b.mass.mass, b.mass.com, b.mass.inertia}, e);
  if (options_.draw) shapes(inside, *b.node);
  gravity_compensation(e, b);
  connect(joints, b, parent, X_PB, e);
  for (const Placed& p : inside)
    if (p.e->name == "site") site(p, b.name);
  const Pose<double> X_W = b.X_W;
  const std::string name = b.name;
  for (const Placed& p : inside)
    if (p.e->name == "body" && !faults_.full()) body(p, &b, name, X_W);
}

MassProperties MjcfReader::mass_of(const std::vector<Placed>& inside, bool stands) {
  const XmlElement* inertial = nullptr;
  for (const Placed& p : inside)
    if (p.e->name == "inertial") inertial = p.e;
  const MjcfSettings::FromGeom from = source_.settings().inertia_from_geom;
  const bool geoms = from == MjcfSettings::FromGeom::yes ||
                     (from == MjcfSettings::FromGeom::where_missing && !inertial);
  std::vector<MassProperties> parts;
  for (const Placed& p : inside) {
    if (p.e->name != "geom") continue;
    ++geoms_;
    MjcfGeom g = read_geom(source_, *p.e, p.inherited);
    g.X = p.X * g.X;
    if (!geoms || stands) {
      source_.attribute(*p.e, "mass", p.inherited), source_.attribute(*p.e, "density", p.inherited);
      continue;
    }
    if (const auto m = geom_mass(
            source_, g, p.inherited, [this](const std::string& n) { return mesh_of(n); },
            sheet_.report))
      parts.push_back(*m);
  }
  if (!geoms) return inertial ? written_mass(source_, *inertial) : MassProperties{};
  if (parts.empty()) return inertial ? written_mass(source_, *inertial) : MassProperties{};
  if (inertial) inertial->use_all();
  return combined(parts);
}

void MjcfReader::scale_total_mass() {
  const double wanted = source_.settings().total_mass;
  if (!(wanted > 0)) return;
  sheet_.report.leave_out("settotalmass", "masses stay as they are", Effect::changes,
                          source_.root().place());
}

/// gravcomp: a force against gravity at the centre of mass.
void MjcfReader::gravity_compensation(const XmlElement& e, const Body& b) {
  const double share = source_.number(e, "gravcomp", "").value_or(0);
  const Vec3 g = source_.settings().gravity;
  if (share == 0 || b.mass.mass == 0 || dot(g, g) == 0) return;
  Node& force = sheet_.add("force", e);
  put(force, "name", text_node(sheet_.unique_name("column", b.name + "_gravcomp", e)));
  put(force, "body", text_node(b.name));
  if (dot(b.mass.com, b.mass.com) != 0) put(force, "at", list_node(b.mass.com));
  put(force, "force", list_node(g * (-share * b.mass.mass)));
  sheet_.report.count("bodies with gravity compensation");
}

void MjcfReader::site(const Placed& p, const std::string& body) {
  const std::string* name = p.e->attribute("name");
  const Pose<double> X = p.X * source_.pose(*p.e, p.inherited);
  if (name) sites_[*name] = {body, X};
}

// ── shapes ───────────────────────────────────────────────────────────────────────────────────────

void MjcfReader::shapes(const std::vector<Placed>& inside, Node& body) {
  Node list;
  list.kind = NodeKind::list;
  for (const Placed& p : inside) {
    if (p.e->name != "geom") continue;
    MjcfGeom g = read_geom(source_, *p.e, p.inherited);
    g.X = p.X * g.X;
    if (g.group > 2) continue;  // MuJoCo hides them
    std::optional<Node> shape = drawn(g);
    if (!shape) continue;
    if (const std::string color = color_of(*p.e, p.inherited); !color.empty())
      put(*shape, "color", text_node(color));
    shape->line = p.e->line, shape->column = p.e->column;
    list.children.push_back(std::move(*shape));
    sheet_.report.count("shapes to draw");
  }
  if (list.children.empty()) return;
  list.line = body.line, list.column = body.column, list.file = body.file;
  put(body, "shapes", std::move(list));
}

std::string MjcfReader::color_of(const XmlElement& e, const std::string& inherited) {
  const std::string* rgba = source_.attribute(e, "rgba", inherited);
  const std::string* material = source_.attribute(e, "material", inherited);
  std::string text = rgba ? *rgba : "";
  if (!rgba && material)
    if (const auto known = colors_.find(*material); known != colors_.end()) text = known->second;
  if (text.empty()) return "";
  const auto n = numbers_in(faults_, e, "rgba", text);
  if (!n || n->size() < 3) return "";
  const auto byte = [](double x) {
    return static_cast<int>(std::lround(255 * std::fmin(1, std::fmax(0, x))));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", byte((*n)[0]), byte((*n)[1]), byte((*n)[2]));
}

std::optional<Node> MjcfReader::drawn(const MjcfGeom& g) {
  const auto size = [&](size_t i) { return i < g.size.size() ? g.size[i] : 0.0; };
  Node n = table_node();
  const auto skip = [&](std::string_view why) -> std::optional<Node> {
    sheet_.report.leave_out(fmt::format("a {} to draw", shown(g.type)), why, Effect::none,
                            g.from->place());
    return std::nullopt;
  };
  put(n, "type", text_node(g.type));
  if (g.type == "box") {
    if (!(size(0) > 0 && size(1) > 0 && size(2) > 0)) return skip("it has no size");
    put(n, "size", list_node(Vec3{2 * size(0), 2 * size(1), 2 * size(2)}));
  } else if (g.type == "sphere") {
    if (!(size(0) > 0)) return skip("it has no size");
    put(n, "radius", number_node(size(0)));
  } else if (g.type == "capsule" || g.type == "cylinder") {
    if (!(size(0) > 0 && size(1) > 0)) return skip("it has no size");
    put(n, "radius", number_node(size(0)));
    put(n, "length", number_node(2 * size(1)));
  } else if (g.type == "mesh") {
    const auto asset = meshes_.find(g.mesh);
    if (asset == meshes_.end() || asset->second.file.empty())
      return skip("there is no file for it");
    const Vec3 scale = source_.vector(*asset->second.from, "scale", "").value_or(Vec3{1, 1, 1});
    if (!(scale.x == scale.y && scale.y == scale.z && scale.x > 0))
      return skip("its scale differs from axis to axis or is negative");
    const MeshPaths::Found found = paths_.find(mesh_path(asset->second.file));
    if (!found.problem.empty()) return skip(found.problem);
    put(n, "file", text_node(found.path));
    if (scale.x != 1) put(n, "scale", number_node(scale.x));
    const Pose<double> ref{reference_turn(*asset->second.from),
                           source_.vector(*asset->second.from, "refpos", "").value_or(Vec3{})};
    put_pose(n, g.X * inverse(ref));
    return n;
  } else if (g.type == "plane" || g.type == "hfield") {
    return std::nullopt;
  } else {
    return skip("this shape is not known here");
  }
  put_pose(n, g.X);
  return n;
}

void MjcfReader::put_pose(Node& n, const Pose<double>& X) {
  if (dot(X.p, X.p) != 0) put(n, "at", list_node(X.p));
  if (auto turn = rotation_node(X.R)) put(n, "rotation", std::move(*turn));
}

}  // namespace sarrus
