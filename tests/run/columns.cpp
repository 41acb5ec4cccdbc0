// Columns: labels and the names made from them; accelerations, and what constraints exert.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "builders.hpp"
#include "loop_models.hpp"
#include "near.hpp"
#include "places.hpp"
#include "sarrus/run/simulate.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

constexpr double m = 2, l = 1.5, g = 9.81;

ConstraintSpec rod(const std::string& to) {
  ConstraintSpec c;
  c.name = "rod";
  c.type = ConstraintType::distance;
  c.to.body = to;
  c.length = l;
  return c;
}

/// A point that slides freely, on a rod: it starts beside the hinge with 3 m/s downwards.
Model mass_on_rod() {
  Model model;
  model.gravity = {0, 0, -g};
  model.bodies = {ball("mass", m, 0.1)};
  JointSpec place = joint("place", JointType::translational, "world", "mass", {0, 0, 1});
  place.q = {l, 0, 0};
  place.u = {0, 0, -3};
  model.joints = {place};
  model.sensors = {point_sensor("centre", "mass", {})};
  model.constraints = {rod("mass")};
  model.simulate.reactions = true;
  return model;
}

/// Every column of accelerations is the rate of the velocity beside it.
void check_rates(Model model) {
  constexpr double dt = 1e-4;
  model.simulate.accelerations = true;
  model.simulate.output_step = dt;
  const Trajectory rows = run(std::move(model), 0.01, 1e-12).trajectory;
  const auto velocity = [&](const Column& a) {
    const ColumnKind kind =
        a.kind == ColumnKind::acceleration ? ColumnKind::velocity : ColumnKind::angular_velocity;
    return rows.column(column(a.owner, kind, a.component, "").name);
  };
  int seen = 0;
  for (size_t c = 0; c < rows.columns.size(); ++c) {
    const Column& a = rows.columns[c];
    if (a.kind != ColumnKind::acceleration && a.kind != ColumnKind::angular_acceleration) continue;
    CAPTURE(a.name);
    const int u = velocity(a);
    REQUIRE(u >= 0);
    ++seen;
    const auto step = [&](int r, int by) { return rows.row(r + by)[u] - rows.row(r - by)[u]; };
    for (int r = 2; r + 2 < rows.rows(); ++r)  // of fourth order; rows between steps have 1e-10
      CHECK(within(rows.row(r)[c], (8 * step(r, 1) - step(r, 2)) / (12 * dt), 1e-5));
  }
  CHECK(seen > 0);
}

}  // namespace

TEST_CASE("columns: a name is made from owner, kind and component") {
  CHECK(column("tip", ColumnKind::point_velocity, "x", "m/s").header() == "tip.vx[m/s]");
  CHECK(column("tip", ColumnKind::position, "z", "m").name == "tip.z");
  CHECK(column("left.knee", ColumnKind::coordinate, "2", "rad").name == "left.knee.q2");
  CHECK(column("reach", ColumnKind::formula, "", "1").header() == "reach");
  CHECK(column("energy", ColumnKind::ledger, "ledger", "J").name == "energy.ledger");
  CHECK(vector_name(column("tip", ColumnKind::accelerometer, "x", "m/s2")) == "tip.imu");
}

TEST_CASE("columns: every kind has a word of its own, and a line that defines it") {
  std::ostringstream page;
  page << std::ifstream(std::string(sarrus::testing::source_folder) + "/docs/reference/results.md")
              .rdbuf();
  for (int i = 1; i <= static_cast<int>(ColumnKind::residual); ++i) {
    const auto kind = static_cast<ColumnKind>(i);
    const std::string word(facts_of(kind).word);
    CAPTURE(word);
    CHECK(column_kind(word) == kind);
    CHECK(page.str().find("\n| " + word + " | `") != std::string::npos);
  }
  CHECK(column_kind("of a later version") == ColumnKind::other);
}

TEST_CASE(
    "columns: accelerations are the rates of velocities, of joints in the tree and of others") {
  check_rates(four_bar());
  Model chain = rods(3);
  for (JointSpec& j : chain.joints) j.q = {0.7}, j.u = {2};
  chain.joints[1].type = JointType::universal;
  chain.joints[1].axis = {1, 0, 0}, chain.joints[1].axis2 = {0, 1, 0};
  chain.joints[1].q = {0.4, 0.9}, chain.joints[1].u = {3, -2};
  chain.sensors = {point_sensor("tip", chain.bodies.back().name, {0.1, 0.2, 0})};
  check_rates(chain);
}

TEST_CASE("columns: bodies moved one by one show the accelerations of their joints too") {
  Model model = pendulum(0.5);
  model.simulate.accelerations = true;
  const Run r = run_in(model, "discrete", 0.5, 0.1, 1e-9);
  for (int i = 1; i < r.trajectory.rows(); ++i)  // q̈ = −g/l sin q, with the error of a step
    CHECK(within(r.trajectory.at(i, "hinge.udot"), -g * std::sin(r.trajectory.at(i, "hinge.q")),
                 1e-2));
}

TEST_CASE("columns: formulas of sensors may use accelerations") {
  Model model = pendulum(0.5);
  model.simulate.accelerations = true;
  model.sensors = {point_sensor("bob", model.bodies[0].name, {})};
  for (const char* value : {"hinge.udot", "bob.alpha_x + bob.alpha_y + bob.alpha_z"}) {
    SensorSpec s;
    s.name = "copy" + std::to_string(model.sensors.size());
    s.value = formula(value);
    model.sensors.push_back(s);
  }
  const Run r = run(model, 0.2);
  CHECK(near(last(r, "copy1"), last(r, "hinge.udot"), rounding(1)));
  // one axis of the world: the sum is the acceleration but for some roundings of zeros
  CHECK(near(std::fabs(last(r, "copy2")), std::fabs(last(r, "hinge.udot")), rounding(20)));
}

TEST_CASE("columns: a rod shows its tension, and the force on the body of `to`") {
  for (const std::string way : {"recursive", "hamiltonian", "nullspace", "discrete"}) {
    CAPTURE(way);
    Model model = mass_on_rod();
    model.simulate.loops = way == "nullspace" ? way : "multipliers";
    const bool by_bodies = way == "discrete";
    const Run r = run_in(model, way == "nullspace" ? "recursive" : way, 1, 0.1, 1e-11);
    const Trajectory& rows = r.trajectory;
    // towards the hinge: T = m v²/l + m g·r/l. Rods of the discrete formulation ring.
    for (int i = 1; i < rows.rows(); ++i) {
      const auto at = [&](const char* name) { return rows.at(i, name); };
      const double v2 = at("centre.vx") * at("centre.vx") + at("centre.vz") * at("centre.vz");
      const double T = m * (v2 - g * at("centre.z")) / l;
      const double limit = by_bodies ? 0.02 : 1e-7;
      CHECK(within(at("rod.force"), T, limit));
      CHECK(within(at("rod.fx"), -T * at("centre.x") / l, limit));
      CHECK(within(at("rod.fz"), -T * at("centre.z") / l, limit));
      CHECK(within(at("rod.ny"), 0, limit));
    }
  }
}

TEST_CASE("columns: a gear shows the moment on its first joint") {
  // q₁ = −2 q₂ with inertias 1 and 2 and 3 N m on the first: a₁ = 3 + λ, 2 a₂ = 2 λ → λ = −1
  Model model;
  model.bodies = {ball("first", 1, 1), ball("second", 1, 2)};
  model.joints = {joint("a", JointType::revolute, "world", "first", {0, 0, 1}),
                  joint("b", JointType::revolute, "world", "second", {0, 0, 1})};
  model.joints[0].force = {formula("3")};
  ConstraintSpec gear;
  gear.name = "gear";
  gear.type = ConstraintType::gear;
  gear.joints = {{"a", {}}, {"b", {}}};
  gear.coefficients = {1, 2};
  model.constraints = {gear};
  model.simulate.reactions = model.simulate.accelerations = true;
  for (const std::string formulation : {"recursive", "hamiltonian", "discrete"}) {
    CAPTURE(formulation);
    const Run r = run_in(model, formulation, 0.5, 0.1, 1e-10);
    const double limit = formulation == "discrete" ? 1e-3 : 1e-9;  // the discrete gear rings
    CHECK(within(last(r, "gear.force"), -1, limit));
    CHECK(within(last(r, "a.udot"), 2, limit));
    CHECK(within(last(r, "b.udot"), -1, limit));
  }
}
