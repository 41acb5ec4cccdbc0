// Joints of MJCF, each with its frames, limits, springs and dampers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sarrus/core/near_match.hpp"
#include "sarrus/files/import/mjcf_reader.hpp"
#include "sarrus/files/mesh/read_mesh.hpp"

namespace sarrus {

void MjcfReader::put_frame(Node& joint, std::string_view key, const Pose<double>& X) {
  if (auto frame = frame_node(X)) put(joint, key, std::move(*frame));
}

void MjcfReader::connect(const std::vector<const Placed*>& joints, Body& b,
                         const std::string& parent, const Pose<double>& X_PB, const XmlElement& e) {
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

void MjcfReader::joint(const Placed& placed, const std::string& name, const std::string& parent,
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
    return faults_.error(e, "unknown-word", fmt::format("'{}' is not a type of joint", shown(type)),
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

void MjcfReader::limits(const XmlElement& e, const std::string& inherited, Node& node, Joint& j) {
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

void MjcfReader::dampers(const XmlElement& e, const std::string& inherited, Node& node, Joint& j) {
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
  sheet_.report.approximate(
      "frictionloss", "dry friction grows smoothly up to a speed of 1e-3 rad/s or m/s", e.place());
}

}  // namespace sarrus
