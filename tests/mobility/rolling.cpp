// Degrees of freedom of what rolls, in position and in velocity.
#include <doctest/doctest.h>

#include <cmath>

#include "builders.hpp"
#include "linked.hpp"
#include "sarrus/mobility/mobility.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

BodySpec round_body(const std::string& name) {
  BodySpec b;
  b.name = name;
  b.mass = 1;
  b.inertia = Mat3{{0.1, 0, 0}, {0, 0.15, 0}, {0, 0, 0.1}};
  return b;
}

Mobility at_start(const Model& model) {
  const Mechanism m = compile(model);
  return mobility(m, {0, m.start.q, m.start.u, m.start_state});
}

}  // namespace

TEST_CASE("mobility: a bicycle on a rolling wheel has three velocities and seven positions") {
  // the rear wheel as a joint, the front one as a constraint: one height each is held
  const double r = 0.3, w = 1;
  Model model;
  model.bodies = {round_body("rear"), round_body("frame"), round_body("fork"), round_body("front")};
  JointSpec rear = joint("rear_tyre", JointType::rolling_disk, "world", "rear", {0, 1, 0});
  rear.radius = r;
  rear.q = std::vector<double>{1, 0, 0, 0, 0, 0, r};
  model.joints = {
      rear, joint("rear_axle", JointType::revolute, "rear", "frame", {0, 1, 0}),
      joint("steer", JointType::revolute, "frame", "fork", {-0.28, 0, 0.96}, {w, 0, 0.1}),
      joint("front_axle", JointType::revolute, "fork", "front", {0, 1, 0}, {-0.05, 0, -0.1})};
  ConstraintSpec tyre;
  tyre.name = "front_tyre";
  tyre.type = ConstraintType::rolling_disk;
  tyre.to.body = "front";
  tyre.direction = {0, 1, 0};
  tyre.radius = r;
  model.constraints = {tyre};
  const Mobility found = at_start(model);
  CHECK(found.freedoms == 3);
  CHECK(found.position_freedoms == 7);
  CHECK(found.redundant == 0);
}

TEST_CASE("mobility: a disk has five positions, a sleigh three") {
  Model disk;
  disk.bodies = {round_body("disk")};
  JointSpec floor = joint("floor", JointType::rolling_disk, "world", "disk", {0, 1, 0});
  floor.radius = 0.3;
  floor.q = std::vector<double>{std::cos(0.2), std::sin(0.2), 0, 0, 0, 0, 0.3 * std::cos(0.4)};
  disk.joints = {floor};
  CHECK(at_start(disk).freedoms == 3);
  CHECK(at_start(disk).position_freedoms == 5);

  Model sleigh;
  sleigh.bodies = {round_body("sleigh")};
  JointSpec edge = joint("edge", JointType::knife_edge, "world", "sleigh", {0, 0, 1});
  edge.axis2 = {1, 0, 0};
  edge.q = std::vector<double>{0.4, 0, 0};
  sleigh.joints = {edge};
  CHECK(at_start(sleigh).freedoms == 2);
  CHECK(at_start(sleigh).position_freedoms == 3);
}
