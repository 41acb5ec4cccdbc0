// What springs and bushings show of themselves, as columns and in formulas.
#include <doctest/doctest.h>

#include <cmath>

#include "builders.hpp"
#include "near.hpp"
#include "sarrus/run/simulate.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

constexpr double k = 40, c = 0.7, rest = 0.4, preload = 1.5;

/// A mass that slides along x, held to the world by a spring.
Model held_by_spring() {
  Model model;
  model.gravity = {};
  model.bodies = {ball("mass", 2, 0.1)};
  JointSpec slide = joint("slide", JointType::prismatic, "world", "mass", {1, 0, 0});
  slide.q = {0.6};
  slide.u = {0.3};
  model.joints = {slide};
  SpringSpec spring;
  spring.name = "coil";
  spring.to.body = "mass";
  spring.k = k, spring.length = rest, spring.damping = c, spring.preload = preload;
  model.springs = {spring};
  model.simulate.until = 1;
  model.simulate.output_step = 0.1;
  return model;
}

}  // namespace

TEST_CASE("a spring shows its length and its tension") {
  for (const char* formulation : {"recursive", "hamiltonian", "discrete"}) {
    CAPTURE(formulation);
    Model model = held_by_spring();
    model.simulate.formulation = formulation;
    const Trajectory rows = simulate(compile(model), model.simulate).trajectory;
    REQUIRE(rows.rows() == 11);
    for (int i = 0; i < rows.rows(); ++i) {
      const double x = rows.at(i, "slide.q"), v = rows.at(i, "slide.u");
      // joints of the discrete formulation open by up to joint_gap = 1e-6, times k
      CHECK(near(rows.at(i, "coil.length"), x, 1e-5));
      CHECK(near(rows.at(i, "coil.force"), k * (x - rest) + c * v + preload, 1e-4));
    }
  }
}

TEST_CASE("a bushing shows its displacement and what acts on its second body") {
  Model model = held_by_spring();
  model.springs.clear();
  BushingSpec rubber;
  rubber.name = "rubber";
  rubber.to = "mass";
  rubber.k = {k, k, k}, rubber.damping = {c, c, c};
  model.bushings = {rubber};
  const Trajectory rows = simulate(compile(model), model.simulate).trajectory;
  for (int i = 0; i < rows.rows(); ++i) {
    const double x = rows.at(i, "slide.q"), v = rows.at(i, "slide.u");
    CHECK(near(rows.at(i, "rubber.x"), x, 1e-14));                // a rounding of one product
    CHECK(near(rows.at(i, "rubber.fx"), -k * x - c * v, 1e-12));  // a few
    CHECK(rows.at(i, "rubber.y") == 0);
    CHECK(rows.at(i, "rubber.nz") == 0);
  }
}

TEST_CASE("formulas use the force of a spring by its name, and what they name wrong is told") {
  Model model = held_by_spring();
  SensorSpec sensor;
  sensor.name = "twice";
  sensor.value = formula("2*coil.force");
  model.sensors = {sensor};
  const Trajectory rows = simulate(compile(model), model.simulate).trajectory;
  for (int i = 0; i < rows.rows(); ++i) CHECK(rows.at(i, "twice") == 2 * rows.at(i, "coil.force"));

  model.sensors[0].value = formula("coil.forse");
  try {
    compile(model);
    FAIL("coil.forse is not known");
  } catch (const Error& e) {
    CHECK(e.diagnostics().front().hint.find("coil.force") != std::string::npos);
  }
}
