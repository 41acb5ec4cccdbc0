// A row of a result puts the mechanism back where it was.
#include "sarrus/run/replay.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "near.hpp"
#include "sarrus/run/simulate.hpp"

using namespace sarrus;
using sarrus::testing::near;
using sarrus::testing::rounding;
using sarrus::testing::within;

namespace {

/// A bar on a hinge about y, a spring from its tip to the world, a push across it at its middle.
Model bar_with_spring() {
  Model model;
  BodySpec bar;
  bar.name = "bar";
  bar.mass = 2;
  bar.com = Vec3{0.5, 0, 0};
  bar.inertia = Mat3::identity();
  model.bodies.push_back(bar);
  JointSpec hinge;
  hinge.name = "hinge";
  hinge.child = "bar";
  hinge.axis = {0, 1, 0};
  hinge.q = std::vector<double>{0.3};
  model.joints.push_back(hinge);
  SpringSpec spring;
  spring.name = "spring";
  spring.from = {"bar", {}, {1, 0, 0}};
  spring.to = {"world", {}, {1, 0, 1}};
  spring.k = 40;
  spring.length = 0.2;
  spring.damping = 3;
  model.springs.push_back(spring);
  model.simulate.until = 1;
  model.simulate.output_step = 0.1;
  return model;
}

}  // namespace

TEST_CASE("replay: a hinge's angle turns the body by that angle") {
  const Mechanism m = compile(bar_with_spring());
  Replay replay(m, {{"time", "s"}, {"hinge.q", "rad"}, {"hinge.u", "rad/s"}});
  for (const double q : {0.0, 0.4, -2.5}) {
    replay.set(std::vector<double>{0, q, 0});
    const Vec3 tip = replay.body_pose(0) * Vec3{1, 0, 0};
    CHECK(near(tip.x, std::cos(q), 1e-14));
    CHECK(within(tip.y, 0, 1e-14));
    CHECK(near(tip.z, -std::sin(q), 1e-14));  // about +y, x turns towards −z
  }
}

TEST_CASE("replay: a spring pulls with stiffness times stretch and damping times rate") {
  const Mechanism m = compile(bar_with_spring());
  Replay replay(m, {{"time", "s"}, {"hinge.q", "rad"}, {"hinge.u", "rad/s"}});
  replay.set(std::vector<double>{0, 0, 0});
  CHECK(near(replay.tension(0), 40 * (1 - 0.2), rounding(8)));
  replay.set(std::vector<double>{0, 0, 2});  // the tip goes down with 2 m/s, away from (1, 0, 1)
  CHECK(near(replay.tension(0), 40 * (1 - 0.2) + 3 * 2, rounding(8)));
}

TEST_CASE("replay: rows of another model are refused") {
  const Mechanism m = compile(bar_with_spring());
  CHECK_THROWS_WITH_AS(Replay(m, {{"time", "s"}, {"door.q", "rad"}}),
                       doctest::Contains("not the one that was run"), Error);
}
