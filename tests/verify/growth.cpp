// How a change of the start grows: against motions whose neighbours are known in closed form.
#include "sarrus/verify/growth.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "near.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

constexpr int rows = 40;

struct Growth {
  std::vector<ComparedQuantity> quantities;
  Differences found;
  /// γ of a quantity in a row, in its own unit per change: not relative to its size.
  double operator()(const std::string& name, int row) const {
    for (size_t q = 0; q < quantities.size(); ++q)
      if (quantities[q].name == name) return found.at(row, q) * quantities[q].size;
    FAIL("no quantity " << name);
    return 0;
  }
};

Growth growth(Model model, double until) {
  model.simulate.until = until;
  const Mechanism m = compile(model);
  RunPlan plan;
  plan.until = until, plan.rows = rows;
  const Contender recursion = contenders(m, model.simulate).front();
  Attempt a(m, recursion, plan);
  REQUIRE(a.refine({}));
  const std::vector<ComparedQuantity> quantities = quantities_of(a.rows(), scales_of(m, until));
  return {quantities, growth_of(m, recursion, plan, quantities)};
}

}  // namespace

TEST_CASE("growth: neighbours of a body in straight flight part in proportion to time") {
  const Growth g = growth(slider(2, 0, 3), 10);
  REQUIRE(g.found.rows() == rows + 1);
  // |δx + δu t| with |δx| ≤ 1 and |δu| ≤ 3, of two tries the larger one
  const double rate = g("rail.u", rows);
  CHECK(rate > 0);
  CHECK(rate <= 3);
  CHECK(g("rail.q", rows) <= 1 + 3 * 10);
  const double early = g("rail.q", rows / 2), late = g("rail.q", rows);
  CHECK(near(late - early, rate * 5, 1e-6));  // positions of 30 m, rounded, over a change of 1e-8
}

TEST_CASE("growth: it is measured per change, of up to one in each position and velocity") {
  Model model;
  model.gravity = {0, 0, 0};
  for (int i = 0; i < 40; ++i) {
    const std::string n = std::to_string(i);
    model.bodies.push_back(ball("b" + n, 1, 1));
    model.joints.push_back(joint("j" + n, JointType::prismatic, "world", "b" + n, {1, 0, 0}));
  }
  const Growth g = growth(model, 1);
  double q = 0, u = 0;
  for (int i = 0; i < 40; ++i) {
    q = std::max(q, g("j" + std::to_string(i) + ".q", 0));
    u = std::max(u, g("j" + std::to_string(i) + ".u", 0));
  }
  // the largest of eighty numbers between −1 and 1
  CHECK(q <= 1 + rounding(4));
  CHECK(q > 0.9);
  CHECK(u <= 1 + rounding(4));
  CHECK(u > 0.9);
}

TEST_CASE("growth: an oscillator keeps its neighbours") {
  Model model = slider(2, 0.4, 0);
  model.joints[0].spring = JointSpringSpec{{18.0}, {0.0}, {}};  // ω = 3 1/s
  const Growth g = growth(model, 20);
  // δx cos ωt + (δu/ω) sin ωt: at most √(1 + 1/9), and no more late than early
  CHECK(g("rail.q", rows) <= std::sqrt(1 + 1.0 / 9));
  CHECK(g("rail.q", rows) > 0.1);
  CHECK(near(g("rail.q", rows), g("rail.q", rows / 2), 0.05));  // rows of 0.5 s miss the peak
}

TEST_CASE("growth: about the upright pendulum by e^(√(g/l) t), and on at that rate when it falls") {
  const double lambda = std::sqrt(9.81), size = M_PI;
  const Growth g = growth(pendulum(M_PI), 8);
  const auto t = [](int row) { return 8.0 * row / rows; };
  // δx cosh λt + (δu/λ) sinh λt = c (e^λt + …): what falls is below 1e-4 of it from 1.6 s on
  const int early = 8, middle = 16;
  CHECK(near(std::log(g("hinge.q", middle) / g("hinge.q", early)), lambda * (t(middle) - t(early)),
             1e-4));
  // relative to π, c e^λt passes 1e6 in some row s, and goes on as γ(s)^(t/s)
  const double c = g("hinge.q", early) / size * std::exp(-lambda * t(early));
  int s = early;
  while (c * std::exp(lambda * t(s)) < 1e6) ++s;
  CHECK(s > middle);
  REQUIRE(s < rows - 4);
  const double rate = std::log(c * std::exp(lambda * t(s))) / t(s);
  for (const int row : {s, s + 2, rows}) {
    CAPTURE(row);
    // at 1e6 times the change the pendulum is 0.03 rad from upright: sin differs by 0.03²/6
    CHECK(near(std::log(g("hinge.q", row) / size), rate * t(row), 1e-4));
  }
}

TEST_CASE("growth: the discrete formulation and a mechanism that cannot move show none") {
  Model model = pendulum(1);
  const Mechanism m = compile(model);
  RunPlan plan;
  Contender discrete = contenders(m, model.simulate).back();
  REQUIRE(discrete.family == "discrete");
  CHECK(growth_of(m, discrete, plan, {}).rows() == 0);
  model.joints[0].type = JointType::fixed;
  model.joints[0].q.reset(), model.joints[0].u.reset();
  const Mechanism held = compile(model);
  CHECK(growth_of(held, contenders(held, model.simulate).front(), plan, {}).rows() == 0);
}
