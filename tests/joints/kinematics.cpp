// Poses, columns and charts of the joints agree with each other: each is the derivative of the one
// before.
#include <doctest/doctest.h>

#include "joints/joint_states.hpp"
#include "near.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

constexpr double h =
    1e-5;  // central differences: h² of truncation, 1e-16/h of rounding, both 1e-10
constexpr double by_differences = 3e-9;  // with third derivatives up to 30 for the speeds used here

}  // namespace

TEST_CASE("joints: the pose moves with the twist of the columns") {
  Random r(1);
  for (const JointKind kind : all_kinds)
    for (int trial = 0; trial < 20; ++trial) {
      CAPTURE(static_cast<int>(kind));
      const JointState j = random_joint(r, kind);
      const Pose<double> X = j.pose(j.q), after = j.pose(j.moved(h)), before = j.pose(j.moved(-h));
      const Mat3 R_dot = (after.R - before.R) * (1 / (2 * h));
      const Twist<double> V = j.velocity(j.q);
      CHECK(apart(axial(R_dot * transpose(X.R)), V.w) < by_differences);
      CHECK(apart((after.p - before.p) * (1 / (2 * h)), V.v) < by_differences);
    }
}

TEST_CASE("joints: the bias is what the columns change as seen from the child") {
  Random r(2);
  for (const JointKind kind : all_kinds)
    for (int trial = 0; trial < 20; ++trial) {
      CAPTURE(static_cast<int>(kind));
      const JointState j = random_joint(r, kind);
      // d(S u)/dt in world axes, less what turns with the child
      const Twist<double> V = j.velocity(j.q);
      const Twist<double> change =
          (j.velocity(j.moved(h)) - j.velocity(j.moved(-h))) * (1 / (2 * h));
      const Twist<double> seen{change.w, change.v - cross(V.w, V.v)};
      Twist<double> bias{};
      with_joint(kind, [&](auto joint) {
        if constexpr (BiasedJoint<decltype(joint)>) {
          Twist<double> rates[6];
          joint.column_rates(j.numbers, j.R_F, j.pose(j.q).R, j.u.data(), rates);
          for (int k = 0; k < joint.nu; ++k) bias += rates[k] * j.u[k];
        }
      });
      CHECK(apart(seen, bias) < 5 * by_differences);
    }
}

TEST_CASE("joints: a rolling disk touches the plane with a point that rests") {
  Random r(3);
  for (int trial = 0; trial < 20; ++trial) {
    const JointState j = random_joint(r, JointKind::rolling_disk);
    const Vec3 contact = RollingDisk::contact(j.numbers, j.R_F.z, j.pose(j.q).R);
    const Twist<double> V = j.velocity(j.q);
    CHECK(norm(V.v + cross(V.w, contact)) < 1e-14);
    CHECK(near(norm(contact), j.numbers.size, 1e-14));
    // the lowest point of the disk: across its axis, downward
    CHECK(std::fabs(dot(contact, j.pose(j.q).R * j.numbers.axis)) < 1e-14);
    CHECK(dot(contact, j.R_F.z) < 0);
  }
}

TEST_CASE("charts: the rate is the derivative of the way back to the configuration") {
  Random r(4);
  for (const JointKind kind : all_kinds)
    for (int trial = 0; trial < 20; ++trial) {
      CAPTURE(static_cast<int>(kind));
      const JointState j = random_joint(r, kind);
      // at ξ ≠ 0 the velocity v must give the same motion as at the base q₀ ⊕ ξ
      std::vector<double> xi(8), at(8), v(8), rate(8), step(8), ahead(8), behind(8);
      for (double& x : xi) x = r.uniform(-0.7, 0.7);
      retract(kind, j.q.data(), xi.data(), at.data());
      chart_velocity(kind, j.numbers, at.data(), j.u.data(), v.data());
      chart_rate(kind, xi.data(), v.data(), rate.data());
      const auto along = [&](double time, std::vector<double>& q) {
        for (size_t i = 0; i < 8; ++i) step[i] = xi[i] + time * rate[i];
        retract(kind, j.q.data(), step.data(), q.data());
      };
      along(h, ahead), along(-h, behind);
      const Pose<double> X = j.pose(at), after = j.pose(ahead), before = j.pose(behind);
      const Mat3 R_dot = (after.R - before.R) * (1 / (2 * h));
      const Twist<double> V = j.velocity(at);
      CHECK(apart(axial(R_dot * transpose(X.R)), V.w) < by_differences);
      CHECK(apart((after.p - before.p) * (1 / (2 * h)), V.v) < by_differences);
    }
}

TEST_CASE("charts: the velocity of a rate is the inverse of the rate of a velocity") {
  Random r(5);
  for (const JointKind kind : all_kinds)
    for (int trial = 0; trial < 50; ++trial) {
      CAPTURE(static_cast<int>(kind));
      std::vector<double> xi(8), v(8), rate(8), back(8);
      for (double& x : xi) x = r.uniform(-1.5, 1.5);
      for (double& x : v) x = r.uniform(-2, 2);
      chart_rate(kind, xi.data(), v.data(), rate.data());
      chart_velocity_of_rate(kind, xi.data(), rate.data(), back.data());
      for (size_t i = 0; i < static_cast<size_t>(joint_nx(kind)); ++i)
        CHECK(std::fabs(back[i] - v[i]) <
              1e-13);  // |ξ| up to 2.6: the tangent map has a condition of 5
    }
}

TEST_CASE("charts: quaternions keep their norm over a million retractions") {
  Random r(6);
  for (const JointKind kind : {JointKind::spherical, JointKind::free, JointKind::rolling_disk}) {
    JointState j = random_joint(r, kind);
    std::vector<double> xi(8), to(8);
    for (double& x : xi) x = r.uniform(-0.01, 0.01);
    double worst = 0;
    for (int k = 0; k < 1'000'000 / 3; ++k) {
      retract(kind, j.q.data(), xi.data(), to.data());
      j.q = to;
      worst = std::max(
          worst, std::fabs(std::hypot(std::hypot(to[0], to[1]), std::hypot(to[2], to[3])) - 1));
    }
    CHECK(worst < 1e-15 * 4);  // normalised in every step: a few units in the last place
  }
}

TEST_CASE("joints: at the zero configuration the child's frame is the parent's") {
  Random r(7);
  for (const JointKind kind : all_kinds) {
    JointState j = random_joint(r, kind);
    zero_configuration(kind, j.q.data());
    CHECK(apart(j.pose(j.q), Pose<double>{j.R_F, {}}) < 1e-15);  // no angle, no rounding but of R_F
  }
}
