// Loops with elastic bodies at the start: joints close them as long as they can, and deformations
// only where nothing else does, at rest.
#include <doctest/doctest.h>

#include <cmath>

#include "elastic_models.hpp"
#include "near.hpp"
#include "sarrus/formulations/assembly/assembly.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

BeamSpec plane_beam(double length, BeamBasis basis) {
  BeamSpec b;
  b.length = length;
  b.section = {2.4e-4, 2.88e-9, 8e-9, 1e-8, 0, 0};
  b.material = {3e9, 1e9, 1200};
  b.deforms = {Deflection::y};
  b.basis = basis;
  b.modes = basis == BeamBasis::fe ? 0 : 3;
  b.elements = 4;
  return b;
}

}  // namespace

TEST_CASE("assembly: joints close an elastic four-bar, whose bodies stay straight") {
  const double crank = 0.2, coupler = 0.5, rocker = 0.4, ground = 0.55, angle = 1;
  Model model;
  model.bodies = {ball("crank", 0.5, 1e-3, {0.1, 0, 0}),
                  elastic_body("coupler", plane_beam(coupler, BeamBasis::polynomial)),
                  elastic_body("rocker", plane_beam(rocker, BeamBasis::polynomial))};
  model.joints = {joint("a", JointType::revolute, "world", "crank"),
                  joint("b", JointType::revolute, "crank", "coupler"),
                  joint("d", JointType::revolute, "world", "rocker"),
                  joint("c", JointType::revolute, "coupler", "rocker")};
  model.joints[0].motion = {formula("1 + 8*t")};
  model.joints[1].on_parent.at = {crank, 0, 0};
  model.joints[2].on_parent.at = {ground, 0, 0};
  model.joints[3].on_parent.at = {coupler, 0, 0};
  model.joints[3].on_child.at = {rocker, 0, 0};
  const Mechanism m = compile(model);
  const Assembly found = assemble(m, 0);
  for (const ElasticInfo& e : m.elastic)
    for (int k = 0; k < e.n; ++k) {
      CHECK(found.start.q[e.q0 + k] == 0);
      CHECK(found.start.u[e.u0 + k] == 0);
    }
  // the law of cosines in the triangle of the rocker, the coupler and the diagonal to the crank
  const double x = crank * std::cos(angle) - ground, y = crank * std::sin(angle);
  const double diagonal = std::hypot(x, y);
  const double at_ground = std::acos((diagonal * diagonal + rocker * rocker - coupler * coupler) /
                                     (2 * diagonal * rocker));
  // loops are closed to 1e-13 of their length
  CHECK(near(found.start.q[m.joints[2].q0], std::atan2(y, x) - at_ground, 1e-12));
  CHECK_FALSE(has(found.notes, "deformed-start"));
}

TEST_CASE("assembly: a beam between clamps that do not face each other takes the least energy") {
  // guided end, h aside: v = h (3 s² − 2 s³), and Hermite elements are exact at their nodes
  const double h = 0.01, L = 0.5;
  Model model;
  model.bodies = {elastic_body("beam", plane_beam(L, BeamBasis::fe)), ball("carriage", 1, 1e-3)};
  model.joints = {joint("clamp", JointType::fixed, "world", "beam"),
                  joint("rail", JointType::prismatic, "world", "carriage", {1, 0, 0}),
                  joint("hold", JointType::fixed, "beam", "carriage")};
  model.joints[1].on_parent.at = {0, h, 0};
  model.joints[2].on_parent.at = {L, 0, 0};
  const Mechanism m = compile(model);
  const Assembly found = assemble(m, 0);
  const ElasticInfo& e = m.elastic.front();
  for (int node = 1; node <= 4; ++node) {
    CAPTURE(node);
    const double s = node / 4.0;
    // steps of Newton end below 1e-9 m
    CHECK(within(found.start.q[e.q0 + 2 * node - 2], h * s * s * (3 - 2 * s), 1e-11));
    CHECK(within(found.start.q[e.q0 + 2 * node - 1], 6 * h / L * s * (1 - s), 1e-11));
  }
  CHECK(has(found.notes, "deformed-start"));
}
