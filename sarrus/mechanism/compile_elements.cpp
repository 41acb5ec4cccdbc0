// compile: forces between bodies, sensors and events.
#include <fmt/format.h>

#include <algorithm>

#include "sarrus/core/near_match.hpp"
#include "sarrus/mechanism/compiler.hpp"

namespace sarrus {

template <class Spec, class E>
void Compiler::add_named_forces(const std::vector<Spec>& specs, std::vector<E>& into) {
  for (const Spec& s : specs) {
    m_.force_names[static_cast<size_t>(kind_of(E()))].push_back(s.name);
    ElementMaker maker{*this, s.where, std::string(Spec::table.table) + "/" + s.name};
    into.push_back(E::made_of(s, maker));
    bool by_formula = false;
    into.back().inputs([&](const FormulaInput&) { by_formula = true; });
    if constexpr (requires { E::quantities; })
      m_.shown.push_back({s.name, E::quantities, by_formula});
  }
}

void Compiler::add_forces() {
#define SARRUS_ADD(list, Element, of_model, Spec) \
  add_named_forces(model_.of_model, m_.numbers.forces.list);
  SARRUS_NAMED_FORCES(SARRUS_ADD)
#undef SARRUS_ADD
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

EventAction Compiler::action_of(const EventSpec& event, const EventSetting& setting) {
  const std::string element = "event/" + event.name + "/set";
  EventAction action;
  std::vector<std::string> known = m_.parameter_names;
  for (const int s : m_.state_rates) {
    if (m_.states[s].name == setting.name) action.state = s;
    known.push_back(m_.states[s].name);
  }
  const auto found = std::find(m_.parameter_names.begin(), m_.parameter_names.end(), setting.name);
  if (found != m_.parameter_names.end())
    action.parameter = static_cast<int>(found - m_.parameter_names.begin());
  if (action.state < 0 && action.parameter < 0)
    faults_.error("unknown-name", setting.value.where, element,
                  fmt::format("'{}' is neither a state nor an input nor a parameter", setting.name),
                  did_you_mean(setting.name, known));
  action.formula = binder_.add(setting.value, element, Reach::accelerations);
  return action;
}

void Compiler::list_formulas() {
  for (const int s : m_.state_rates) m_.force_formulas.push_back(m_.states[s].formula);
  for (const JointInfo& j : m_.joints)
    if (j.active >= 0) m_.force_formulas.push_back(j.active);
  ForceSet<double>::each(m_.numbers.forces, [&](const auto& list) {
    for (const auto& element : list)
      element.inputs([&](const FormulaInput& input) {
        m_.force_formulas.push_back(input.formula);
        if (input.rate) m_.reference_formulas.push_back(input.formula);
      });
  });
}

}  // namespace sarrus
