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
    return bounded_force ? fmt::format("clamp({}, {}, {})", force, term(forces[0]), term(forces[1]))
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
    if (const std::string g = affine(law->gain); !g.empty()) all = fmt::format("({})*{}", g, name);
    if (const std::string b = affine(law->bias); !b.empty()) all += (all.empty() ? "" : " + ") + b;
    return bounds(all.empty() ? "0" : all);
  };
  if (joint) {
    Joint* j = known_joint(e, *joint);
    if (!j) return;
    if (j->nq != 1) {
      sheet_.report.leave_out("a drive of a ball or free joint", "not known here", Effect::changes,
                              e.place());
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
