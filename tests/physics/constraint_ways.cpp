// Every written constraint in every treatment of loops: one motion; said twice, the same motion;
// contradicted, both named; started wrongly, put right with words.
#include <doctest/doctest.h>

#include "loop_models.hpp"
#include "sarrus/formulations/assembly/assembly.hpp"
#include "sarrus/mobility/mobility.hpp"
#include "sarrus/run/simulate.hpp"
#include "tolerances.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

struct Case {
  std::string name;
  Model model;
  std::vector<std::string> columns;
  bool holds_positions = true;
  double off = 0.05;  // [rad] or [m] by which a start is spoilt
};

ConstraintSpec constraint(ConstraintType type, const std::string& body) {
  ConstraintSpec c;
  c.name = "first";
  c.type = type;
  c.to.body = body;
  return c;
}

BodySpec lump(const std::string& name, const Vec3& com) {
  BodySpec body = rod_along_x(name, 1.2, 0.8, 0.02);
  body.com = com;
  return body;
}

JointSpec set(JointSpec joint, std::vector<double> q, std::vector<double> u) {
  joint.q = std::move(q), joint.u = std::move(u);
  return joint;
}

JointSpec other(JointType type, const std::string& name, const std::string& child) {
  JointSpec joint;
  joint.name = name;
  joint.type = type;
  joint.child = child;
  return joint;
}

/// A bob on a rod without mass.
Case bob_on_rod() {
  Model m;
  m.gravity = {0, -9.81, 0};
  m.bodies = {lump("bob", {0.1, 0, 0})};
  m.joints = {set(other(JointType::free, "place", "bob"), {1, 0, 0, 0, 0.6, -0.8, 0},
                  {0, 0, 1, 0.8, 0.6, 0.2})};
  ConstraintSpec rod = constraint(ConstraintType::distance, "bob");
  rod.length = 1;
  m.constraints = {rod};
  return {"distance", m, {"place.q5", "place.q6", "place.q7", "place.u3"}};
}

/// Crank and coupler whose end runs along x.
Case point_on_line() {
  Model m;
  m.gravity = {0, -9.81, 0};
  m.bodies = {lump("crank", {0.2, 0, 0}), lump("coupler", {0.5, 0, 0})};
  const double a = 0.7, b = -std::asin(0.4 * std::sin(a)) - a;
  m.joints = {set(hinge("a", "world", "crank", {}, {}), {a}, {2}),
              hinge("b", "crank", "coupler", {0.4, 0, 0}, {})};
  m.joints[1].q = std::vector<double>{b};
  ConstraintSpec line = constraint(ConstraintType::point_on_line, "coupler");
  line.to.at = {1, 0, 0};
  line.axis = {1, 0, 0};
  m.constraints = {line};
  return {"point on line", m, {"a.q", "a.u", "b.q", "b.u"}};
}

/// Unbalanced wheels that turn each other.
Case gear() {
  Model m;
  m.gravity = {0, -9.81, 0};
  m.bodies = {lump("one", {0.3, 0, 0}), lump("two", {0, 0.1, 0})};
  m.joints = {set(hinge("a", "world", "one", {}, {}), {0.2}, {1}),
              set(hinge("b", "world", "two", {1, 0, 0}, {}), {-0.1}, {-0.5})};
  ConstraintSpec c = constraint(ConstraintType::gear, "");
  c.joints = {{"a", {}}, {"b", {}}};
  c.coefficients = {1, 2};
  c.offset = 0;
  m.constraints = {c};
  return {"gear", m, {"a.q", "a.u", "b.q", "b.u"}};
}

/// A differential: the turns of three wheels add up to nothing.
Case coupling() {
  Case c = gear();
  c.name = "coupling";
  c.model.bodies.push_back(lump("three", {-0.2, 0.1, 0}));
  c.model.joints.push_back(set(hinge("c", "world", "three", {2, 0, 0}, {}), {0}, {0}));
  c.model.constraints[0].type = ConstraintType::coupling;
  c.model.constraints[0].joints.push_back({"c", {}});
  c.model.constraints[0].coefficients = {1, 2, -1};
  c.columns = {"a.q", "a.u", "b.q", "b.u", "c.q", "c.u"};
  return c;
}

/// A ball with its centre of mass beside the middle.
Case rolling_sphere() {
  Model m;
  m.bodies = {lump("ball", {0.05, 0, 0})};
  m.joints = {set(other(JointType::free, "place", "ball"), {1, 0, 0, 0, 0, 0, 0.3},
                  {0, 2, 0.5, 0.6, 0, 0})};
  ConstraintSpec floor = constraint(ConstraintType::rolling_sphere, "ball");
  floor.radius = 0.3;
  m.constraints = {floor};
  return {"rolling sphere", m, {"place.q5", "place.q6", "place.u1", "place.u2", "place.u3"}};
}

Case knife_edge() {
  Model m;
  m.gravity = {0, 0, -9.81};
  m.bodies = {lump("sleigh", {0.4, 0, 0})};
  JointSpec plane = other(JointType::planar, "plane", "sleigh");
  plane.axis = {0, 0, 1}, plane.axis2 = {1, 0, 0};
  m.joints = {set(plane, {0.2, 0, 0}, {2, 0.5, 0})};
  ConstraintSpec edge = constraint(ConstraintType::knife_edge, "sleigh");
  edge.direction = {0, 1, 0};
  m.constraints = {edge};
  return {"knife edge", m, {"plane.q1", "plane.q2", "plane.q3", "plane.u1"}, false};
}

const std::vector<Case> cases{bob_on_rod(), point_on_line(),  gear(),
                              coupling(),   rolling_sphere(), knife_edge()};

struct Way {
  std::string formulation, loops;
};
const std::vector<Way> ways{
    {"recursive", "multipliers"}, {"recursive", "nullspace"}, {"hamiltonian", "multipliers"}};

Run run_way(Model model, const Way& way) {
  model.simulate.formulation = way.formulation;
  model.simulate.loops = way.loops;
  model.simulate.until = 0.5;
  model.simulate.rtol = 1e-12;
  model.simulate.atol = 1e-12;
  const Run done = simulate(compile(model), model.simulate);
  REQUIRE_MESSAGE(done.summary.status == RunStatus::done,
                  (done.summary.failure ? done.summary.failure->message : ""));
  CHECK(done.summary.constraint < closed);
  CHECK(done.summary.constraint_rate < closed_rate);
  CHECK(done.summary.closure < account);
  return done;
}

void check_same_end(const Run& a, const Run& b, const std::vector<std::string>& columns) {
  for (const std::string& c : columns) {
    CAPTURE(c);
    CHECK(std::fabs(a.trajectory.at(a.trajectory.rows() - 1, c) -
                    b.trajectory.at(b.trajectory.rows() - 1, c)) <
          1e-9);  // rtol 1e-12 over some hundred steps
  }
}

Model said_twice(Model model) {
  model.constraints.push_back(model.constraints[0]);
  model.constraints[1].name = "second";
  return model;
}

/// What the notes or the refusal of a start say.
std::string said_of_start(const Model& model) try {
  const Mechanism m = compile(model);
  std::string text;
  for (const Diagnostic& d : assemble(m, 0).notes) text += to_text(d) + "\n";
  return text;
} catch (const Error& e) {
  std::string text;
  for (const Diagnostic& d : e.diagnostics()) text += to_text(d) + "\n";
  return text;
}

bool names_part(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("constraints: multipliers, null space and momenta give one motion, said once or twice") {
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const Run first = run_way(c.model, ways[0]);
    for (const Way& way : ways) {
      CAPTURE(way.formulation);
      CAPTURE(way.loops);
      check_same_end(first, run_way(c.model, way), c.columns);
      check_same_end(first, run_way(said_twice(c.model), way), c.columns);
    }
  }
}

TEST_CASE("constraints: said twice, the report counts every row of the second as repeated") {
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const auto report = [](const Model& model) {
      const Mechanism m = compile(model);
      return mobility(m, start_state(m, 0));
    };
    const Mobility once = report(c.model), twice = report(said_twice(c.model));
    CHECK(twice.redundant - once.redundant == twice.rows - once.rows);
    CHECK(twice.freedoms == once.freedoms);
    CHECK_FALSE(twice.sets.empty());
    for (const RedundantSet& set : twice.sets) {
      CHECK(names_part(set.words, "first"));
      CHECK(names_part(set.words, "second"));
    }
  }
}

TEST_CASE("constraints: two that contradict each other are both named") {
  for (const Case& c : cases) {
    if (!c.holds_positions) continue;
    CAPTURE(c.name);
    Model model = said_twice(c.model);
    ConstraintSpec& second = model.constraints[1];
    second.length += 0.1, second.radius += 0.1;
    if (second.offset) *second.offset += 0.1;
    if (second.type == ConstraintType::point_on_line) second.from.at = {0, 0.1, 0};
    const std::string text = said_of_start(model);
    CHECK(names_part(text, "error[open-loop]"));
    CHECK(names_part(text, "first"));
    CHECK(names_part(text, "second"));
  }
}

TEST_CASE("constraints: one that cannot be met says by how much it stays open") {
  Case line = point_on_line();
  line.model.constraints[0].from.at = {0, 2, 0};  // crank and coupler reach 1.4 m
  const std::string text = said_of_start(line.model);
  CHECK(names_part(text, "error[open-loop]: constraint/first"));
  CHECK(names_part(text, "constraint 'first' by 6.00e-01 m"));
  CHECK(names_part(text, "found at q: a = 1.57"));
}

TEST_CASE("constraints: positions and speeds that break them are put right, and that is told") {
  for (const Case& c : cases) {
    CAPTURE(c.name);
    Model speed = c.model;
    for (JointSpec& j : speed.joints)
      if (j.u) j.u->back() += 0.3;
    if (c.name == "distance") speed.joints[0].u->at(3) += 1;
    if (c.name == "point on line") speed.joints[1].u = std::vector<double>{0.3};
    const std::string projected = said_of_start(speed);
    CHECK(names_part(projected, "warning[projected]"));
    CHECK(names_part(projected, " from "));
    if (!c.holds_positions) continue;
    Model place = c.model;
    for (JointSpec& j : place.joints) j.u.reset();
    place.joints.front().q->back() += c.off;
    if (c.name == "distance") place.joints[0].q->at(4) += c.off;
    if (c.name == "point on line") place.joints[1].q->at(0) += c.off;
    CHECK(names_part(said_of_start(place), "note[assembled]"));
  }
}
