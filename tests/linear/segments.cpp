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

// ── beams in space, against other programs ──────────────────────────────────────────────────────

namespace {

/// Where the end of the chain is under a dead force there, less where it was.
Vec3 moved_end(Model model, const std::string& last, double length, const Vec3& force) {
  ForceSpec load;
  load.name = "load";
  load.at = PointSpec{last, {}, {length, 0, 0}};
  load.force = {formula(std::to_string(force.x)), formula(std::to_string(force.y)),
                formula(std::to_string(force.z))};
  model.forces = {load};
  model.gravity = {};
  model.sensors = {point_sensor("end", last, {length, 0, 0})};
  const Mechanism m = compile(model);
  const auto end_at = [&](const OperatingPoint& p) {
    const Trajectory row = recorded_at(m, p);
    return Vec3{row.at(0, "end.x"), row.at(0, "end.y"), row.at(0, "end.z")};
  };
  const Vec3 before = end_at(start_point(m));
  const Equilibrium e = find_equilibrium(m, start_point(m));
  REQUIRE(e.found);
  return end_at(e.point) - before;
}

struct PrincetonRow {
  double degrees, y, z;  // of the force from −y to z; displacements of the end [m]
};

}  // namespace

// A strip of aluminium, 0.508 m long, 12.3777 mm high and 3.2024 mm wide, under a weight at its end that
// is turned from its stiff to its soft side: it bends both ways and twists. ANSYS, beam elements,
// in Obrezkov and others, Nonlinear Dynamics 109 (2022).
TEST_CASE("segments: the Princeton beam bends both ways and twists as ANSYS has it") {
  constexpr double L = 0.508, h = 12.3777e-3, w = 3.2024e-3, E = 71.7e9, nu = 0.31;
  const double ratio = w / h;
  BeamSpec beam;
  beam.length = L;
  // torsion constant of a rectangle [Roark]
  beam.section = {h * w,
                  h * w * w * w / 12,
                  w * h * h * h / 12,
                  h * w * w * w * (1.0 / 3 - 0.21 * ratio * (1 - std::pow(ratio, 4) / 12)),
                  0,
                  0};
  beam.material = {E, E / (2 * (1 + nu)), 2700};
  beam.deforms = {Deflection::y, Deflection::z, Deflection::torsion};
  beam.modes = 2;
  Model model;
  model.bodies = {elastic_body("strip", beam)};
  model.joints = {joint("clamp", JointType::fixed, "world", "strip")};
  cut_beam(model, "strip", 16);
  const PrincetonRow light[] = {{0, 0.0107141763, 0},
                                {30, 0.0101116963, 0.07939482948},
                                {60, 0.006604665004, 0.129887616},
                                {90, 0, 0.146245978}},
                     heavy[] = {{15, 0.01645825752, 0.06435812858},
                                {45, 0.0151861844, 0.156467239},
                                {75, 0.006248967384, 0.196097131}};
  const auto check = [&](double force, const PrincetonRow& row) {
    CAPTURE(force);
    CAPTURE(row.degrees);
    const double angle = row.degrees * M_PI / 180;
    const Vec3 u = moved_end(model, "strip_16", L / 16,
                             {0, -force * std::cos(angle), force * std::sin(angle)});
    // 1e-3 of the largest displacement, as far as such tables agree; 16 segments are within 3e-5 of 64
    CHECK(within(std::fabs(u.y), row.y, 1e-3 * 0.2));
    CHECK(within(std::fabs(u.z), row.z, 1e-3 * 0.2));
  };
  for (const PrincetonRow& row : light) check(8.896, row);
  for (const PrincetonRow& row : heavy) check(13.345, row);
}

// An eighth of a circle of radius 100, clamped, with a force of 600 out of its plane at its end
// [Bathe, Bolourchi 1979]: EI = 8.3333e5, GJ = 7.03e5. Ibrahimbegovic and Al Mikdad 1998, 8 elements, and
// Sonneville and others, 16, agree in four digits.
TEST_CASE("segments: the bend of 45 degrees goes out of its plane as published") {
  constexpr double R = 100, P = 600;
  constexpr int n = 16;
  const double turn = M_PI / 4 / n, chord = 2 * R * std::sin(turn / 2);
  BeamSpec beam;
  beam.length = chord;
  beam.section = {1, 1.0 / 12, 1.0 / 12, 0.1406, 0, 0};
  beam.material = {1e7, 5e6, 1};
  beam.deforms = {Deflection::y, Deflection::z, Deflection::torsion};
  beam.modes = 2;
  Model model;
  for (int i = 0; i < n; ++i) {
    const std::string name = "piece" + std::to_string(i);
    model.bodies.push_back(elastic_body(name, beam));
    JointSpec weld = joint("weld" + std::to_string(i), JointType::fixed,
                           i == 0 ? "world" : "piece" + std::to_string(i - 1), name);
    const double angle =
        i == 0 ? turn / 2 : turn;  // chords, the first half a turn from the tangent
    weld.on_parent.rotation = {std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
    if (i > 0) weld.on_parent.at = {chord, 0, 0};
    model.joints.push_back(weld);
  }
  const Vec3 u = moved_end(model, "piece" + std::to_string(n - 1), chord, {0, 0, P});
  // chords in the place of arcs: R turn²/8 in each, 4e-4 of the length in all
  const double allowed = 4e-4 * R * M_PI / 4;
  CHECK(within(u.x, -23.814, allowed));
  CHECK(within(u.y, -13.729, allowed));  // towards the centre of the circle is +y here
  CHECK(within(u.z, 53.605, allowed));
}

// A bar of steel, 2 m long, 0.2 × 0.4 m, with moments about its axis and across at its end: twisted, it
// also bends the other way, over its soft side. Nachbagauer and others 2013, table 4: ANSYS.
TEST_CASE("segments: a bar that is twisted and bent by moments gives way sideways") {
  BeamSpec beam;
  beam.length = 2;
  const double h = 0.2, w = 0.4, E = 2.07e11;
  beam.section = {
      h * w, h * w * w * w / 12, w * h * h * h / 12, 0.5768 * h * w * (h * h + w * w) / 12, 0, 0};
  beam.material = {E, E / 2.6, 7850};
  beam.deforms = {Deflection::y, Deflection::z, Deflection::torsion};
  beam.modes = 2;
  Model model;
  model.gravity = {};
  model.bodies = {elastic_body("bar", beam)};
  model.joints = {joint("clamp", JointType::fixed, "world", "bar")};
  ForceSpec load;
  load.name = "moments";
  load.at = PointSpec{"bar", {}, {2, 0, 0}};
  load.moment = {formula("5e5"), formula("2e6"), formula("0")};
  model.forces = {load};
  model.sensors = {point_sensor("end", "bar", {2, 0, 0})};
  cut_beam(model, "bar", 16);
  const Mechanism m = compile(model);
  const Equilibrium e = find_equilibrium(m, start_point(m));
  REQUIRE(e.found);
  const Trajectory row = recorded_at(m, e.point);
  // sideways in proportion to the torsion constant, of which programs differ in the third digit
  CHECK(near(2 - row.at(0, "end.x"), 1.0939e-4, 1e-3));
  CHECK(near(-row.at(0, "end.y"), 1.8646e-4, 5e-3));
  CHECK(near(-row.at(0, "end.z"), 1.8117e-2, 1e-4));
}
