// Joints: axes, start, limits, force laws, and which bodies they tie to the world.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "sarrus/joints/joint.hpp"
#include "sarrus/model/freedoms.hpp"
#include "sarrus/model/validate_parts.hpp"

namespace sarrus {
namespace {

constexpr double many_turns = 4 * 3.14159265358979324;  // [rad] more is more likely degrees
constexpr double not_small = 0.1;                       // [rad]
constexpr double parallel = 1e-6;                       // sine of the angle between two axes

bool check_axis(Validation& v, const Vec3& axis, const JointSpec& joint, const std::string& path) {
  const double length = norm(axis);
  if (!std::isfinite(length) || length == 0) {
    v.physics.error("bad-axis", joint.where, path,
                    fmt::format("[{}, {}, {}] has no direction", axis.x, axis.y, axis.z),
                    "\"x\", \"y\", \"z\", or three numbers that are not all 0");
    return false;
  }
  if (std::fabs(length - 1) > 1e-9) {
    v.physics.error("bad-axis", joint.where, path, fmt::format("length {:.6g} is not 1", length),
                    "divide it by its length");
    return false;
  }
  return true;
}

void check_axes(Validation& v, const JointSpec& joint, const std::string& path) {
  const JointAxes axes = axes_of(joint.type);
  if (axes == JointAxes::none) return;
  const bool first = check_axis(v, joint.axis, joint, path + "/axis");
  if (axes != JointAxes::cross && axes != JointAxes::plane) return;
  const bool second = check_axis(v, joint.axis2, joint, path + "/axis2");
  if (!first || !second) return;
  if (norm(cross(joint.axis, joint.axis2)) < parallel)
    v.physics.error("parallel-axes", joint.where, path + "/axis2", "the two axes are parallel",
                    "give axis2 another direction than axis, best at a right angle");
  else if (axes == JointAxes::plane && std::fabs(dot(joint.axis, joint.axis2)) > parallel)
    v.physics.error("bad-axis", joint.where, path + "/axis2",
                    "the direction does not lie in the plane");
}

void check_own_keys(Validation& v, const JointSpec& joint, const std::string& path) {
  if (joint.type == JointType::sequence) {
    if (joint.sequence.empty())
      v.model_faults.error("missing-key", joint.where, path + "/sequence",
                           "a sequence joint needs at least one step");
    return;
  }
  const JointFacts& facts = facts_of(kind_of(joint.type));
  if (facts.point == HeldPoint::thread) {
    if (!std::isfinite(joint.pitch))
      v.model_faults.error("not-finite", joint.where, path + "/pitch", "the pitch is not finite");
    if (joint.pitch == 0)
      v.physics.warning("zero-pitch", joint.where, path + "/pitch", "a screw of pitch 0 only turns",
                        "take a revolute joint");
  }
  if (facts.axes == JointAxes::disk)
    require_positive(v, joint.radius, "m", joint.where, path + "/radius");
}

void check_start(Validation& v, const JointSpec& joint, const std::string& path) {
  const std::vector<Freedom> freedoms = freedoms_of(joint);
  const auto sized = [&](const std::optional<std::vector<double>>& x, size_t count,
                         const char* key) {
    if (!x) return false;
    for (const double value : *x)
      if (!std::isfinite(value))
        v.model_faults.error("not-finite", joint.where, path + "/" + key, "a number is not finite");
    if (x->size() == count) return true;
    v.model_faults.error("wrong-shape", joint.where, path + "/" + key,
                         fmt::format("expected {} numbers, found {}", count, x->size()));
    return false;
  };
  sized(joint.u, freedoms.size(), "u");
  if (!sized(joint.q, position_count(joint), "q")) return;
  if (has_quaternion(chart_of(joint.type))) {
    check_quaternion(v, {(*joint.q)[0], (*joint.q)[1], (*joint.q)[2], (*joint.q)[3]}, joint.where,
                     path + "/q");
    return;
  }
  for (size_t i = 0; i < freedoms.size(); ++i)
    if (freedoms[i] == Freedom::turns && std::fabs((*joint.q)[i]) > many_turns)
      v.physics.warning("suspicious-angle", joint.where, path + "/q",
                        fmt::format("{:.6g} rad is more than two turns", (*joint.q)[i]),
                        fmt::format("if degrees are meant, write \"{:.6g} deg\"", (*joint.q)[i]));
}

void check_limits(Validation& v, const JointSpec& joint, const std::string& path) {
  if (!joint.limits) return;
  const JointLimitSpec& l = *joint.limits;
  const std::vector<Freedom> freedoms = freedoms_of(joint);
  if (freedoms.size() != 1)
    return v.model_faults.error(
        "wrong-joint", joint.where, path + "/limits",
        fmt::format("limits need a joint with one degree of freedom; {} has {}",
                    to_text(joint.type), freedoms.size()));
  const bool slides = freedoms[0] == Freedom::slides;
  const char* unit = units_of(freedoms[0]).q;
  if (!(l.low < l.high))
    v.model_faults.error("bad-limits", joint.where, path + "/limits",
                         fmt::format("{} {} is not below {} {}", l.low, unit, l.high, unit));
  if (!slides && std::max(std::fabs(l.low), std::fabs(l.high)) > many_turns)
    v.physics.warning(
        "suspicious-angle", joint.where, path + "/limits",
        fmt::format("limits of {:.6g} and {:.6g} rad are more than two turns", l.low, l.high),
        "if degrees are meant, write \"180 deg\"");
  refuse_negative(v, l.stiffness, slides ? "N/m" : "N.m/rad", joint.where,
                  path + "/limit_stiffness");
  refuse_negative(v, l.damping, slides ? "N.s/m" : "N.m.s/rad", joint.where,
                  path + "/limit_damping");
  const double q = joint.q && joint.q->size() == 1 ? (*joint.q)[0] : 0;
  if (const double depth = std::max(l.low - q, q - l.high); depth > 0)
    v.physics.warning("outside-limits", joint.where, path + "/q",
                      fmt::format("the start {:.6g} {} is {:.6g} {} outside of the limits", q, unit,
                                  depth, unit));
}

void check_per_freedom(Validation& v, const std::vector<double>& x, const JointSpec& joint,
                       const std::string& path) {
  const size_t nu = freedoms_of(joint).size();
  if (x.size() > 1 && x.size() != nu)
    v.model_faults.error("wrong-shape", joint.where, path,
                         fmt::format("expected one number or {}, found {}", nu, x.size()));
}

void check_force_laws(Validation& v, const JointSpec& joint, const std::string& path) {
  if (joint.spring) {
    check_per_freedom(v, joint.spring->k, joint, path + "/spring/k");
    check_per_freedom(v, joint.spring->rest, joint, path + "/spring/rest");
    check_per_freedom(v, joint.spring->preload, joint, path + "/spring/preload");
    for (const double k : joint.spring->k)
      warn_negative_stiffness(v, k, joint.where, path + "/spring/k");
  }
  check_per_freedom(v, joint.damper, joint, path + "/damper");
  for (const double d : joint.damper)
    refuse_negative(v, d, "damping", joint.where, path + "/damper");
  if (joint.friction) {
    refuse_negative(v, joint.friction->force, "N or N.m", joint.where, path + "/friction/force");
    refuse_negative(v, joint.friction->coefficient, "", joint.where,
                    path + "/friction/coefficient");
    refuse_negative(v, joint.friction->radius, "m", joint.where, path + "/friction/radius");
    require_positive(v, joint.friction->speed, "m/s or rad/s", joint.where,
                     path + "/friction/speed");
  }
  refuse_negative(v, joint.armature, "of armature", joint.where, path + "/armature");
  refuse_negative(v, joint.stiffness, "N/m", joint.where, path + "/stiffness");
}

void check_small(Validation& v, const JointSpec& joint, const std::string& path) {
  if (!joint.small) return;
  const std::vector<Freedom> freedoms = freedoms_of(joint);
  if (freedoms.empty() || chart_of(joint.type) != ChartKind::additive)
    return v.model_faults.error(
        "wrong-joint", joint.where, path + "/small",
        fmt::format("a {} joint has no coordinates with q̇ = u that could be small",
                    to_text(joint.type)),
        "a joint of type sequence can take its place");
  if (!joint.motion.empty() || !joint.speed.empty())
    v.model_faults.error("two-drivers", joint.where, path + "/small",
                         "its motion is prescribed: there is nothing to linearise",
                         "keep one of them");
  for (size_t i = 0; joint.q && i < std::min(freedoms.size(), joint.q->size()); ++i)
    if (freedoms[i] == Freedom::turns && std::fabs((*joint.q)[i]) > not_small)
      v.physics.warning("not-small", joint.where, path + "/q",
                        fmt::format("the start {:.3g} rad is not small; the limit is {} rad",
                                    (*joint.q)[i], not_small),
                        "leave out small = true");
}

void check_drives(Validation& v, const JointSpec& joint, const std::string& path) {
  if (joint.servo) {
    warn_negative_stiffness(v, joint.servo->kp, joint.where, path + "/servo/kp");
    refuse_negative(v, joint.servo->kd, "damping", joint.where, path + "/servo/kd");
    refuse_negative(v, joint.servo->ki, "integral gain", joint.where, path + "/servo/ki");
    if (joint.servo->ki > 0 && !(joint.servo->kp > 0))
      v.model_faults.error(
          "bad-value", joint.where, path + "/servo/ki",
          fmt::format("ki = {} without kp: an integral alone does not hold", joint.servo->ki),
          "give kp above 0");
    if (joint.servo->max_force)
      require_positive(v, *joint.servo->max_force, "N or N.m", joint.where,
                       path + "/servo/max_force");
  }
  if (joint.motor) {
    require_positive(v, joint.motor->resistance, "ohm", joint.where, path + "/motor/resistance");
    refuse_negative(v, joint.motor->inductance, "H", joint.where, path + "/motor/inductance");
    refuse_negative(v, joint.motor->rotor_inertia, "kg.m²", joint.where,
                    path + "/motor/rotor_inertia");
    if (!(joint.motor->efficiency > 0 && joint.motor->efficiency <= 1))
      v.physics.error("bad-efficiency", joint.where, path + "/motor/efficiency",
                      fmt::format("{} is not above 0 and at most 1", joint.motor->efficiency));
    if (joint.motor->gear == 0 || !std::isfinite(joint.motor->gear))
      v.model_faults.error("bad-size", joint.where, path + "/motor/gear",
                           fmt::format("{} is not a gear ratio", joint.motor->gear));
  }
  if (joint.motion.empty() && joint.speed.empty()) return;
  const std::string key = joint.motion.empty() ? "speed" : "motion";
  if (!joint.motion.empty() && !joint.speed.empty())
    v.physics.error("two-drivers", joint.where, path + "/speed",
                    "both the motion and the speed are prescribed", "keep one of them");
  const char* other = joint.servo            ? "servo"
                      : joint.motor          ? "motor"
                      : !joint.force.empty() ? "force"
                                             : nullptr;
  if (other)
    v.physics.error(
        "two-drivers", joint.where, path + "/" + key,
        fmt::format("the motion is prescribed, and '{}' drives the same degree of freedom", other),
        "keep one of them");
  if (joint.q && joint.speed.empty())
    v.physics.warning("not-used", joint.where, path + "/q",
                      "the motion is prescribed: the start position comes from it");
}

}  // namespace

void validate_joint(Validation& v, const JointSpec& joint, const std::string& path) {
  if (joint.child == "world")
    v.physics.error("ground-as-child", joint.child_where, path + "/child",
                    "the world cannot be carried by a joint", "make it the parent");
  else if (!joint.child.empty() && joint.parent == joint.child)
    v.physics.error("self-joint", joint.where, path,
                    fmt::format("it connects '{}' with itself", joint.child),
                    "parent and child are two bodies; the world is the parent where none is named");
  check_frame(v, joint.on_parent, joint.where, path + "/on_parent");
  check_frame(v, joint.on_child, joint.where, path + "/on_child");
  check_axes(v, joint, path);
  check_own_keys(v, joint, path);
  check_start(v, joint, path);
  check_limits(v, joint, path);
  check_force_laws(v, joint, path);
  check_small(v, joint, path);
  check_drives(v, joint, path);
}

void validate_islands(Validation& v) {
  // groups by union of the bodies that joints connect; index n is the world
  const int n = static_cast<int>(v.model.bodies.size());
  std::vector<int> group(n + 1);
  std::iota(group.begin(), group.end(), 0);
  const auto root = [&](int i) {
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
  };
  const auto index = [&](const std::string& name) {
    const auto found = v.body.find(name);
    return name == "world" ? n : found == v.body.end() ? -1 : found->second;
  };
  for (const JointSpec& joint : v.model.joints)
    if (const int a = index(joint.parent), b = index(joint.child); a >= 0 && b >= 0)
      group[root(a)] = root(b);

  std::unordered_map<int, std::vector<int>> islands;
  for (int i = 0; i < n; ++i)
    if (root(i) != root(n)) islands[root(i)].push_back(i);
  for (int i = 0; i < n; ++i) {
    const auto island = islands.find(root(i));
    if (island == islands.end() || island->second.front() != i) continue;
    std::string names;
    for (size_t k = 0; k < island->second.size() && k < 8; ++k)
      names += (k ? ", " : "") + v.model.bodies[island->second[k]].name;
    if (island->second.size() > 8) names += fmt::format(", … ({} bodies)", island->second.size());
    const BodySpec& first = v.model.bodies[i];
    v.physics.note("floating", first.where, "body/" + first.name,
                   "no joint connects it to the world, it moves freely: " + names,
                   "add a joint to the world, or a free joint to give it a start");
  }
}

}  // namespace sarrus
