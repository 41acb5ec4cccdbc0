// URDF as Sarrus says it:
//
//   link L, inertial at X_LI = (R, p)     body L: com = p, inertia = R I Rᵀ about it
//   joint, origin X_PL                    joint: on_parent = X_PL, on_child = the link's frame
//   mimic: q = multiplier q' + offset     a gear between the two joints, which holds exactly
//
// The frame of a link is that of the joint above it. The root link stands on the world.
#include "sarrus/files/import/urdf.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "sarrus/core/near_match.hpp"
#include "sarrus/files/import/mesh_paths.hpp"
#include "sarrus/files/import/sheet.hpp"

namespace sarrus {
namespace {

const std::vector<KnownGap> urdf_gaps = {
    {"collision", Effect::none, "no contact is set up; [[contact]] of a model does that"},
    {"transmission", Effect::none,
     "it says which joints are driven, not how: write `servo`, `motor` or `force`"},
    {"safety_controller", Effect::none, "no controller is set up"},
    {"calibration", Effect::none, "of an encoder"},
    {"limit@effort", Effect::none, "no drive is set up that it could bound"},
    {"limit@velocity", Effect::none, "no drive is set up that it could bound"},
    {"gazebo", Effect::unknown, "an extension of Gazebo"},
    {"ros2_control", Effect::none, "no controller is set up"},
    {"material", Effect::none, "its texture"},
    {"texture", Effect::none, "only colours are drawn"},
    {"verbose", Effect::none, "a remark"},
    {"sensor", Effect::none, "write [[sensor]] for what is to be recorded"},
    {"mujoco", Effect::unknown, "settings of MuJoCo"},
    {"robot@version", Effect::none, "of the format"},
    {"link@type", Effect::none, "not part of URDF"},
    {"inertia@ixy", Effect::changes, "a product of inertia"},
    {"visual", Effect::none, "only drawn"},
};

class UrdfReader {
 public:
  UrdfReader(const XmlElement& robot, const std::string& file, const ImportOptions& options)
      : robot_(robot),
        sheet_(file),
        paths_(file, options.roots, options.destination),
        options_(options) {}

  Imported read(const std::string& file) {
    robot_.used = true;
    refuse_xacro();
    const std::string* name = robot_.attribute("name");
    sheet_.report.format = "URDF";
    sheet_.report.model = name ? *name : "";
    if (name && !name->empty()) put(sheet_.top, "name", text_node(shown(*name, 200)));
    read_materials();
    collect_links();
    collect_joints();
    faults_.throw_if_any();
    place_root();
    for (const XmlElement& e : robot_.children) {
      if (e.name == "link") link(e);
      if (e.name == "joint") joint(e);
    }
    for (const XmlElement* e : mimics_) mimic(*e);
    faults_.throw_if_any();
    report_unused(robot_, urdf_gaps, sheet_.report);
    include_loops(file);
    Imported made{sheet_.document(), sheet_.toml(), sheet_.report, {}, {}, paths_.copies()};
    if (!loops_copy_.first.empty()) made.copies.push_back(loops_copy_);
    if (!paths_.package_folder().empty()) made.roots.push_back(paths_.package_folder());
    return made;
  }

 private:
  struct Link {
    const XmlElement* from = nullptr;
    std::string body;
  };
  struct Joint {
    const XmlElement* from = nullptr;
    std::string name;
    double q = 0;
    bool one_axis = false, fixed = false;
    bool mimics = false;
  };

  void refuse_xacro() {
    for (const XmlAttribute& a : robot_.attributes)
      if (a.name == "xmlns:xacro") a.used = true;
    const auto look = [&](const auto& self, const XmlElement& e) -> void {
      if (faults_.full()) return;
      if (e.name.starts_with("xacro:"))
        return faults_.error(e, "xacro", "macros of xacro are not expanded",
                             "run: xacro FILE.xacro > FILE.urdf, and import that");
      for (const XmlElement& c : e.children) self(self, c);
    };
    look(look, robot_);
    faults_.throw_if_any();
  }

  // ── names ──

  void collect_links() {
    for (const XmlElement* e : robot_.all("link")) {
      const std::string name = required_text(faults_, *e, "name");
      if (name.empty()) continue;
      if (!links_.emplace(name, Link{e, ""}).second) {
        faults_.error(*e, "doubled-name",
                      fmt::format("a second link of this name; the first is on line {}",
                                  links_[name].from->line),
                      "give each its own name");
        continue;
      }
      links_[name].body = name == "world" ? "world" : sheet_.unique_name("body", name, *e);
    }
    if (links_.empty()) faults_.error(robot_, "empty", "the robot has no link");
  }

  void collect_joints() {
    for (const XmlElement* e : robot_.all("joint")) {
      const std::string name = required_text(faults_, *e, "name");
      if (name.empty()) continue;
      if (!joints_.emplace(name, Joint{e, ""}).second) {
        faults_.error(*e, "doubled-name",
                      fmt::format("a second joint of this name; the first is on line {}",
                                  joints_[name].from->line),
                      "give each its own name");
        continue;
      }
      joints_[name].name = sheet_.unique_name("column", name, *e);
      end_of(*e, "parent");
      if (const std::string child = end_of(*e, "child"); !child.empty()) children_.insert(child);
    }
  }

  /// The link that <parent link="…"/> or <child link="…"/> names.
  std::string end_of(const XmlElement& joint, std::string_view which) {
    const XmlElement* end = joint.child(which);
    if (!end) {
      faults_.error(joint, "missing-key", fmt::format("it has no <{} link=\"…\"/>", which));
      return "";
    }
    const std::string link = required_text(faults_, *end, "link");
    if (link.empty() || links_.count(link)) return link;
    std::vector<std::string> known;
    for (const auto& [name, l] : links_) known.push_back(name);
    faults_.error(*end, "unknown-body",
                  fmt::format("{}: no link is called '{}'", joint.title(), shown(link)),
                  did_you_mean(link, known));
    return "";
  }

  /// The link that is no joint's child stands on the world, or moves freely.
  void place_root() {
    std::vector<std::string> roots;
    for (const XmlElement& e : robot_.children)
      if (e.name == "link")
        if (const std::string* name = e.attribute("name"); name && !children_.count(*name))
          roots.push_back(*name);
    if (roots.empty())
      return faults_.error(robot_, "no-root",
                           "every link is the child of a joint: nothing stands on the world",
                           "remove the joint whose child is the base");
    if (roots.size() > 1)
      faults_.error(*links_[roots[1]].from, "two-roots",
                    fmt::format("'{}' and '{}' are both no joint's child: a robot has one base",
                                shown(roots[0]), shown(roots[1])),
                    "connect one of them by a joint, of type floating if it moves freely");
    faults_.throw_if_any();
    const Link& root = links_[roots[0]];
    if (root.body == "world") return;
    Node& base = sheet_.add("joint", *root.from);
    put(base, "name", text_node(sheet_.unique_name("column", "root_joint", *root.from)));
    put(base, "type", text_node(options_.floating ? "free" : "fixed"));
    put(base, "child", text_node(root.body));
    if (!options_.floating)
      sheet_.report.approximate("the base '" + root.body + "'",
                                "URDF does not say how it stands: it is fixed to the world; "
                                "--floating lets it move freely",
                                root.from->place(), Effect::decided);
  }

  // ── links ──

  struct Origin {
    Pose<double> X;
    std::optional<Vec3> rpy;  // as written, where it turns
  };

  Origin origin(const XmlElement& of) {
    Origin o;
    const XmlElement* e = of.child("origin");
    if (!e) return o;
    o.X.p = vector_of(faults_, *e, "xyz").value_or(Vec3{});
    const Vec3 rpy = vector_of(faults_, *e, "rpy").value_or(Vec3{});
    if (dot(rpy, rpy) != 0) o.rpy = rpy, o.X.R = rotation_rpy(rpy);
    return o;
  }

  static void put_rotation(Node& table, const Origin& o) {
    if (!o.rpy) return;
    Node turn = table_node();
    put(turn, "rpy", list_node(*o.rpy));
    put(table, "rotation", std::move(turn));
  }

  void link(const XmlElement& e) {
    const std::string* name = e.attribute("name");
    if (!name || name->empty()) return;
    const Link& l = links_[*name];
    const XmlElement* inertial = e.child("inertial");
    if (l.body == "world") {
      if (inertial) {
        inertial->use_all();
        sheet_.report.leave_out("<inertial> of the link 'world'", "the world does not move",
                                Effect::none, inertial->place());
      }
      return;
    }
    Node& body = sheet_.add("body", e);
    put(body, "name", text_node(l.body));
    put_mass(sheet_, body, inertial ? mass_of(*inertial) : ImportedMass{}, e);
    sheet_.report.count("links");
    if (!inertial) sheet_.report.count("links without inertia");
    if (options_.draw) shapes(e, body);
  }

  ImportedMass mass_of(const XmlElement& e) {
    ImportedMass m;
    const Origin o = origin(e);
    m.com = o.X.p;
    if (const XmlElement* mass = e.child("mass")) {
      m.mass = number_of(faults_, *mass, "value").value_or(0);
      if (!(m.mass >= 0 && std::isfinite(m.mass)))
        faults_.error(*mass, "bad-mass", fmt::format("{} kg is not a mass", m.mass),
                      "positive, or zero if massless");
    } else {
      faults_.error(e, "missing-key", "an <inertial> without <mass value=\"…\"/>");
    }
    const XmlElement* inertia = e.child("inertia");
    if (!inertia) return m;
    const auto entry = [&](const char* key) {
      return number_of(faults_, *inertia, key).value_or(0);
    };
    const double xx = entry("ixx"), yy = entry("iyy"), zz = entry("izz");
    const double xy = entry("ixy"), xz = entry("ixz"), yz = entry("iyz");
    const Mat3 I{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
    m.inertia = o.rpy ? o.X.R * I * transpose(o.X.R) : I;
    if (o.rpy) m.inertia = (m.inertia + transpose(m.inertia)) * 0.5;
    return m;
  }

  // ── shapes ──

  void read_materials() {
    for (const XmlElement* e : robot_.all("material"))
      if (const std::string* name = e->attribute("name"))
        if (const XmlElement* color = e->child("color"); color) colors_[*name] = hex(*color);
  }

  std::string hex(const XmlElement& color) {
    const std::string* rgba = color.attribute("rgba");
    const auto n = rgba ? numbers_in(faults_, color, "rgba", *rgba) : std::nullopt;
    if (!n || n->size() < 3) return "";
    const auto byte = [](double x) {
      return static_cast<int>(std::lround(255 * std::fmin(1, std::fmax(0, x))));
    };
    return fmt::format("#{:02x}{:02x}{:02x}", byte((*n)[0]), byte((*n)[1]), byte((*n)[2]));
  }

  std::string color_of(const XmlElement& visual) {
    const XmlElement* material = visual.child("material");
    if (!material) return "";
    if (const XmlElement* color = material->child("color")) {
      const std::string found = hex(*color);
      if (const std::string* name = material->attribute("name")) colors_.emplace(*name, found);
      return found;
    }
    const std::string* name = material->attribute("name");
    const auto known = name ? colors_.find(*name) : colors_.end();
    return known == colors_.end() ? "" : known->second;
  }

  /// What is seen; where nothing is, what collides.
  void shapes(const XmlElement& link, Node& body) {
    std::vector<const XmlElement*> seen = link.all("visual");
    if (seen.empty()) seen = link.all("collision");
    Node list;
    list.kind = NodeKind::list;
    for (const XmlElement* e : seen) {
      const Origin o = origin(*e);
      const std::string color = color_of(*e);
      const XmlElement* geometry = e->child("geometry");
      std::optional<Node> shape = geometry ? solid(*geometry) : std::nullopt;
      if (!shape) continue;
      if (dot(o.X.p, o.X.p) != 0) put(*shape, "at", list_node(o.X.p));
      put_rotation(*shape, o);
      if (!color.empty()) put(*shape, "color", text_node(color));
      shape->line = e->line, shape->column = e->column;
      list.children.push_back(std::move(*shape));
      sheet_.report.count("shapes to draw");
    }
    if (list.children.empty()) return;
    list.line = body.line, list.column = body.column;
    put(body, "shapes", std::move(list));
  }

  std::optional<Node> solid(const XmlElement& geometry) {
    Node n = table_node();
    const auto size = [&](const XmlElement& e, const char* key) {
      const double x = number_of(faults_, e, key).value_or(0);
      put(n, key, number_node(x));
      return x > 0 && std::isfinite(x);
    };
    const auto odd = [&](const XmlElement& e) -> std::optional<Node> {
      sheet_.report.leave_out(fmt::format("a {} to draw", e.name), "without size", Effect::none,
                              e.place());
      return std::nullopt;
    };
    if (const XmlElement* e = geometry.child("box")) {
      put(n, "type", text_node("box"));
      const Vec3 sides = vector_of(faults_, *e, "size").value_or(Vec3{});
      put(n, "size", list_node(sides));
      if (!(sides.x > 0 && sides.y > 0 && sides.z > 0)) return odd(*e);
      return n;
    }
    if (const XmlElement* e = geometry.child("sphere")) {
      put(n, "type", text_node("sphere"));
      return size(*e, "radius") ? std::optional(n) : odd(*e);
    }
    for (const char* kind : {"cylinder", "capsule"})
      if (const XmlElement* e = geometry.child(kind)) {
        put(n, "type", text_node(kind));
        const bool fits = size(*e, "radius") & size(*e, "length");
        return fits ? std::optional(n) : odd(*e);
      }
    if (const XmlElement* e = geometry.child("mesh")) return mesh(*e);
    return std::nullopt;
  }

  std::optional<Node> mesh(const XmlElement& e) {
    const std::string file = required_text(faults_, e, "filename");
    const Vec3 scale = vector_of(faults_, e, "scale").value_or(Vec3{1, 1, 1});
    const auto skip = [&](std::string_view why) {
      sheet_.report.leave_out("a mesh to draw", why, Effect::none, e.place());
      return std::nullopt;
    };
    if (file.empty()) return std::nullopt;
    const MeshPaths::Found found = paths_.find(file);
    if (!found.problem.empty()) return skip(found.problem);
    if (!(scale.x == scale.y && scale.y == scale.z && scale.x > 0))
      return skip("its scale differs from axis to axis or is negative");
    Node n = table_node();
    put(n, "type", text_node("mesh"));
    put(n, "file", text_node(found.path));
    if (scale.x != 1) put(n, "scale", number_node(scale.x));
    return n;
  }

  // ── joints ──

  void joint(const XmlElement& e) {
    const std::string* name = e.attribute("name");
    if (!name || name->empty()) return;
    Joint& j = joints_[*name];
    static const std::map<std::string, const char*> types = {
        {"revolute", "revolute"}, {"continuous", "revolute"}, {"prismatic", "prismatic"},
        {"fixed", "fixed"},       {"floating", "free"},       {"planar", "planar"}};
    const std::string type = required_text(faults_, e, "type");
    const auto known = types.find(type);
    if (known == types.end()) {
      if (type.empty()) return;
      return faults_.error(e, "unknown-word",
                           fmt::format("'{}' is not a type of joint", shown(type)),
                           "revolute, continuous, prismatic, fixed, floating or planar");
    }
    const std::string parent = *e.child("parent")->attribute("link"),
                      child = *e.child("child")->attribute("link");
    if (links_[child].body == "world")
      return faults_.error(e, "wrong-joint", "the world is the child of a joint",
                           "swap parent and child");
    Node& node = sheet_.add("joint", e);
    put(node, "name", text_node(j.name));
    put(node, "type", text_node(known->second));
    if (links_[parent].body != "world") put(node, "parent", text_node(links_[parent].body));
    put(node, "child", text_node(links_[child].body));
    const Origin o = origin(e);
    if (o.rpy || dot(o.X.p, o.X.p) != 0) {
      Node frame = table_node();
      if (dot(o.X.p, o.X.p) != 0) put(frame, "at", list_node(o.X.p));
      put_rotation(frame, o);
      put(node, "on_parent", std::move(frame));
    }
    const XmlElement* axis = e.child("axis");
    const bool one_axis = type == "revolute" || type == "continuous" || type == "prismatic";
    if (one_axis || type == "planar") {
      const Vec3 a =
          axis ? vector_of(faults_, *axis, "xyz").value_or(Vec3{1, 0, 0}) : Vec3{1, 0, 0};
      put(node, "axis", axis_node(a));
      if (type == "planar") put(node, "axis2", axis_node(across(a)));
    } else if (axis) {
      axis->use_all();  // says nothing of such a joint
    }
    sheet_.report.count(fmt::format("{} joints", type));
    j.one_axis = one_axis, j.fixed = type == "fixed";
    if (const XmlElement* m = e.child("mimic")) mimic_start(e, *m, j);
    limits(e, node, j, type);
    if (j.q != 0) put(node, "q", number_node(j.q));
    dynamics(e, node, one_axis);
  }

  /// Some direction across an axis.
  static Vec3 across(const Vec3& a) {
    const Vec3 other = std::fabs(a.x) <= std::fabs(a.y) && std::fabs(a.x) <= std::fabs(a.z)
                           ? Vec3{1, 0, 0}
                       : std::fabs(a.y) <= std::fabs(a.z) ? Vec3{0, 1, 0}
                                                          : Vec3{0, 0, 1};
    const Vec3 c = cross(cross(a, other), a);
    const double size = norm(c);
    return size > 0 ? c * (1 / size) : other;
  }

  void limits(const XmlElement& e, Node& node, Joint& j, const std::string& type) {
    const XmlElement* limit = e.child("limit");
    if (!limit) {
      if (type == "revolute" || type == "prismatic")
        sheet_.report.approximate("a joint without <limit>",
                                  "URDF asks for one; it moves without stops", e.place(),
                                  Effect::decided);
      return;
    }
    if (type != "revolute" && type != "prismatic") return limit->use_all();
    const auto low = number_of(faults_, *limit, "lower"),
               high = number_of(faults_, *limit, "upper");
    if (!low && !high)
      return sheet_.report.approximate(
          "a limit without lower and upper",
          "by the letter the joint could not move; it moves without stops", limit->place());
    const double from = low.value_or(0), to = high.value_or(0);
    if (std::isinf(from) || std::isinf(to)) return;
    if (from > to)
      return faults_.error(*limit, "bad-limits",
                           fmt::format("lower {} is above upper {}", from, to), "swap them");
    if (from == to)
      return sheet_.report.approximate(
          "a limit whose lower and upper are equal",
          "by the letter the joint could not move; it moves without stops", limit->place());
    put(node, "limits", list_node({from, to}));
    sheet_.report.count("limits");
    if (j.q >= from && j.q <= to) return;
    if (j.mimics) return;
    j.q = 0.5 * (from + to);
    sheet_.report.approximate("a joint whose limits leave out 0",
                              "it starts in the middle of its range", limit->place(),
                              Effect::decided);
  }

  void dynamics(const XmlElement& e, Node& node, bool one_axis) {
    const XmlElement* d = e.child("dynamics");
    if (!d) return;
    const double damping = number_of(faults_, *d, "damping").value_or(0);
    const double friction = number_of(faults_, *d, "friction").value_or(0);
    if (damping != 0 && node.child("type")->text != "fixed")
      put(node, "damper", number_node(damping));
    if (friction == 0) return;
    if (!one_axis)
      return sheet_.report.leave_out("friction of a joint with several degrees of freedom",
                                     "it needs a joint with one", Effect::changes, d->place());
    Node law = table_node();
    put(law, "force", number_node(friction));
    put(node, "friction", std::move(law));
    sheet_.report.approximate("dry friction",
                              "it grows smoothly up to a speed of 1e-3 rad/s or m/s", d->place());
  }

  /// The start of a joint that follows another, whose own start may not be known yet: 0 then.
  void mimic_start(const XmlElement& e, const XmlElement& m, Joint& j) {
    j.mimics = true;
    mimics_.push_back(&e);
    const std::string* leader = m.attribute("joint");
    const auto found = leader ? joints_.find(*leader) : joints_.end();
    if (found == joints_.end()) return;
    j.q = number_of(faults_, m, "multiplier").value_or(1) * found->second.q +
          number_of(faults_, m, "offset").value_or(0);
  }

  void mimic(const XmlElement& e) {
    const XmlElement& m = *e.child("mimic");
    const std::string leader = required_text(faults_, m, "joint");
    if (leader.empty()) return;
    const auto found = joints_.find(leader);
    if (found == joints_.end()) {
      std::vector<std::string> known;
      for (const auto& [name, j] : joints_) known.push_back(name);
      return faults_.error(m, "unknown-joint",
                           fmt::format("no joint is called '{}'", shown(leader)),
                           did_you_mean(leader, known));
    }
    const Joint& follower = joints_[*e.attribute("name")];
    const double ratio = number_of(faults_, m, "multiplier").value_or(1);
    const double offset = number_of(faults_, m, "offset").value_or(0);
    if (follower.fixed)
      return sheet_.report.leave_out("<mimic> of a fixed joint", "it does not move", Effect::none,
                                     m.place());
    if (!follower.one_axis || (!found->second.one_axis && !found->second.fixed))
      return faults_.error(
          m, "wrong-joint",
          "a joint that follows another, and that other, have one degree of freedom each");
    Node& gear = sheet_.add("constraint", m);
    put(gear, "name", text_node(sheet_.unique_name("column", follower.name + "_mimic", m)));
    if (found->second.fixed) {  // stands at 0: the follower stands too
      put(gear, "type", text_node("coupling"));
      put(gear, "joints", texts_node({follower.name}));
      put(gear, "coefficients", list_node({1.0}));
    } else {
      put(gear, "type", text_node("gear"));
      put(gear, "joints", texts_node({follower.name, found->second.name}));
      put(gear, "ratio", number_node(ratio));
    }
    put(gear, "offset", number_node(offset));
    sheet_.report.count("mimics as gears");
  }

  /// What URDF cannot say, loops above all, may stand in a model file beside it.
  void include_loops(const std::string& file) {
    namespace fs = std::filesystem;
    if (file.empty()) return;
    const fs::path beside =
        fs::path(file).parent_path() / (fs::path(file).stem().string() + ".loops.toml");
    std::error_code problem;
    if (!fs::is_regular_file(beside, problem)) return;
    const fs::path target = fs::path(options_.destination).parent_path() / beside.filename();
    if (!options_.destination.empty() &&
        fs::weakly_canonical(target, problem) != fs::weakly_canonical(beside, problem))
      loops_copy_ = {beside.string(), target.string()};
    Node& include = sheet_.add("include", robot_);
    put(include, "file", text_node(beside.filename().string()));
    sheet_.report.count("files of loops beside it");
  }

  const XmlElement& robot_;
  Sheet sheet_;
  MeshPaths paths_;
  const ImportOptions& options_;
  XmlFaults faults_;
  std::map<std::string, Link> links_;
  std::map<std::string, Joint> joints_;
  std::set<std::string> children_;
  std::map<std::string, std::string> colors_;
  std::vector<const XmlElement*> mimics_;
  std::pair<std::string, std::string> loops_copy_;
};

}  // namespace

Imported import_urdf(const XmlElement& robot, const std::string& file,
                     const ImportOptions& options) {
  return UrdfReader(robot, file, options).read(file);
}

}  // namespace sarrus
