// MJCF as Sarrus says it. A body with joints j₁ … jₙ moves by
//
//   X_PB = X_body Π Jᵢ,   Jᵢ = T(pᵢ) exp(axisᵢ (qᵢ − refᵢ)) T(−pᵢ)
//
// so that n joints are n − 1 massless bodies between parent and body, and each keeps its name and its
// coordinate: ref turns the joint's frame on the parent. Equality constraints become joints that close loops, and
// gears and couplings among coordinates: hard, where MuJoCo's are soft.
#include "sarrus/files/import/mjcf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

#include "sarrus/core/near_match.hpp"
#include "sarrus/files/import/mesh_paths.hpp"
#include "sarrus/files/import/mjcf_mass.hpp"
#include "sarrus/files/import/mjcf_source.hpp"
#include "sarrus/files/import/sheet.hpp"
#include "sarrus/files/mesh/read_mesh.hpp"

namespace sarrus {
namespace {

const std::vector<KnownGap> mjcf_gaps = {
    {"visual", Effect::none, "how MuJoCo draws"},
    {"statistic", Effect::none, "how MuJoCo draws"},
    {"size", Effect::none, "memory of MuJoCo"},
    {"contact", Effect::none, "no contact is set up; [[contact]] of a model does that"},
    {"sensor", Effect::none, "write [[sensor]] for what is to be recorded"},
    {"custom", Effect::none, "data for other programs"},
    {"camera", Effect::none, "only looked through"},
    {"light", Effect::none, "only drawn"},
    {"texture", Effect::none, "only drawn"},
    {"material", Effect::none, "only drawn"},
    {"hfield", Effect::none, "only touched"},
    {"key", Effect::none, "--key NAME starts there"},
    {"flag", Effect::none, "how MuJoCo computes"},
    {"extension", Effect::unknown, "plugins of MuJoCo"},
    {"plugin", Effect::unknown, "plugins of MuJoCo"},
    {"composite", Effect::changes, "bodies made by a macro"},
    {"flexcomp", Effect::changes, "an elastic body made by a macro"},
    {"flex", Effect::changes, "an elastic body"},
    {"skin", Effect::none, "only drawn"},
    {"replicate", Effect::changes, "bodies made by a macro"},
    {"attach", Effect::changes, "bodies of another model"},
    {"deformable", Effect::changes, "elastic bodies"},
    {"muscle", Effect::changes, "a drive that is not known here"},
    {"adhesion", Effect::changes, "a drive that is not known here"},
    {"cylinder", Effect::changes, "a drive that is not known here"},
    {"intvelocity", Effect::changes, "a drive with a state of its own"},
    {"dcmotor", Effect::changes, "a drive that is not known here"},
    {"distance", Effect::changes, "a constraint that is not known here"},
    {"flexvert", Effect::changes, "a constraint that is not known here"},
    {"flexstrain", Effect::changes, "a constraint that is not known here"},
    {"springlength", Effect::changes, "not known here"},
    {"mujoco@model", Effect::none, "a name"},
    {"option@timestep", Effect::none, "steps are chosen here"},
    {"option@integrator", Effect::none, "chosen here"},
    {"option@cone", Effect::none, "of contacts"},
    {"option@impratio", Effect::none, "of contacts"},
    {"option@iterations", Effect::none, "how MuJoCo computes"},
    {"option@ls_iterations", Effect::none, "how MuJoCo computes"},
    {"option@noslip_iterations", Effect::none, "of contacts"},
    {"option@ccd_iterations", Effect::none, "of contacts"},
    {"option@solver", Effect::none, "how MuJoCo computes"},
    {"option@tolerance", Effect::none, "how MuJoCo computes"},
    {"option@jacobian", Effect::none, "how MuJoCo computes"},
    {"option@density", Effect::none, "of a fluid"},
    {"option@viscosity", Effect::none, "of a fluid"},
    {"option@wind", Effect::none, "of a fluid"},
    {"option@magnetic", Effect::none, "for sensors"},
    {"option@o_solref", Effect::none, "how soft constraints are: they are hard here"},
    {"option@o_solimp", Effect::none, "how soft constraints are: they are hard here"},
    {"option@actuatorgroupdisable", Effect::changes, "drives that are switched off"},
    {"compiler@texturedir", Effect::none, "only drawn"},
    {"compiler@discardvisual", Effect::none, "only drawn"},
    {"compiler@fusestatic", Effect::none, "bodies without joints stay bodies here"},
    {"compiler@convexhull", Effect::none, "of contacts"},
    {"compiler@usethread", Effect::none, "how MuJoCo computes"},
    {"compiler@exactmeshinertia", Effect::unknown, "how older versions integrate meshes"},
    {"compiler@alignfree", Effect::none, "which frame a free joint moves"},
    {"compiler@saveinertial", Effect::none, "how MuJoCo saves"},
    {"joint@margin", Effect::none, "how soft limits begin"},
    {"joint@user", Effect::none, "data for other programs"},
    {"joint@align", Effect::none, "which frame a free joint moves"},
    {"freejoint@align", Effect::none, "which frame a free joint moves"},
    {"joint@actuatorgravcomp", Effect::changes,
     "compensation of gravity acts beside the drives and is not bounded with them"},
    {"joint@springdamper", Effect::changes, "a spring and damper by their time constant"},
    {"general@ctrllimited", Effect::none, "a control that stands still"},
    {"body@mocap", Effect::none, "such a body stands still"},
    {"body@user", Effect::none, "data for other programs"},
    {"body@sleep", Effect::none, "how MuJoCo computes"},
    {"mesh@smoothnormal", Effect::none, "only drawn"},
    {"mesh@maxhullvert", Effect::none, "of contacts"},
    {"mesh@content_type", Effect::none, "of a file"},
    {"compiler@fitaabb", Effect::none, "how a primitive is fitted to a mesh"},
    {"compiler@autolimits", Effect::none, "of limits"},
    {"@specular", Effect::none, "only drawn"},
    {"@shininess", Effect::none, "only drawn"},
    {"@reflectance", Effect::none, "only drawn"},
    {"@castshadow", Effect::none, "only drawn"},
    {"@diffuse", Effect::none, "only drawn"},
    {"@ambient", Effect::none, "only drawn"},
    {"@texuniform", Effect::none, "only drawn"},
    {"@texrepeat", Effect::none, "only drawn"},
    {"@directional", Effect::none, "only drawn"},
    {"flag@eulerdamp", Effect::none, "how MuJoCo computes"},
    {"flag@multiccd", Effect::none, "of contacts"},
    {"flag@fwdinv", Effect::none, "how MuJoCo computes"},
    {"flag@energy", Effect::none, "how MuJoCo computes"},
    {"flag@override", Effect::none, "of contacts"},
    {"flag@nativeccd", Effect::none, "of contacts"},
    {"flag@filterparent", Effect::none, "of contacts"},
    {"flag@warmstart", Effect::none, "how MuJoCo computes"},
    {"flag@refsafe", Effect::none, "how MuJoCo computes"},
    {"flag@contact", Effect::none, "of contacts"},
    {"flag@sensor", Effect::none, "of sensors"},
    {"flag@island", Effect::none, "how MuJoCo computes"},
    {"flag@invdiscrete", Effect::none, "how MuJoCo computes"},
    {"@group", Effect::none, "only drawn"},
    {"@class", Effect::none, "of defaults"},
    {"@childclass", Effect::none, "of defaults"},
    {"@contype", Effect::none, "of contacts"},
    {"@conaffinity", Effect::none, "of contacts"},
    {"@condim", Effect::none, "of contacts"},
    {"@priority", Effect::none, "of contacts"},
    {"@friction", Effect::none, "of contacts"},
    {"@solmix", Effect::none, "of contacts"},
    {"@solref", Effect::none, "how soft a constraint is: it is hard here"},
    {"@solimp", Effect::none, "how soft a constraint is: it is hard here"},
    {"@solreflimit", Effect::none, "how soft a limit is"},
    {"@solimplimit", Effect::none, "how soft a limit is"},
    {"@solreffriction", Effect::none, "how soft friction is"},
    {"@solimpfriction", Effect::none, "how soft friction is"},
    {"@margin", Effect::none, "of contacts and limits"},
    {"@gap", Effect::none, "of contacts"},
    {"@rgba", Effect::none, "only drawn"},
    {"@material", Effect::none, "only drawn"},
    {"@width", Effect::none, "only drawn"},
    {"@user", Effect::none, "data for other programs"},
    {"@fluidshape", Effect::none, "of a fluid"},
    {"@fluidcoef", Effect::none, "of a fluid"},
    {"@nsample", Effect::none, "how MuJoCo records"},
    {"@ctrllimited", Effect::none, "of controls that stand still"},
    {"@torquescale", Effect::none, "how soft a constraint is: it is hard here"},
    {"@actdim", Effect::none, "of a drive's state"},
    {"@actlimited", Effect::none, "of a drive's state"},
    {"@actrange", Effect::none, "of a drive's state"},
    {"@lengthrange", Effect::none, "of muscles"},
    {"@cranklength", Effect::changes, "a drive that is not known here"},
    {"site@type", Effect::none, "only drawn"},
    {"site@size", Effect::none, "only drawn"},
    {"site@fromto", Effect::none, "only drawn"},
    {"geom@hfield", Effect::none, "only touched"},
    {"geom@fitscale", Effect::none, "how a primitive is fitted to a mesh"},
};

std::string name_for_formulas(std::string name) {
  for (char& c : name)
    if (c == '-') c = '_';
  if (!name.empty() && name[0] >= '0' && name[0] <= '9') name = "n" + name;
  return name;
}

/// A number in a formula: negative ones in brackets.
std::string term(double x) {
  return x < 0 ? fmt::format("({})", x) : fmt::format("{}", x == 0 ? 0.0 : x);
}

class MjcfReader {
 public:
  MjcfReader(XmlElement root, const std::string& file, const ImportOptions& options)
      : options_(options),
        sheet_(file),
        source_(std::move(root), file, options.roots, faults_, sheet_.report),
        paths_(file, options.roots, options.destination),
        folder_(std::filesystem::path(file).parent_path().string()) {}

  Imported read() {
    ImportReport& report = sheet_.report;
    report.format = "MJCF";
    const std::string* name = source_.root().attribute("model");
    report.model = name ? *name : "";
    if (name && !name->empty()) put(sheet_.top, "name", text_node(shown(*name, 200)));
    const Vec3 g = source_.settings().gravity;
    if (g.x != 0 || g.y != 0 || g.z != -9.81) put(sheet_.top, "gravity", list_node(g));
    read_assets();
    Body& world = bodies_["world"];
    world.name = "world";
    for (const XmlElement* w : source_.sections("worldbody")) world_body(*w);
    scale_total_mass();
    for (const XmlElement* e : source_.sections("equality")) equalities(*e);
    for (const XmlElement* e : source_.sections("tendon")) tendons(*e);
    for (const XmlElement* e : source_.sections("equality")) tendon_equalities(*e);
    for (const XmlElement* e : source_.sections("actuator")) actuators(*e);
    write_forces();
    for (const XmlElement* e : source_.sections("keyframe")) keys(*e);
    faults_.throw_if_any();
    if (geoms_ > 0)
      report.leave_out("contact",
                       "geoms do not touch here; [[contact]] of a model sets it up. The motion "
                       "differs once they would",
                       Effect::unknown, source_.root().place());
    for (const XmlElement& e : source_.root().children)
      if (e.name == "asset" || e.name == "contact" || e.name == "sensor" || e.name == "keyframe" ||
          e.name == "visual") {
        if (e.name != "asset") continue;
        for (const XmlElement& a : e.children)
          if (a.name == "mesh" || a.name == "material") a.use_all();
      }
    source_.use_defaults();
    report_unused(source_.root(), mjcf_gaps, report);
    Imported made{sheet_.document(), sheet_.toml(), report, {}, source_.files(), paths_.copies()};
    if (!paths_.package_folder().empty()) made.roots.push_back(paths_.package_folder());
    return made;
  }

 private:
  struct Body {
    std::string name;
    Pose<double> X_W;  // at the start, all joints at their reference
    Node* node = nullptr;
    MassProperties mass;
    const XmlElement* from = nullptr;
    const Body* parent = nullptr;
  };
  struct Joint {
    std::string name, type;
    double ref = 0;
    Node* node = nullptr;
    int nq = 1;
    std::vector<std::string> forces;                  // of tendons: terms of a formula
    std::vector<std::string> drives;                  // of actuators: terms of a formula
    std::optional<Node> servo;                        // instead of one drive
    std::string servo_formula;                        // the same as a term
    std::optional<std::pair<double, double>> bounds;  // of all drives together
    std::optional<std::pair<double, double>> range;
    int position = 0;  // in qpos
    const Body* body = nullptr;
    Vec3 axis_W{}, at_W{};  // at the start
    double armature = 0;
  };
  struct Site {
    std::string body;
    Pose<double> X;
  };
  struct Placed {  // an element of a body, with the frames around it
    const XmlElement* e;
    Pose<double> X;
    std::string inherited;
  };

  // ── assets ──

  void read_assets() {
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

  struct Asset {
    const XmlElement* from;
    std::string file;
    std::optional<MjcfMesh> mesh;
    bool tried;
  };

  std::string mesh_path(const std::string& file) const {
    const MjcfSettings& s = source_.settings();
    const std::string name = s.strip_path ? std::filesystem::path(file).filename().string() : file;
    return s.mesh_folder.empty() ? name
                                 : (std::filesystem::path(s.mesh_folder) / name).generic_string();
  }

  /// The triangles of an asset in its own frame, scaled.
  const MjcfMesh* mesh_of(const std::string& name) {
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

  Mat3 reference_turn(const XmlElement& mesh) {
    const std::vector<double> q = source_.numbers(mesh, "refquat", "");
    if (q.size() != 4) return Mat3::identity();
    return rotation(normalized(Quat{q[0], q[1], q[2], q[3]}));
  }

  // ── bodies ──

  void world_body(const XmlElement& e) {
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
  void gather(const XmlElement& e, const Pose<double>& X, const std::string& inherited,
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

  std::string new_name(const std::string& set, const XmlElement& e, std::string fallback) {
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

  void body(const Placed& placed, const Body* above, const std::string& parent,
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

  MassProperties mass_of(const std::vector<Placed>& inside, bool stands) {
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
        source_.attribute(*p.e, "mass", p.inherited),
            source_.attribute(*p.e, "density", p.inherited);
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

  void scale_total_mass() {
    const double wanted = source_.settings().total_mass;
    if (!(wanted > 0)) return;
    sheet_.report.leave_out("settotalmass", "masses stay as they are", Effect::changes,
                            source_.root().place());
  }

  /// gravcomp: a force against gravity at the centre of mass.
  void gravity_compensation(const XmlElement& e, const Body& b) {
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

  void site(const Placed& p, const std::string& body) {
    const std::string* name = p.e->attribute("name");
    const Pose<double> X = p.X * source_.pose(*p.e, p.inherited);
    if (name) sites_[*name] = {body, X};
  }

  // ── shapes ──

  void shapes(const std::vector<Placed>& inside, Node& body) {
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

  std::string color_of(const XmlElement& e, const std::string& inherited) {
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

  std::optional<Node> drawn(const MjcfGeom& g) {
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

  static void put_pose(Node& n, const Pose<double>& X) {
    if (dot(X.p, X.p) != 0) put(n, "at", list_node(X.p));
    if (auto turn = rotation_node(X.R)) put(n, "rotation", std::move(*turn));
  }

  // ── joints ──

  static void put_frame(Node& joint, std::string_view key, const Pose<double>& X) {
    if (auto frame = frame_node(X)) put(joint, key, std::move(*frame));
  }

  void connect(const std::vector<const Placed*>& joints, Body& b, const std::string& parent,
               const Pose<double>& X_PB, const XmlElement& e) {
    if (joints.empty()) {
      Node& weld = sheet_.add("joint", e);
      put(weld, "name", text_node(sheet_.unique_name("column", b.name + "_fixed", e)));
      put(weld, "type", text_node("fixed"));
      if (parent != "world") put(weld, "parent", text_node(parent));
      put(weld, "child", text_node(b.name));
      put_frame(weld, "on_parent", X_PB);
      sheet_.report.count("bodies fixed to their parent");
      return;
    }
    std::string from = parent;
    for (size_t i = 0; i < joints.size(); ++i) {
      const XmlElement& j = *joints[i]->e;
      const std::string name = new_name("column", j, fmt::format("joint{}", joint_count_));
      ++joint_count_;
      std::string to = b.name;
      if (i + 1 < joints.size()) {
        to = sheet_.unique_name("body", b.name + "_" + name, j);
        Node& between = sheet_.add("body", j);
        put(between, "name", text_node(to));
        put(between, "mass", number_node(0));
        sheet_.report.count("massless bodies between the joints of one body");
      }
      joint(*joints[i], name, from, to, i == 0 ? X_PB : Pose<double>{}, b);
      from = to;
    }
  }

  void joint(const Placed& placed, const std::string& name, const std::string& parent,
             const std::string& child, const Pose<double>& X, const Body& b) {
    const XmlElement& e = *placed.e;
    const std::string& inherited = placed.inherited;
    const auto number = [&](const char* key) {
      return source_.number(e, key, inherited).value_or(0);
    };
    const std::string* written = source_.attribute(e, "type", inherited);
    const std::string type = e.name == "freejoint" ? "free" : written ? *written : "hinge";
    static const std::map<std::string, const char*> types = {
        {"hinge", "revolute"}, {"slide", "prismatic"}, {"ball", "spherical"}, {"free", "free"}};
    const auto known = types.find(type);
    if (known == types.end())
      return faults_.error(e, "unknown-word",
                           fmt::format("'{}' is not a type of joint", shown(type)),
                           "hinge, slide, ball or free");
    const bool single = type == "hinge" || type == "slide";
    Joint& j =
        joints_.emplace(e.attribute("name") ? *e.attribute("name") : name, Joint{}).first->second;
    j.name = name, j.type = type;
    j.nq = type == "free" ? 7 : type == "ball" ? 4 : 1;
    j.position = positions_;
    positions_ += j.nq;
    Node& node = sheet_.add("joint", e);
    j.node = &node;
    order_.push_back(&j);
    put(node, "name", text_node(name));
    put(node, "type", text_node(known->second));
    if (parent != "world") put(node, "parent", text_node(parent));
    put(node, "child", text_node(child));
    sheet_.report.count(type + " joints");
    if (type == "free") {
      if (parent != "world")
        faults_.error(e, "wrong-joint", "a free joint belongs to a body of the world");
      const Quat q = quaternion(b.X_W.R);
      std::vector<double> start = {q.w, q.x, q.y, q.z, b.X_W.p.x, b.X_W.p.y, b.X_W.p.z};
      put(node, "q", list_node(start));
      for (const char* key : {"limited", "actuatorfrclimited", "pos", "axis", "ref"})
        source_.attribute(e, key, inherited);  // say nothing of such a joint
      dampers(e, inherited, node, j);
      return;
    }
    const Vec3 at = placed.X * source_.vector(e, "pos", inherited).value_or(Vec3{});
    Pose<double> F = X * Pose<double>{Mat3::identity(), at}, M{Mat3::identity(), at};
    if (single) {
      Vec3 axis = source_.vector(e, "axis", inherited).value_or(Vec3{0, 0, 1});
      const double length = norm(axis);
      if (!(length > 0))
        return faults_.error(e, "bad-axis", "an axis of length zero has no direction");
      if (std::fabs(length - 1) > 1e-15) axis = axis * (1 / length);
      axis = placed.X.R * axis;
      j.ref = type == "hinge" ? source_.angle(number("ref")) : number("ref");
      if (j.ref != 0) {
        if (type == "hinge")
          F.R = F.R * rotation(axis, -j.ref);
        else
          F.p = F.p + F.R * (axis * -j.ref);
      }
      put_frame(node, "on_parent", F);
      put_frame(node, "on_child", M);
      put(node, "axis", axis_node(axis));
      j.body = &b;
      j.axis_W = b.X_W.R * axis, j.at_W = b.X_W * at;
      if (j.ref != 0) put(node, "q", number_node(j.ref));
      limits(e, inherited, node, j);
      const std::vector<double> bounds = source_.numbers(e, "actuatorfrcrange", inherited);
      const std::string* limited = source_.attribute(e, "actuatorfrclimited", inherited);
      if (bounds.size() == 2 &&
          (!limited || *limited == "auto" ? source_.settings().autolimits : *limited == "true"))
        j.bounds = {bounds[0], bounds[1]};
    } else {
      put_frame(node, "on_parent", F);
      put_frame(node, "on_child", M);
      const std::vector<double> range = source_.numbers(e, "range", inherited);
      if (range.size() == 2 && range[1] > 0)
        sheet_.report.leave_out("limits of a ball joint", "it turns without stops", Effect::changes,
                                e.place());
    }
    dampers(e, inherited, node, j);
  }

  void limits(const XmlElement& e, const std::string& inherited, Node& node, Joint& j) {
    const std::vector<double> range = source_.numbers(e, "range", inherited);
    const std::string* limited = source_.attribute(e, "limited", inherited);
    const bool asked = limited && *limited != "auto"
                           ? *limited == "true"
                           : source_.settings().autolimits && range.size() == 2;
    if (!asked || range.size() != 2) return;
    double low = range[0], high = range[1];
    if (j.type == "hinge") low = source_.angle(low), high = source_.angle(high);
    if (!(low < high)) return;
    j.range = {low, high};
    put(node, "limits", list_node({low, high}));
    sheet_.report.count("limits as stiff stops");
  }

  void dampers(const XmlElement& e, const std::string& inherited, Node& node, Joint& j) {
    const bool single = j.type == "hinge" || j.type == "slide";
    const auto first = [&](const char* key) {
      const std::vector<double> n = source_.numbers(e, key, inherited);
      for (size_t i = 1; i < n.size(); ++i)
        if (n[i] != 0)
          sheet_.report.leave_out(fmt::format("{} of higher order", key),
                                  "only its first number is used", Effect::changes, e.place());
      return n.empty() ? 0.0 : n[0];
    };
    const double stiffness = first("stiffness"), damping = first("damping");
    const double armature = source_.number(e, "armature", inherited).value_or(0);
    const double friction = source_.number(e, "frictionloss", inherited).value_or(0);
    const double written_rest = source_.number(e, "springref", inherited).value_or(0);
    const double rest = j.type == "hinge" ? source_.angle(written_rest) : written_rest;
    if (stiffness != 0 && single) {
      Node spring = table_node();
      put(spring, "k", number_node(stiffness));
      if (rest != 0) put(spring, "rest", number_node(rest));
      put(node, "spring", std::move(spring));
    } else if (stiffness != 0) {
      sheet_.report.leave_out("stiffness of a ball or free joint", "it has no spring here",
                              Effect::changes, e.place());
    }
    if (damping != 0) put(node, "damper", number_node(damping));
    j.armature = armature;
    if (armature != 0) {
      if (single)
        put(node, "armature", number_node(armature));
      else
        sheet_.report.leave_out("armature of a ball or free joint",
                                "it needs a joint with one degree of freedom", Effect::changes,
                                e.place());
    }
    if (friction == 0) return;
    if (!single)
      return sheet_.report.leave_out("frictionloss of a ball or free joint",
                                     "it needs a joint with one degree of freedom", Effect::changes,
                                     e.place());
    Node law = table_node();
    put(law, "force", number_node(friction));
    put(node, "friction", std::move(law));
    sheet_.report.approximate("frictionloss",
                              "dry friction grows smoothly up to a speed of 1e-3 rad/s or m/s",
                              e.place());
  }

  // ── equality constraints ──

  const Body* known_body(const XmlElement& e, const std::string& name) {
    const auto found = bodies_.find(name);
    if (found != bodies_.end()) return &found->second;
    std::vector<std::string> known;
    for (const auto& [n, b] : bodies_) known.push_back(n);
    faults_.error(e, "unknown-body", fmt::format("no body is called '{}'", shown(name)),
                  did_you_mean(name, known));
    return nullptr;
  }
  Joint* known_joint(const XmlElement& e, const std::string& name) {
    const auto found = joints_.find(name);
    if (found != joints_.end()) return &found->second;
    std::vector<std::string> known;
    for (const auto& [n, j] : joints_) known.push_back(n);
    faults_.error(e, "unknown-joint", fmt::format("no joint is called '{}'", shown(name)),
                  did_you_mean(name, known));
    return nullptr;
  }

  void equalities(const XmlElement& section) {
    for (const XmlElement& e : section.children) {
      if (e.name != "connect" && e.name != "weld" && e.name != "joint") continue;
      e.used = true;
      const std::string* active = source_.attribute(e, "active", "");
      if (active && *active == "false") {
        e.use_all();
        sheet_.report.leave_out("a constraint that is switched off", "active=\"false\"",
                                Effect::none, e.place());
        continue;
      }
      if (e.name == "joint")
        joint_equality(e);
      else
        body_equality(e);
    }
  }

  void body_equality(const XmlElement& e) {
    std::string first = "world", second = "world";
    Pose<double> on_first, on_second;
    const std::string *site1 = e.attribute("site1"), *site2 = e.attribute("site2");
    if (site1 && site2) {
      for (const std::string* s : {site1, site2})
        if (!sites_.count(*s))
          return faults_.error(e, "unknown-name", fmt::format("no site is called '{}'", shown(*s)));
      first = sites_[*site1].body, second = sites_[*site2].body;
      on_first = sites_[*site1].X, on_second = sites_[*site2].X;
    } else {
      const std::string* a = e.attribute("body1");
      const std::string* b = e.attribute("body2");
      const Body* A = a ? known_body(e, *a) : nullptr;
      const Body* B = known_body(e, b ? *b : "world");
      if (!A || !B) {
        if (!a) faults_.error(e, "missing-key", "it has no attribute 'body1'");
        return;
      }
      first = A->name, second = B->name;
      if (e.name == "connect") {
        const Vec3 anchor = vector_of(faults_, e, "anchor").value_or(Vec3{});
        on_first.p = anchor;
        on_second.p = inverse(B->X_W) * (A->X_W * anchor);
      } else {
        const std::vector<double> pose = source_.numbers(e, "relpose", "");
        source_.attribute(e, "anchor", "");  // where its softness acts: it has none here
        const bool given =
            pose.size() == 7 && (pose[3] != 0 || pose[4] != 0 || pose[5] != 0 || pose[6] != 0);
        on_first =
            given ? Pose<double>{rotation(normalized(Quat{pose[3], pose[4], pose[5], pose[6]})),
                                 {pose[0], pose[1], pose[2]}}
                  : inverse(A->X_W) * B->X_W;
      }
    }
    if (second == "world") std::swap(first, second), std::swap(on_first, on_second);
    if (second == "world") return faults_.error(e, "wrong-joint", "it ties the world to itself");
    if (e.name == "connect") on_first.R = on_second.R = Mat3::identity();
    Node& node = sheet_.add("joint", e);
    put(node, "name",
        text_node(new_name("column", e, fmt::format("{}{}", e.name, ++equality_count_))));
    put(node, "type", text_node(e.name == "connect" ? "spherical" : "fixed"));
    if (first != "world") put(node, "parent", text_node(first));
    put(node, "child", text_node(second));
    put_frame(node, "on_parent", on_first);
    put_frame(node, "on_child", on_second);
    sheet_.report.count(fmt::format("{} constraints as joints that close loops", e.name));
    soft(e);
  }

  void soft(const XmlElement& e) {
    sheet_.report.approximate("equality constraints", "soft in MuJoCo, they hold exactly here",
                              e.place());
  }

  void joint_equality(const XmlElement& e) {
    Joint* first = known_joint(e, required_text(faults_, e, "joint1"));
    const std::string* other = e.attribute("joint2");
    Joint* second = other ? known_joint(e, *other) : nullptr;
    if (!first || (other && !second)) return;
    std::vector<double> c = source_.numbers(e, "polycoef", "");
    if (c.empty()) c = {0, 1, 0, 0, 0};
    c.resize(5, 0);
    if (first->nq != 1 || (second && second->nq != 1))
      return faults_.error(e, "wrong-joint", "both joints have one degree of freedom");
    if (second && (c[2] != 0 || c[3] != 0 || c[4] != 0))
      return sheet_.report.leave_out("a joint constraint of higher order",
                                     "its polynomial is not linear; the joints move independently",
                                     Effect::changes, e.place());
    Node& node = sheet_.add("constraint", e);
    put(node, "name",
        text_node(new_name("column", e, fmt::format("coupling{}", ++equality_count_))));
    if (second) {
      put(node, "type", text_node("gear"));
      put(node, "joints", texts_node({first->name, second->name}));
      put(node, "ratio", number_node(c[1]));
      put(node, "offset", number_node(first->ref + c[0] - c[1] * second->ref));
    } else {
      put(node, "type", text_node("coupling"));
      put(node, "joints", texts_node({first->name}));
      put(node, "coefficients", list_node(std::vector<double>{1}));
      put(node, "offset", number_node(first->ref + c[0]));
    }
    sheet_.report.count("joint constraints as gears");
    soft(e);
  }

  // ── tendons ──

  struct Tendon {
    std::vector<std::pair<Joint*, double>> joints;  // of a fixed one
    double length = 0;                              // at the start
  };

  void tendons(const XmlElement& section) {
    for (const XmlElement& e : section.children) {
      e.used = true;
      if (e.name == "fixed")
        fixed_tendon(e);
      else if (e.name == "spatial")
        spatial_tendon(e);
      else
        e.used = false;
    }
  }

  void refuse_of_tendon(const XmlElement& e) {
    for (const char* key : {"range", "frictionloss", "armature", "actuatorfrcrange"})
      if (const std::string* text = source_.attribute(e, key, "")) {
        if (std::string_view(key) != "range" && *text == "0") continue;
        const std::string* limited = source_.attribute(e, "limited", "");
        if (std::string_view(key) == "range" && limited && *limited == "false") continue;
        sheet_.report.leave_out(fmt::format("{} of a tendon", key), "not known here",
                                Effect::changes, e.place());
      }
    source_.attribute(e, "limited", "");
  }

  void fixed_tendon(const XmlElement& e) {
    Tendon t;
    for (const XmlElement* part : e.all("joint")) {
      Joint* j = known_joint(*part, required_text(faults_, *part, "joint"));
      const double coef = number_of(faults_, *part, "coef").value_or(1);
      if (!j) return;
      if (j->nq != 1)
        return faults_.error(*part, "wrong-joint",
                             "a fixed tendon runs over joints with one degree of freedom");
      t.joints.emplace_back(j, coef);
      t.length += coef * j->ref;
    }
    refuse_of_tendon(e);
    const double k = source_.number(e, "stiffness", "").value_or(0),
                 d = source_.number(e, "damping", "").value_or(0);
    const std::vector<double> rest = source_.numbers(e, "springlength", "");
    if (rest.size() == 2 && rest[0] != rest[1])
      sheet_.report.leave_out("a tendon's slack range", "its spring rests at one length",
                              Effect::changes, e.place());
    const double L0 = rest.empty() || rest[0] < 0 ? t.length : rest[0];
    if (k != 0 || d != 0) {
      std::string length, speed;
      for (const auto& [j, c] : t.joints) {
        length += fmt::format("{}{}*{}.q", length.empty() ? "" : " + ", term(c), j->name);
        speed += fmt::format("{}{}*{}.u", speed.empty() ? "" : " + ", term(c), j->name);
      }
      for (const auto& [j, c] : t.joints) {
        std::string pull;
        if (k != 0) pull = fmt::format("{}*({} - {})", term(k), length, term(L0));
        if (d != 0) pull += fmt::format("{}{}*({})", pull.empty() ? "" : " + ", term(d), speed);
        j->forces.push_back(fmt::format("{}*({})", term(-c), pull));
      }
    }
    if (const std::string* name = e.attribute("name")) tendons_[*name] = t;
    sheet_.report.count("fixed tendons");
  }

  void spatial_tendon(const XmlElement& e) {
    std::vector<Site> path;
    bool straight = true;
    for (const XmlElement& part : e.children) {
      part.use_all();
      const std::string* name = part.attribute("site");
      if (part.name == "site" && name && sites_.count(*name))
        path.push_back(sites_[*name]);
      else
        straight = false;
    }
    refuse_of_tendon(e);
    const double k = source_.number(e, "stiffness", "").value_or(0),
                 d = source_.number(e, "damping", "").value_or(0);
    const std::vector<double> rest = source_.numbers(e, "springlength", "");
    if (k == 0 && d == 0) {
      sheet_.report.leave_out("a spatial tendon without stiffness and damping",
                              "by itself it exerts no force", Effect::none, e.place());
      return;
    }
    if (!straight || path.size() != 2 || (rest.size() == 2 && rest[0] != rest[1]))
      return sheet_.report.leave_out("a spatial tendon over several points",
                                     "only a straight one between two sites is a spring here",
                                     Effect::changes, e.place());
    const auto world_point = [&](const Site& s) {
      for (const auto& [key, b] : bodies_)
        if (b.name == s.body) return b.X_W * s.X.p;
      return s.X.p;
    };
    const double start = norm(world_point(path[0]) - world_point(path[1]));
    Node& spring = sheet_.add("spring", e);
    put(spring, "name",
        text_node(new_name("column", e, fmt::format("tendon{}", ++equality_count_))));
    for (size_t i = 0; i < 2; ++i) {
      Node end = table_node();
      put(end, "body", text_node(path[i].body));
      if (dot(path[i].X.p, path[i].X.p) != 0) put(end, "at", list_node(path[i].X.p));
      put(spring, i == 0 ? "from" : "to", std::move(end));
    }
    if (k != 0) put(spring, "k", number_node(k));
    put(spring, "length", number_node(rest.empty() || rest[0] < 0 ? start : rest[0]));
    if (d != 0) put(spring, "damping", number_node(d));
    sheet_.report.count("spatial tendons as springs");
  }

  void tendon_equalities(const XmlElement& section) {
    for (const XmlElement* e : section.all("tendon")) {
      const std::string* one = e->attribute("tendon1");
      const std::string* two = e->attribute("tendon2");
      const std::string* active = source_.attribute(*e, "active", "");
      std::vector<double> c = source_.numbers(*e, "polycoef", "");
      if (c.empty()) c = {0, 1, 0, 0, 0};
      c.resize(5, 0);
      if (active && *active == "false") continue;
      const auto a = one ? tendons_.find(*one) : tendons_.end();
      const auto b = two ? tendons_.find(*two) : tendons_.end();
      if (a == tendons_.end() || (two && b == tendons_.end()) ||
          (two && (c[2] != 0 || c[3] != 0 || c[4] != 0))) {
        sheet_.report.leave_out("a tendon constraint",
                                "only fixed tendons, with a linear law, are tied here",
                                Effect::changes, e->place());
        continue;
      }
      // L₁ − L₁₀ = c₀ + c₁ (L₂ − L₂₀)
      std::vector<std::string> names;
      std::vector<double> coefficients;
      const auto add = [&](const Tendon& t, double factor) {
        for (const auto& [j, coef] : t.joints)
          names.push_back(j->name), coefficients.push_back(factor * coef);
      };
      add(a->second, 1);
      double offset = a->second.length + c[0];
      if (two) add(b->second, -c[1]), offset -= c[1] * b->second.length;
      Node& node = sheet_.add("constraint", *e);
      put(node, "name",
          text_node(new_name("column", *e, fmt::format("coupling{}", ++equality_count_))));
      put(node, "type", text_node("coupling"));
      put(node, "joints", texts_node(names));
      put(node, "coefficients", list_node(coefficients));
      put(node, "offset", number_node(offset));
      sheet_.report.count("tendon constraints as couplings");
      soft(*e);
    }
  }

  // ── drives ──

  struct Law {  // force = gain · ctrl + bias, both affine in the length l and the speed v
    std::array<double, 3> gain{1, 0, 0}, bias{0, 0, 0};
  };

  void actuators(const XmlElement& section) {
    static const std::vector<std::string> known = {"motor", "position", "velocity", "general",
                                                   "damper"};
    for (const XmlElement& e : section.children)
      if (std::find(known.begin(), known.end(), e.name) != known.end()) {
        e.used = true;
        actuator(e);
      }
  }

  /// Inertia that a drive on a joint moves at the start: that of all bodies beyond it, about its axis.
  double inertia_beyond(const Joint& j) const {
    double sum = j.armature;
    for (const auto& [key, b] : bodies_) {
      const Body* at = &b;
      while (at && at != j.body) at = at->parent;
      if (!at) continue;
      const Vec3 arm = cross(j.axis_W, b.X_W * b.mass.com - j.at_W),
                 own = transpose(b.X_W.R) * j.axis_W;
      sum += j.type == "slide" ? b.mass.mass
                               : dot(own, b.mass.inertia * own) + b.mass.mass * dot(arm, arm);
    }
    return sum;
  }

  std::optional<Law> law_of(const XmlElement& e) {
    const auto number = [&](const char* key, double fallback) {
      return source_.number(e, key, "").value_or(fallback);
    };
    const auto three = [&](const char* key, std::array<double, 3> a) {
      const std::vector<double> n = source_.numbers(e, key, "");
      for (size_t i = 0; i < std::min<size_t>(3, n.size()); ++i) a[i] = n[i];
      return a;
    };
    Law law;
    if (e.name == "position") {
      const double kp = number("kp", 1);
      double kv = number("kv", 0);
      if (const double ratio = number("dampratio", 0); ratio != 0) {
        const std::string* joint = source_.attribute(e, "joint", "");
        const auto found = joint ? joints_.find(*joint) : joints_.end();
        const std::vector<double> gear = source_.numbers(e, "gear", "");
        const double g = gear.empty() ? 1 : gear[0];
        if (found != joints_.end() && found->second.nq == 1 && g != 0)
          kv = 2 * ratio * std::sqrt(kp * inertia_beyond(found->second)) / std::fabs(g);
        else
          sheet_.report.leave_out(
              "dampratio", "damping from the inertia at the start is computed for joints only",
              Effect::changes, e.place());
      }
      if (number("timeconst", 0) != 0)
        sheet_.report.leave_out("timeconst", "the control acts at once", Effect::changes,
                                e.place());
      law.gain = {kp, 0, 0}, law.bias = {0, -kp, -kv};
    } else if (e.name == "velocity") {
      const double kv = number("kv", 1);
      law.gain = {kv, 0, 0}, law.bias = {0, 0, -kv};
    } else if (e.name == "damper") {
      law.gain = {0, 0, -number("kv", 1)};
    } else if (e.name == "general") {
      const auto word = [&](const char* key, const char* fallback) {
        const std::string* t = source_.attribute(e, key, "");
        return t ? *t : std::string(fallback);
      };
      const std::string gain = word("gaintype", "fixed"), bias = word("biastype", "none"),
                        dyn = word("dyntype", "none");
      if ((gain != "fixed" && gain != "affine") || (bias != "none" && bias != "affine")) {
        sheet_.report.leave_out(
            fmt::format("a drive of gain '{}' and bias '{}'", shown(gain), shown(bias)),
            "not known here", Effect::changes, e.place());
        return std::nullopt;
      }
      if (dyn != "none") {
        source_.attribute(e, "dynprm", "");
        sheet_.report.leave_out(fmt::format("dyntype '{}' of a drive", shown(dyn)),
                                "the control acts at once", Effect::changes, e.place());
      }
      law.gain = three("gainprm", {1, 0, 0});
      if (gain == "fixed") law.gain[1] = law.gain[2] = 0;
      if (bias == "affine") law.bias = three("biasprm", {0, 0, 0});
    }
    return law;
  }

  void actuator(const XmlElement& e) {
    const std::optional<Law> law = law_of(e);
    std::vector<double> gear = source_.numbers(e, "gear", "");
    if (gear.empty()) gear = {1};
    gear.resize(6, 0);
    const std::vector<double> forces = source_.numbers(e, "forcerange", ""),
                              controls = source_.numbers(e, "ctrlrange", "");
    const std::string* limited = source_.attribute(e, "forcelimited", "");
    const bool bounded_force =
        forces.size() == 2 &&
        (!limited || *limited == "auto" ? source_.settings().autolimits : *limited == "true");
    const std::string *joint = source_.attribute(e, "joint", ""),
                      *tendon = source_.attribute(e, "tendon", ""),
                      *site = source_.attribute(e, "site", ""),
                      *in_parent = source_.attribute(e, "jointinparent", "");
    if (!joint) joint = in_parent;
    for (const char* key : {"body", "cranksite", "slidersite", "refsite"})
      if (source_.attribute(e, key, "")) {
        sheet_.report.leave_out(fmt::format("a drive at a {}", key), "not known here",
                                Effect::changes, e.place());
        return;
      }
    if (!law) return;
    // the control: a parameter, 0 unless its range leaves that out
    double ctrl = 0;
    if (const double share = source_.number(e, "inheritrange", "").value_or(0);
        share > 0 && controls.empty() && joint && joints_.count(*joint)) {
      if (const auto& range = joints_[*joint].range) {
        const double middle = 0.5 * (range->first + range->second),
                     half = 0.5 * share * (range->second - range->first);
        ctrl = std::clamp(0.0, middle - half, middle + half);
      }
    }
    if (controls.size() == 2 && controls[0] < controls[1])
      ctrl = std::clamp(0.0, controls[0], controls[1]);
    const std::string* given = e.attribute("name");
    const std::string name =
        "ctrl_" + sheet_.unique_name("control",
                                     name_for_formulas(given   ? *given
                                                       : joint ? *joint
                                                               : fmt::format("drive{}", ++drives_)),
                                     e);
    const auto bounds = [&](const std::string& force) {
      return bounded_force
                 ? fmt::format("clamp({}, {}, {})", force, term(forces[0]), term(forces[1]))
                 : force;
    };
    const auto formula = [&](const std::string& l, const std::string& v) {
      std::string gain;
      const auto affine = [&](const std::array<double, 3>& a) {
        std::string text;
        const auto add = [&](const std::string& t) { text += (text.empty() ? "" : " + ") + t; };
        if (a[0] != 0) add(term(a[0]));
        if (a[1] != 0) add(fmt::format("{}*({})", term(a[1]), l));
        if (a[2] != 0) add(fmt::format("{}*({})", term(a[2]), v));
        return text;
      };
      std::string all;
      if (const std::string g = affine(law->gain); !g.empty())
        all = fmt::format("({})*{}", g, name);
      if (const std::string b = affine(law->bias); !b.empty())
        all += (all.empty() ? "" : " + ") + b;
      return bounds(all.empty() ? "0" : all);
    };
    if (joint) {
      Joint* j = known_joint(e, *joint);
      if (!j) return;
      if (j->nq != 1) {
        sheet_.report.leave_out("a drive of a ball or free joint", "not known here",
                                Effect::changes, e.place());
        return;
      }
      sheet_.parameters[name] = ctrl;
      const double g = gear[0];
      const std::string l = g == 1 ? j->name + ".q" : fmt::format("{}*{}.q", term(g), j->name);
      const std::string v = g == 1 ? j->name + ".u" : fmt::format("{}*{}.u", term(g), j->name);
      const std::string drive =
          g == 1 ? formula(l, v) : fmt::format("{}*({})", term(g), formula(l, v));
      const bool servo = law->gain[1] == 0 && law->gain[2] == 0 && law->bias[0] == 0 &&
                         law->bias[1] == -law->gain[0] && law->gain[0] > 0 && law->bias[2] <= 0 &&
                         g > 0 && !j->servo && (!bounded_force || forces[0] == -forces[1]);
      if (servo) {
        Node s = table_node();
        put(s, "reference", text_node(g == 1 ? name : fmt::format("{}/{}", name, term(g))));
        put(s, "kp", number_node(law->gain[0] * g * g));
        if (law->bias[2] != 0) put(s, "kd", number_node(-law->bias[2] * g * g));
        double most = bounded_force ? forces[1] * g : std::numeric_limits<double>::infinity();
        if (j->bounds && j->bounds->first == -j->bounds->second)
          most = std::min(most, j->bounds->second);
        if (std::isfinite(most)) put(s, "max_force", number_node(most));
        j->servo = std::move(s);
        j->servo_formula = drive;
        sheet_.report.count("drives as servos");
        return;
      }
      j->drives.push_back(drive);
      sheet_.report.count("drives as forces");
      return;
    }
    if (tendon && tendons_.count(*tendon)) {
      const Tendon& t = tendons_[*tendon];
      std::string l, v;
      for (const auto& [j, c] : t.joints) {
        l += fmt::format("{}{}*{}.q", l.empty() ? "" : " + ", term(c * gear[0]), j->name);
        v += fmt::format("{}{}*{}.u", v.empty() ? "" : " + ", term(c * gear[0]), j->name);
      }
      sheet_.parameters[name] = ctrl;
      for (const auto& [j, c] : t.joints)
        j->drives.push_back(fmt::format("{}*({})", term(c * gear[0]), formula(l, v)));
      sheet_.report.count("drives of tendons as forces");
      return;
    }
    if (site && sites_.count(*site) && law->gain[1] == 0 && law->gain[2] == 0 &&
        law->bias == std::array<double, 3>{0, 0, 0}) {
      const Site& s = sites_[*site];
      if (s.body == "world") return;
      const Vec3 f = s.X.R * Vec3{gear[0], gear[1], gear[2]},
                 n = s.X.R * Vec3{gear[3], gear[4], gear[5]};
      sheet_.parameters[name] = ctrl;
      const std::string strength = formula("0", "0");
      const auto parts = [&](const Vec3& d) {
        std::vector<std::string> texts;
        for (int i = 0; i < 3; ++i)
          texts.push_back(d[i] == 0 ? "0" : fmt::format("{}*({})", term(d[i]), strength));
        return texts_node(texts);
      };
      Node& force = sheet_.add("force", e);
      put(force, "name", text_node(new_name("column", e, fmt::format("force{}", ++drives_))));
      put(force, "body", text_node(s.body));
      if (dot(s.X.p, s.X.p) != 0) put(force, "at", list_node(s.X.p));
      put(force, "axes", text_node("body"));
      if (dot(f, f) != 0) put(force, "force", parts(f));
      if (dot(n, n) != 0) put(force, "moment", parts(n));
      sheet_.report.count("drives at sites as forces");
      return;
    }
    sheet_.report.leave_out("a drive of a spatial tendon or a site", "not known here",
                            Effect::changes, e.place());
  }

  static std::string sum_of(const std::vector<std::string>& terms) {
    std::string all;
    for (const std::string& t : terms) all += (all.empty() ? "" : " + ") + t;
    return all;
  }

  /// Forces of tendons and drives. Bounds on the drives of a joint hold for their sum: a servo alone has them as its
  /// own, where they are symmetric.
  void write_forces() {
    for (Joint* j : order_) {
      const bool alone =
          j->drives.empty() && (!j->bounds || j->bounds->first == -j->bounds->second);
      if (j->servo && (alone || !j->bounds))
        put(*j->node, "servo", std::move(*j->servo));
      else if (j->servo)
        j->drives.push_back(j->servo_formula);
      std::vector<std::string> terms = j->forces;
      if (!j->drives.empty())
        terms.push_back(j->bounds ? fmt::format("clamp({}, {}, {})", sum_of(j->drives),
                                                term(j->bounds->first), term(j->bounds->second))
                                  : sum_of(j->drives));
      if (!terms.empty()) put(*j->node, "force", text_node(sum_of(terms)));
    }
  }

  // ── keyframes ──

  void keys(const XmlElement& section) {
    for (const XmlElement* key : section.all("key")) {
      const std::string* name = key->attribute("name");
      if (options_.key.empty() || !name || *name != options_.key) {
        key->used = false;
        continue;
      }
      key->use_all();
      const std::string* text = key->attribute("qpos");
      const auto q = text ? numbers_in(faults_, *key, "qpos", *text) : std::nullopt;
      if (!q) continue;
      if (static_cast<int>(q->size()) != positions_)
        return faults_.error(
            *key, "wrong-length",
            fmt::format("qpos: {} numbers for {} coordinates", q->size(), positions_));
      for (Joint* j : order_) {
        std::vector<double> own(q->begin() + j->position, q->begin() + j->position + j->nq);
        if (j->type == "free")
          std::rotate(own.begin(), own.begin() + 3, own.end());  // quaternion first
        std::erase_if(j->node->children, [](const Node& n) { return n.key == "q"; });
        put(*j->node, "q", j->nq == 1 ? number_node(own[0]) : list_node(own));
      }
      key_found_ = true;
      sheet_.report.count("keyframes as the start");
    }
    if (!options_.key.empty() && !key_found_)
      faults_.error(section, "unknown-name",
                    fmt::format("no key is called '{}'", shown(options_.key)));
  }

  const ImportOptions& options_;
  XmlFaults faults_;
  Sheet sheet_;
  MjcfSource source_;
  MeshPaths paths_;
  std::string folder_;
  std::map<std::string, Body> bodies_;
  std::map<std::string, Joint> joints_;
  std::vector<Joint*> order_;
  std::map<std::string, Site> sites_;
  std::map<std::string, Tendon> tendons_;
  std::map<std::string, Asset> meshes_;
  std::map<std::string, std::string> colors_;
  int joint_count_ = 0, equality_count_ = 0, positions_ = 0, geoms_ = 0, drives_ = 0;
  bool key_found_ = false;
};

}  // namespace

Imported import_mjcf(XmlElement mujoco, const std::string& file, const ImportOptions& options) {
  return MjcfReader(std::move(mujoco), file, options).read();
}

}  // namespace sarrus
