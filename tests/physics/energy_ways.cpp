// Runs by the energy matrix of the source, by complex steps and with small coordinates.
#include <doctest/doctest.h>

#include "near.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

Run run_as(Model model, double until, const char* matrix, const char* gradient,
           double rtol = 1e-12) {
  model.simulate.formulation = "hamiltonian";
  model.simulate.energy_matrix = matrix;
  model.simulate.energy_gradient = gradient;
  model.simulate.output_step = until / 10;
  return run(model, until, rtol);
}

const double b1_after_1s[] = {-1.763856137475, 1.744666569508, 1.061397363245, -2.031873257081,
                              0.094431875130};

}  // namespace

TEST_CASE("B1: the source's own scheme, differences of 1e-5, arrives where the recursion does") {
  const Run r = run_as(chain_b1(), 1, "literal", "literal", 1e-10);
  for (int k = 0; k < 5; ++k)  // known: 7.4e-10 from the differences
    CHECK(std::fabs(last(r, "j" + std::to_string(k + 1) + ".q") - b1_after_1s[k]) < 1e-8);
}

TEST_CASE("B1: with complex steps to the digits that are given") {
  const Run r = run_as(chain_b1(), 1, "literal", "complex");
  for (int k = 0; k < 5; ++k)
    // rtol 1e-12 over some hundred steps
    CHECK(std::fabs(last(r, "j" + std::to_string(k + 1) + ".q") - b1_after_1s[k]) < 1e-11);
  CHECK(r.summary.closure < 1e-10);
}

TEST_CASE("B2: every joint, by the energy matrix and complex steps") {
  Model model = tree_b2();
  const Run literal = run_as(model, 0.5, "literal", "complex");
  // rtol 1e-12 over some ten steps
  CHECK(std::fabs(last(literal, "j1.u1") - 0.020678991446) < 1e-11);
  CHECK(std::fabs(last(literal, "j3.u1") - 0.244483369458) < 1e-11);
  CHECK(std::fabs(last(literal, "j7.u3") - 0.079436658950) < 1e-11);
}

TEST_CASE("B1 with a prescribed joint: all ways agree, and the ledger closes") {
  Model model = chain_b1();
  model.joints[1].motion = {formula("0.1 + 0.5*sin(3*t)")};
  model.joints[1].q.reset(), model.joints[1].u.reset();
  const Run recursion = run_as(model, 0.5, "recursive", "recursive");
  const Run literal = run_as(model, 0.5, "literal", "complex");
  for (const char* column : {"j1.q", "j3.q", "j5.u", "energy.drive"})
    // rtol 1e-12 over some ten steps
    CHECK(near(last(literal, column), last(recursion, column), 1e-11));
  CHECK(literal.summary.closure < 1e-9);
}

TEST_CASE("friction on a reaction: all ways agree") {
  Model model = chain_b1();
  model.joints[0].friction = JointFrictionSpec{0.1, 0.05, 0.02, 0.1};
  const Run recursion = run_as(model, 0.3, "recursive", "recursive", 1e-10);
  const Run literal = run_as(model, 0.3, "literal", "complex", 1e-10);
  // rtol 1e-10 over some ten steps
  CHECK(near(last(literal, "j4.q"), last(recursion, "j4.q"), 1e-9));
  CHECK(near(last(literal, "energy.dissipated"), last(recursion, "energy.dissipated"), 1e-9));
}

// ── small coordinates ───────────────────────────────────────────────────────────────────────────

TEST_CASE("a pendulum marked small swings as a cosine, whatever its amplitude") {
  Model model = pendulum(0.09);
  model.joints[0].small = true;
  const Run r = run_as(model, 10, "", "complex");
  CHECK(near(last(r, "hinge.q"), 0.09 * std::cos(std::sqrt(9.81) * 10),
             1e-10));                // rtol 1e-12 over some hundred steps
  CHECK(r.summary.closure < 1e-12);  // of its own energy
  CHECK(r.summary.notes.empty());
}

TEST_CASE("a coordinate that leaves its small range is reported at the end") {
  Model model = pendulum(0.05, 1);
  model.joints[0].small = true;
  const Run r = run_as(model, 2, "", "complex");
  REQUIRE(has(r.summary.notes, "not-small"));
  CHECK(r.summary.notes[0].element == "joint/hinge/small");
}

TEST_CASE("two pendulums, the lower one small: the truncated energy is conserved") {
  Model model = rods(2, 1, 1);
  model.joints[0].q = {1.2};
  model.joints[1].q = {0.05};
  model.joints[1].small = true;
  const Run r = run_as(model, 3, "", "complex");
  CHECK(r.summary.closure < account * r.summary.energy_scale);
}

TEST_CASE("a small coordinate that stays small moves as in the full equations, to second order") {
  Model model = rods(2, 1, 1);
  model.joints[0].q = {0.4};
  model.joints[1].spring = JointSpringSpec{{2000}, {}, {}};
  const Run full = run_as(model, 1, "literal", "complex");
  model.joints[1].small = true;
  const Run linear = run_as(model, 1, "", "complex");
  double largest = 0;
  for (int i = 0; i < full.trajectory.rows(); ++i)
    largest = std::max(largest, std::fabs(full.trajectory.at(i, "j1.q")));
  CHECK(largest > 1e-4);
  for (const char* angle : {"j0.q", "j1.q"})  // what is left out of the equations
    CHECK(std::fabs(last(full, angle) - last(linear, angle)) < largest * largest);
}
