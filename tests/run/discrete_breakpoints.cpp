// Inputs that break between the steps of the discrete formulation: each kick has the mean of what
// acts in its time, so that impulses are whole, whatever the step, and forces that jump keep the
// second order.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "discrete_runs.hpp"
#include "near.hpp"
#include "sarrus/motion/discrete_motion.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

constexpr double of_a_step = 0x1p-23;  // breakpoints count in parts of 2⁻²⁴ of a step, at both ends

Model pushed_discretely(const std::string& force, double h) {
  Model model = slider(1, 0, 0);
  model.joints[0].force = {formula(force)};
  model.simulate.step = h;
  return model;
}

}  // namespace

TEST_CASE("discrete: 1000 N for 1 ms at 5 s give 1 m/s, also where ten pulses go into one step") {
  for (const double h : {1e-2, 7e-4, 1.3e-5 * 8}) {
    CAPTURE(h);
    const Run r = run_in(pushed_discretely("1000*pulse(t, 5, 5.001)", h), "discrete", 6, 0.5, 1e-9);
    CHECK(near(last(r, "rail.u"), 1, 1000 * h * of_a_step));
    CHECK(within(last(r, "rail.q"), 1 - 0.0005, h / 2));  // the kick is at the middle of its time
    // the account takes the speed at the kick, of which its own half is not known yet
    if (h < 1e-3 / 5) CHECK(near(r.summary.drive, 0.5, h / 1e-3));
  }
}

TEST_CASE("discrete: the position after a force that jumps has the second order") {
  // 2 N from 0.3001 s to 0.7003 s, 1 kg: x(1) = v (1 − 0.5002), v = 0.8004
  const double v = 2 * 0.4002, exact = v * (1 - (0.3001 + 0.7003) / 2);
  for (const double h : {1e-2, 1e-3}) {
    CAPTURE(h);
    const Run r =
        run_in(pushed_discretely("2*pulse(t, 0.3001, 0.7003)", h), "discrete", 1, 1, 1e-9);
    CHECK(near(last(r, "rail.u"), v, 2 * h * of_a_step / v + 1e-12));
    // what a kick has too early or too late: 2 N · (h/2)² at each end
    CHECK(within(last(r, "rail.q"), exact, h * h + 1e-12));
  }
}

TEST_CASE("discrete: random inputs, late, short, kinked or periodic, give their impulses") {
  Random random(1618);
  for (int i = 0; i < 60; ++i) {
    const double a = random.uniform(0.1, 3), w = std::pow(10.0, random.uniform(-4, 0)),
                 F = random.uniform(1, 5) / w, h = std::pow(10.0, random.uniform(-3, -2));
    const auto [force, impulse] = [&]() -> std::pair<std::string, double> {
      switch (random.below(4)) {
        case 0: return {fmt::format("{}*pulse(t, {}, {})", F, a, a + w), F * w};
        case 1:
          return {fmt::format("{}*max(0, 1 - abs(t - {})/{})", F, a + w / 2, w / 2), F * w / 2};
        case 2: return {fmt::format("if(t < {}, 0, if(t < {}, {}, 0))", a, a + w, F), F * w};
        default:
          return {
              fmt::format("{}*mod(t - {}, {})/{}*pulse(t, {}, {})", F, a, w / 3, w / 3, a, a + w),
              F * w / 2};
      }
    }();
    CAPTURE(force);
    CAPTURE(h);
    const Run r = run_in(pushed_discretely(force, h), "discrete", a + w + 0.1, 0.1, 1e-9);
    // straight between breakpoints, so that the middle of each part is its mean
    CHECK(within(last(r, "rail.u"), impulse, 4 * F * h * of_a_step + 1e-12 * F));
  }
}

TEST_CASE(
    "discrete: a pendulum feels the impulse of its cart, whose velocity jumps between steps") {
  Model model;
  model.bodies = {ball("cart", 1, 1), ball("bob", 1, 0.01, {0, 0, -1})};
  model.joints = {joint("rail", JointType::prismatic, "world", "cart", {1, 0, 0}),
                  joint("hinge", JointType::revolute, "cart", "bob", {0, -1, 0})};
  model.joints[0].motion = {formula("ramp(t, 0.20003, 0, 1, 0.4)")};
  model.joints[1].q = {0.3};
  const Run exact = run_in(model, "recursive", 0.4, 0.4, 1e-11);
  model.simulate.step = 2e-4;
  const Run r = run_in(model, "discrete", 0.4, 0.4, 1e-9);
  // joints are springs that ring for some steps: h times the speed
  CHECK(within(last(r, "hinge.q"), last(exact, "hinge.q"), 2e-4));
  CHECK(within(last(r, "hinge.u"), last(exact, "hinge.u"), 2e-3));
}

TEST_CASE("discrete: a run that is saved beside a breakpoint goes on with the same bits") {
  Model model = pushed_discretely("3*pulse(t, 0.01234567, 0.0271) - rail.q", 1e-3);
  model.simulate.formulation = "discrete";
  const Mechanism m = compile(model);
  for (const double pause : {0.012, 0.013, 0.027}) {
    DiscreteMotion whole(m, model.simulate), first(m, model.simulate), second(m, model.simulate);
    const StartState start = start_state(m, 0);
    const auto go = [](DiscreteMotion& motion, double until) {
      while (motion.time() < until) REQUIRE(motion.step(until).status == StepStatus::accepted);
    };
    whole.begin(start), first.begin(start);
    go(whole, pause), go(whole, 0.05);
    go(first, pause);
    second.restore(start, first.save());
    go(second, 0.05);
    CHECK(whole.save().memory == second.save().memory);
  }
}
