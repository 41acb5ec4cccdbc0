// Where formulations part: faults that were put into one of them are found by time, joint and part
// of the equations, and their size is that of the closed form.
#include "sarrus/verify/departure.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "near.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

constexpr double found_by_differences = 1e-6;  // of accelerations (departure.cpp: same)

/// What is found along the motion of the model where `name` runs a mechanism that was changed.
template <class Change>
std::optional<InstantDeparture> departure(const Model& model, const std::string& name, double until,
                                          Change change) {
  const Mechanism m = compile(model);
  std::vector<Contender> all = contenders(m, model.simulate);
  for (Contender& c : all)
    if (c.name == name) {
      Mechanism wrong = m;
      change(wrong);
      c.own = std::make_shared<const Mechanism>(std::move(wrong));
    }
  return find_departure(m, all, run_in(model, "recursive", until, until / 20, 1e-10).trajectory);
}

/// Upper and lower rod, released level.
Model two_rods() {
  Model model = rods(2, 0.5, 1);
  model.joints[0].q = {M_PI / 2};
  return model;
}

}  // namespace

TEST_CASE("departure: formulations that agree at every row part nowhere") {
  CHECK_FALSE(departure(two_rods(), "", 1, [](Mechanism&) {}));
  Model one = two_rods();
  CHECK_FALSE(departure(one, "recursive", 1, [](Mechanism& m) {
    m.numbers.gravity.z *= 1 + 1e-9;  // below what differences of velocities show
  }));
}

TEST_CASE("departure: gravity in one of them, by its share of the acceleration") {
  // u̇ = (g/l) sin q, largest at the start, so that a share of g is that share of u̇
  const auto found = departure(pendulum(M_PI / 2), "hamiltonian", 0.5,
                               [](Mechanism& m) { m.numbers.gravity.z *= 1.002; });
  REQUIRE(found);
  CHECK(found->t == 0);
  CHECK(found->part == "gravity");
  CHECK(found->element == "joint/hinge");
  // 1e-6 of accelerations is what differences of velocities show
  CHECK(near(found->relative, 0.002 / 1.002, found_by_differences / 0.002));
  CHECK((found->first == "hamiltonian" || found->second == "hamiltonian"));
}

TEST_CASE("departure: who is at fault is told where a third formulation does not share the part") {
  const auto inertia = departure(two_rods(), "recursive", 0.5,
                                 [](Mechanism& m) { m.numbers.body[2].inertia.m *= 1.01; });
  REQUIRE(inertia);
  CHECK(inertia->part == "inertia");
  CHECK(inertia->formulation == "recursive");
  CHECK(inertia->t == 0);
}

TEST_CASE("departure: a force in one joint, from the instant on at which it begins") {
  Model model = two_rods();
  model.joints[1].force = {formula("if(t < 0.3, 0, 4)")};
  const auto found = departure(model, "hamiltonian", 0.5, [](Mechanism& m) {
    m.formulas[0] = Expression::constant(0);
    m.formula_sources[0] = {Expression::constant(0), {}};
  });
  REQUIRE(found);
  // rows every 0.025 s
  CHECK(found->t >= 0.3);
  CHECK(found->t <= 0.325 + 1e-12);
  CHECK(found->part == "force elements");
  CHECK(found->element == "joint/j1");
}

TEST_CASE("departure: what only moves with the velocities is told from what acts at rest") {
  Model model = two_rods();
  model.joints[0].u = {2};
  const auto found = departure(model, "literal", 0.5, [](Mechanism& m) {
    JointDamper<double> d;
    d.u = 0, d.d = 0.05;
    m.numbers.forces.dampers.push_back(d);
  });
  REQUIRE(found);
  CHECK(found->part == "terms with velocities");
  CHECK(found->element == "joint/j0");
  CHECK(found->formulation == "literal");
  CHECK(found->t == 0);
}

TEST_CASE("departure: one formulation alone, or nothing that moves, parts from nobody") {
  const Model model = two_rods();
  const Mechanism m = compile(model);
  std::vector<Contender> all = contenders(m, model.simulate);
  all.erase(all.begin() + 1, all.end());
  CHECK_FALSE(find_departure(m, all, run(model, 0.1).trajectory));
}
