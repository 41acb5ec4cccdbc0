// Digits that are claimed, held against closed forms and against what the runs know of themselves.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "near.hpp"
#include "sarrus/verify/comparison.hpp"
#include "sarrus/verify/verify.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

const VerifyOptions quick{8, 40, 10, false};  // without the discrete formulation

/// A block that falls on a damped stop again and again.
Model bouncing() {
  Model model;
  model.bodies = {ball("block", 1, 0.01)};
  model.joints = {joint("slide", JointType::prismatic, "world", "block", {0, 0, 1})};
  model.joints[0].q = {1};
  JointLimitSpec stop;
  stop.low = 0, stop.high = 10, stop.stiffness = 1e4, stop.damping = 10;
  model.joints[0].limits = stop;
  model.simulate.until = 2;
  return model;
}

std::vector<Contender> trees(const Mechanism& m, const SimulateSpec& s) {
  std::vector<Contender> all = contenders(m, s);
  std::erase_if(all, [](const Contender& c) { return c.family == "discrete"; });
  return all;
}

}  // namespace

TEST_CASE("verify: no more digits are claimed than some contender confirms and its error allows") {
  const Model model = bouncing();
  const Verification v = verify(compile(model), model.simulate, quick);
  CAPTURE(v.sentence);
  double confirmed = 0, error = 1;
  for (const ContenderReport& r : v.contenders)
    if (r.lacks.empty()) {
      confirmed = std::max(confirmed, r.digits);
      error = std::min(error, r.error);
    }
  CHECK(v.digits <= confirmed);
  CHECK(v.digits <= digits_of(error));
  if (v.verdict == Verdict::agrees) {
    CHECK(confirmed >= v.asked);
  } else {
    CHECK(v.verdict == Verdict::undecided);
    CHECK(v.sentence.find("grows") == std::string::npos);  // it is the stop that costs digits
  }
}

TEST_CASE("verify: the growth of a change is that of the motion, not of forces at a stop") {
  const Model model = bouncing();
  const Mechanism m = compile(model);
  RunPlan plan;
  plan.until = 2, plan.rows = 40, plan.budget = 10;
  Comparison c(m, plan, 6, trees(m, model.simulate));
  // three falls from 1 m: an early touch is felt as v ω δt/v with ω = 100/s, 84 times after two
  // bounces; forces change by k v δt each time
  CHECK(c.growth() > 10);
  CHECK(c.growth() < 1000);
}

TEST_CASE("verify: two runs of one integrator do not vouch for each other") {
  const Model model = [] {
    Model pendulum_model = pendulum(1);
    pendulum_model.simulate.until = 0.5;
    return pendulum_model;
  }();
  const Mechanism m = compile(model);
  std::vector<Contender> all = trees(m, model.simulate);
  for (Contender& c : all) c.methods = {"dopri5"};
  const Verification v = verify(m, model.simulate, quick, all);
  CHECK(v.digits == 0);
  CHECK(v.verdict == Verdict::undecided);
  all[0].methods = {"dop853"};
  CHECK(verify(m, model.simulate, quick, all).verdict == Verdict::agrees);
}

TEST_CASE("verify: who misses an event that stops the run is not listed as agreeing") {
  Model model = slider(2, 0, 3);
  model.events = {{"wall", {}, formula("rail.q - 0.3"), 1, true}};  // after 0.1 s
  model.simulate.until = 10;
  const Mechanism m = compile(model);
  const Verification v = verify(m, model.simulate, quick);
  CHECK(v.verdict == Verdict::agrees);
  CHECK(within(v.until, 0.1, 1e-6));  // as near as an event is located
  CHECK(v.sentence.find("up to 0.1 s") != std::string::npos);

  std::vector<Contender> all = trees(m, model.simulate);
  Mechanism blind = m;
  blind.events.clear();
  all[1].own = std::make_shared<const Mechanism>(std::move(blind));
  const Verification missed = verify(m, model.simulate, quick, all);
  CHECK(missed.verdict == Verdict::undecided);
  CAPTURE(missed.sentence);
  CHECK(missed.sentence.find("stopped by an event at 0.1 s") != std::string::npos);
}

TEST_CASE("verify: a micrometre is measured by itself, and its digits are true") {
  constexpr double mass = 1e-9, k = 1, x0 = 1e-6;  // a plate of 1 µg
  const double w = std::sqrt(k / mass), until = 30 / w;
  Model model = slider(mass, x0, 0);
  model.joints[0].spring = JointSpringSpec{{k}, {0.0}, {}};
  model.simulate.until = until;
  const Mechanism m = compile(model);
  CHECK(near(scales_of(m, until).length, x0, rounding(1)));
  RunPlan plan;
  plan.until = until, plan.rows = 40, plan.budget = 10;
  Comparison c(m, plan, 8, trees(m, model.simulate));
  for (const Attempt& a : c.attempts()) {
    CAPTURE(a.name());
    double wrong = 0;
    for (int r = 0; r < a.rows().rows(); ++r)
      wrong = std::max(wrong,
                       std::fabs(a.rows().at(r, "rail.q") - x0 * std::cos(w * a.rows().row(r)[0])));
    // ten is the margin of a verdict; rounding gathers over some thousand steps
    CHECK(wrong / x0 <= 10 * a.worst_error() + rounding(3000));
  }
  for (const ComparedQuantity& q : c.quantities())
    if (q.name == "rail.q") CHECK(near(q.size, x0, 1e-12));  // its start is its largest value
}

TEST_CASE("verify: a mechanism that cannot move agrees, and its formulas know the time") {
  Model model;
  model.bodies = {ball("block", 3, 0.1, {0.1, 0.2, 0})};
  model.joints = {joint("weld", JointType::fixed, "world", "block")};
  SensorSpec clock;
  clock.name = "clock", clock.value = formula("0.1*t"), clock.unit = "m";
  model.sensors = {clock};
  model.simulate.until = 0.2;
  const Mechanism m = compile(model);
  const Run still = simulate(m, model.simulate);
  CHECK(near(still.trajectory.at(still.trajectory.rows() - 1, "clock"), 0.02, rounding(2)));
  const Verification v = verify(m, model.simulate, {8, 20, 2, true});
  CAPTURE(v.sentence);
  CHECK(v.verdict == Verdict::agrees);
  for (const Audit& a : v.audits) {
    CAPTURE(a.name);
    CHECK((a.passed || a.informs));
  }
}
