// The runs of all formulations side by side, against motions in closed form.
#include "sarrus/verify/comparison.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "near.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

constexpr double w = 3, x0 = 0.4;

/// A mass on a spring: x = x₀ cos ωt.
Model oscillator() {
  Model model = slider(2, x0, 0);
  model.joints[0].spring = JointSpringSpec{{2 * w * w}, {0.0}, {}};
  model.simulate.until = 3;
  return model;
}

RunPlan plan_of(const Model& model) {
  RunPlan plan;
  plan.until = model.simulate.until, plan.rows = 30;
  plan.budget = 100;  // of processor time: no limit here
  return plan;
}

std::vector<Contender> without_discrete(std::vector<Contender> all) {
  std::erase_if(all, [](const Contender& c) { return c.family == "discrete"; });
  return all;
}

const Attempt& named(const Comparison& c, const std::string& name) {
  const auto found = std::find_if(c.attempts().begin(), c.attempts().end(),
                                  [&](const Attempt& a) { return a.name() == name; });
  REQUIRE(found != c.attempts().end());
  return *found;
}

size_t index_of(const Comparison& c, const std::string& quantity) {
  for (size_t q = 0; q < c.quantities().size(); ++q)
    if (c.quantities()[q].name == quantity) return q;
  FAIL("no quantity " << quantity);
  return 0;
}

}  // namespace

TEST_CASE("comparison: every formulation reaches the closed form as near as it says it does") {
  const Model model = oscillator();
  const Mechanism m = compile(model);
  Comparison c(m, plan_of(model), 8, contenders(m, model.simulate));
  CHECK(c.tolerance() == 1e-8);
  CHECK(c.failed().empty());
  CHECK(c.families() == 4);  // recursion, momenta, energy matrix by rows, bodies one by one
  REQUIRE(c.attempts().size() == 4);
  const size_t q = index_of(c, "rail.q");
  for (const Attempt& a : c.attempts()) {
    CAPTURE(a.name());
    double wrong = 0;
    for (int r = 0; r < a.rows().rows(); ++r)
      wrong = std::max(wrong,
                       std::fabs(a.rows().at(r, "rail.q") - x0 * std::cos(w * a.rows().row(r)[0])));
    // ten is the margin of a verdict; rounding gathers over some hundred steps
    CHECK(wrong / x0 <= 10 * a.error().largest(q) + rounding(300));
    // each is refined until its error is below what is asked for: a hundredth of the tolerance, or
    // what extrapolation of second order gives
    CHECK(c.target(a) == (Comparison::is_discrete(a) ? 1e-6 : 1e-10));
    CHECK(wrong / x0 <= 10 * c.target(a));
  }
  for (const Attempt& a : c.attempts())
    for (const Attempt& b : c.attempts())
      if (&a != &b) CHECK(c.first_unexplained(a, b, c.apart(a, b), q) == -1);
}

TEST_CASE("comparison: runs of two stiffnesses part as their closed forms do, and that is told") {
  const Model model = oscillator();
  const Mechanism m = compile(model);
  for (const double change : {1e-5, 1e-9}) {
    CAPTURE(change);
    std::vector<Contender> all = without_discrete(contenders(m, model.simulate));
    const double other = w * std::sqrt(1 + change);
    for (Contender& c : all)
      if (c.name == "hamiltonian") {
        Mechanism stiffer = m;
        stiffer.numbers.forces.joint_springs[0].k *= 1 + change;
        c.own = std::make_shared<const Mechanism>(std::move(stiffer));
      }
    Comparison c(m, plan_of(model), 8, all);
    const Attempt &right = named(c, "recursive"), &wrong = named(c, "hamiltonian");
    const size_t q = index_of(c, "rail.q");
    const Differences d = c.apart(right, wrong);
    REQUIRE(d.rows() == 31);
    for (int r = 0; r < d.rows(); ++r) {
      const double t = right.rows().row(r)[0];
      // both errors are below their targets
      CHECK(within(d.at(r, q), std::fabs(std::cos(w * t) - std::cos(other * t)),
                   c.target(right) + c.target(wrong)));
    }
    // a difference that is ten times as large as both errors is not explained by them
    const int first = c.first_unexplained(right, wrong, d, q);
    CHECK(first >= 1);
    CHECK(first <= (change > 1e-6 ? 1 : 20));
    // and the third sides with the one that was not changed
    const Attempt& third = named(c, "literal");
    CHECK(c.first_unexplained(right, third, c.apart(right, third), q) == -1);
  }
}

TEST_CASE("comparison: what broke off is out with its reason, and the others go on") {
  const Model model = oscillator();
  const Mechanism m = compile(model);
  std::vector<Contender> all = without_discrete(contenders(m, model.simulate));
  for (Contender& c : all)
    if (c.name == "literal") {
      Mechanism bad = m;
      bad.numbers.forces.joint_springs[0].k = -1e30;  // leaves every finite range
      c.own = std::make_shared<const Mechanism>(std::move(bad));
    }
  Comparison c(m, plan_of(model), 8, all);
  CHECK(c.attempts().size() == 2);
  CHECK(c.families() == 2);
  CHECK(c.failed() == std::vector<std::string>{"literal"});
  for (const Contender& x : c.contenders()) CHECK((x.name == "literal") == !x.lacks.empty());
}

TEST_CASE("comparison: what is zero in every run is told from what is small") {
  Model model = oscillator();
  model.sensors = {point_sensor("block", "block", {})};
  const Mechanism m = compile(model);
  Comparison c(m, plan_of(model), 6, without_discrete(contenders(m, model.simulate)));
  for (const ComparedQuantity& q : c.quantities()) {
    CAPTURE(q.name);
    // along x, without gravity: it does not turn and nothing is dissipated
    if (q.name == "block.w" || q.name == "energy.dissipated") CHECK(c.is_zero(q));
    if (q.name == "block" || q.name == "rail.u") CHECK_FALSE(c.is_zero(q));
  }
  CHECK(c.growth() >= 1);
  CHECK(c.growth() < 10);  // an oscillator keeps its neighbours
}

TEST_CASE("comparison: shared reactions are excused where joints are springs, and nowhere else") {
  // a door on two hinges of one axis: what each carries along it is not unique
  Model model;
  model.bodies = {ball("door", 2, 0.1, {0.4, 0, 0})};
  model.joints = {joint("low", JointType::revolute, "world", "door"),
                  joint("high", JointType::revolute, "world", "door")};
  model.joints[1].on_parent.at = model.joints[1].on_child.at = {0, 0, 1.5};
  model.joints[0].u = {1};
  model.simulate.until = 0.05;
  const Mechanism m = compile(model);
  RunPlan plan = plan_of(model);
  plan.rows = 5;
  Comparison c(m, plan, 4, contenders(m, model.simulate));
  const Attempt &recursion = named(c, "recursive"), &space = named(c, "null space"),
                &blocks = named(c, "discrete");
  const size_t shared = index_of(c, "low.f"), unique = index_of(c, "low.q");
  CHECK(c.is_excused(recursion, blocks, shared));
  CHECK(c.is_excused(blocks, space, shared));
  CHECK_FALSE(c.is_excused(recursion, space, shared));
  CHECK_FALSE(c.is_excused(recursion, blocks, unique));
}
