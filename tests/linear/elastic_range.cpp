// How far elastic bodies can be believed, and where their functions sit: against the elastica
// [Bisshopp, Drucker 1945; Mattiasson 1981] and closed forms.
#include "sarrus/elastic/elastic_range.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "elastic_models.hpp"
#include "near.hpp"
#include "sarrus/linear/equilibrium.hpp"
#include "sarrus/linear/modes.hpp"
#include "sarrus/run/watch/deflection_watch.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// EI = GJ = 1 N.m², L = 1 m, ρA = 1 kg/m; clamped at x = `clamp`, with a force and a moment at its end.
Model cantilever(const BeamSpec& beam, double clamp, double force, double moment) {
  Model model;
  model.gravity = {0, 0, 0};
  model.bodies = {elastic_body("beam", beam)};
  model.joints = {joint("clamp", JointType::fixed, "world", "beam")};
  model.joints[0].on_child.at = {clamp, 0, 0};
  ForceSpec load;
  load.name = "load";
  load.at = PointSpec{"beam", {}, {beam.length, 0, 0}};
  load.force = {formula("0"), formula(std::to_string(force)), formula("0")};
  load.moment = {formula(std::to_string(moment)), formula("0"), formula("0")};
  model.forces = {load};
  model.sensors = {point_sensor("tip", "beam", {beam.length, 0, 0}),
                   point_sensor("left", "beam", {0, 0, 0})};
  return model;
}

BeamSpec unit_beam(Deflection kind, char form = 'Q') {
  BeamSpec b;
  b.length = 1;
  b.section = {1e-2, 1e-8, 1e-8, 1e-8, 0, 0};
  b.material = {1e8, 1e8, 100};
  b.deforms = {kind};
  b.form = form;
  return b;
}

}  // namespace

TEST_CASE("elastica: the deflection that is given is right, and beyond its range none is given") {
  // P L²/EI = 0.5: deflection 0.16214, of second order 1/6: warned of
  const Mechanism half = compile(cantilever(unit_beam(Deflection::y), 0, 0.5, 0));
  const Equilibrium bent = find_equilibrium(half, start_point(half));
  REQUIRE(bent.found);
  CHECK(near(recorded_at(half, bent.point).at(0, "tip.y"), 0.1621435756583696, 0.03));  // warned of
  CHECK(has(check_deformation(half, 0, bent.point.q), "large-deflection"));
  CHECK(has(modes_about(half, bent.point).notes, "large-deflection"));
  // P L²/EI = 10: 0.81061
  const Mechanism ten = compile(cantilever(unit_beam(Deflection::y), 0, 10, 0));
  const Equilibrium far = find_equilibrium(ten, start_point(ten));
  CHECK_FALSE(far.found);
  CHECK(no_equilibrium(far).code == "large-deflection");
  CHECK_THROWS_AS(modes_about(ten, far.point), Error);
  // 0.05: within 1.5e-3 of its length, and no word
  const Mechanism small = compile(cantilever(unit_beam(Deflection::y), 0, 0.05, 0));
  CHECK(check_deformation(small, 0, find_equilibrium(small, start_point(small)).point.q).empty());
}

TEST_CASE("twist is measured by its angle, M L/GJ, in every form") {
  for (const char form : {'Q', 'X', 'I'}) {
    CAPTURE(form);
    const Mechanism m = compile(cantilever(unit_beam(Deflection::torsion, form), 0, 0, 0.2));
    const Equilibrium e = find_equilibrium(m, start_point(m));
    REQUIRE(e.found);
    const Deformation found = deformation_of(*m.elastic[0].numbers, e.point.q.data());
    CHECK(near(found.twist, 0.2, 0.02));  // the outermost section that is looked at is not the end
    CHECK(has(check_deformation(m, 0, e.point.q), "large-deflection"));
    const Mechanism far = compile(cantilever(unit_beam(Deflection::torsion, form), 0, 0, 1));
    CHECK_FALSE(find_equilibrium(far, start_point(far)).found);
  }
}

TEST_CASE("a beam clamped between its ends is two cantilevers, whatever functions it has") {
  for (const double clamp : {0.2, 0.5, 1.0})
    for (const BeamBasis basis : {BeamBasis::polynomial, BeamBasis::cantilever}) {
      CAPTURE(clamp);
      BeamSpec beam = unit_beam(Deflection::y);
      beam.basis = basis;
      const double P = 1e-3, a = clamp < 1 ? 1 - clamp : 1;  // the longer side
      const Mechanism m = compile(cantilever(beam, clamp, clamp < 1 ? P : 0, 0));
      const Equilibrium e = find_equilibrium(m, start_point(m));
      REQUIRE(e.found);
      const Trajectory row = recorded_at(m, e.point);
      // polynomials have the cubic; four eigenfunctions miss 12 Σ 1/β⁴ beyond them, 6e-4
      const double missed = basis == BeamBasis::polynomial ? 1e-9 : 1e-3;
      if (clamp < 1) CHECK(near(row.at(0, "tip.y"), P * a * a * a / 3, missed));
      // what is not loaded stays straight
      CHECK(within(row.at(0, "left.y"), 0, 1e-9 * P));
      double lowest = 1e300;
      for (const Mode& mode : modes_about(m, e.point).modes)
        lowest = std::min(lowest, mode.value.omega);
      // four polynomials give the first root to seven digits; rotary inertia takes 1e-5
      CHECK(near(lowest, 3.516015268500 / (a * a), 1e-4));
    }
}
