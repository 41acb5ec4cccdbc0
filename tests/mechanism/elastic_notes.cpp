// What a model with an elastic body is told when it is compiled.
#include <doctest/doctest.h>

#include "elastic_models.hpp"
#include "near.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

Model clamped(const BodySpec& body) {
  Model model;
  model.bodies = {body};
  model.joints = {joint("clamp", JointType::fixed, "world", body.name)};
  return model;
}

}  // namespace

TEST_CASE("a shape with a density beside an elastic body weighs too, and that is told") {
  BodySpec body = elastic_body("beam", pendulum_beam());
  CHECK_FALSE(has(compile(clamped(body)).notes, "mass-twice"));
  Shape box;
  box.kind = ShapeKind::box;
  box.size = {1, 0.01, 0.01};
  box.density = 2700;
  box.X_BS = {Mat3::identity(), {}};
  body.shapes = {box};
  const Mechanism m = compile(clamped(body));
  CHECK(has(m.notes, "mass-twice"));
  // ρ A L of both; sums of Gauss points
  CHECK(near(m.bodies[0].mass, 2 * 0.27, 1e-12));
}

TEST_CASE("damping ratios that stand for more modes than are written are told") {
  BeamSpec beam = pendulum_beam();
  beam.damping.ratios = {0.01};
  CHECK_FALSE(has(compile(clamped(elastic_body("beam", beam))).notes, "damping-repeated"));
  beam.damping.ratios = {0.01, 0.02};
  CHECK(has(compile(clamped(elastic_body("beam", beam))).notes, "damping-repeated"));
  beam.damping.ratios = {0.01, 0.02, 0.03, 0.04};
  CHECK_FALSE(has(compile(clamped(elastic_body("beam", beam))).notes, "damping-repeated"));
}
