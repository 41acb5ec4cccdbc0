// Equality constraints of MJCF as joints that close loops, gears and couplings; tendons as forces.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sarrus/core/near_match.hpp"
#include "sarrus/files/import/mjcf_reader.hpp"
#include "sarrus/files/mesh/read_mesh.hpp"

namespace sarrus {

// ── equality constraints ─────────────────────────────────────────────────────────────────────────

const MjcfReader::Body* MjcfReader::known_body(const XmlElement& e, const std::string& name) {
  const auto found = bodies_.find(name);
  if (found != bodies_.end()) return &found->second;
  std::vector<std::string> known;
  for (const auto& [n, b] : bodies_) known.push_back(n);
  faults_.error(e, "unknown-body", fmt::format("no body is called '{}'", shown(name)),
                did_you_mean(name, known));
  return nullptr;
}

MjcfReader::Joint* MjcfReader::known_joint(const XmlElement& e, const std::string& name) {
  const auto found = joints_.find(name);
  if (found != joints_.end()) return &found->second;
  std::vector<std::string> known;
  for (const auto& [n, j] : joints_) known.push_back(n);
  faults_.error(e, "unknown-joint", fmt::format("no joint is called '{}'", shown(name)),
                did_you_mean(name, known));
  return nullptr;
}

void MjcfReader::equalities(const XmlElement& section) {
  for (const XmlElement& e : section.children) {
    if (e.name != "connect" && e.name != "weld" && e.name != "joint") continue;
    e.used = true;
    const std::string* active = source_.attribute(e, "active", "");
    if (active && *active == "false") {
      e.use_all();
      sheet_.report.leave_out("a constraint that is switched off", "active=\"false\"", Effect::none,
                              e.place());
      continue;
    }
    if (e.name == "joint")
      joint_equality(e);
    else
      body_equality(e);
  }
}

void MjcfReader::body_equality(const XmlElement& e) {
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
      on_first = given
                     ? Pose<double>{rotation(normalized(Quat{pose[3], pose[4], pose[5], pose[6]})),
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

void MjcfReader::soft(const XmlElement& e) {
  sheet_.report.approximate("equality constraints", "soft in MuJoCo, they hold exactly here",
                            e.place());
}

void MjcfReader::joint_equality(const XmlElement& e) {
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
  put(node, "name", text_node(new_name("column", e, fmt::format("coupling{}", ++equality_count_))));
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

// ── tendons ──────────────────────────────────────────────────────────────────────────────────────

void MjcfReader::tendons(const XmlElement& section) {
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

void MjcfReader::refuse_of_tendon(const XmlElement& e) {
  for (const char* key : {"range", "frictionloss", "armature", "actuatorfrcrange"})
    if (const std::string* text = source_.attribute(e, key, "")) {
      if (std::string_view(key) != "range" && *text == "0") continue;
      const std::string* limited = source_.attribute(e, "limited", "");
      if (std::string_view(key) == "range" && limited && *limited == "false") continue;
      sheet_.report.leave_out(fmt::format("{} of a tendon", key), "not known here", Effect::changes,
                              e.place());
    }
  source_.attribute(e, "limited", "");
}

void MjcfReader::fixed_tendon(const XmlElement& e) {
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

void MjcfReader::spatial_tendon(const XmlElement& e) {
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
  put(spring, "name", text_node(new_name("column", e, fmt::format("tendon{}", ++equality_count_))));
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

void MjcfReader::tendon_equalities(const XmlElement& section) {
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

}  // namespace sarrus
