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
  s.until = f.number("until", s.until);
  s.start = f.number("start", s.start);
  s.output_step = f.number("output_step");
  const TableGrammar& keys = grammar("simulate");
  const auto word = [&](const char* key, std::string& value) {
    if (const auto i = f.choice(key)) value = keys.find(key)->words[static_cast<size_t>(*i)];
  };
  word("energy_matrix", s.energy_matrix), word("energy_gradient", s.energy_gradient);
  word("formulation", s.formulation), word("integrator", s.integrator);
  word("loops", s.loops);
  word("scheme", s.scheme), word("rotation", s.rotation), word("overrun", s.overrun),
      word("plane", s.plane);
  s.step = f.number("step");
  s.rtol = f.number("rtol", s.rtol);
  s.atol = f.number("atol");
  s.max_step = f.number("max_step");
  s.max_wall = f.number("max_wall");
  s.max_steps = f.integer("max_steps");
  s.reactions = f.boolean("reactions").value_or(false);
  s.momenta = f.boolean("momenta").value_or(false);
  s.binding = f.number("binding");
  s.rho_infinity = f.number("rho_infinity");
  s.joint_gap = f.number("joint_gap", s.joint_gap);
  s.joint_stiffness = f.number("joint_stiffness", s.joint_stiffness);
  s.joint_damping = f.number("joint_damping", s.joint_damping);
  s.real_time_factor = f.number("real_time_factor");
  for (const Key& key : keys.keys)
    if (f.has(key.name)) s.where[std::string(key.name)] = f.place(key.name);
  return s;
}

}  // namespace sarrus
