// Elastic bodies in motion, in both formulations, against closed forms and independent solutions.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>

#include "elastic_models.hpp"
#include "near.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

const std::vector<std::string> both_formulations{"recursive", "hamiltonian"};

/// Rotating bar of L = 1 m, 1 kg, A = 0.2 cm², E = 210 GPa at 15 rad/s, with 100 N sin 200 t at its
/// tip, undeformed at first.
Model rotating_bar(int elements) {
  BeamSpec b;
  b.length = 1;
  b.section = {2e-5, 0, 0, 0, 0, 0};
  b.material = {2.1e11, 8e10, 5e4};
  b.deforms = {Deflection::axial};
  b.basis = BeamBasis::fe;
  b.modes = 0, b.elements = elements;
  Model model;
  model.gravity = {0, 0, 0};
  model.bodies = {elastic_body("bar", b)};
  model.joints = {joint("axle", JointType::revolute, "world", "bar")};
  model.joints[0].motion = {formula("15*t")};
  ForceSpec pull;
  pull.name = "pull";
  pull.at = {"bar", {}, {1, 0, 0}};
  pull.body_axes = true;
  pull.force = {formula("100*sin(200*t)"), formula("0"), formula("0")};
  pull.moment = {formula("0"), formula("0"), formula("0")};
  model.forces = {pull};
  return model;
}

/// A beam along x of a hub that turns about z by a formula, with a sensor at its tip.
Model spun_up(const BeamSpec& beam, const std::string& angle) {
  Model model;
  model.gravity = {0, 0, 0};
  model.bodies = {elastic_body("beam", beam)};
  model.joints = {joint("hub", JointType::revolute, "world", "beam")};
  model.joints[0].motion = {formula(angle)};
  model.sensors = {point_sensor("tip", "beam", {beam.length, 0, 0})};
  return model;
}

/// Of the tip, across the line on which a rigid beam would be.
double deflection(const Run& spun_up, int row) {
  const Trajectory& t = spun_up.trajectory;
  const double a = t.at(row, "hub.q");
  return -std::sin(a) * t.at(row, "tip.x") + std::cos(a) * t.at(row, "tip.y");
}

}  // namespace

TEST_CASE("elastic pendulum: the tip goes where an independent solution says") {
  for (const std::string& formulation : both_formulations) {
    CAPTURE(formulation);
    const Run m = run_in(elastic_pendulum(pendulum_beam(1.25e10, 8)), formulation, 1, 0.25, 1e-10);
    // a geometrically exact beam, computed apart; beams without shear and stretch stay this near
    const double expected[][3] = {
        {1, .898540, -.438857}, {2, -.089145, -.996020}, {4, -.999971, -.007155}};
    for (const auto& row : expected) {
      // how near a beam without shear and stretch stays
      CHECK(std::fabs(m.trajectory.at(static_cast<int>(row[0]), "tip.x") - row[1]) < 3e-5);
      CHECK(std::fabs(m.trajectory.at(static_cast<int>(row[0]), "tip.z") - row[2]) < 3e-5);
    }
    CHECK(m.summary.closure < account * m.summary.energy_scale);
  }
}

TEST_CASE("elastic pendulum: softer ones stay near the geometrically exact beam") {
  // deflections of 0.064 and 0.127 of the length, where the exact beam is 4e-4 and 1.5e-3 away
  const Run soft = run_in(elastic_pendulum(pendulum_beam(2.5e9)), "recursive", 0.8, 0.4, 1e-9);
  // as said above, 4e-4 and what four modes leave
  CHECK(std::fabs(last(soft, "tip.x") + .981487) < 1e-3);
  CHECK(std::fabs(last(soft, "tip.z") + .187748) < 1e-3);
  const Run softer = run_in(elastic_pendulum(pendulum_beam(1.25e9)), "recursive", 0.8, 0.4, 1e-9);
  // as said above
  CHECK(std::fabs(last(softer, "tip.x") + .981959) < 1.5e-3);
  CHECK(std::fabs(last(softer, "tip.z") + .174263) < 1.5e-3);
  // the second order is what keeps it there
  BeamSpec first_order = pendulum_beam(2.5e9);
  first_order.stiffening = false;
  const Run wrong = run_in(elastic_pendulum(first_order), "recursive", 0.8, 0.4, 1e-11);
  CHECK(std::hypot(last(wrong, "tip.x") + .981487, last(wrong, "tip.z") + .187748) > 0.01);
}

TEST_CASE("rotating bar: the source's example, Lagrange's and Hamilton's form") {
  // semi-discrete solution, exact in time
  const double table[][5] = {
      {5, 4.0439918588e-5, 5.4058870482e-5, 2.7600701347e-5, 2.7768100398e-6},
      {10, 4.0488454161e-5, 5.4619619030e-5, 2.6772001064e-5, -7.9657623666e-7},
      {25, 4.0504418676e-5, 5.4786225310e-5, 2.6380736651e-5, -1.5682782833e-6}};
  for (const auto& row : table) {
    const int n = static_cast<int>(row[0]);
    const std::string tip = "bar.e" + std::to_string(n);
    double found[2] = {};
    for (size_t f = 0; f < 2; ++f) {
      CAPTURE(both_formulations[f]);
      const Run m = run_in(rotating_bar(n), both_formulations[f], 0.02, 0.001, 1e-12);
      // ten digits of the largest, 5.9e-5, are given; rtol 1e-12 of stiff modes
      CHECK(std::fabs(m.trajectory.at(1, tip) - row[1]) < 1e-8 * 5.9e-5);
      CHECK(std::fabs(m.trajectory.at(5, tip) - row[2]) < 1e-8 * 5.9e-5);
      CHECK(std::fabs(m.trajectory.at(10, tip) - row[3]) < 1e-8 * 5.9e-5);
      CHECK(std::fabs(m.trajectory.at(20, tip) - row[4]) < 1e-8 * 5.9e-5);
      found[f] = last(m, tip);
    }
    CHECK(std::fabs(found[0] - found[1]) < 1e-8 * 5.9e-5);
  }
}

TEST_CASE("rotating bar: the midpoint rule makes the same steps in both forms") {
  Model model = rotating_bar(5);
  model.simulate.integrator = "midpoint";
  model.simulate.step = 1e-5;
  double found[2] = {};
  for (size_t f = 0; f < 2; ++f) {
    model.simulate.formulation = both_formulations[f];
    model.simulate.until = 2e-3, model.simulate.output_step = 1e-3;
    found[f] = simulate(compile(model), model.simulate).trajectory.at(2, "bar.e5");
  }
  CHECK(std::fabs(found[0]) > 1e-6);
  CHECK(std::fabs(found[0] - found[1]) < 1e-12 * 5.9e-5);  // the same step in exact arithmetic
}

TEST_CASE("rotating bar: generalized_alpha leaves the steady stretch and none of the vibrations") {
  Model model = rotating_bar(10);
  model.forces.clear();
  model.simulate.integrator = "generalized_alpha";
  model.simulate.step = 5e-4;  // a quarter of the slowest vibration's period, 60 of the fastest's
  model.simulate.rho_infinity = 0.5;
  model.simulate.until = 0.6;
  for (const std::string& formulation : both_formulations) {
    CAPTURE(formulation);
    model.simulate.formulation = formulation;
    const Run done = simulate(compile(model), model.simulate);
    REQUIRE(done.summary.status == RunStatus::done);
    const Trajectory& rows = done.trajectory;
    // statics of ten elements under the centrifugal force of ten elements
    CHECK(std::fabs(rows.at(rows.rows() - 1, "bar.e10") / 1.785752472287e-5 - 1) < 1e-8);
    CHECK(done.summary.steps == 1200);
    CHECK(done.summary.evaluations < 8000);
  }
}

TEST_CASE("rotating bar: the run says that a vibration dictates the step, and which one") {
  Model model = rotating_bar(10);
  model.simulate.until = 0.02;
  const auto told = [&](double rtol) {
    model.simulate.rtol = rtol;
    for (const Diagnostic& d : simulate(compile(model), model.simulate).summary.notes)
      if (d.code == "step-dictated") return to_text(d);
    return std::string();
  };
  const std::string text = told(1e-5);
  CHECK(text.find("body/bar/elastic") != std::string::npos);
  CHECK(text.find("stretch of node") != std::string::npos);
  CHECK(text.find("1.12e+04 Hz") != std::string::npos);  // 70342 rad/s
  CHECK(text.find("generalized_alpha") != std::string::npos);
  CHECK(told(1e-12) == "");  // there accuracy asks for more
}

TEST_CASE("spin-up: the beam lags and comes back, and only with stiffening") {
  BeamSpec b;
  b.length = 10;
  b.section = {4e-4, 2e-7, 2e-7, 4e-7, 0, 0};
  b.material = {7e10, 2.7e10, 3000};
  b.deforms = {Deflection::y};
  Model model =
      spun_up(b, "if(t < 15, 6/15*(t^2/2 + (15/(2*pi))^2*(cos(2*pi*t/15) - 1)), 6*t - 45)");
  for (const std::string& formulation : both_formulations) {
    CAPTURE(formulation);
    const Run m = run_in(model, formulation, 10, 0.5, 1e-8);
    // a geometrically exact beam; third order of a deflection of 0.056 of the length is missing
    CHECK(std::fabs(deflection(m, 10) + .46849) < 4e-3);
    CHECK(std::fabs(deflection(m, 15) + .55907) < 4e-3);
    CHECK(std::fabs(deflection(m, 20) + .36294) < 4e-3);
  }
  // spun up ten times more slowly it bends ten times less: linear theory (examples/spin_up)
  const std::vector<Formula> fast = model.joints[0].motion;
  model.joints[0].motion = {formula("6/150*(t^2/2 + (150/(2*pi))^2*(cos(2*pi*t/150) - 1))")};
  const Run slow = run_in(model, "recursive", 100, 25, 1e-9);
  // third order of a deflection of 0.0056 of the length
  CHECK(std::fabs(deflection(slow, 2) + 0.04624361) < 4e-6);
  CHECK(std::fabs(deflection(slow, 3) + 0.05595541) < 4e-6);
  CHECK(std::fabs(deflection(slow, 4) + 0.03620476) < 4e-6);
  model.joints[0].motion = fast;
  model.bodies[0].elastic->beam.stiffening = false;
  const Run wrong = run_in(model, "recursive", 8, 0.5, 1e-8);
  CHECK(std::fabs(deflection(wrong, 14) + 1.110) < 1e-3);  // three decimals are given
  CHECK(std::fabs(deflection(wrong, 16) + 2.127) < 4e-3);
}

TEST_CASE("spin-up: form I is the linear beam with geometric stiffness, as published") {
  // lag of the tip at its largest and at three times; Legendre–Galerkin with four functions
  const auto lag = [](double L, double EI, double EA, double rho_A, double rho_I, double speed) {
    BeamSpec b;
    b.length = L;
    const double rho = 3000, E = EI * rho / rho_I;
    b.section = {rho_A / rho, rho_I / rho, rho_I / rho, 2 * rho_I / rho, 0, 0};
    b.material = {E, E / 2.6, rho};
    b.deforms = {Deflection::y};
    b.form = 'I';
    CHECK(near(E * b.section.area, EA, rounding(8)));
    const Model model =
        spun_up(b, fmt::format("{}/15*(t^2/2 + (15/(2*pi))^2*(cos(2*pi*t/15) - 1))", speed));
    const Run m = run_in(model, "recursive", 10, 0.01, 1e-9);
    std::vector<double> found{0};
    for (int row = 0; row <= 1000; ++row) found[0] = std::min(found[0], deflection(m, row));
    for (const int row : {500, 750, 1000}) found.push_back(deflection(m, row));
    return found;
  };
  const std::vector<double> first = lag(10, 1.4e4, 2.8e7, 1.2, 6e-4, 6);
  const double published[] = {-.57437, -.46878, -.55952, -.36285};
  for (size_t i = 0; i < 4; ++i)
    CHECK(near(first[i], published[i], 1e-4));  // five digits are published
  // and the geometrically exact beam, within a thousandth of the largest lag
  const double exact[] = {-.57388, -.46849, -.55907, -.36294};
  for (size_t i = 0; i < 4; ++i)
    CHECK(std::fabs(first[i] - exact[i]) <
          1e-3 * .57388);  // what four functions leave of the exact solution
  // aluminium tube of 8 m
  const double rho = 2766.67, A = 7.2968e-5, I = 8.2189e-9, E = 6.8952e10;
  CHECK(near(lag(8, E * I, E * A, rho * A, rho * I, 4)[0], -.53440, 1e-4));
}

TEST_CASE("elastic tree: both formulations find the same motion and close the account") {
  Model model = elastic_tree();
  for (BodySpec& body : model.bodies)
    if (body.elastic) body.elastic->beam.deforms = {Deflection::y, Deflection::z};
  model.joints[1].u = {0.4, -0.7, 0.9};
  model.joints[2].u = {1.5};
  const Run a = run_in(model, "recursive", 0.2, 0.2, 1e-11);
  const Run b = run_in(model, "hamiltonian", 0.2, 0.2, 1e-11);
  for (const char* name : {"tip.x", "tip.y", "tip.z", "elbow.q", "saddle.q", "arm.e1", "hand.e3"})
    CHECK(std::fabs(last(a, name) - last(b, name)) < 1e-9);  // rtol 1e-11 over some hundred steps
  CHECK(a.summary.closure < account * a.summary.energy_scale);
  CHECK(b.summary.closure < account * b.summary.energy_scale);
}

TEST_CASE("elastic: a beam conserves its energy, and one with damping does not claim to") {
  BeamSpec b;
  b.length = 1;
  b.section = {2e-5, 1e-10, 1e-10, 2e-10, 0, 0};
  b.material = {2.1e11, 8e10, 8e3};
  b.deforms = {Deflection::z};
  b.modes = 1;
  const auto conserves = [&](double ratio) {
    b.damping.ratios = {ratio};
    Model model;
    model.bodies = {elastic_body("beam", b)};
    model.joints = {joint("hub", JointType::revolute, "world", "beam", {0, 1, 0})};
    const Run run = run_in(model, "recursive", 0.01, 0.01, 1e-8);
    return !run.summary.conserved.empty() && run.summary.conserved[0].name == "H";
  };
  CHECK(conserves(0));
  CHECK_FALSE(conserves(0.02));
}
