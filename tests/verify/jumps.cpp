// Rows at which an input jumps have two values; which of them a run shows is no difference.
#include "sarrus/verify/jumps.hpp"

#include <doctest/doctest.h>

#include "near.hpp"
#include "sarrus/verify/verify.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

Model pushed_block(const std::string& force) {
  Model model = slider(1, 0, 0);
  model.joints[0].force = {formula(force)};
  return model;
}

/// A pendulum under a cart that is moved.
Model moved_cart(const std::string& motion) {
  Model model;
  model.bodies = {ball("cart", 1, 0), ball("bob", 1, 0, {0, 0, -1})};
  model.joints = {joint("rail", JointType::prismatic, "world", "cart", {1, 0, 0}),
                  joint("hinge", JointType::revolute, "cart", "bob", {0, -1, 0})};
  model.joints[0].motion = {formula(motion)};
  model.joints[1].q = {0.3};
  model.simulate.until = 4;
  return model;
}

}  // namespace

TEST_CASE(
    "jumps: those of forces and of prescribed speeds, the start included, and no smooth one") {
  const std::vector<double> pulse =
      jump_times(compile(pushed_block("7*pulse(t, 0.5, 0.75)")), 0, 1);
  REQUIRE(pulse.size() == 2);
  CHECK(within(pulse[0], 0.5, rounding(2)));
  CHECK(within(pulse[1], 0.75, rounding(2)));
  const std::vector<double> turns = jump_times(compile(moved_cart("0.2*abs(sin(pi*t))")), 0, 2.5);
  REQUIRE(turns.size() == 3);  // 0, 1, 2
  for (size_t i = 0; i < 3; ++i)
    CHECK(within(turns[i], static_cast<double>(i), 1e-12));  // roundings of π t
  CHECK(jump_times(compile(moved_cart("step(t, 1, 0, 2, 0.1)")), 0, 4).empty());
  CHECK(jump_times(compile(pushed_block("sin(5*t)")), 0, 4).empty());
}

TEST_CASE("jumps: rows there are left out, the first stays") {
  Trajectory rows = run_in(slider(1, 0, 1), "recursive", 1, 0.25, 1e-9).trajectory;
  REQUIRE(rows.rows() == 5);
  leave_out_jumps(rows, {0, 0.1, 0.5});
  REQUIRE(rows.rows() == 4);
  CHECK(rows.row(0)[0] == 0);
  CHECK(rows.row(2)[0] == 0.75);
}

TEST_CASE("jumps: a row at the corner of a prescribed motion does not part formulations") {
  // rows every 0.1 s: at 1 s and 2 s the cart's speed jumps; |sin| has a corner at the start
  for (const char* motion : {"ramp(t, 1, 0, 2, 0.5)", "0.2*abs(sin(pi*t/2))"}) {
    CAPTURE(motion);
    const Model model = moved_cart(motion);
    const Verification v = verify(compile(model), model.simulate, {6, 40, 3, true});
    CAPTURE(v.sentence);
    CHECK(v.verdict == Verdict::agrees);
  }
}

TEST_CASE("jumps: a pulse that begins at a row is confirmed by bodies moved one by one too") {
  Model model = pushed_block("1000*pulse(t, 0.5, 0.501)");
  model.simulate.until = 1;
  const Verification v = verify(compile(model), model.simulate, {6, 20, 3, true});
  CAPTURE(v.sentence);
  CHECK(v.verdict == Verdict::agrees);
}
