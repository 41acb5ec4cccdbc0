// Rotations: group laws, the exponential and its inverse, and the rate of the rotation vector.
#include "sarrus/spatial/rotation.hpp"

#include <doctest/doctest.h>

#include <numbers>

#include "near.hpp"
#include "spatial/random_motion.hpp"

using namespace sarrus;
using sarrus::testing::near;
using sarrus::testing::rounding;
using std::numbers::pi;

namespace {

constexpr double rounded = 1e-14;  // some tens of operations on numbers of size one

/// exp of [ξ]× by its power series: slow, and nothing but the definition.
Mat3 exponential_series(const Vec3& xi) {
  Mat3 sum = Mat3::identity(), term = Mat3::identity();
  for (int k = 1; k < 60; ++k) {
    term = term * skew(xi) * (1.0 / k);
    sum = sum + term;
  }
  return sum;
}

double orthogonality(const Mat3& R) { return apart(transpose(R) * R, Mat3::identity()); }

}  // namespace

TEST_CASE("rotation: exp of a rotation vector is the exponential series") {
  Random random(1);
  for (const double size : {1e-12, 1e-6, 1e-2, 0.5, 1.0, 2.0, 3.1, 6.0})
    for (int i = 0; i < 50; ++i) {
      const Vec3 xi = random_in_ball(random, size);
      // the series cancels terms of size e^θ
      CHECK(apart(rotation_exp(xi), exponential_series(xi)) < rounded * std::exp(norm(xi)));
    }
}

TEST_CASE("rotation: both sides of the threshold of the series agree") {
  // θ/2 = 1/2 is where the closed form takes over
  for (const double angle : {1.0 - 1e-15, 1.0, 1.0 + 1e-15}) {
    const Quat q = quaternion_exp(Vec3{angle, 0, 0});
    CHECK(near(q.w, std::cos(angle / 2), rounding(4)));
    CHECK(near(q.x, std::sin(angle / 2), rounding(4)));
  }
  CHECK(quaternion_exp(Vec3{}).w == 1);
  CHECK(quaternion_exp(Vec3{1e-200, 0, 0}).x == 5e-201);
}

TEST_CASE("rotation: exp about an axis is the rotation by that angle") {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Vec3 a = random_in_ball(random, 1);
    const Vec3 axis = a * (1 / norm(a));
    const double angle = random.uniform(-7, 7);
    CHECK(apart(rotation_exp(axis * angle), rotation(axis, angle)) < rounded);
    CHECK(apart(rotation(axis, angle) * axis, axis) < rounded);
    // where the trace is near 0, what is left of 1 and 2 cos is rounded to 1e-16
    CHECK(near(trace(rotation(axis, angle)), 1 + 2 * std::cos(angle), 1e-12));
  }
  // a quarter turn about z takes x to y
  CHECK(apart(rotation(Vec3{0, 0, 1}, pi / 2) * Vec3{1, 0, 0}, Vec3{0, 1, 0}) < 1e-16);
}

TEST_CASE("rotation: exp(log q) = q and log(exp ξ) = ξ for |ξ| < π") {
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    const Quat q = random_quaternion(random);
    const Vec3 xi = rotation_log(q);
    CHECK(norm(xi) <= pi + rounded);
    CHECK(apart(rotation_exp(xi), rotation(q)) < rounded);
  }
  for (const double size : {1e-300, 1e-9, 1e-4, 2e-3, 3e-3, 0.1, 1.0, 3.0, 3.14159}) {
    CAPTURE(size);
    for (int i = 0; i < 50; ++i) {
      const Vec3 u = random_in_ball(random, 1), xi = u * (size / norm(u));
      CHECK(apart(rotation_log(quaternion_exp(xi)), xi) <= 4e-15 * size);  // some ten roundings
    }
  }
}

TEST_CASE("rotation: a quaternion and its negative are one rotation") {
  Random random(4);
  for (int i = 0; i < 100; ++i) {
    const Quat q = random_quaternion(random), minus = {-q.w, -q.x, -q.y, -q.z};
    CHECK(apart(rotation(q), rotation(minus)) == 0);
    CHECK(apart(rotation_log(q), rotation_log(minus)) == 0);
  }
}

TEST_CASE("rotation: the matrix of a unit quaternion is proper and orthogonal") {
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    const Mat3 R = rotation(random_quaternion(random));
    CHECK(orthogonality(R) < rounded);
    CHECK(near(determinant(R), 1, rounding(20)));
  }
}

TEST_CASE("rotation: products and conjugates of quaternions are those of matrices") {
  Random random(6);
  for (int i = 0; i < 200; ++i) {
    const Quat a = random_quaternion(random), b = random_quaternion(random);
    CHECK(apart(rotation(a * b), rotation(a) * rotation(b)) < rounded);
    CHECK(apart(rotation(conjugate(a)), transpose(rotation(a))) < rounded);
  }
  // Hamilton: i j = k
  const Quat k = Quat{0, 1, 0, 0} * Quat{0, 0, 1, 0};
  CHECK(k.w == 0);
  CHECK(k.z == 1);
}

TEST_CASE("rotation: the quaternion of a matrix gives the matrix back, in all four cases") {
  Random random(7);
  for (int i = 0; i < 500; ++i) {
    const Mat3 R = rotation(random_quaternion(random));
    CHECK(apart(rotation(quaternion(R)), R) < rounded);
  }
  for (const Quat& q : {Quat{1, 0, 0, 0}, Quat{0, 1, 0, 0}, Quat{0, 0, 1, 0}, Quat{0, 0, 0, 1},
                        normalized(Quat{1e-9, 1, 1, 1}), normalized(Quat{1e-9, 0, 1, -1})})
    CHECK(apart(rotation(quaternion(rotation(q))), rotation(q)) < rounded);
}

TEST_CASE("rotation: the rate of the rotation vector is that of differences") {
  // R(t) = exp ξ(t) with body rate ω: over h, exp ξ(t + h) = exp ξ(t) exp(ω h) + O(h²)
  Random random(8);
  for (const double size : {1e-6, 0.1, 0.49, 0.51, 1.0, 2.0, 3.0}) {
    CAPTURE(size);
    for (int i = 0; i < 50; ++i) {
      const Vec3 u = random_in_ball(random, 1), xi = u * (size / norm(u)),
                 w = random_vector(random);
      const double h = 1e-5;
      const auto ahead = [&](double step) {
        return rotation_log(quaternion_exp(xi) * quaternion_exp(w * step));
      };
      const Vec3 difference = (ahead(h) - ahead(-h)) * (1 / (2 * h));
      // rounded eps/h and a cut-off of h² times a third derivative of order one
      CHECK(apart(rotation_vector_rate(xi, w), difference) < 1e-9);
    }
  }
}

TEST_CASE(
    "rotation: the rate of the rotation vector is exact with duals, also beyond half a turn") {
  // exp(ξ + ξ̇ ε) = exp ξ (1 + [ω]× ε): the rate put into exp gives the angular velocity back
  Random random(9);
  for (const double size : {1e-8, 0.3, 0.5, 1.0, 3.0, 4.0, 5.5}) {
    CAPTURE(size);
    for (int i = 0; i < 50; ++i) {
      const Vec3 u = random_in_ball(random, 1), xi = u * (size / norm(u)),
                 w = random_vector(random);
      const Vec3 r = rotation_vector_rate(xi, w);
      const auto R = rotation_exp(Vector3<Dual<double>>{{xi.x, r.x}, {xi.y, r.y}, {xi.z, r.z}});
      const auto derivative = [](const Vector3<Dual<double>>& c) {
        return Vec3{c.x.d, c.y.d, c.z.d};
      };
      const Mat3 Rdot = {derivative(R.x), derivative(R.y), derivative(R.z)};
      // 1/sin²(θ/2) towards a full turn
      CHECK(apart(Rdot, rotation_exp(xi) * skew(w)) < 5e-13);
    }
  }
}

TEST_CASE("rotation: a body that turns about its rotation vector changes that vector by its rate") {
  const Vec3 xi{0.3, -0.4, 1.2};
  CHECK(apart(rotation_vector_rate(xi, xi), xi) < 1e-15);  // a few roundings of numbers below 2
  CHECK(apart(rotation_vector_rate(Vec3{}, xi), xi) == 0);
}

TEST_CASE("rotation: z is turned into any given direction, and into main axes exactly") {
  Random random(10);
  for (int i = 0; i < 200; ++i) {
    const Vec3 a = random_in_ball(random, 1), axis = a * (1 / norm(a));
    const Mat3 R = rotation_from_z(axis);
    CHECK(apart(R * Vec3{0, 0, 1}, axis) < 1e-16);  // the axis is a column of R
    CHECK(orthogonality(R) < rounded);
    CHECK(near(determinant(R), 1, rounding(20)));
  }
  for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{-1, 0, 0},
                           Vec3{0, -1, 0}, Vec3{0, 0, -1}}) {
    CHECK(orthogonality(rotation_from_z(axis)) == 0);
    CHECK(determinant(rotation_from_z(axis)) == 1);
  }
}

TEST_CASE("rotation: every lane of a pack is the rotation of that lane") {
  Random random(11);
  for (int i = 0; i < 100; ++i) {
    Vector3<Pack<4>> xi{0.0, 0.0, 0.0};
    for (int k = 0; k < 4; ++k) {
      const Vec3 v = random_in_ball(random, k == 0 ? 1e-3 : 3);  // both sides of the threshold
      xi.x.set(k, v.x), xi.y.set(k, v.y), xi.z.set(k, v.z);
    }
    const Quaternion<Pack<4>> all = quaternion_exp(xi);
    for (int k = 0; k < 4; ++k) {
      const Quat one = quaternion_exp(Vec3{xi.x[k], xi.y[k], xi.z[k]});
      CHECK(all.w[k] == one.w);
      CHECK(all.x[k] == one.x);
      CHECK(all.y[k] == one.y);
      CHECK(all.z[k] == one.z);
    }
  }
}
