// sarrus check: reads and compiles a model and says what it is made of.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "commands/commands.hpp"
#include "options.hpp"
#include "reports/mobility_report.hpp"
#include "reports/tree_sketch.hpp"
#include "sarrus/core/json.hpp"
#include "sarrus/mechanism/compile.hpp"
#include "sarrus/run/simulate.hpp"
#include "sarrus/show/mobility_json.hpp"

namespace sarrus::app {
namespace {

constexpr size_t most_listed = 40;  // bodies, joints and lines of the sketch shown to people

std::string vector_text(const Vec3& v) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", v.x, v.y, v.z);
}

/// By index inside.
std::vector<std::string> body_names(const Mechanism& m) {
  std::vector<std::string> names(m.nb, "world");
  for (const BodyInfo& b : m.bodies) names[b.body] = b.name;
  for (const SeatInfo& s : m.seats) names[s.body] = m.elastic[s.elastic].name;
  return names;
}

/// "z" where gravity points along −z; "none" without gravity.
std::string up_axis(const Vec3& g) {
  const double size = std::sqrt(dot(g, g));
  if (size == 0) return "none";
  for (const auto& [component, plus, minus] :
       {std::tuple{g.x, "x", "-x"}, std::tuple{g.y, "y", "-y"}, std::tuple{g.z, "z", "-z"}})
    if (std::fabs(component) == size) return component < 0 ? plus : minus;
  return vector_text(g * (-1 / size));
}

/// Where a body's inertia comes from.
const char* inertia_source(const BodySpec& body) {
  if (body.second_moment) return "second_moment";
  if (body.inertia) return "inertia";
  for (const Shape& shape : body.shapes)
    if (shape.density > 0) return "shapes";
  return "none";
}

struct Facts {
  double mass = 0, kinetic = 0, potential = 0;
  int freedoms = 0, cut = 0;  // of a tree: of its joints
  int elastic = 0;            // coordinates
  Mobility mobility;          // of mechanisms with loops
};

Facts facts_of(const Mechanism& m, const StartState& start) {
  Facts f;
  for (const BodyInfo& b : m.bodies) f.mass += b.mass;
  for (const JointInfo& j : m.joints) {
    f.cut += j.cut;
    if (!j.cut && !j.prescribed) f.freedoms += j.nu;
  }
  for (const ElasticInfo& e : m.elastic) f.elastic += e.n;
  const Snapshot now = snapshot_at(m, start);
  f.kinetic = now.kinetic, f.potential = now.potential;
  if (m.has_loops()) {
    f.mobility = mobility(m, start);
    f.freedoms = f.mobility.freedoms;
  }
  return f;
}

Json vector_json(const Vec3& v) { return Json::array({v.x, v.y, v.z}); }

void fill_json(const Model& model, const Mechanism& m, const Facts& f, Output& out) {
  out.facts()["model"] = m.name;
  out.facts()["gravity"] = vector_json(model.gravity);
  out.facts()["up"] = up_axis(model.gravity);
  out.facts()["mass"] = f.mass;
  out.facts()["freedoms"] = f.freedoms + (m.has_loops() ? 0 : f.elastic);
  out.facts()["loops"] = f.cut;
  if (m.has_loops()) out.facts()["mobility"] = Json::parse(to_json(f.mobility));
  out.facts()["energy"] = {{"kinetic", f.kinetic}, {"potential", f.potential}};
  const std::vector<std::string> names = body_names(m);
  Json bodies = Json::array(), joints = Json::array();
  for (size_t i = 0; i < m.bodies.size(); ++i) {
    const BodyInfo& b = m.bodies[i];
    bodies.push_back({{"name", b.name},
                      {"mass", b.mass},
                      {"com", vector_json(b.com)},
                      {"inertia_from", inertia_source(model.bodies[i])}});
  }
  for (const JointInfo& j : m.joints)
    joints.push_back({{"name", j.name},
                      {"type", to_text(j.type)},
                      {"parent", names[j.parent]},
                      {"child", names[j.child]},
                      {"freedoms", j.nu},
                      {"cut", j.cut},
                      {"prescribed", j.prescribed}});
  Json elastic = Json::array();
  for (const ElasticInfo& e : m.elastic)
    elastic.push_back({{"body", e.name},
                       {"coordinates", e.numbers->says},
                       {"frequencies", elastic_frequencies(*e.numbers)}});
  if (!elastic.empty()) out.facts()["elastic"] = elastic;
  out.facts()["bodies"] = bodies;
  out.facts()["joints"] = joints;
}

void print_bodies(const Model& model, const Mechanism& m, const Facts& f, Output& out) {
  out.line();
  out.line(fmt::format("  {:<20} {:>12}   {}", "body", "mass [kg]", "centre of mass [m]"));
  for (size_t i = 0; i < std::min(m.bodies.size(), most_listed); ++i)
    out.line(fmt::format("  {:<20} {:>12.6g}   {}{}", m.bodies[i].name, m.bodies[i].mass,
                         vector_text(m.bodies[i].com),
                         model.bodies[i].second_moment ? "   inertia given as ∫ x xᵀ dm" : ""));
  if (m.bodies.size() > most_listed)
    out.line(fmt::format("  … and {} more", m.bodies.size() - most_listed));
  out.line(fmt::format("  {:<20} {:>12.6g}", "in all", f.mass));
}

void print_elastic(const Mechanism& m, Output& out) {
  if (m.elastic.empty()) return;
  out.line();
  out.line(fmt::format("  {:<20} {:>11}   {}", "elastic body", "coordinates",
                       "frequencies with its frame held [Hz]"));
  for (const ElasticInfo& e : m.elastic) {
    std::string frequencies;
    const std::vector<double> found = elastic_frequencies(*e.numbers);
    for (size_t i = 0; i < std::min<size_t>(found.size(), 4); ++i)
      frequencies += fmt::format("{:.4g}, ", found[i] / (2 * std::numbers::pi));
    frequencies +=
        found.size() > 4 ? fmt::format("… {:.4g}", found.back() / (2 * std::numbers::pi)) : "";
    if (frequencies.ends_with(", ")) frequencies.resize(frequencies.size() - 2);
    out.line(fmt::format("  {:<20} {:>11}   {}", e.name, e.n, frequencies));
  }
}

void print_joints(const Mechanism& m, Output& out) {
  if (m.joints.empty()) return;
  out.line();
  const std::vector<std::string> names = body_names(m);
  out.line(
      fmt::format("  {:<20} {:<13} {:>8}   {}", "joint", "type", "freedoms", "parent → child"));
  for (size_t i = 0; i < std::min(m.joints.size(), most_listed); ++i) {
    const JointInfo& j = m.joints[i];
    out.line(fmt::format("  {:<20} {:<13} {:>8}   {} → {}{}{}", j.name, to_text(j.type), j.nu,
                         names[j.parent], names[j.child], j.cut ? ", closes a loop" : "",
                         j.prescribed ? ", prescribed" : ""));
  }
  if (m.joints.size() > most_listed)
    out.line(fmt::format("  … and {} more", m.joints.size() - most_listed));
}

void print(const Model& model, const Mechanism& m, const Facts& f, Output& out) {
  out.line(out.styled(m.name, Style::strong));
  const std::string up = up_axis(model.gravity);
  out.line(fmt::format("  gravity {} m/s², {}", vector_text(model.gravity),
                       up == "none" ? "so there is no up" : "so up is " + up));
  print_bodies(model, m, f, out);
  print_elastic(m, out);
  print_joints(m, out);
  out.line();
  for (const std::string& line : tree_sketch(m, most_listed)) out.line("  " + line);
  out.line();
  if (m.has_loops())
    print_mobility(f.mobility, m, out);
  else
    out.line(fmt::format("  degrees of freedom {}{}", f.freedoms,
                         f.elastic > 0 ? fmt::format(", and {} of deformation", f.elastic) : ""));
  out.line(fmt::format("  energy at the start: kinetic {:.6g} J, potential {:.6g} J", f.kinetic,
                       f.potential));
}

int run_check(const ModelOptions& options, Output& out) {
  const ValidModel valid = read_model(options);
  const Model& model = *valid;
  out.notes(model.notes);
  const Mechanism mechanism = compile(valid);
  out.notes(mechanism.notes);
  const StartState start = start_state(mechanism, model.simulate.start);
  out.notes(start.notes);
  const Facts facts = facts_of(mechanism, start);
  fill_json(model, mechanism, facts, out);
  print(model, mechanism, facts, out);
  out.finish_notes();

  check_methods(model, {}, out);
  check_formulation(mechanism, model.simulate);  // refuses what it cannot run
  Recorder(mechanism, {model.simulate.reactions, records_momenta(model.simulate)});  // and record
  const bool still = mechanism.nu == static_cast<int>(mechanism.motions.size());
  out.line(fmt::format(
      "  {}: {}", out.styled("OK", Style::good),
      still ? "nothing is free to move, there is nothing to integrate" : "ready to run"));
  return 0;
}

}  // namespace

void add_check(Program& program) {
  auto a = std::make_shared<ModelOptions>();
  Command command = program.parser.add_command("check", "Reads a model and describes it");
  add_model_options(command, *a);
  add_output_options(command, program.out);
  command.footer(
      "Examples:\n  sarrus check pendulum.toml\n  sarrus check crane.toml --set load=500 --json");
  command.action([&program, a] { return run_check(*a, program.out); });
}

}  // namespace sarrus::app
