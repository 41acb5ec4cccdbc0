// The example of the front page, read in full.
#include <doctest/doctest.h>

#include <cmath>

#include "files/models.hpp"
#include "near.hpp"
#include "sarrus/files/read_model.hpp"

using namespace sarrus;
using sarrus::testing::near;
using sarrus::testing::rounding;

TEST_CASE("reader: the double pendulum is read as written") {
  const Model m = parse_model(double_pendulum, "double_pendulum.toml");
  CHECK(m.name == "double pendulum");
  CHECK(m.gravity.z == -9.81);
  REQUIRE(m.bodies.size() == 2);
  REQUIRE(m.joints.size() == 2);
  REQUIRE(m.springs.size() == 1);
  REQUIRE(m.sensors.size() == 1);

  const MassProperties upper = mass_properties(m.bodies[0]);
  CHECK(near(upper.mass, 2700 * 1.0 * 0.05 * 0.05, 1e-14));  // a box
  CHECK(near(upper.inertia(1, 1), upper.mass / 12 * (1 + 0.05 * 0.05), 1e-14));
  const MassProperties lower = mass_properties(m.bodies[1]);
  CHECK(lower.mass == 1.2);
  CHECK(lower.com.x == 0.5);
  CHECK(lower.inertia(0, 0) == 1e-3);
  CHECK(lower.inertia(2, 2) == 0.1);

  const JointSpec& shoulder = m.joints[0];
  CHECK(shoulder.type == JointType::revolute);
  CHECK(shoulder.parent == "world");
  CHECK(shoulder.child == "upper");
  CHECK(shoulder.axis.y == 1);
  CHECK(shoulder.on_parent.at.z == 2);
  CHECK(shoulder.on_child.at.x == -0.5);
  REQUIRE(shoulder.q);
  CHECK(near(shoulder.q->at(0), std::acos(-1.0) / 6, rounding(2)));
  REQUIRE(shoulder.spring);
  CHECK(shoulder.spring->k.at(0) == 12);
  CHECK(shoulder.damper.at(0) == 0.02);
  CHECK(shoulder.where.line == 15);

  CHECK(m.springs[0].from.body == "lower");
  CHECK(m.springs[0].length == 0.8);
  CHECK(m.simulate.until == 10);
  CHECK(m.simulate.output_step == 0.01);
  CHECK(m.simulate.integrator == "dop853");
}
