// One mechanism in other units: a run has the digits that it has, whatever its length, mass and time.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "near.hpp"
#include "sarrus/mechanism/scales.hpp"
#include "sarrus/verify/quantities.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

struct Unit {
  double length = 1, mass = 1, time = 1;
};

/// A cart on a spring that carries a pendulum, with every number in other units.
Model crane(const Unit& one) {
  const double l = one.length, m = one.mass, t = one.time;
  Model model;
  model.gravity = {0, 0, -9.81 * l / (t * t)};
  model.bodies = {ball("cart", 2 * m, 0.1 * m * l * l),
                  ball("bob", 1 * m, 0.05 * m * l * l, {0, 0, -1 * l})};
  model.joints = {joint("rail", JointType::prismatic, "world", "cart", {1, 0, 0}),
                  joint("hinge", JointType::revolute, "cart", "bob", {0, 1, 0})};
  model.joints[0].q = {0.3 * l};
  model.joints[0].spring = JointSpringSpec{{20 * m / (t * t)}, {0.0}, {}};
  model.joints[1].q = {0.8};
  model.joints[1].u = {0.5 / t};
  model.simulate.until = 5 * t;
  model.simulate.output_step = 0.25 * t;
  return model;
}

/// A mass on a spring: nothing but its start says how large it is.
Model resonator(const Unit& one) {
  Model model = slider(one.mass, 0.4 * one.length, 0);
  model.bodies[0].inertia = {};
  model.joints[0].spring = JointSpringSpec{{9 * one.mass / (one.time * one.time)}, {0.0}, {}};
  model.simulate.until = 5 * one.time;
  model.simulate.output_step = 0.25 * one.time;
  return model;
}

/// Positions of slides in the mechanism's length, angles as they are.
std::vector<double> positions(const Run& run, double length, const std::string& slide,
                              const std::string& turn) {
  std::vector<double> all;
  for (int r = 0; r < run.trajectory.rows(); ++r) {
    all.push_back(run.trajectory.at(r, slide) / length);
    if (!turn.empty()) all.push_back(run.trajectory.at(r, turn));
  }
  return all;
}

double digits_between(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  REQUIRE(a.size() == b.size());
  for (size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
  return digits_of(most);
}

const std::vector<Unit> others = {{1e-9, 1, 1}, {1e-6, 1e-9, 1e-4}, {1e9, 1, 1}, {1, 1e-9, 1},
                                  {1, 1e9, 1},  {1, 1, 1e-9},       {1, 1, 1e9}};

void check_digits(Model (*make)(const Unit&), const std::string& turn) {
  for (const char* formulation : {"recursive", "hamiltonian"}) {
    CAPTURE(formulation);
    Model model = make({});
    model.simulate.formulation = formulation;
    SimulateSpec fine = model.simulate;
    fine.rtol = 1e-13;
    const std::vector<double> truth = positions(simulate(compile(model), fine), 1, "rail.q", turn);
    const double usual = digits_between(
        positions(simulate(compile(model), model.simulate), 1, "rail.q", turn), truth);
    CHECK(usual > 6);  // rtol 1e-9
    for (const Unit& one : others) {
      CAPTURE(one.length);
      CAPTURE(one.mass);
      CAPTURE(one.time);
      Model other = make(one);
      other.simulate.formulation = formulation;
      const Run run = simulate(compile(other), other.simulate);
      REQUIRE(run.summary.status == RunStatus::done);
      // steps differ, and with them errors: by less than a digit
      CHECK(digits_between(positions(run, one.length, "rail.q", turn), truth) > usual - 1);
    }
  }
}

}  // namespace

TEST_CASE("scaled: a cart with a pendulum has the same digits from a nanometre to a million km") {
  check_digits(crane, "hinge.q");
}

TEST_CASE("scaled: a resonator without any length in its geometry has the same digits") {
  check_digits(resonator, "");
}

TEST_CASE(
    "scaled: units of a state are those of SI for ordinary mechanisms, and fall with small ones") {
  const Mechanism usual = compile(crane({}));
  for (const bool momenta : {false, true})
    for (const double unit : state_units(usual, momenta)) CHECK(unit == 1);
  // √(g/l) and √(k/m) of 20 N/m and 3 kg
  CHECK(near(typical_rate(usual), std::sqrt(9.81), rounding(4)));
  const std::vector<double> tiny = state_units(compile(crane({1e-6, 1, 1})), false);
  CHECK(near(tiny[0], 1e-6, rounding(4)));  // the rail
  CHECK(tiny[1] == 1);                      // the hinge
  CHECK(near(tiny[2], 1e-6 * std::sqrt(9.81), rounding(8)));
  CHECK(tiny[3] == 1);
}
