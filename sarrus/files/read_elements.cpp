// Force elements, contacts, sensors, events and the [simulate] table.
#include <fmt/format.h>

#include "sarrus/files/reading.hpp"

namespace sarrus {

PointSpec read_point(Reading& r, const Node* node, const std::string& element) {
  if (!node) return {};
  Fields f(r.scope, *node, "point", element);
  return {f.reference("body").value_or("world"), f.place("body"), f.vector("at").value_or(Vec3{})};
}

namespace {

// ── force elements: a key becomes what its member is ──

template <class Key>
void read_value(Reading&, Fields& f, const Key& key, double& x) {
  x = f.number(key.name, x);
}
template <class Key>
void read_value(Reading&, Fields& f, const Key& key, Vec3& x) {
  if (key.judged != Judged::axis)
    x = f.vector(key.name).value_or(x);
  else if (const auto axis = f.axis(key.name))
    x = unit_axis(f, key.name, *axis);
}
template <class Key>
void read_value(Reading&, Fields& f, const Key& key, std::string& body) {
  body = f.reference(key.name).value_or(body);
}
template <class Key>
void read_value(Reading& r, Fields& f, const Key& key, PointSpec& point) {
  switch (key.part) {
    case PointPart::table: point = read_point(r, f.node(key.name), f.path(key.name)); break;
    case PointPart::body:
      point.body = f.reference(key.name).value_or(point.body);
      point.where = f.place(key.name);
      break;
    case PointPart::at: point.at = f.vector(key.name).value_or(point.at); break;
  }
}
template <class Key>
void read_value(Reading& r, Fields& f, const Key& key, FrameSpec& frame) {
  frame = read_frame(r, f.node(key.name), f.path(key.name));
}
template <class Key>
void read_value(Reading&, Fields& f, const Key& key, bool& second) {
  if (const auto word = f.choice(key.name)) second = *word == 1;
}
template <class Key>
void read_value(Reading&, Fields& f, const Key& key, Formula& formula) {
  if (auto found = f.formula(key.name)) formula = std::move(*found);
}
template <class Key>
void read_value(Reading&, Fields& f, const Key& key, std::array<Formula, 3>& formulas) {
  if (auto components = f.vector_formula(key.name)) formulas = std::move(*components);
}

template <class Spec>
Spec read_force_element(Reading& r, const Node& node, const std::string& element) {
  Fields f(r.scope, node, Spec::table.table, element);
  Spec s;
  s.name = f.name().value_or("");
  s.where = f.place();
  static const std::vector<ElementKey<Spec>> keys = Spec::keys();
  for (const ElementKey<Spec>& key : keys)
    std::visit([&](auto member) { read_value(r, f, key, s.*member); }, key.member);
  return s;
}

}  // namespace

void read_force_elements(Reading& r, Fields& top, Model& into) {
  Model::each_force_list(into, [&]<class Spec>(std::vector<Spec>& list) {
    read_list(r, top, Spec::table.table, list, read_force_element<Spec>);
  });
}

ContactSpec read_contact(Reading& r, const Node& node, const std::string& element) {
  Fields f(r.scope, node, "contact", element);
  ContactSpec contact;
  contact.name = f.name().value_or("");
  contact.where = f.place();
  for (const std::string& body : f.words("bodies")) contact.bodies.push_back(r.scope.prefix + body);
  contact.with = f.reference("with");
  contact.with_where = f.place("with");
  if (const Node* plane = f.node("plane")) {
    Fields p(r.scope, *plane, "plane", f.path("plane"));
    contact.plane = true;
    if (const auto normal = p.axis("normal")) contact.normal = unit_axis(p, "normal", *normal);
    contact.at = p.vector("at").value_or(Vec3{});
    if (!contact.with) contact.with = "world";
  }
  contact.stiffness = f.number("stiffness", 0);
  contact.dissipation = f.number("dissipation", 0);
  contact.friction = f.number("friction", 0);
  return contact;
}

SensorSpec read_sensor(Reading& r, const Node& node, const std::string& element) {
  Fields f(r.scope, node, "sensor", element);
  SensorSpec sensor;
  sensor.name = f.name().value_or("");
  sensor.where = f.place();
  if (f.is_table() && f.has("body") == f.has("value"))
    r.scope.faults->error("missing-key", f.place(), element,
                          "a sensor has either 'body' or 'value'");
  sensor.section = f.boolean("section").value_or(false);
  sensor.stress = f.boolean("stress").value_or(false);
  if (sensor.section && sensor.stress)
    f.error("stress", "doubled-key", "a sensor tells either forces in a section or stresses",
            "two sensors");
  for (const std::string_view key : {"at", "rotation", "section", "stress"})
    if (f.has(key) && !f.has("body"))
      f.error(key, "unused-key", fmt::format("'{}' without 'body'", key));
  if (f.has("unit") && !f.has("value")) f.error("unit", "unused-key", "'unit' without 'value'");
  if (f.has("body"))
    sensor.point = PointSpec{f.reference("body").value_or("world"), f.place("body"),
                             f.vector("at").value_or(Vec3{})};
  sensor.rotation = read_rotation(r, f.node("rotation"), f.path("rotation"));
  sensor.value = f.formula("value");
  sensor.unit = f.text("unit").value_or("");
  if (!sensor.unit.empty() && !parse_unit(sensor.unit))
    f.error("unit", "unknown-unit", fmt::format("'{}' is not a unit", shown(sensor.unit)));
  return sensor;
}

EventSpec read_event(Reading& r, const Node& node, const std::string& element) {
  Fields f(r.scope, node, "event", element);
  EventSpec event;
  event.name = f.name().value_or("");
  event.where = f.place();
  if (auto when = f.formula("when")) event.when = std::move(*when);
  constexpr int directions[] = {+1, -1, 0};  // rising, falling, both
  event.direction = directions[f.choice("direction").value_or(2)];
  event.stop = f.boolean("stop").value_or(false);
  if (const Node* set = f.node("set"))
    for (const Node& child : set->children)
      if (auto value = read_formula(r.scope, child, dimensions::none, f.path("set")))
        event.set.push_back({r.scope.prefix + child.key, std::move(*value)});
  return event;
}

SimulateSpec read_simulate(Reading& r, const Node& node) {
  Fields f(r.scope, node, "simulate", "simulate");
  SimulateSpec s;
  for (const Setting& setting : settings()) {
    const std::string_view key = setting.name;
    if (!f.has(key)) continue;
    s.where[std::string(key)] = f.place(key);
    switch (grammar("simulate").find(key)->kind) {
      case Kind::boolean:
        if (const auto x = f.boolean(key)) setting.set(s, *x);
        break;
      case Kind::integer:
        if (const auto x = f.integer(key)) setting.set(s, *x);
        break;
      case Kind::choice:
        if (const auto i = f.choice(key)) setting.set(s, std::string(setting.words[*i]));
        break;
      default:
        if (const auto x = f.number(key)) setting.set(s, *x);
    }
  }
  return s;
}

}  // namespace sarrus
