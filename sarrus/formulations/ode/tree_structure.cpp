// What a mechanism promises to integrators beside its equations: which positions are rotations, and
// what changes its energy.
#include <fmt/format.h>

#include <algorithm>

#include "sarrus/formulations/ode/tree_formulation.hpp"

namespace sarrus {
namespace {

bool is_positive(const Vec3& v) { return v.x > 0 || v.y > 0 || v.z > 0; }

class Finder {
 public:
  explicit Finder(const Mechanism& m) : m_(m), f_(m.numbers.forces) {}

  /// The first force that depends on velocities; empty where there is none.
  std::string dissipation() const {
    for (const auto& e : f_.dampers)
      if (e.d != 0) return on_joint("the damper", e.u);
    for (const auto& e : f_.frictions)
      if (e.force > 0 || e.coefficient > 0) return on_joint("the friction", e.u);
    for (const auto& e : f_.limits)
      if (e.d != 0) return on_joint("the damping of the stops", e.u);
    for (const auto& e : f_.servos)
      if (e.kd != 0) return on_joint("the servo", e.u);
    for (const auto& e : f_.motors) return on_joint("the motor", e.u);
    for (size_t i = 0; i < f_.point_springs.size(); ++i)
      if (f_.point_springs[i].damping != 0)
        return fmt::format("the damping of spring '{}'", m_.spring_names[i]);
    for (size_t i = 0; i < f_.bushings.size(); ++i)
      if (is_positive(f_.bushings[i].damping) || is_positive(f_.bushings[i].angular_damping))
        return fmt::format("the damping of bushing '{}'", m_.bushing_names[i]);
    for (const int formula : m_.force_formulas)
      if (reads_velocity(formula))
        return fmt::format("the formula \"{}\"", m_.formula_sources[formula].expression.text());
    return "";
  }

  /// The first force or motion that is given from outside; empty where there is none.
  std::string drive() const {
    for (const auto& e : f_.sources) return on_joint("the force", e.u);
    for (const auto& e : f_.servos) return on_joint("the servo", e.u);
    for (const auto& e : f_.motors) return on_joint("the motor", e.u);
    for (const auto& e : f_.applied) {
      for (const BodyInfo& b : m_.bodies)
        if (b.body == e.body) return fmt::format("the force on body '{}'", b.name);
      return "an applied force";
    }
    for (const PrescribedMotion& motion : m_.motions) return on_joint("the motion", motion.u);
    return "";
  }

 private:
  std::string on_joint(const char* what, int u) const {
    const JointInfo* joint = m_.joint_of_body(m_.body_of_velocity(u));
    return fmt::format("{} of joint '{}'", what, joint ? joint->name : "?");
  }

  /// Whether a formula mentions a velocity, itself or through sensors.
  bool reads_velocity(int formula) const {
    using Kind = Signal::Kind;
    const int first = m_.slot_of_signal(0);
    for (const int slot : m_.formulas[formula].slots()) {
      if (slot < first) continue;
      const Signal& s = m_.signals[slot - first];
      const bool is_position = s.kind == Kind::coordinate || s.kind == Kind::position;
      if (s.kind == Kind::formula ? reads_velocity(s.index) : !is_position) return true;
    }
    return false;
  }

  const Mechanism& m_;
  const ForceSet<double>& f_;
};

}  // namespace

OdeStructure TreeFormulation::structure() const {
  OdeStructure s;
  s.has_momenta = has_momenta();
  for (size_t b = 1; b < static_cast<size_t>(m_.nb); ++b) {
    const JointKind kind = m_.kind[b];
    if (is_additive(kind)) continue;
    if (s.group.empty()) {
      const JointInfo* joint = m_.joint_of_body(static_cast<int>(b));
      s.group = fmt::format("joint '{}'", joint ? joint->name : "?");
    }
    const int x = m_.x0[b], p = m_.nx + m_.u0[b];
    switch (kind) {
      case JointKind::spherical: s.groups.push_back({GroupBlock::Kind::rotation, x, p}); break;
      case JointKind::free: s.groups.push_back({GroupBlock::Kind::rigid, x, p}); break;
      case JointKind::planar: s.groups.push_back({GroupBlock::Kind::planar, x, p}); break;
      default: s.has_momenta = false;  // fewer velocities than directions of the chart
    }
  }
  const Finder find(m_);
  s.dissipation = find.dissipation();
  s.drive = find.drive();
  return s;
}

}  // namespace sarrus
