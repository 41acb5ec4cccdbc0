// compile: springs, dampers, limits, friction, drives and motions of joints.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/mechanism/compiler.hpp"

namespace sarrus {
namespace {

constexpr double default_turn_stop = 1e4;   // [N.m/rad] stiffness of a limit that gives none
constexpr double default_slide_stop = 1e6;  // [N/m]

}  // namespace

bool has_plain_coordinates(JointType type) {
  return type != JointType::fixed && chart_of(type) == ChartKind::additive;
}

template <class F>
void Compiler::per_freedom(const JointSpec& joint, const char* key,
                           const std::vector<double>& values, int count, F&& use) {
  if (values.size() != 1 && static_cast<int>(values.size()) != count) {
    faults_.error(
        "wrong-length", joint.where, fmt::format("joint/{}/{}", joint.name, key),
        fmt::format("{} values are given for {} degrees of freedom", values.size(), count),
        "one value, or one per degree of freedom");
    return;
  }
  for (int i = 0; i < count; ++i) use(i, values.size() == 1 ? values[0] : values[i]);
}

bool Compiler::needs_plain(const JointSpec& joint, const char* key) {
  if (has_plain_coordinates(joint.type)) return true;
  faults_.error("wrong-joint", joint.where, fmt::format("joint/{}/{}", joint.name, key),
                fmt::format("a {} joint has no coordinates with q̇ = u that this could act on",
                            to_text(joint.type)),
                "use a bushing or a force on the body, or a joint of type sequence");
  return false;
}

bool Compiler::needs_single(const JointSpec& joint, const char* key, const JointInfo& info) {
  if (info.nu == 1 && has_plain_coordinates(joint.type)) return true;
  faults_.error("wrong-joint", joint.where, fmt::format("joint/{}/{}", joint.name, key),
                fmt::format("it needs a joint with one degree of freedom; a {} joint has {}",
                            to_text(joint.type), info.nu));
  return false;
}

void Compiler::add_joint_forces() {
  for (size_t j = 0; j < model_.joints.size(); ++j) {
    const JointSpec& joint = model_.joints[j];
    if (joint_info_[j] < 0) continue;
    JointInfo& info = m_.joints[joint_info_[j]];
    if (info.cut) continue;  // it has no forces: needed_coordinates() keeps those in the tree
    if (joint.spring) add_joint_spring(joint, info);
    if (!joint.damper.empty())
      per_freedom(joint, "damper", joint.damper, info.nu, [&](int i, double d) {
        m_.numbers.forces.dampers.push_back({info.u0 + i, d});
      });
    if (joint.limits) add_limits(joint, info);
    if (joint.friction) add_friction(joint, info);
    if (joint.armature > 0)
      for (int i = 0; i < info.nu; ++i) m_.numbers.armature[info.u0 + i] += joint.armature;
    add_drives(joint, info);
    if (!joint.motion.empty() || !joint.speed.empty()) add_motion(joint, info);
  }
}

void Compiler::add_joint_spring(const JointSpec& joint, const JointInfo& info) {
  const JointSpringSpec& s = *joint.spring;
  const auto entry = [](const std::vector<double>& list, int i) {
    return list.empty() ? 0.0 : list.size() == 1 ? list[0] : list[i];
  };
  if (chart_of(joint.type) == ChartKind::rotation) {
    if (s.k.size() != 1 || !s.rest.empty() || !s.preload.empty())
      faults_.error("wrong-spring", joint.where, "joint/" + joint.name + "/spring",
                    "the spring of a spherical joint has one stiffness and rests at zero angle",
                    "use a bushing for different stiffnesses");
    else
      m_.numbers.forces.spherical_springs.push_back({info.q0, info.u0, s.k[0]});
    return;
  }
  if (!needs_plain(joint, "spring")) return;
  for (const auto* list : {&s.rest, &s.preload})
    if (list->size() > 1 && static_cast<int>(list->size()) != info.nu)
      faults_.error(
          "wrong-length", joint.where, "joint/" + joint.name + "/spring",
          fmt::format("{} values are given for {} degrees of freedom", list->size(), info.nu));
  if (faults_.has_errors()) return;
  per_freedom(joint, "spring/k", s.k, info.nu, [&](int i, double k) {
    m_.numbers.forces.joint_springs.push_back(
        {info.q0 + i, info.u0 + i, k, entry(s.rest, i), entry(s.preload, i)});
  });
}

void Compiler::add_limits(const JointSpec& joint, const JointInfo& info) {
  if (!needs_single(joint, "limits", info)) return;
  const JointLimitSpec& l = *joint.limits;
  double k = l.stiffness;
  if (k <= 0) {
    const bool slides = freedoms_of(joint)[0] == Freedom::slides;
    k = slides ? default_slide_stop : default_turn_stop;
    physics_.note(
        "limit-stiffness", joint.where, "joint/" + joint.name + "/limits",
        fmt::format("no stiffness is given, the stops have {} {}", k, slides ? "N/m" : "N.m/rad"),
        "set limit_stiffness");
  }
  m_.numbers.forces.limits.push_back({info.q0, info.u0, l.low, l.high, k, l.damping});
}

void Compiler::add_friction(const JointSpec& joint, const JointInfo& info) {
  if (!needs_single(joint, "friction", info)) return;
  const JointFrictionSpec& f = *joint.friction;
  const double lever = joint.type == JointType::prismatic ? 1 : f.radius;
  if (f.coefficient > 0 && lever <= 0) {
    faults_.error("no-radius", joint.where, "joint/" + joint.name + "/friction",
                  "a coefficient without the radius at which friction acts",
                  "set radius, or give the friction torque as force");
    return;
  }
  m_.numbers.forces.frictions.push_back(
      {info.body, info.u0, f.force, f.coefficient * lever, f.speed});
}

void Compiler::add_drives(const JointSpec& joint, const JointInfo& info) {
  const std::string path = "joint/" + joint.name;
  if (!joint.force.empty()) {
    if (static_cast<int>(joint.force.size()) != info.nu)
      faults_.error("wrong-length", joint.where, path + "/force",
                    fmt::format("{} formulas are given for {} degrees of freedom",
                                joint.force.size(), info.nu));
    for (size_t i = 0; i < joint.force.size() && !faults_.has_errors(); ++i)
      m_.numbers.forces.sources.push_back(
          {info.u0 + static_cast<int>(i),
           binder_.add(joint.force[i], path + "/force", Reach::motion)});
  }
  if (joint.servo && needs_single(joint, "servo", info)) {
    const ServoSpec& s = *joint.servo;
    const bool slides = freedoms_of(joint)[0] == Freedom::slides;
    const int state = s.ki == 0 ? -1
                                : add_state_of({.name = joint.name + ".integral",
                                                .unit = slides ? "m.s" : "rad.s",
                                                .where = joint.where},
                                               0);
    m_.numbers.forces.servos.push_back(
        {info.q0, info.u0, binder_.add(s.reference, path + "/servo/reference", Reach::motion), s.kp,
         s.kd, s.max_force.value_or(1e300), state, s.ki});
  }
  if (joint.motor && needs_single(joint, "motor", info)) {
    const MotorSpec& s = *joint.motor;
    const int state =
        s.inductance > 0
            ? add_state_of({.name = joint.name + ".current", .unit = "A", .shown = false}, 0)
            : -1;
    m_.numbers.forces.motors.push_back(
        {info.u0, binder_.add(s.voltage, path + "/motor/voltage", Reach::motion), state,
         s.resistance, s.inductance, s.torque_constant, s.back_emf, s.gear, s.efficiency});
    m_.numbers.armature[info.u0] += s.rotor_inertia * s.gear * s.gear;
  }
}

void Compiler::add_motion(const JointSpec& joint, JointInfo& info) {
  const bool is_speed = joint.motion.empty();
  const std::vector<Formula>& given = is_speed ? joint.speed : joint.motion;
  const char* key = is_speed ? "speed" : "motion";
  if (!needs_plain(joint, key)) return;
  if (static_cast<int>(given.size()) != info.nu) {
    faults_.error(
        "wrong-length", joint.where, fmt::format("joint/{}/{}", joint.name, key),
        fmt::format("{} formulas are given for {} degrees of freedom", given.size(), info.nu));
    return;
  }
  info.prescribed = true;
  for (int b = info.first_body; b <= info.body; ++b) m_.prescribed[b] = 1;
  for (int i = 0; i < info.nu; ++i) {
    int body = info.first_body;
    while (m_.u0[body + 1] <= info.u0 + i) ++body;
    m_.motions.push_back(
        {body, info.q0 + i, info.u0 + i,
         binder_.add(given[i], fmt::format("joint/{}/{}", joint.name, key), Reach::time),
         is_speed});
  }
  if ((joint.q && !is_speed) || joint.u)
    physics_.note("motion-wins", joint.where, "joint/" + joint.name,
                  is_speed ? "u is prescribed; the start given is not used"
                           : "q and u are prescribed by its motion; the start given is not used");
}

}  // namespace sarrus
