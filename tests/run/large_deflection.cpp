// An elastic body is watched at every step, not at rows only.
#include <doctest/doctest.h>

#include "elastic_models.hpp"
#include "near.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// A cantilever with EI = 5 N.m² at whose end a force is switched on: it swings to twice its static
/// deflection P L³/3EI and back in 2π/ω₁ = 0.415 s, where the only other row is.
Run struck(double P) {
  Model model;
  model.gravity = {0, 0, 0};
  model.bodies = {elastic_body("beam", pendulum_beam())};
  model.joints = {joint("clamp", JointType::fixed, "world", "beam")};
  ForceSpec load;
  load.name = "load";
  load.at = PointSpec{"beam", {}, {1, 0, 0}};
  load.force = {formula("0"), formula("0"), formula(std::to_string(P))};
  model.forces = {load};
  model.simulate.until = 0.415;
  model.simulate.output_step = 0.415;
  model.simulate.rtol = 1e-6;
  return simulate(compile(model), model.simulate);
}

}  // namespace

TEST_CASE(
    "a beam that bends too far between two rows ends the run, and one that bends less is warned "
    "of") {
  const Run far = struck(4);  // 0.53 m of 1 m
  CHECK(far.summary.status == RunStatus::failed);
  REQUIRE(far.summary.failure);
  CHECK(far.summary.failure->code == "large-deflection");
  CHECK(far.summary.failure->element == "body/beam/elastic");
  CHECK(far.summary.t < 0.21);     // on its way out
  const Run warned = struck(1.6);  // 0.21 m
  CHECK(warned.summary.status == RunStatus::done);
  CHECK(has(warned.summary.notes, "large-deflection"));
  const Run quiet = struck(0.8);  // 0.11 m
  CHECK(quiet.summary.status == RunStatus::done);
  CHECK_FALSE(has(quiet.summary.notes, "large-deflection"));
}
