// The torsion spring in every formulation, against closed forms and the laws of conservation.
#include <doctest/doctest.h>

#include <cmath>

#include "near.hpp"
#include "sarrus/run/simulate.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

constexpr double drum_I = 0.02, wheel_I = 0.005, k = 0.4, c = 0.008, rest = 0.5, wound = 2;

/// A drum and a wheel on hinges about a tilted axis, with the spring between them.
Model drum_and_wheel() {
  const Vec3 axis{0, 0.6, 0.8};
  Model model;
  model.gravity = {};
  model.bodies = {ball("drum", 3, drum_I, {}), ball("wheel", 1, wheel_I, {})};
  JointSpec first = joint("first", JointType::revolute, "world", "drum", axis);
  JointSpec second = joint("second", JointType::revolute, "world", "wheel", axis);
  second.q = {rest + wound};
  model.joints = {first, second};
  TorsionSpringSpec spring;
  spring.name = "spiral";
  spring.from = "drum", spring.to = "wheel";
  spring.axis = axis;
  spring.k = k, spring.damping = c, spring.rest = rest;
  model.torsion_springs = {spring};
  model.simulate.until = 1;
  model.simulate.output_step = 0.125;
  return model;
}

/// Angle beyond rest, and its rate: I δ̈ + c δ̇ + k δ = 0 with 1/I = 1/I₁ + 1/I₂.
struct Oscillation {
  double angle, rate;
};
Oscillation oscillation(double t) {
  const double I = drum_I * wheel_I / (drum_I + wheel_I), decay = c / (2 * I);
  const double w = std::sqrt(k / I - decay * decay), fade = wound * std::exp(-decay * t);
  return {fade * (std::cos(w * t) + decay / w * std::sin(w * t)),
          -fade * k / I / w * std::sin(w * t)};
}

}  // namespace

TEST_CASE("torsion spring: two wheels swing against each other, in every formulation") {
  for (const auto& [formulation, matrix, digits] : {std::tuple{"recursive", "", 1e-7},
                                                    {"hamiltonian", "", 1e-7},
                                                    {"hamiltonian", "literal", 1e-6},
                                                    {"discrete", "", 1e-4}}) {
    CAPTURE(formulation);
    CAPTURE(matrix);
    Model model = drum_and_wheel();
    model.simulate.formulation = formulation;
    model.simulate.energy_matrix = matrix;
    const Trajectory rows = simulate(compile(model), model.simulate).trajectory;
    REQUIRE(rows.rows() == 9);
    for (int i = 0; i < rows.rows(); ++i) {
      const Oscillation exact = oscillation(rows.at(i, "time"));
      // rtol 1e-9 over two periods; literal differences of 1e-8; joints that open by 1e-6
      CHECK(within(rows.at(i, "spiral.angle"), rest + exact.angle, digits));
      CHECK(within(rows.at(i, "spiral.torque"), -k * exact.angle - c * exact.rate, digits));
      CHECK(within(drum_I * rows.at(i, "first.u") + wheel_I * rows.at(i, "second.u"), 0, digits));
    }
  }
}

TEST_CASE("torsion spring: free bodies keep all six momenta, and without damping the energy") {
  Model model;
  model.gravity = {};
  model.bodies = {ball("a", 2, 0.1, {}), ball("b", 1, 0.03, {})};
  for (const char* name : {"a", "b"}) {
    JointSpec own = joint(std::string("free_") + name, JointType::free, "world", name);
    own.q = {1, 0, 0, 0, 0, 0, 0};
    own.u = {0.3, -0.2, 0.4, 0.1, 0, 0.2};
    model.joints.push_back(own);
  }
  model.joints[1].q = {std::cos(0.3), std::sin(0.3), 0, 0, 0.2, 0, 0};  // axes 0.6 rad apart
  TorsionSpringSpec spring;
  spring.name = "spiral";
  spring.from = "a", spring.to = "b";
  spring.k = 0.5, spring.rest = 1;
  model.torsion_springs = {spring};
  model.simulate.until = 2;
  const Run run = simulate(compile(model), model.simulate);
  REQUIRE(run.summary.conserved.size() == 7);
  for (const Drift& d : run.summary.conserved) {
    CAPTURE(d.name);
    CHECK(d.largest <= 1e-7 * d.size);  // rtol 1e-9 over some hundred steps
  }
}

TEST_CASE("torsion spring: half a turn from rest the torque changes its sign, not the energy") {
  const auto at = [](double angle) {
    Model model = drum_and_wheel();
    model.joints[1].q = {angle};
    model.simulate.until = model.simulate.output_step.emplace(1e-6);
    return simulate(compile(model), model.simulate).trajectory;
  };
  const double pi = std::acos(-1), beside = 1e-3;
  const Trajectory before = at(rest + pi - beside), after = at(rest + pi + beside);
  // roundings of an angle of 3.6 rad
  CHECK(within(before.at(0, "spiral.torque"), -k * (pi - beside), 1e-12));
  CHECK(within(after.at(0, "spiral.torque"), k * (pi - beside), 1e-12));
  CHECK(within(before.at(0, "energy.potential"), after.at(0, "energy.potential"), 1e-12));
}
