// What a mechanism guarantees integrators beside its equations: which positions are rotations, and
// what changes its energy.
#include <fmt/format.h>

#include <algorithm>

#include "sarrus/formulations/ode/tree_formulation.hpp"

namespace sarrus {
namespace {

class Finder {
 public:
  explicit Finder(const Mechanism& m) : m_(m) {}

  /// The first force that depends on velocities; empty where there is none.
  std::string dissipation() const {
    const std::string found =
        first([](const auto& e) { return e.dissipates() ? e.facts.damping : ""; });
    if (!found.empty()) return found;
    for (const int formula : m_.force_formulas)
      if (reads_velocity(formula))
        return fmt::format("the formula \"{}\"", m_.formula_sources[formula].expression.text());
    return "";
  }

  /// The first force or motion that is given from outside; empty where there is none.
  std::string drive() const {
    const std::string found = first([](const auto& e) { return drive_of(e); });
    if (!found.empty() || m_.motions.empty()) return found;
    const JointInfo* joint = m_.joint_of_body(m_.body_of_velocity(m_.motions.front().u));
    return fmt::format("the motion of joint '{}'", joint ? joint->name : "?");
  }

 private:
  /// "the damper of joint 'hip'" for the first element of which `what` says something.
  template <class What>
  std::string first(What&& what) const {
    std::string found;
    ForceSet<double>::each(m_.numbers.forces, [&](const auto& list) {
      for (size_t i = 0; i < list.size() && found.empty(); ++i)
        if (const std::string part = what(list[i]); !part.empty())
          found = part + " of " + m_.carrier_of(list[i], i);
    });
    return found;
  }

  /// Whether a formula mentions a velocity, itself or through sensors.
  bool reads_velocity(int formula) const {
    using Kind = Signal::Kind;
    const int first = m_.slot_of_signal(0);
    for (const int slot : m_.formulas[formula].slots()) {
      if (slot < first) continue;
      const Signal& s = m_.signals[slot - first];
      const bool is_position =
          s.kind == Kind::coordinate || s.kind == Kind::position ||
          (s.kind == Kind::element &&
           m_.shown[s.index].quantities[s.axis].of == ElementQuantity::Of::positions);
      if (s.kind == Kind::formula ? reads_velocity(s.index) : !is_position) return true;
    }
    return false;
  }

  const Mechanism& m_;
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
    if (is_nonholonomic(kind)) {  // fewer velocities than directions of the chart
      s.has_momenta = false;
      continue;
    }
    switch (facts_of(kind).chart) {
      case ChartKind::rotation: s.groups.push_back({GroupBlock::Kind::rotation, x, p}); break;
      case ChartKind::pose: s.groups.push_back({GroupBlock::Kind::rigid, x, p}); break;
      case ChartKind::plane: s.groups.push_back({GroupBlock::Kind::planar, x, p}); break;
      case ChartKind::additive: break;
    }
  }
  const Finder find(m_);
  s.dissipation = find.dissipation();
  s.drive = find.drive();
  return s;
}

}  // namespace sarrus
