// SDF as Sarrus says it. Everything has a pose, relative to a frame that it names or to the usual one:
//
//   link L: X_ML in the model,  joint: X_LJ in its child link,  frame: in what it is attached to
//   joint:  on_parent = X_MP⁻¹ X_ML X_LJ,  on_child = X_LJ,  axis in the joint's frame unless expressed_in says another
//
// Links may be joined to loops. A part that no joint ties to the world moves freely, from where it stands.
#include "sarrus/files/import/sdf.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <set>

#include "sarrus/core/near_match.hpp"
#include "sarrus/files/import/mesh_paths.hpp"
#include "sarrus/files/import/sheet.hpp"

namespace sarrus {
namespace {

const std::vector<KnownGap> sdf_gaps = {
    {"collision", Effect::none, "no contact is set up; [[contact]] of a model does that"},
    {"sensor", Effect::none, "write [[sensor]] for what is to be recorded"},
    {"plugin", Effect::unknown, "a program of Gazebo"},
    {"light", Effect::none, "only drawn"},
    {"material", Effect::none, "only drawn"},
    {"audio_source", Effect::none, "only heard"},
    {"self_collide", Effect::none, "no contact is set up"},
    {"enable_wind", Effect::none, "there is no wind"},
    {"kinematic", Effect::unknown, "how Gazebo moves a link"},
    {"allow_auto_disable", Effect::none, "how Gazebo computes"},
    {"scene", Effect::none, "only drawn"},
    {"gui", Effect::none, "only drawn"},
    {"physics", Effect::none, "how Gazebo computes"},
    {"atmosphere", Effect::none, "there is no air"},
    {"magnetic_field", Effect::none, "for sensors"},
    {"spherical_coordinates", Effect::none, "where on the earth"},
    {"include", Effect::changes, "another model"},
    {"effort", Effect::none, "no drive is set up that it could bound"},
    {"velocity", Effect::none, "no drive is set up that it could bound"},
    {"stiffness", Effect::none, "of a limit, which has its own here"},
    {"dissipation", Effect::none, "of a limit, which has its own here"},
    {"velocity_decay", Effect::changes, "damping of a link against the world"},
    {"gearbox_ratio", Effect::changes, "of a gearbox"},
    {"gravity", Effect::changes, "of one link; all feel the same here"},
    {"cast_shadows", Effect::none, "only drawn"},
    {"transparency", Effect::none, "only drawn"},
    {"laser_retro", Effect::none, "for sensors"},
    {"fluid_added_mass", Effect::changes, "there is no fluid"},
    {"auto_inertia_params", Effect::unknown, "how an inertia is computed"},
    {"model@canonical_link", Effect::none, "a name"},
    {"model@placement_frame", Effect::changes, "where the model is put"},
    {"sdf@version", Effect::none, "of the format"},
    {"inertial@auto", Effect::changes, "the inertia is that which is written"},
};

class SdfReader {
 public:
  SdfReader(const XmlElement& sdf, const std::string& file, const ImportOptions& options)
      : sdf_(sdf),
        sheet_(file),
        paths_(file, options.roots, options.destination),
        options_(options) {}

  Imported read() {
    sdf_.used = true;
    sheet_.report.format = "SDF";
    const std::string* version = sdf_.attribute("version");
    if (version && (*version == "1.0" || *version == "1.2" || *version == "1.3" ||
                    *version == "1.4" || *version == "1.5"))
      faults_.error(sdf_, "newer-format",
                    fmt::format("SDF {} is not read; 1.6 and later are", *version),
                    "gz sdf --print FILE writes a later one");
    old_axes_ = version && *version == "1.6";
    std::vector<const XmlElement*> models = sdf_.all("model");
    for (const XmlElement* world : sdf_.all("world")) {
      if (const XmlElement* g = world->child("gravity"))
        if (const auto n = numbers_in(faults_, *g, "gravity", g->text); n && n->size() == 3)
          if ((*n)[0] != 0 || (*n)[1] != 0 || (*n)[2] != -9.81)
            put(sheet_.top, "gravity", list_node(*n));
      for (const XmlElement* m : world->all("model")) models.push_back(m);
    }
    if (models.empty()) faults_.error(sdf_, "empty", "there is no model");
    if (models.size() == 1)
      if (const std::string* name = models[0]->attribute("name")) {
        sheet_.report.model = *name;
        put(sheet_.top, "name", text_node(shown(*name, 200)));
      }
    for (const XmlElement* m : models)
      model(*m, {}, models.size() > 1 && m->attribute("name") ? *m->attribute("name") + "_" : "");
    faults_.throw_if_any();
    report_unused(sdf_, sdf_gaps, sheet_.report);
    Imported made{sheet_.document(), sheet_.toml(), sheet_.report, {}, {}, paths_.copies()};
    if (!paths_.package_folder().empty()) made.roots.push_back(paths_.package_folder());
    return made;
  }

 private:
  // ── frames ──

  struct Frame {
    const XmlElement* from = nullptr;
    std::string base;  // where its pose is given, unless relative_to says another
    bool busy = false;
    std::optional<Pose<double>> X;  // in the model
  };
  struct Model {
    std::map<std::string, Frame> frames;  // links, joints and frames by name
    Pose<double> X_W;
    std::string prefix;
    std::map<std::string, std::string> bodies;  // link → body
    std::set<std::string> tied;
  };

  Pose<double> pose_text(const XmlElement& e) {
    const auto n = numbers_in(faults_, e, "pose", e.text);
    if (!n || n->empty()) return {};
    const std::string* degrees = e.attribute("degrees");
    const std::string* format = e.attribute("rotation_format");
    if (format && *format == "quat_xyzw" && n->size() == 7)
      return {rotation(normalized(Quat{(*n)[6], (*n)[3], (*n)[4], (*n)[5]})),
              {(*n)[0], (*n)[1], (*n)[2]}};
    if (n->size() != 6) {
      faults_.error(e, "wrong-length", fmt::format("a pose of {} numbers, not 6", n->size()),
                    "x y z roll pitch yaw");
      return {};
    }
    const double s = degrees && *degrees == "true" ? std::numbers::pi / 180 : 1;
    const Vec3 rpy{(*n)[3] * s, (*n)[4] * s, (*n)[5] * s};
    return {dot(rpy, rpy) == 0 ? Mat3::identity() : rotation_rpy(rpy), {(*n)[0], (*n)[1], (*n)[2]}};
  }

  /// A frame in the model; follows what it is relative to.
  Pose<double> frame_in(Model& m, const std::string& name, const XmlElement& asked) {
    if (name.empty() || name == "__model__") return {};
    if (name == "world") return inverse(m.X_W);
    const auto found = m.frames.find(name);
    if (found == m.frames.end()) {
      std::vector<std::string> known;
      for (const auto& [n, f] : m.frames) known.push_back(n);
      faults_.error(asked, "unknown-name",
                    fmt::format("no link, joint or frame is called '{}'", shown(name)),
                    did_you_mean(name, known));
      return {};
    }
    Frame& f = found->second;
    if (f.X) return *f.X;
    if (f.busy) {
      faults_.error(*f.from, "include-cycle",
                    fmt::format("the pose of '{}' is relative to itself", shown(name)),
                    "give one of them relative to the model");
      return {};
    }
    f.busy = true;
    const XmlElement* pose = f.from->child("pose");
    const std::string* relative = pose ? pose->attribute("relative_to") : nullptr;
    const Pose<double> X =
        frame_in(m, relative && !relative->empty() ? *relative : f.base, *f.from) *
        (pose ? pose_text(*pose) : Pose<double>{});
    f.busy = false;
    f.X = X;
    return X;
  }

  static std::string text_of(const XmlElement& e, std::string_view key) {
    const XmlElement* c = e.child(key);
    return c ? c->text : "";
  }
  double number_in(const XmlElement* e, std::string_view key, double fallback = 0) {
    const XmlElement* c = e ? e->child(key) : nullptr;
    if (!c) return fallback;
    const auto n = numbers_in(faults_, *c, key, c->text);
    return n && n->size() == 1 ? n->front() : fallback;
  }
  std::optional<Vec3> vector_in(const XmlElement* e, std::string_view key) {
    const XmlElement* c = e ? e->child(key) : nullptr;
    if (!c) return std::nullopt;
    const auto n = numbers_in(faults_, *c, key, c->text);
    if (!n) return std::nullopt;
    if (n->size() != 3) {
      faults_.error(*c, "wrong-length", fmt::format("{} numbers, not 3", n->size()));
      return std::nullopt;
    }
    return Vec3{(*n)[0], (*n)[1], (*n)[2]};
  }

  // ── models ──

  void model(const XmlElement& e, const Pose<double>& X_W, const std::string& prefix) {
    e.used = true;
    e.attribute("name");
    Model m;
    m.prefix = prefix;
    const XmlElement* pose = e.child("pose");
    m.X_W = X_W * (pose ? pose_text(*pose) : Pose<double>{});
    const bool stands = text_of(e, "static") == "true" || text_of(e, "static") == "1";
    for (const char* kind : {"link", "joint", "frame"})
      for (const XmlElement* c : e.all(kind)) {
        const std::string name = required_text(faults_, *c, "name");
        if (name.empty()) continue;
        std::string base;
        if (c->name == "joint") base = text_of(*c, "child");
        if (c->name == "frame")
          if (const std::string* on = c->attribute("attached_to")) base = *on;
        if (!m.frames.emplace(name, Frame{c, base, false, std::nullopt}).second)
          faults_.error(*c, "doubled-name",
                        fmt::format("a second link, joint or frame '{}'", shown(name)),
                        "give each its own name");
      }
    faults_.throw_if_any();
    for (const XmlElement* l : e.all("link"))
      m.bodies[*l->attribute("name")] =
          sheet_.unique_name("body", prefix + *l->attribute("name"), *l);
    for (const XmlElement* l : e.all("link")) link(m, *l);
    for (const XmlElement* j : e.all("joint")) joint(m, *j);
    for (const XmlElement* l : e.all("link")) stand(m, *l, stands);
    for (const XmlElement* inner : e.all("model"))
      model(*inner, m.X_W,
            prefix + (inner->attribute("name") ? *inner->attribute("name") : "") + "_");
  }

  void link(Model& m, const XmlElement& e) {
    Node& body = sheet_.add("body", e);
    put(body, "name", text_node(m.bodies[*e.attribute("name")]));
    // as Gazebo takes it where nothing is written
    ImportedMass mass{1, {}, Mat3::identity()};
    if (const XmlElement* i = e.child("inertial")) {
      const XmlElement* pose = i->child("pose");
      const Pose<double> X = pose ? pose_text(*pose) : Pose<double>{};
      if (pose && pose->attribute("relative_to") && !pose->attribute("relative_to")->empty())
        faults_.error(*pose, "wrong-joint", "the pose of an <inertial> is relative to its link");
      mass.mass = number_in(i, "mass", 1);
      const XmlElement* I = i->child("inertia");
      const double xx = number_in(I, "ixx", 1), yy = number_in(I, "iyy", 1),
                   zz = number_in(I, "izz", 1);
      const double xy = number_in(I, "ixy"), xz = number_in(I, "ixz"), yz = number_in(I, "iyz");
      const Mat3 own{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
      mass.com = X.p;
      mass.inertia = X.R * own * transpose(X.R);
      mass.inertia = (mass.inertia + transpose(mass.inertia)) * 0.5;
    } else {
      sheet_.report.approximate("a link without <inertial>", "1 kg and 1 kg m², as Gazebo takes it",
                                e.place(), Effect::decided);
    }
    if (!(mass.mass >= 0 && std::isfinite(mass.mass)))
      faults_.error(e, "bad-mass", fmt::format("{} kg is not a mass", mass.mass), "positive");
    put_mass(sheet_, body, mass, e);
    sheet_.report.count("links");
    if (options_.draw) shapes(m, e, body);
  }

  void shapes(Model& m, const XmlElement& e, Node& body) {
    Node list;
    list.kind = NodeKind::list;
    list.line = body.line, list.column = body.column;
    for (const XmlElement* v : e.all("visual")) {
      const XmlElement* pose = v->child("pose");
      Pose<double> X = pose ? pose_text(*pose) : Pose<double>{};
      if (const std::string* relative = pose ? pose->attribute("relative_to") : nullptr;
          relative && !relative->empty())
        X = inverse(frame_in(m, *e.attribute("name"), e)) * frame_in(m, *relative, *pose) * X;
      const XmlElement* g = v->child("geometry");
      std::optional<Node> shape = g ? solid(*g) : std::nullopt;
      if (!shape) continue;
      if (dot(X.p, X.p) != 0) put(*shape, "at", list_node(X.p));
      if (auto turn = rotation_node(X.R)) put(*shape, "rotation", std::move(*turn));
      shape->line = v->line, shape->column = v->column;
      list.children.push_back(std::move(*shape));
      sheet_.report.count("shapes to draw");
    }
    if (!list.children.empty()) put(body, "shapes", std::move(list));
  }

  std::optional<Node> solid(const XmlElement& g) {
    Node n = table_node();
    const auto skip = [&](const XmlElement& e, std::string_view why) -> std::optional<Node> {
      sheet_.report.leave_out(fmt::format("a {} to draw", shown(e.name)), why, Effect::none,
                              e.place());
      return std::nullopt;
    };
    if (const XmlElement* e = g.child("box")) {
      const Vec3 size = vector_in(e, "size").value_or(Vec3{1, 1, 1});
      if (!(size.x > 0 && size.y > 0 && size.z > 0)) return skip(*e, "it has no size");
      put(n, "type", text_node("box"));
      put(n, "size", list_node(size));
      return n;
    }
    for (const char* kind : {"cylinder", "capsule", "sphere"})
      if (const XmlElement* e = g.child(kind)) {
        const double radius = number_in(e, "radius", 1), length = number_in(e, "length", 1);
        if (!(radius > 0 && length > 0)) return skip(*e, "it has no size");
        put(n, "type", text_node(kind));
        put(n, "radius", number_node(radius));
        if (std::string_view(kind) != "sphere") put(n, "length", number_node(length));
        return n;
      }
    if (const XmlElement* e = g.child("mesh")) {
      const Vec3 scale = vector_in(e, "scale").value_or(Vec3{1, 1, 1});
      if (!(scale.x == scale.y && scale.y == scale.z && scale.x > 0))
        return skip(*e, "its scale differs from axis to axis or is negative");
      const MeshPaths::Found found = paths_.find(text_of(*e, "uri"));
      if (!found.problem.empty()) return skip(*e, found.problem);
      put(n, "type", text_node("mesh"));
      put(n, "file", text_node(found.path));
      if (scale.x != 1) put(n, "scale", number_node(scale.x));
      return n;
    }
    for (const XmlElement& e : g.children) {
      e.use_all();
      return skip(e, "this shape is not known here");
    }
    return std::nullopt;
  }

  // ── joints ──

  void joint(Model& m, const XmlElement& e) {
    static const std::map<std::string, const char*> types = {
        {"revolute", "revolute"}, {"continuous", "revolute"}, {"prismatic", "prismatic"},
        {"fixed", "fixed"},       {"ball", "spherical"},      {"universal", "universal"},
        {"screw", "screw"}};
    const std::string name = *e.attribute("name"), type = required_text(faults_, e, "type");
    const std::string parent = text_of(e, "parent"), child = text_of(e, "child");
    const auto known = types.find(type);
    if (known == types.end())
      return sheet_.report.leave_out(fmt::format("a joint of type '{}'", shown(type)),
                                     "its links move independently", Effect::changes, e.place());
    std::string ends[2];
    for (int i = 0; i < 2; ++i) {
      const std::string& said = i == 0 ? parent : child;
      if (said == "world") {
        ends[i] = "world";
        continue;
      }
      const auto found = m.bodies.find(said);
      if (found == m.bodies.end()) {
        std::vector<std::string> all;
        for (const auto& [n, b] : m.bodies) all.push_back(n);
        return faults_.error(
            e, "unknown-body",
            fmt::format("{}: no link is called '{}'", i == 0 ? "parent" : "child", shown(said)),
            did_you_mean(said, all));
      }
      ends[i] = found->second;
    }
    if (ends[1] == "world")
      return faults_.error(e, "wrong-joint", "the world is the child of a joint",
                           "swap parent and child");
    const Pose<double> X_J = frame_in(m, name, e), X_L = frame_in(m, child, e);
    const Pose<double> X_P = ends[0] == "world" ? inverse(m.X_W) : frame_in(m, parent, e);
    Node& node = sheet_.add("joint", e);
    put(node, "name", text_node(sheet_.unique_name("column", m.prefix + name, e)));
    put(node, "type", text_node(known->second));
    if (ends[0] != "world") put(node, "parent", text_node(ends[0]));
    put(node, "child", text_node(ends[1]));
    if (auto frame = frame_node(inverse(X_P) * X_J)) put(node, "on_parent", std::move(*frame));
    if (auto frame = frame_node(inverse(X_L) * X_J)) put(node, "on_child", std::move(*frame));
    m.tied.insert(child);
    sheet_.report.count(type + " joints");
    if (type == "fixed" || type == "ball") return;
    const XmlElement* axis = e.child("axis");
    put(node, "axis", axis_node(axis_of(m, axis, X_J, parent)));
    if (type == "universal")
      put(node, "axis2", axis_node(axis_of(m, e.child("axis2"), X_J, parent)));
    if (type == "screw") {
      const XmlElement* pitch = e.child("screw_thread_pitch");
      const XmlElement* thread = e.child("thread_pitch");
      if (thread && !pitch) {
        thread->use_all();
        return faults_.error(*thread, "unknown-word",
                             "thread_pitch has changed its sign and unit between versions",
                             "write screw_thread_pitch, in metres per turn");
      }
      put(node, "pitch", number_node(number_in(&e, "screw_thread_pitch", 1)));
    }
    if (!axis) return;
    if (type == "universal") {
      if (const XmlElement* d = axis->child("dynamics"); d && number_in(d, "damping") != 0)
        put(node, "damper", number_node(number_in(d, "damping")));
      return;
    }
    limits(*axis, node, type);
    dynamics(*axis, node);
  }

  Vec3 axis_of(Model& m, const XmlElement* axis, const Pose<double>& X_J,
               const std::string& parent) {
    const XmlElement* xyz = axis ? axis->child("xyz") : nullptr;
    const Vec3 a = vector_in(axis, "xyz").value_or(Vec3{0, 0, 1});
    if (!axis) return a;
    if (const std::string* in = xyz ? xyz->attribute("expressed_in") : nullptr; in && !in->empty())
      return transpose(X_J.R) * (frame_in(m, *in, *xyz).R * a);
    const std::string whole = text_of(*axis, "use_parent_model_frame");
    if (old_axes_ && (whole == "true" || whole == "1")) return transpose(X_J.R) * a;
    static_cast<void>(parent);
    return a;
  }

  void limits(const XmlElement& axis, Node& node, const std::string& type) {
    const XmlElement* limit = axis.child("limit");
    if (!limit || type == "continuous") return;
    constexpr double far = 1e15;  // "no limit"
    const double low = number_in(limit, "lower", -1e16), high = number_in(limit, "upper", 1e16);
    if (!(low > -far) || !(high < far)) return;
    if (!(low < high))
      return faults_.error(*limit, "bad-limits",
                           fmt::format("lower {} is not below upper {}", low, high), "swap them");
    put(node, "limits", list_node({low, high}));
    if (low > 0 || high < 0) {
      put(node, "q", number_node(0.5 * (low + high)));
      sheet_.report.approximate("a joint whose limits leave out 0",
                                "it starts in the middle of its range", limit->place(),
                                Effect::decided);
    }
    sheet_.report.count("limits");
  }

  void dynamics(const XmlElement& axis, Node& node) {
    const XmlElement* d = axis.child("dynamics");
    if (!d) return;
    const double damping = number_in(d, "damping"), friction = number_in(d, "friction"),
                 k = number_in(d, "spring_stiffness"), rest = number_in(d, "spring_reference");
    if (damping != 0) put(node, "damper", number_node(damping));
    if (k != 0) {
      Node spring = table_node();
      put(spring, "k", number_node(k));
      if (rest != 0) put(spring, "rest", number_node(rest));
      put(node, "spring", std::move(spring));
    }
    if (friction == 0) return;
    Node law = table_node();
    put(law, "force", number_node(friction));
    put(node, "friction", std::move(law));
    sheet_.report.approximate("dry friction",
                              "it grows smoothly up to a speed of 1e-3 rad/s or m/s", d->place());
  }

  /// A link that is no joint's child moves freely; in a static model it stands.
  void stand(Model& m, const XmlElement& e, bool stands) {
    const std::string name = *e.attribute("name");
    if (!stands && m.tied.count(name)) return;
    const Pose<double> X = m.X_W * frame_in(m, name, e);
    Node& node = sheet_.add("joint", e);
    put(node, "name",
        text_node(
            sheet_.unique_name("column", m.bodies[name] + (stands ? "_stands" : "_free"), e)));
    put(node, "type", text_node(stands ? "fixed" : "free"));
    put(node, "child", text_node(m.bodies[name]));
    if (stands) {
      if (auto frame = frame_node(X)) put(node, "on_parent", std::move(*frame));
      return;
    }
    const Quat q = quaternion(X.R);
    put(node, "q", list_node({q.w, q.x, q.y, q.z, X.p.x, X.p.y, X.p.z}));
    sheet_.report.count("links that move freely");
  }

  const XmlElement& sdf_;
  Sheet sheet_;
  MeshPaths paths_;
  const ImportOptions& options_;
  XmlFaults faults_;
  bool old_axes_ = false;
};

}  // namespace

Imported import_sdf(const XmlElement& sdf, const std::string& file, const ImportOptions& options) {
  return SdfReader(sdf, file, options).read();
}

}  // namespace sarrus
