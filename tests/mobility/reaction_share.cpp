// Redundant joints, as springs between rigid bodies would share the load: a door on
// two hinges of one vertical axis, H apart, its centre of mass c beside them.
//
// Weight W and moment M = W c stand against forces along z, forces ∓F across and moments n₁, n₂:
//
//   W = f₁ + f₂,   M = H F + n₁ + n₂
//   Σ f²/k + F² (1/k₁ + 1/k₂) + Σ n²/(l² k)  smallest            l: the length of the mechanism
//   f = W k/(k₁ + k₂)                                                                        (1)
//   n = μ l² k/2,  F = μ H k₁ k₂/(2 (k₁ + k₂)),  μ (H² k₁ k₂/(k₁ + k₂) + l² (k₁ + k₂)) = 2 M (2)
#include "sarrus/mobility/reaction_share.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "instant.hpp"
#include "near.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

constexpr double H = 1.5, c = 0.4, mass = 2, g = 9.81, W = mass * g;
constexpr double solved = 1e-10;  // normal equations of twelve rows, refined three times

Model door(JointType low, JointType high, double k1 = 0, double k2 = 0) {
  Model model;
  model.bodies = {ball("door", mass, 0.1, {c, 0, 0})};
  model.joints = {joint("low", low, "world", "door"), joint("high", high, "world", "door")};
  model.joints[1].on_parent.at = model.joints[1].on_child.at = {0, 0, H};
  model.joints[0].stiffness = k1, model.joints[1].stiffness = k2;
  return model;
}

}  // namespace

TEST_CASE("shares: a door's hinges carry what springs of their stiffness would") {
  for (const auto& [k1, k2] : {std::pair{0.0, 0.0}, {3e6, 1e6}, {1e5, 7e7}}) {
    CAPTURE(k1);
    const Mechanism m = compile(door(JointType::revolute, JointType::revolute, k1, k2));
    const Snapshot d = started(m);
    ReactionShare share(m);
    const auto& corrections = share.corrections(d);
    REQUIRE(corrections.size() == 2);
    CHECK(share.shared() == std::vector<std::string>{"low", "high"});

    // what one gives up the other takes
    const Wrench<double> low = corrections.at(0), high = corrections.at(1);
    CHECK(within(low.f + high.f, Vec3{}, solved * W));
    CHECK(within(low.n + high.n + cross(Vec3{0, 0, H}, high.f), Vec3{}, solved * W * H));

    const double a = k1 > 0 ? k1 : 1, b = k2 > 0 ? k2 : 1, sum = a + b;
    const double l = constraint_matrix(d).length, M = -W * c;  // about y
    const double mu = 2 * M / (H * H * a * b / sum + l * l * sum);
    const Wrench<double> carried = d.reaction[1] + low;
    CHECK(near(carried.f.z, W * a / sum, solved));                  // (1)
    CHECK(near(carried.f.x, -mu * H * a * b / (2 * sum), solved));  // (2)
    CHECK(near(carried.n.y, mu * l * l * a / 2, solved));           // (2)
    CHECK(within(carried.f.y, 0, solved * W));
    CHECK(within(Vec3{carried.n.x, 0, carried.n.z}, Vec3{}, solved * W * H));
  }
}

TEST_CASE("shares: what only one joint can carry stays where it is") {
  // a ball below and a slide above leave nothing to share
  Model unique = door(JointType::spherical, JointType::revolute);
  unique.joints.pop_back();
  ConstraintSpec line;
  line.name = "line";
  line.type = ConstraintType::point_on_line;
  line.from = PointSpec{"world", {}, {0, 0, H}};
  line.to = PointSpec{"door", {}, {0, 0, H}};
  line.axis = {0, 0, 1};
  unique.constraints = {line};
  const Mechanism held = compile(unique);
  ReactionShare share(held);
  CHECK(share.corrections(started(held)).empty());
  CHECK(share.shared().empty());
  // and so does a tree
  Model tree = door(JointType::revolute, JointType::revolute);
  tree.joints.pop_back();
  const Mechanism alone = compile(tree);
  ReactionShare none(alone);
  CHECK(none.corrections(started(alone)).empty());
  CHECK(none.shared().empty());
}

TEST_CASE("shares: they are computed for up to two hundred bodies, and beyond it is said") {
  CHECK(ReactionShare(compile(rods(most_bodies_shared))).is_possible());
  const Mechanism many = compile(rods(most_bodies_shared + 1));
  ReactionShare share(many);
  CHECK_FALSE(share.is_possible());
  CHECK(share.corrections(started(many)).empty());
}
