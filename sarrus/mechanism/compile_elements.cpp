// compile: forces between bodies, sensors and events.
#include <fmt/format.h>

#include "sarrus/mechanism/compiler.hpp"

namespace sarrus {

void Compiler::add_forces() {
  ForceSet<double>& forces = m_.numbers.forces;
  for (const SpringSpec& s : model_.springs) {
    m_.spring_names.push_back(s.name);
    m_.shown.push_back({s.name, PointSpring<double>::quantities});
    const Mount from = mount(s.from, "spring/" + s.name), to = mount(s.to, "spring/" + s.name);
    forces.point_springs.push_back(
        {from.body, to.body, from.X.p, to.X.p, s.k, s.length, s.damping, s.preload});
  }
  for (const BushingSpec& s : model_.bushings) {
    const std::string element = "bushing/" + s.name;
    const Mount a = mount(body_index_.at(s.from), s.on_from.pose(), s.where, element);
    const Mount b = mount(body_index_.at(s.to), s.on_to.pose(), s.where, element);
    m_.bushing_names.push_back(s.name);
    m_.shown.push_back({s.name, Bushing<double>::quantities});
    forces.bushings.push_back(
        {a.body, b.body, a.X, b.X, s.k, s.damping, s.angular_k, s.angular_damping});
  }
  for (const ForceSpec& s : model_.forces) {
    AppliedForce<double> f;
    const Mount at = mount(s.at, "force/" + s.name);
    f.body = at.body;
    f.body_axes = s.body_axes;
    f.at = at.X.p;
    f.R_BC = user_frame(body_index_.at(s.at.body)).R;
    for (size_t i = 0; i < 3; ++i) {
      f.force[i] = add_component(s.force[i], "force/" + s.name + "/force");
      f.moment[i] = add_component(s.moment[i], "force/" + s.name + "/moment");
    }
    forces.applied.push_back(f);
  }
}

int Compiler::add_component(const Formula& formula, const std::string& element) {
  const Expression& e = formula.expression;
  if (e.is_constant() && e.evaluate<double>({}) == 0) return -1;
  return binder_.add(formula, element, Reach::motion);
}

void Compiler::add_sensors() {
  for (const SensorSpec& s : model_.sensors) {
    if (s.point && (s.section || s.stress)) {
      add_deformation_sensor(s);
    } else if (s.point) {
      const Mount at = mount(*s.point, "sensor/" + s.name);
      m_.point_sensors.push_back({s.name, at.body, at.X.p, at.X.R * rotation(s.rotation)});
    } else if (s.value) {
      m_.formula_sensors.push_back(
          {s.name, s.unit.empty() ? "1" : s.unit,
           binder_.add(*s.value, "sensor/" + s.name + "/value", Reach::accelerations)});
    }
  }
}

void Compiler::add_deformation_sensor(const SensorSpec& s) {
  const int body = body_index_.at(s.point->body);
  const std::string element = "sensor/" + s.name;
  const auto refuse = [&](const std::string& why, const std::string& hint) {
    physics_.error(s.stress ? "no-stress" : "no-section", s.point->where, element, why, hint);
  };
  const auto found = elastic_.find(body);
  if (found == elastic_.end()) {
    refuse(fmt::format("'{}' is rigid: no {} follow from its deformation", s.point->body,
                       s.stress ? "stresses" : "forces in a section"),
           "joint reactions are recorded with reactions = true");
    return;
  }
  const ElasticPart& part = found->second;
  const Vec3 at = carrier_of(body, part, s.point->at, s.point->where, element);
  auto rows = s.stress ? part.shape->stresses(s.point->at) : part.shape->section_forces(at);
  if (rows.empty() && s.stress && part.shape->section_forces(at).empty())
    refuse(fmt::format("({:.6g}, {:.6g}, {:.6g}) m is not in the mesh of '{}'", s.point->at.x,
                       s.point->at.y, s.point->at.z, s.point->body),
           "a point of the material");
  else if (rows.empty())
    refuse(fmt::format("'{}' is a {}", s.point->body,
                       s.stress ? "beam, whose stresses follow from the forces in its sections"
                                : "solid, which has no sections"),
           s.stress ? "section = true" : "stress = true");
  m_.deformation_sensors.push_back({s.name, part.entry, s.stress, std::move(rows)});
}

void Compiler::add_events() {
  for (const EventSpec& e : model_.events)
    m_.events.push_back({e.name,
                         binder_.add(e.when, "event/" + e.name + "/when", Reach::accelerations),
                         e.direction, e.stop});
}

void Compiler::list_formulas() {
  const ForceSet<double>& forces = m_.numbers.forces;
  const auto use = [&](int f) {
    if (f >= 0) m_.force_formulas.push_back(f);
  };
  for (const auto& f : forces.sources) use(f.formula);
  for (const auto& f : forces.servos) use(f.formula), m_.reference_formulas.push_back(f.formula);
  for (const auto& f : forces.motors) use(f.formula);
  for (const JointInfo& j : m_.joints) use(j.active);
  for (const auto& f : forces.applied)
    for (const auto* list : {&f.force, &f.moment})
      for (const int i : *list) use(i);
}

}  // namespace sarrus
