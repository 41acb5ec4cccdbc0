// Prescribed speeds, servos with an integral, and events that act.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <cmath>

#include "near.hpp"
#include "sarrus/files/read_model.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

Model one_joint(const std::string& type, const std::string& joint, const std::string& more = "",
                const std::string& gravity = "[0, 0, 0]") {
  return parse_model(fmt::format(R"toml(
sarrus = 1
gravity = {}
{}
[[body]]
name = "block"
mass = 2
inertia = [1, 1, 1]
com = [0.1, 0, 0]
[[joint]]
name = "j"
type = "{}"
axis = "z"
child = "block"
{}
)toml",
                                 gravity, more, type, joint),
                     "one.toml");
}

}  // namespace

TEST_CASE("speed: a position follows from a prescribed speed, and the drive from its rate") {
  const Model model = one_joint("revolute", "q = 0.5\nspeed = \"3*t - 2*cos(t)\"");
  const auto q = [](double t) { return 0.5 + 1.5 * t * t - 2 * std::sin(t); };
  const double I = 1 + 2 * 0.01;  // about the axis
  for (const char* formulation : {"recursive", "hamiltonian", "discrete"}) {
    CAPTURE(formulation);
    Model own = model;
    const bool stepped = std::string(formulation) == "discrete";
    if (stepped) own.simulate.step = 1e-3;
    const Run r = run_in(own, formulation, 2, 0.25, 1e-11);
    for (int row = 1; row < r.trajectory.rows(); ++row) {
      const double t = r.trajectory.at(row, "time");
      // discrete holds its target by a spring, with a gap of u̇ h²/β² for each block of the body
      CHECK(within(r.trajectory.at(row, "j.q"), q(t), stepped ? 2e-5 : 1e-9));
      if (!stepped) {
        CHECK(within(r.trajectory.at(row, "j.u"), 3 * t - 2 * std::cos(t), 1e-12));
        CHECK(near(r.trajectory.at(row, "j.drive"), I * (3 + 2 * std::sin(t)), 1e-9));
        CHECK(within(r.trajectory.at(row, "energy.ledger"), 0, 1e-8));
      }
    }
  }
}

TEST_CASE("speed: a jump of a prescribed speed is an impulse, its work is in the account") {
  const Model model = one_joint("prismatic", "speed = \"if(t < 1, 2, -1)\"");
  const Run r = run_in(model, "recursive", 2, 0.25, 1e-10);
  CHECK(within(last(r, "j.q"), 2 - 1, 1e-10));              // rtol
  CHECK(within(r.summary.drive, 0.5 * 2 * (1 - 4), 1e-9));  // of the jump: m/2 (1 − 4) J
  CHECK(within(last(r, "energy.ledger"), 0, 1e-9));
}

TEST_CASE("servo: an integral takes a constant load, the proportional part alone does not") {
  // m z̈ = −m g + kp (1 − z) − kd ż + ki s: at rest z = 1 and ki s = m g
  const auto servo = [](const char* keys) {
    return one_joint("prismatic",
                     fmt::format("servo = {{ reference = 1, kp = 200, kd = 40{} }}", keys), "",
                     "[0, 0, -10]");
  };
  const Run without = run_in(servo(""), "recursive", 20, 1, 1e-10);
  CHECK(near(last(without, "j.q"), 1 - 20.0 / 200, 1e-8));  // what is left after 20 s, and rtol
  for (const char* formulation : {"recursive", "hamiltonian"}) {
    const Run with = run_in(servo(", ki = 300"), formulation, 20, 1, 1e-10);
    CHECK(within(last(with, "j.q"), 1, 1e-7));                // what is left after 20 s
    CHECK(near(last(with, "j.integral"), 20.0 / 300, 1e-6));  // likewise
    CHECK(near(last(with, "j.drive"), 20, 1e-6));
  }
}

TEST_CASE("servo: an integral that is held back at the largest force overshoots less") {
  const auto highest = [](const Model& model) {
    const Run r = run_in(model, "recursive", 20, 0.01, 1e-9);
    double most = 0;
    for (int row = 0; row < r.trajectory.rows(); ++row)
      most = std::max(most, r.trajectory.at(row, "j.q"));
    return most - 1;
  };
  const double held = highest(one_joint(
      "prismatic", "servo = { reference = 1, kp = 20, kd = 12, ki = 8, max_force = 1.5 }"));
  // the same controller with an integral that grows on
  const double grown =
      highest(one_joint("prismatic", "force = \"clamp(20*(1 - j.q) - 12*j.u + 8*s, -1.5, 1.5)\"",
                        "[[state]]\nname = \"s\"\nrate = \"1 - j.q\"\n"));
  CHECK(held < grown);
  CHECK(held > 0);
}

TEST_CASE("events: what they set acts from their instant on") {
  // a mass driven by 1 N to the right until x = 2, from there by −3 N until it has returned
  const std::string more = R"toml(
[parameters]
push = 1
[[event]]
name = "far"
when = "j.q - 2"
direction = "rising"
set = { push = -3, seen = "seen + 1", way = 0 }
[[state]]
name = "way"
rate = "j.u"
[[state]]
name = "seen"
rate = 0
)toml";
  const Model model = one_joint("prismatic", "force = \"push\"", more);
  // a = 1/2: x = 2 at t₁ = √8 with v₁ = √2; then a = −3/2
  const double t1 = std::sqrt(8.0), v1 = std::sqrt(2.0), t = 4;
  const double x = 2 + v1 * (t - t1) - 0.75 * (t - t1) * (t - t1);
  for (const char* formulation : {"recursive", "hamiltonian"}) {
    CAPTURE(formulation);
    const Run r = run_in(model, formulation, t, 0.1, 1e-11);
    CHECK(within(last(r, "j.q"), x, 1e-9));  // a hundred times rtol
    CHECK(within(last(r, "way"), x - 2, 1e-9));
    CHECK(last(r, "seen") == 1);
    REQUIRE(r.summary.events.size() == 1);
    CHECK(within(r.summary.events[0].t, t1, 1e-10));  // ten times rtol
    CHECK(within(last(r, "energy.ledger"), 0, 1e-9));
  }
  // acts at the end of the step in which it happens
  Model stepped = model;
  stepped.simulate.step = 1e-4;
  CHECK(within(last(run_in(stepped, "discrete", t, 0.1, 1e-9), "j.q"), x,
               1e-3));  // a step of 1e-4 s at 1.4 m/s
}

TEST_CASE("events: one that acts without end is named and ends the run") {
  // from t = 1 on x is thrown back each time it comes to 0, ten thousand million times a second
  Model model = one_joint("prismatic", "force = 0", R"toml(
[[state]]
name = "x"
rate = 1
start = -1
[[event]]
name = "bounce"
when = "x"
direction = "rising"
set = { x = -1e-10 }
)toml");
  model.simulate.until = 3;
  const Run r = simulate(compile(model), model.simulate);
  CHECK(r.summary.status == RunStatus::failed);
  REQUIRE(r.summary.failure);
  CHECK(r.summary.failure->code == "chattering");
  CHECK(r.summary.failure->element == "event/bounce");
  CHECK(has(r.summary.notes, "chattering"));
  CHECK(within(r.summary.t, 1, 1e-5));  // a hundred thousandth of the run
}
