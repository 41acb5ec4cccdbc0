// Springs, bushings, forces, sensors, events and the [simulate] table.
#include <fmt/format.h>

#include "sarrus/files/reading.hpp"

namespace sarrus {

PointSpec read_point(Reading& r, const Node* node, const std::string& element) {
  if (!node) return {};
  Fields f(r.scope, *node, "point", element);
  return {f.reference("body").value_or("world"), f.place("body"), f.vector("at").value_or(Vec3{})};
}

SpringSpec read_spring(Reading& r, const Node& node, const std::string& element) {
  Fields f(r.scope, node, "spring", element);
  SpringSpec spring;
  spring.name = f.name().value_or("");
  spring.where = f.place();
  spring.from = read_point(r, f.node("from"), f.path("from"));
  spring.to = read_point(r, f.node("to"), f.path("to"));
  spring.k = f.number("k", 0);
  spring.length = f.number("length", 0);
  spring.damping = f.number("damping", 0);
  spring.preload = f.number("preload", 0);
  return spring;
}

BushingSpec read_bushing(Reading& r, const Node& node, const std::string& element) {
  Fields f(r.scope, node, "bushing", element);
  BushingSpec bushing;
  bushing.name = f.name().value_or("");
  bushing.where = f.place();
  bushing.from = f.reference("from").value_or("world");
  bushing.to = f.reference("to").value_or("");
  bushing.from_where = f.place("from");
  bushing.to_where = f.place("to");
  bushing.on_from = read_frame(r, f.node("on_from"), f.path("on_from"));
  bushing.on_to = read_frame(r, f.node("on_to"), f.path("on_to"));
  bushing.k = f.vector("k").value_or(Vec3{});
  bushing.damping = f.vector("damping").value_or(Vec3{});
  bushing.angular_k = f.vector("angular_k").value_or(Vec3{});
  bushing.angular_damping = f.vector("angular_damping").value_or(Vec3{});
  return bushing;
}

ForceSpec read_force(Reading& r, const Node& node, const std::string& element) {
  Fields f(r.scope, node, "force", element);
  ForceSpec force;
  force.name = f.name().value_or("");
  force.where = f.place();
  force.at = {f.reference("body").value_or("world"), f.place("body"),
              f.vector("at").value_or(Vec3{})};
  force.body_axes = f.choice("axes").value_or(0) == 1;
  if (auto components = f.vector_formula("force")) force.force = std::move(*components);
  if (auto components = f.vector_formula("moment")) force.moment = std::move(*components);
  return force;
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
