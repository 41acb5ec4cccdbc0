// Beams that are held more often than a rigid body would allow: elasticity decides how the supports
// share the load [closed forms of the Euler–Bernoulli beam].
#include <doctest/doctest.h>

#include <string>

#include "elastic_models.hpp"
#include "near.hpp"
#include "sarrus/linear/equilibrium.hpp"
#include "sarrus/mobility/mobility.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// EI = 1 N.m², L = 1 m; Hermite elements are exact at their nodes.
BeamSpec supported_beam() {
  BeamSpec b;
  b.length = 1;
  b.section = {1e-2, 1e-11, 1e-11, 2e-11, 0, 0};
  b.material = {1e11, 4e10, 100};
  b.deforms = {Deflection::y};
  b.basis = BeamBasis::fe;
  b.modes = 0;
  b.elements = 8;
  return b;
}

/// Clamped at x = 0; at x = `at` held by a carriage on a rail along x; a force P along y at `load`.
Model held_beam(const BeamSpec& beam, JointType hold, double at, double load, double P) {
  Model model;
  model.gravity = {0, 0, 0};
  model.bodies = {elastic_body("beam", beam), ball("carriage", 1e-3, 1e-6)};
  model.joints = {joint("clamp", JointType::fixed, "world", "beam"),
                  joint("rail", JointType::prismatic, "world", "carriage", {1, 0, 0}),
                  joint("hold", hold, "beam", "carriage")};
  model.joints[1].q = {at};
  model.joints[2].on_parent.at = {at, 0, 0};
  ForceSpec force;
  force.name = "P";
  force.at = PointSpec{"beam", {}, {load, 0, 0}};
  force.force = {formula("0"), formula(std::to_string(P * 1e9) + "*1e-9"), formula("0")};
  model.forces = {force};
  return model;
}

struct Resting {
  Mechanism m;
  Equilibrium at;
  Trajectory row;
  explicit Resting(const Model& model)
      : m(compile(model)), at(find_equilibrium(m, start_point(m))), row(recorded_at(m, at.point)) {}
  double operator[](const std::string& column) const { return row.at(0, column); }
};

}  // namespace

TEST_CASE("a clamped–clamped beam's supports carry what elasticity gives them") {
  const double P = 1e-3, a = 0.25, b = 0.75;
  const Resting r(held_beam(supported_beam(), JointType::fixed, 1, a, P));
  REQUIRE(r.at.found);
  // second order of a deflection of 2e-6: 1e-10 of the moments
  CHECK(near(r["clamp.fy"], -P * b * b * (3 * a + b), 1e-9));
  CHECK(near(r["clamp.nz"], -P * a * b * b, 1e-9));
  CHECK(near(r["rail.fy"], -P * a * a * (3 * b + a), 1e-9));
  CHECK(near(r["rail.nz"], P * a * a * b, 1e-9));
}

TEST_CASE("a propped cantilever's supports carry what elasticity gives them, at any load") {
  // prop at l, load at the end: R = −P (3 L/l − 1)/2
  for (const double P : {1e-6, 1e-4}) {
    CAPTURE(P);
    const Resting r(held_beam(supported_beam(), JointType::revolute, 0.5, 1, P));
    REQUIRE(r.at.found);
    // second order of a deflection of up to 7e-6
    CHECK(near(r["rail.fy"], -2.5 * P, 1e-8));
    CHECK(near(r["clamp.fy"], 1.5 * P, 1e-8));
    CHECK(near(r["clamp.nz"], 0.25 * P, 1e-8));
  }
}

TEST_CASE("equilibrium: a stiff beam on a prop balances small loads as it does large ones") {
  BeamSpec steel = supported_beam();
  steel.section = {4e-4, 4e-8 / 3, 4e-8 / 3, 8e-8 / 3, 0.01, 0.01};
  steel.material = {2.1e11, 8e10, 7850};
  steel.elements = 20;
  for (const double P : {0.01, 1.0, 10.0, 100.0}) {
    CAPTURE(P);
    const Resting r(held_beam(steel, JointType::revolute, 0.5, 1, P));
    REQUIRE(r.at.found);
    // Newton stops at 1e-9 of the largest force
    CHECK(near(r["rail.fy"], -2.5 * P, 1e-8));
    CHECK(near(r["clamp.fy"], 1.5 * P, 1e-8));
  }
}

TEST_CASE("mobility: what elasticity gives way to is neither redundant nor shared") {
  const Mechanism clamped = compile(held_beam(supported_beam(), JointType::fixed, 1, 0.25, 0));
  const Mobility both = mobility(clamped, start_state(clamped, 0));
  // eight nodes with deflection and slope, of which the last is held; the carriage follows
  CHECK(both.elastic == 16);
  CHECK(both.freedoms == 14);
  CHECK(both.redundant == 3);  // across the plane in which it bends
  using enum Reaction;
  for (const JointReactions& j : both.reactions) {
    CAPTURE(j.element);
    const bool rail = j.element == "joint/rail";
    CHECK(j.components == std::array<Reaction, 6>{rail ? not_carried : unique, unique, shared,
                                                  shared, shared, unique});
  }
  const Mechanism propped = compile(held_beam(supported_beam(), JointType::revolute, 0.5, 1, 0));
  CHECK(mobility(propped, start_state(propped, 0)).freedoms == 15);
  // without torsion, stretch and bending sideways a beam that bends is as stiff as a rigid one
  BeamSpec all = supported_beam();
  all.deforms = {Deflection::y, Deflection::z, Deflection::torsion};
  const Mechanism spatial = compile(held_beam(all, JointType::fixed, 1, 0.25, 0));
  CHECK(mobility(spatial, start_state(spatial, 0)).redundant == 0);
}
