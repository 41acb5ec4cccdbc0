// Beams cut into segments, against the elastica: a cantilever under a force P across its end, whose
// direction stays. With θ₀ the slope of its end, p² = (1 + sin θ₀)/2 and sin φ = 1/(p √2)
//
//   √(P L²/EI) = K(p) − F(φ, p)                                                            (1)
//   y/L = 1 − 2 (E(p) − E(φ, p))/√(P L²/EI),   x/L = √(2 sin θ₀/(P L²/EI))                (2)
//
// [Bisshopp, Drucker 1945]
#include "sarrus/model/segments.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "elastic_models.hpp"
#include "near.hpp"
#include "sarrus/linear/equilibrium.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

struct Tip {
  double x = 0, y = 0;
};

Tip elastica(double load) {
  double low = 0, high = M_PI / 2;
  const auto modulus = [](double theta) { return std::sqrt((1 + std::sin(theta)) / 2); };
  const auto angle = [](double p) { return std::asin(1 / (p * std::sqrt(2.0))); };
  for (int i = 0; i < 60; ++i) {  // (1) rises with θ₀
    const double theta = (low + high) / 2, p = modulus(theta);
    const bool more = std::comp_ellint_1(p) - std::ellint_1(p, angle(p)) < std::sqrt(load);
    (more ? low : high) = theta;
  }
  const double p = modulus(low), root = std::sqrt(load);
  return {std::sqrt(2 * std::sin(low)) / root,
          1 - 2 * (std::comp_ellint_2(p) - std::ellint_2(p, angle(p))) / root};  // (2)
}

/// L = 1 m, EI = 1 N.m², in n segments; clamped at x = `clamp` of its length.
Model cut_cantilever(int n, double load, double clamp = 0) {
  BeamSpec beam;
  beam.length = 1;
  beam.section = {1e-4, 1e-8, 1e-8, 2e-8, 0, 0};
  beam.material = {1e8, 4e7, 1000};
  beam.deforms = {Deflection::y};
  beam.modes = 2;
  Model model;
  model.gravity = {0, 0, 0};
  model.bodies = {elastic_body("beam", beam)};
  model.joints = {joint("clamp", JointType::fixed, "world", "beam")};
  model.joints[0].on_child.at = {clamp, 0, 0};
  const double end = clamp > 0.5 ? 0 : 1;
  ForceSpec force;
  force.name = "load";
  force.at = PointSpec{"beam", {}, {end, 0, 0}};
  force.force = {formula("0"), formula(std::to_string(load)), formula("0")};
  model.forces = {force};
  model.sensors = {point_sensor("tip", "beam", {end, 0, 0}),
                   point_sensor("root", "beam", {clamp, 0, 0})};
  model.sensors[1].section = true;
  cut_beam(model, "beam", n);
  return model;
}

/// EA = 1e4 N, 0.1 kg, half a kilogram at its end.
BeamSpec unit_bar() {
  BeamSpec beam;
  beam.length = 1;
  beam.section = {1e-4, 1e-8, 1e-8, 2e-8, 0, 0};
  beam.material = {1e8, 4e7, 1000};
  beam.deforms = {Deflection::axial};
  beam.modes = 2;
  beam.tip_mass = 0.5;
  return beam;
}

Tip bent(int n, double load, double clamp = 0) {
  const Mechanism m = compile(cut_cantilever(n, load, clamp));
  const Equilibrium e = find_equilibrium(m, start_point(m));
  REQUIRE(e.found);
  const Trajectory row = recorded_at(m, e.point);
  return {row.at(0, "tip.x"), row.at(0, "tip.y")};
}

double error(int n, double load) {
  const Tip is = bent(n, load), exact = elastica(load);
  return std::hypot(is.x - exact.x, is.y - exact.y);
}

}  // namespace

TEST_CASE(
    "segments: a cantilever under ten times its load of second order has its tip where it is") {
  const Tip exact = elastica(10);
  CHECK(within(exact.x, 0.445, 5e-4));  // three digits, as published
  CHECK(within(exact.y, 0.811, 5e-4));
  CHECK(error(16, 10) < 1e-3);  // the order is checked below
  CHECK(error(4, 1) < 1e-3);    // bends by 0.3 of its length
}

TEST_CASE("segments: bending tends to the elastica with the square of their length or better") {
  const double coarse = error(8, 10), fine = error(16, 10);
  CHECK(coarse < 1e-2);  // they bend by up to 0.24 of their length, where percents are lost
  CHECK(std::log2(coarse / fine) > 1.9);  // what the next term leaves
}

TEST_CASE("segments: joints, forces and sensors are placed as on the whole") {
  // small loads: P L³/3 EI, whatever the number of segments; clamped at either end
  const double load = 1e-4;
  for (const int n : {1, 2, 5}) {
    CAPTURE(n);
    CHECK(near(bent(n, load).y, load / 3, 1e-6));  // of the next order, the square of the slope
    CHECK(near(bent(n, load, 1).y, load / 3, 1e-6));
    const Mechanism m = compile(cut_cantilever(n, load));
    const Trajectory row = recorded_at(m, find_equilibrium(m, start_point(m)).point);
    CHECK(near(row.at(0, "root.Mz"), load, 1e-6));  // P L at the clamp
  }
  const Model model = cut_cantilever(4, 1);
  REQUIRE(model.bodies.size() == 4);
  CHECK(model.bodies[3].name == "beam_4");
  CHECK(model.forces[0].at.body == "beam_4");
  CHECK(model.forces[0].at.at.x == 0.25);
  CHECK(model.sensors[1].point->body == "beam");
  CHECK(model.joints[3].parent == "beam_3");
}

TEST_CASE("segments: a bar that hangs by its end stretches by its weight, however it is cut") {
  // ρ g L²/2 E at the end; a tip mass adds m g L/EA
  for (const int n : {1, 3, 6}) {
    CAPTURE(n);
    const BeamSpec beam = unit_bar();
    Model model;
    model.gravity = {9.81, 0, 0};
    model.bodies = {elastic_body("bar", beam)};
    model.joints = {joint("clamp", JointType::fixed, "world", "bar")};
    model.sensors = {point_sensor("end", "bar", {1, 0, 0}),
                     point_sensor("third", "bar", {1.0 / 3, 0, 0})};
    cut_beam(model, "bar", n);
    const Mechanism m = compile(model);
    const Trajectory row = recorded_at(m, find_equilibrium(m, start_point(m)).point);
    const double EA = 1e8 * 1e-4, weight = 1000 * 1e-4 * 9.81, tip = 0.5 * 9.81;
    // two functions hold the parabola of each segment: linear in the load
    CHECK(near(row.at(0, "end.x") - 1, (weight / 2 + tip) / EA, 1e-9));
    const double x = 1.0 / 3;
    CHECK(near(row.at(0, "third.x") - x, (weight * (x - x * x / 2) + tip * x) / EA, 1e-9));
  }
}
