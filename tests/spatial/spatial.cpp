// Poses, twists, wrenches and inertias: group laws, power that no change of frame alters, and the
// motion of points.
#include "sarrus/spatial/spatial.hpp"

#include <doctest/doctest.h>

#include "near.hpp"
#include "spatial/random_motion.hpp"

using namespace sarrus;
using sarrus::testing::near;
using sarrus::testing::rounding;

namespace {

constexpr double rounded_tens = 1e-13;  // numbers of size ten

}  // namespace

TEST_CASE("poses: they form a group that acts on points") {
  Random random(1);
  const Pose<double> identity;
  for (int i = 0; i < 200; ++i) {
    const Pose<double> A = random_pose(random), B = random_pose(random), C = random_pose(random);
    const Vec3 x = random_vector(random, 5);
    CHECK(apart((A * B) * C, A * (B * C)) < rounded_tens);
    CHECK(apart(A * inverse(A), identity) < rounded_tens);
    CHECK(apart(inverse(A) * A, identity) < rounded_tens);
    CHECK(apart(inverse(A * B), inverse(B) * inverse(A)) < rounded_tens);
    CHECK(apart((A * B) * x, A * (B * x)) < rounded_tens);
    CHECK(apart(A * identity, A) == 0);
  }
}

TEST_CASE("twists and wrenches: power does not depend on the point or the axes") {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Twist<double> V = random_twist(random);
    const Wrench<double> F = random_wrench(random);
    const Vec3 r = random_vector(random, 3);
    const Mat3 R = rotation(random_quaternion(random));
    const double power = dot(V, F);
    CHECK(std::fabs(dot(rotated(R, V), rotated(R, F)) - power) < rounded_tens);
    // V at A, F at B = A + r: move the twist out or the wrench in
    CHECK(std::fabs(dot(shifted_out(V, r), F) - dot(V, shifted_in(F, r))) < rounded_tens);
    CHECK(apart(shifted_out(shifted_out(V, r), -r), V) < rounded_tens);
    CHECK(apart(shifted_in(shifted_in(F, r), -r), F) < rounded_tens);
  }
}

TEST_CASE("twists: cross products are dual to each other and obey Jacobi") {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const Twist<double> U = random_twist(random), V = random_twist(random),
                        W = random_twist(random);
    const Wrench<double> F = random_wrench(random);
    // (V × m) · F = −m · (V ×* F)
    CHECK(std::fabs(dot(cross_motion(V, W), F) + dot(W, cross_force(V, F))) < rounded_tens);
    CHECK(apart(cross_motion(V, V), Twist<double>{}) == 0);
    const Twist<double> sum = cross_motion(U, cross_motion(V, W)) +
                              cross_motion(V, cross_motion(W, U)) +
                              cross_motion(W, cross_motion(U, V));
    CHECK(apart(sum, Twist<double>{}) < rounded_tens);
    // rotation of axes and cross product change places
    const Mat3 R = rotation(random_quaternion(random));
    CHECK(apart(rotated(R, cross_motion(V, W)), cross_motion(rotated(R, V), rotated(R, W))) <
          rounded_tens);
    CHECK(apart(rotated(R, cross_force(V, F)), cross_force(rotated(R, V), rotated(R, F))) <
          rounded_tens);
  }
}

TEST_CASE("twists: the twist of a moving frame moves its points as differences say") {
  Random random(4);
  for (int i = 0; i < 100; ++i) {
    const Pose<double> X = random_pose(random);
    const Vec3 w = random_vector(random), v = random_vector(random), r = random_vector(random);
    const double h = 1e-5;
    // body axes: R(t) = R exp([w] t), origin moving at R v
    const auto at = [&](double t) {
      return Pose<double>{X.R * rotation_exp(w * t), X.p + X.R * v * t};
    };
    const Vec3 difference = (at(h) * r - at(-h) * r) * (1 / (2 * h));
    const Twist<double> there = shifted_out(Twist<double>{w, v}, r);
    CHECK(apart(X.R * there.v, difference) < 1e-9);  // rounded/h, and h²
  }
}

TEST_CASE("inertia: the momentum of a body is the sum over its particles") {
  Random random(5);
  for (int trial = 0; trial < 50; ++trial) {
    BodyInertia<double> B{};
    ArticulatedInertia<double> A{};
    const Twist<double> V = random_twist(random);
    Wrench<double> momentum{};
    double energy = 0;
    for (int k = 0; k < 5; ++k) {
      const double m = random.uniform(0.1, 2);
      const Vec3 r = random_vector(random);
      const Mat3 rx = skew(r);
      const Sym3 I = symmetric(transpose(rx) * rx * m);
      B.m += m, B.mc += r * m, B.I += I;
      A.I += I, A.H = A.H + rx * m, A.M += Sym3{m, m, m, 0, 0, 0};
      const Vec3 velocity = V.v + cross(V.w, r);
      momentum += Wrench<double>{cross(r, velocity * m), velocity * m};
      energy += m * dot(velocity, velocity) / 2;
    }
    CHECK(apart(B * V, momentum) < rounded_tens);
    CHECK(apart(A * V, momentum) < rounded_tens);
    CHECK(near(dot(V, B * V) / 2, energy, rounding(100)));  // six products of six, with signs
  }
}
