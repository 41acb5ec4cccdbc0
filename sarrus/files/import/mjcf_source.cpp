#include "sarrus/files/import/mjcf_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "sarrus/core/near_match.hpp"

namespace sarrus {
namespace {

namespace fs = std::filesystem;

constexpr int deepest_include = 20;
constexpr size_t most_included_bytes = 64u << 20;

bool is_on(const std::string* text, bool fallback) {
  if (!text) return fallback;
  return *text == "true" || *text == "enable" || *text == "1";
}

}  // namespace

MjcfSource::MjcfSource(XmlElement root, const std::string& file, const AllowedRoots& roots,
                       XmlFaults& faults, ImportReport& report)
    : root_(std::move(root)), faults_(faults), roots_(roots) {
  std::error_code problem;
  std::vector<std::string> chain = {fs::weakly_canonical(fs::absolute(file), problem).string()};
  expand(root_, fs::path(file).parent_path().string(), chain, 0);
  faults_.throw_if_any();
  root_.used = true;
  classes_["main"];
  for (const XmlElement* d : sections("default")) read_defaults(*d, "", true);
  read_settings(report);
  faults_.throw_if_any();
}

/// An include stands for the children of the other file's root. Paths are relative to the first file or
/// to the one that includes, as MuJoCo takes them.
void MjcfSource::expand(XmlElement& in, const std::string& folder, std::vector<std::string>& chain,
                        int depth) {
  std::vector<XmlElement> made;
  made.reserve(in.children.size());
  for (XmlElement& c : in.children) {
    if (c.name != "include") {
      expand(c, folder, chain, depth);
      made.push_back(std::move(c));
      continue;
    }
    const std::string file = required_text(faults_, c, "file");
    if (file.empty()) continue;
    ResolvedPath found = resolve_path(file, folder, roots_);
    if (!found.problem.empty()) {
      const ResolvedPath beside =
          resolve_path(file, fs::path(c.file).parent_path().string(), roots_);
      if (beside.problem.empty()) found = beside;
    }
    if (!found.problem.empty()) {
      faults_.error(c, "bad-path", found.problem, found.hint);
      continue;
    }
    std::error_code problem;
    const std::string real = fs::weakly_canonical(fs::absolute(found.path), problem).string();
    if (std::find(chain.begin(), chain.end(), real) != chain.end() || depth >= deepest_include) {
      faults_.error(c, "include-cycle",
                    fmt::format("'{}' is included from within itself, or {} levels deep",
                                shown(file, 200), deepest_include),
                    "remove one of the includes");
      continue;
    }
    std::string text;
    try {
      text = read_model_text(found.path, c.place());
      bytes_ += text.size();
      if (bytes_ > most_included_bytes) {
        faults_.error(c, "too-large",
                      fmt::format("included files of more than {} MB", most_included_bytes >> 20));
        return;
      }
      XmlElement other = read_xml(text, found.path);
      if (std::find(files_.begin(), files_.end(), found.path) == files_.end())
        files_.push_back(found.path);
      chain.push_back(real);
      expand(other, folder, chain, depth + 1);
      chain.pop_back();
      for (XmlElement& part : other.children) made.push_back(std::move(part));
    } catch (const Error& e) {
      for (const Diagnostic& d : e.diagnostics()) faults_.add(d);
    }
    if (faults_.full()) return;
  }
  in.children = std::move(made);
}

void MjcfSource::read_defaults(const XmlElement& e, const std::string& parent, bool top) {
  const std::string* given = e.attribute("class");
  const std::string name = given ? *given : top ? "main" : "";
  if (name.empty())
    return faults_.error(e, "missing-key", "a default inside another has no class",
                         "write class=\"…\"");
  Class& made = classes_[name];
  if (!top || name != "main") made.parent = top ? "main" : parent;
  for (const XmlElement& c : e.children) {
    c.used = true;
    if (c.name != "default") made.elements.push_back(&c);
  }
  for (const XmlElement& c : e.children)
    if (c.name == "default") read_defaults(c, name, false);
}

void MjcfSource::read_settings(ImportReport& report) {
  for (const XmlElement* c : sections("compiler")) {
    if (const std::string* a = c->attribute("angle")) settings_.degrees = *a != "radian";
    if (const std::string* s = c->attribute("eulerseq")) settings_.euler = *s;
    if (const std::string* i = c->attribute("inertiafromgeom"))
      settings_.inertia_from_geom = *i == "true"    ? MjcfSettings::FromGeom::yes
                                    : *i == "false" ? MjcfSettings::FromGeom::no
                                                    : MjcfSettings::FromGeom::where_missing;
    settings_.autolimits = is_on(c->attribute("autolimits"), settings_.autolimits);
    settings_.balance_inertia = is_on(c->attribute("balanceinertia"), settings_.balance_inertia);
    settings_.strip_path = is_on(c->attribute("strippath"), settings_.strip_path);
    settings_.bound_mass = number_of(faults_, *c, "boundmass").value_or(settings_.bound_mass);
    settings_.bound_inertia =
        number_of(faults_, *c, "boundinertia").value_or(settings_.bound_inertia);
    settings_.total_mass = number_of(faults_, *c, "settotalmass").value_or(settings_.total_mass);
    if (const std::string* f = c->attribute("assetdir")) settings_.mesh_folder = *f;
    if (const std::string* f = c->attribute("meshdir")) settings_.mesh_folder = *f;
    if (const std::string* f = c->attribute("coordinate"); f && *f == "global")
      faults_.error(*c, "unknown-word", "coordinate=\"global\" is no longer known to MuJoCo either",
                    "save the model with local coordinates");
    if (const std::string* r = c->attribute("inertiagrouprange"))
      if (const auto n = numbers_in(faults_, *c, "inertiagrouprange", *r); n && n->size() == 2)
        settings_.group_low = static_cast<int>((*n)[0]),
        settings_.group_high = static_cast<int>((*n)[1]);
  }
  if (settings_.euler.size() != 3 ||
      settings_.euler.find_first_not_of("xyzXYZ") != std::string::npos)
    faults_.error(root_, "bad-axes",
                  fmt::format("eulerseq '{}' is not three of x, y, z", shown(settings_.euler)));
  for (const XmlElement* o : sections("option")) {
    if (const auto g = vector_of(faults_, *o, "gravity")) settings_.gravity = *g;
    for (const char* fluid : {"density", "viscosity"})
      if (number_of(faults_, *o, fluid).value_or(0) != 0)
        report.leave_out("the fluid around the bodies", "its forces are not computed",
                         Effect::changes, o->place());
    for (const XmlElement* flag : o->all("flag"))
      if (const std::string* g = flag->attribute("gravity"); g && *g == "disable")
        settings_.gravity = {};
  }
}

const std::string* MjcfSource::from_class(const std::string& name, std::string_view element,
                                          std::string_view key) const {
  std::string at = name;
  for (size_t i = 0; i <= classes_.size(); ++i) {
    const auto found = classes_.find(at);
    if (found == classes_.end()) return nullptr;
    // the last that says it wins
    for (auto it = found->second.elements.rbegin(); it != found->second.elements.rend(); ++it)
      if ((*it)->name == element)
        if (const std::string* value = (*it)->attribute(key)) return value;
    if (found->second.parent.empty()) return nullptr;
    at = found->second.parent;
  }
  return nullptr;
}

const std::string* MjcfSource::attribute(const XmlElement& e, std::string_view key,
                                         const std::string& inherited) const {
  asked_.emplace(e.name, key);
  if (const std::string* own = e.attribute(key)) return own;
  const std::string* chosen = e.attribute("class");
  if (chosen && !classes_.count(*chosen)) {
    std::vector<std::string> known;
    for (const auto& [name, c] : classes_) known.push_back(name);
    faults_.error(e, "unknown-name", fmt::format("no default class is called '{}'", shown(*chosen)),
                  did_you_mean(*chosen, known));
    return nullptr;
  }
  const std::string name = chosen ? *chosen : inherited.empty() ? "main" : inherited;
  // a free joint takes no defaults; drives of all kinds share those of `general`
  if (e.name == "freejoint") return nullptr;
  if (const std::string* found = from_class(name, e.name, key)) return found;
  static const std::vector<std::string> drives = {"motor",  "position", "velocity", "intvelocity",
                                                  "damper", "cylinder", "muscle",   "adhesion"};
  if (std::find(drives.begin(), drives.end(), e.name) != drives.end())
    return from_class(name, "general", key);
  if (e.name == "fixed" || e.name == "spatial") return from_class(name, "tendon", key);
  static const std::vector<std::string> equalities = {"connect", "weld", "joint", "tendon"};
  if (key == "active" &&
      std::find(equalities.begin(), equalities.end(), e.name) != equalities.end())
    return from_class(name, "equality", key);
  return nullptr;
}

void MjcfSource::use_defaults() const {
  static const std::set<std::string> drives = {"general", "motor", "position", "velocity",
                                               "damper"};
  // shortcuts say themselves which law they have
  std::set<std::string> drive_keys = {"dyntype", "dynprm",   "gaintype",
                                      "gainprm", "biastype", "biasprm"};
  for (const auto& [element, key] : asked_)
    if (drives.count(element)) drive_keys.insert(key);
  for (const auto& [name, c] : classes_)
    for (const XmlElement* e : c.elements)
      for (const XmlAttribute& a : e->attributes)
        if (asked_.count({e->name, a.name}) ||
            (e->name == "tendon" &&
             (asked_.count({"fixed", a.name}) || asked_.count({"spatial", a.name}))) ||
            (drives.count(e->name) && drive_keys.count(a.name)))
          a.used = true;
}

std::vector<double> MjcfSource::numbers(const XmlElement& e, std::string_view key,
                                        const std::string& inherited) const {
  const std::string* text = attribute(e, key, inherited);
  if (!text) return {};
  return numbers_in(faults_, e, key, *text).value_or(std::vector<double>{});
}

std::optional<double> MjcfSource::number(const XmlElement& e, std::string_view key,
                                         const std::string& inherited) const {
  const std::vector<double> n = numbers(e, key, inherited);
  return n.empty() ? std::nullopt : std::optional(n[0]);
}

std::optional<Vec3> MjcfSource::vector(const XmlElement& e, std::string_view key,
                                       const std::string& inherited) const {
  const std::vector<double> n = numbers(e, key, inherited);
  if (n.empty()) return std::nullopt;
  if (n.size() != 3) {
    faults_.error(e, "wrong-length", fmt::format("{}: {} numbers, not 3", key, n.size()));
    return std::nullopt;
  }
  return Vec3{n[0], n[1], n[2]};
}

double MjcfSource::angle(double written) const {
  return settings_.degrees ? written * std::numbers::pi / 180 : written;
}

Mat3 MjcfSource::rotation(const XmlElement& e, const std::string& inherited) const {
  const auto exactly = [&](const char* key, size_t count) {
    std::vector<double> n = numbers(e, key, inherited);
    if (!n.empty() && n.size() != count) {
      faults_.error(e, "wrong-length", fmt::format("{}: {} numbers, not {}", key, n.size(), count));
      n.clear();
    }
    return n;
  };
  const auto unit = [&](const Vec3& v, const char* key) {
    const double size = norm(v);
    if (!(size > 0))
      faults_.error(e, "bad-axis",
                    fmt::format("{}: a vector of length zero has no direction", key));
    return size > 0 ? v * (1 / size) : Vec3{0, 0, 1};
  };
  if (const auto q = exactly("quat", 4); !q.empty()) {
    const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(size > 0)) {
      faults_.error(e, "bad-quaternion", "quat: of length zero");
      return Mat3::identity();
    }
    return sarrus::rotation(normalized(Quat{q[0], q[1], q[2], q[3]}));
  }
  if (const auto a = exactly("axisangle", 4); !a.empty())
    return sarrus::rotation(unit({a[0], a[1], a[2]}, "axisangle"), angle(a[3]));
  if (const auto a = exactly("euler", 3); !a.empty()) {
    Mat3 R = Mat3::identity();
    for (size_t i = 0; i < 3; ++i) {
      const char letter = settings_.euler[i];
      const bool fixed_axes = letter >= 'X' && letter <= 'Z';
      Vec3 axis{};
      axis[letter - (fixed_axes ? 'X' : 'x')] = 1;
      const Mat3 turn = sarrus::rotation(axis, angle(a[i]));
      R = fixed_axes ? turn * R : R * turn;
    }
    return R;
  }
  if (const auto a = exactly("xyaxes", 6); !a.empty()) {
    const Vec3 x = unit({a[0], a[1], a[2]}, "xyaxes"), given{a[3], a[4], a[5]};
    const Vec3 y = unit(given - x * dot(x, given), "xyaxes");
    return Mat3{x, y, cross(x, y)};
  }
  if (const auto a = exactly("zaxis", 3); !a.empty()) {
    const Vec3 z = unit({a[0], a[1], a[2]}, "zaxis"), axis = cross(Vec3{0, 0, 1}, z);
    const double s = norm(axis);
    if (s < 1e-14)
      return z.z > 0 ? Mat3::identity() : sarrus::rotation(Vec3{1, 0, 0}, std::numbers::pi);
    return sarrus::rotation(axis * (1 / s), std::atan2(s, z.z));
  }
  return Mat3::identity();
}

Pose<double> MjcfSource::pose(const XmlElement& e, const std::string& inherited) const {
  return {rotation(e, inherited), vector(e, "pos", inherited).value_or(Vec3{})};
}

}  // namespace sarrus
