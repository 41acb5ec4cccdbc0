// Actuators of MJCF as servos and formulas of a parameter, and keyframes as starts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sarrus/core/near_match.hpp"
#include "sarrus/files/import/mjcf_reader.hpp"
#include "sarrus/files/mesh/read_mesh.hpp"

namespace sarrus {

// ── drives ───────────────────────────────────────────────────────────────────────────────────────

void MjcfReader::actuators(const XmlElement& section) {
  static const std::vector<std::string> known = {"motor", "position", "velocity", "general",
                                                 "damper"};
  for (const XmlElement& e : section.children)
    if (std::find(known.begin(), known.end(), e.name) != known.end()) {
      e.used = true;
      actuator(e);
    }
}

/// Inertia that a drive on a joint moves at the start: that of all bodies beyond it, about its axis.
double MjcfReader::inertia_beyond(const Joint& j) const {
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

std::optional<MjcfReader::Law> MjcfReader::law_of(const XmlElement& e) {
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
        sheet_.report.leave_out("dampratio",
                                "damping from the inertia at the start is computed for joints only",
                                Effect::changes, e.place());
    }
    if (number("timeconst", 0) != 0)
      sheet_.report.leave_out("timeconst", "the control acts at once", Effect::changes, e.place());
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

void MjcfReader::actuator(const XmlElement& e) {
  const std::optional<Law> law = law_of(e);
  const std::string *joint = source_.attribute(e, "joint", ""),
                    *tendon = source_.attribute(e, "tendon", ""),
                    *site = source_.attribute(e, "site", ""),
                    *in_parent = source_.attribute(e, "jointinparent", "");
  if (!joint) joint = in_parent;
  const Drive drive = drive_of(e, law.value_or(Law{}), joint);
  for (const char* key : {"body", "cranksite", "slidersite", "refsite"})
    if (source_.attribute(e, key, "")) return leave_out_drive(e, fmt::format("at a {}", key));
  if (!law) return;
  if (joint) return drive_joint(e, drive, *joint);
  if (tendon && tendons_.count(*tendon)) return drive_tendon(e, drive, tendons_[*tendon]);
  const bool is_constant =
      law->gain[1] == 0 && law->gain[2] == 0 && law->bias == std::array<double, 3>{0, 0, 0};
  if (site && sites_.count(*site) && is_constant) return drive_site(e, drive, sites_[*site]);
  leave_out_drive(e, "of a spatial tendon or a site");
}

void MjcfReader::leave_out_drive(const XmlElement& e, const std::string& which) {
  sheet_.report.leave_out("a drive " + which, "not known here", Effect::changes, e.place());
}

/// What a drive has whatever it acts on.
MjcfReader::Drive MjcfReader::drive_of(const XmlElement& e, const Law& law,
                                       const std::string* joint) {
  Drive d{.law = law};
  d.gear = source_.numbers(e, "gear", "");
  if (d.gear.empty()) d.gear = {1};
  d.gear.resize(6, 0);
  const std::vector<double> forces = source_.numbers(e, "forcerange", "");
  const std::string* limited = source_.attribute(e, "forcelimited", "");
  const bool is_bounded =
      !limited || *limited == "auto" ? source_.settings().autolimits : *limited == "true";
  if (forces.size() == 2 && is_bounded) d.bounds = {forces[0], forces[1]};
  d.ctrl = control_at_start(e, joint);
  const std::string* given = e.attribute("name");
  d.name = given ? *given : joint ? *joint : "";
  return d;
}

/// 0, or what is next to it in the range of the control.
double MjcfReader::control_at_start(const XmlElement& e, const std::string* joint) {
  const std::vector<double> range = source_.numbers(e, "ctrlrange", "");
  const double share = source_.number(e, "inheritrange", "").value_or(0);
  if (range.size() == 2 && range[0] < range[1]) return std::clamp(0.0, range[0], range[1]);
  if (!(share > 0) || !range.empty() || !joint || !joints_.count(*joint)) return 0;
  const auto& turns = joints_[*joint].range;
  if (!turns) return 0;
  const double middle = 0.5 * (turns->first + turns->second),
               half = 0.5 * share * (turns->second - turns->first);
  return std::clamp(0.0, middle - half, middle + half);
}

/// The parameter that stands for the control.
std::string MjcfReader::control_of(const XmlElement& e, const Drive& d) {
  const std::string base = d.name.empty() ? fmt::format("drive{}", ++drives_) : d.name;
  const std::string name = "ctrl_" + sheet_.unique_name("control", name_for_formulas(base), e);
  sheet_.parameters[name] = d.ctrl;
  return name;
}

/// gain · ctrl + bias, both affine in the length l and the speed v, within the bounds.
std::string MjcfReader::force_of(const Drive& d, const std::string& control, const std::string& l,
                                 const std::string& v) {
  const auto affine = [&](const std::array<double, 3>& a) {
    std::vector<std::string> terms;
    if (a[0] != 0) terms.push_back(term(a[0]));
    if (a[1] != 0) terms.push_back(fmt::format("{}*({})", term(a[1]), l));
    if (a[2] != 0) terms.push_back(fmt::format("{}*({})", term(a[2]), v));
    return sum_of(terms);
  };
  std::vector<std::string> terms;
  if (const std::string gain = affine(d.law.gain); !gain.empty())
    terms.push_back(fmt::format("({})*{}", gain, control));
  if (const std::string bias = affine(d.law.bias); !bias.empty()) terms.push_back(bias);
  const std::string force = terms.empty() ? "0" : sum_of(terms);
  return d.bounds ? fmt::format("clamp({}, {}, {})", force, term(d.bounds->first),
                                term(d.bounds->second))
                  : force;
}

void MjcfReader::drive_joint(const XmlElement& e, const Drive& d, const std::string& joint) {
  Joint* j = known_joint(e, joint);
  if (!j) return;
  if (j->nq != 1) return leave_out_drive(e, "of a ball or free joint");
  const std::string control = control_of(e, d);
  const double g = d.gear[0];
  const auto geared = [&](const std::string& x) {
    return g == 1 ? x : fmt::format("{}*{}", term(g), x);
  };
  const std::string force = force_of(d, control, geared(j->name + ".q"), geared(j->name + ".u"));
  const std::string drive = g == 1 ? force : fmt::format("{}*({})", term(g), force);
  const Law& law = d.law;
  const bool is_servo = law.gain[1] == 0 && law.gain[2] == 0 && law.bias[0] == 0 &&
                        law.bias[1] == -law.gain[0] && law.gain[0] > 0 && law.bias[2] <= 0 &&
                        g > 0 && !j->servo && (!d.bounds || d.bounds->first == -d.bounds->second);
  if (!is_servo) {
    j->drives.push_back(drive);
    sheet_.report.count("drives as forces");
    return;
  }
  Node s = table_node();
  put(s, "reference", text_node(g == 1 ? control : fmt::format("{}/{}", control, term(g))));
  put(s, "kp", number_node(law.gain[0] * g * g));
  if (law.bias[2] != 0) put(s, "kd", number_node(-law.bias[2] * g * g));
  double most = d.bounds ? d.bounds->second * g : std::numeric_limits<double>::infinity();
  if (j->bounds && j->bounds->first == -j->bounds->second) most = std::min(most, j->bounds->second);
  if (std::isfinite(most)) put(s, "max_force", number_node(most));
  j->servo = std::move(s);
  j->servo_formula = drive;
  sheet_.report.count("drives as servos");
}

void MjcfReader::drive_tendon(const XmlElement& e, const Drive& d, const Tendon& t) {
  std::vector<std::string> l, v;
  for (const auto& [j, c] : t.joints) {
    l.push_back(fmt::format("{}*{}.q", term(c * d.gear[0]), j->name));
    v.push_back(fmt::format("{}*{}.u", term(c * d.gear[0]), j->name));
  }
  const std::string force = force_of(d, control_of(e, d), sum_of(l), sum_of(v));
  for (const auto& [j, c] : t.joints)
    j->drives.push_back(fmt::format("{}*({})", term(c * d.gear[0]), force));
  sheet_.report.count("drives of tendons as forces");
}

/// A force and a moment in the site's axes; on the world they move nothing.
void MjcfReader::drive_site(const XmlElement& e, const Drive& d, const Site& s) {
  if (s.body == "world") return;
  const Vec3 f = s.X.R * Vec3{d.gear[0], d.gear[1], d.gear[2]},
             n = s.X.R * Vec3{d.gear[3], d.gear[4], d.gear[5]};
  const std::string strength = force_of(d, control_of(e, d), "0", "0");
  const auto parts = [&](const Vec3& along) {
    std::vector<std::string> texts;
    for (int i = 0; i < 3; ++i)
      texts.push_back(along[i] == 0 ? "0" : fmt::format("{}*({})", term(along[i]), strength));
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
}

std::string MjcfReader::sum_of(const std::vector<std::string>& terms) {
  std::string all;
  for (const std::string& t : terms) all += (all.empty() ? "" : " + ") + t;
  return all;
}

/// Forces of tendons and drives. Bounds on the drives of a joint hold for their sum: a servo alone has them as its
/// own, where they are symmetric.
void MjcfReader::write_forces() {
  for (Joint* j : order_) {
    const bool alone = j->drives.empty() && (!j->bounds || j->bounds->first == -j->bounds->second);
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

// ── keyframes ────────────────────────────────────────────────────────────────────────────────────

void MjcfReader::keys(const XmlElement& section) {
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

}  // namespace sarrus
