// Vectors and matrices: the identities that define them, at random.
#include "sarrus/spatial/vector.hpp"

#include <doctest/doctest.h>

#include "spatial/random_motion.hpp"

using namespace sarrus;

namespace {

constexpr double rounded_ones = 1e-14;

Mat3 random_matrix(Random& random) {
  return {random_vector(random), random_vector(random), random_vector(random)};
}
Sym3 random_symmetric(Random& random) {
  const auto r = [&] { return random.uniform(-1, 1); };
  return {r(), r(), r(), r(), r(), r()};
}

}  // namespace

TEST_CASE("vectors: cross products obey Lagrange, Jacobi and the triple product") {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const Vec3 a = random_vector(random), b = random_vector(random), c = random_vector(random);
    const Vec3 ab = cross(a, b);
    CHECK(std::fabs(dot(ab, ab) - (dot(a, a) * dot(b, b) - dot(a, b) * dot(a, b))) < rounded_ones);
    CHECK(apart(cross(a, cross(b, c)), b * dot(a, c) - c * dot(a, b)) < rounded_ones);
    CHECK(apart(cross(a, cross(b, c)) + cross(b, cross(c, a)) + cross(c, cross(a, b)), Vec3{}) <
          rounded_ones);
    CHECK(apart(skew(a) * b, ab) == 0);
    CHECK(apart(cross(b, a), -ab) == 0);
  }
  CHECK(apart(cross(Vec3{1, 0, 0}, Vec3{0, 1, 0}), Vec3{0, 0, 1}) == 0);
  CHECK(norm(Vec3{2, 3, 6}) == 7);
}

TEST_CASE("matrices: products, transposes and determinants fit together") {
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const Mat3 A = random_matrix(random), B = random_matrix(random);
    const Vec3 v = random_vector(random);
    CHECK(apart((A * B) * v, A * (B * v)) < rounded_ones);
    CHECK(apart(transpose(A * B), transpose(B) * transpose(A)) < rounded_ones);
    CHECK(apart(transposed_times(A, v), transpose(A) * v) < rounded_ones);
    CHECK(std::fabs(determinant(A * B) - determinant(A) * determinant(B)) < rounded_ones);
    CHECK(std::fabs(trace(A * B) - trace(B * A)) < rounded_ones);
    CHECK(apart(A - B + B, A) < rounded_ones);
    CHECK(A(0, 2) == A.z.x);
    CHECK(A(2, 0) == A.x.z);
  }
}

TEST_CASE("symmetric matrices: rotated is R S Rᵀ, and keeps trace and determinant") {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const Sym3 S = random_symmetric(random);
    const Mat3 R = rotation(random_quaternion(random));
    const Vec3 v = random_vector(random);
    const Sym3 turned = rotated(R, S);
    CHECK(apart(turned.full(), R * S.full() * transpose(R)) < rounded_ones);
    CHECK(std::fabs(trace(turned.full()) - trace(S.full())) < rounded_ones);
    CHECK(std::fabs(determinant(turned.full()) - determinant(S.full())) < rounded_ones);
    CHECK(apart(S * v, S.full() * v) < rounded_ones);
    CHECK(apart(symmetric(S.full()).full(), S.full()) == 0);
    const Mat3 M = random_matrix(random);
    CHECK(apart(symmetric(M).full(), (M + transpose(M)) * 0.5) < rounded_ones);
  }
}
