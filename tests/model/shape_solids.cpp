// Mass properties of solids against sums over slices, and how parts make a whole.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "near.hpp"
#include "sarrus/model/shape.hpp"

using namespace sarrus;
using sarrus::testing::near;
using sarrus::testing::rounding;

namespace {

Shape round(ShapeKind kind, double radius, double length) {
  Shape s;
  s.kind = kind;
  s.radius = radius;
  s.length = length;
  return s;
}

Shape box(const Vec3& size) {
  Shape s;
  s.size = size;
  return s;
}

/// A solid of revolution as a stack of discs of radius r(z), integrated by the midpoint rule.
MassProperties stack_of_discs(double from, double to, const std::function<double(double)>& r) {
  const double pi = std::numbers::pi;
  const int n = 20000;
  const double h = (to - from) / n;
  double m = 0, mz = 0, along = 0, across = 0;  // inertias about the origin
  for (int i = 0; i < n; ++i) {
    const double z = from + (i + 0.5) * h, r2 = r(z) * r(z), disc = pi * r2 * h;
    m += disc;
    mz += disc * z;
    along += disc * r2 / 2;
    across += disc * (r2 / 4 + z * z);
  }
  const double c = mz / m;
  across -= m * c * c;
  return {m, {0, 0, c}, {{across, 0, 0}, {0, across, 0}, {0, 0, along}}};
}

void check_equal(const MassProperties& a, const MassProperties& b, double tolerance) {
  CHECK(near(a.mass, b.mass, tolerance));
  for (int i = 0; i < 3; ++i) {
    CHECK(std::fabs(a.com[i] - b.com[i]) < tolerance);
    for (int j = 0; j < 3; ++j) {
      CAPTURE(i);
      CAPTURE(j);
      CHECK(std::fabs(a.inertia(i, j) - b.inertia(i, j)) < tolerance * trace(b.inertia));
    }
  }
}

}  // namespace

TEST_CASE("shape: a box of 1 by 2 by 3 m turns hardest about its shortest side") {
  const MassProperties p = mass_properties(box({1, 2, 3}), 2.0);
  CHECK(near(p.mass, 12, 1e-14));         // 2 kg/m³ · 6 m³
  CHECK(near(p.inertia.x.x, 13, 1e-14));  // m/12 (4 + 9)
  CHECK(near(p.inertia.y.y, 10, 1e-14));  // m/12 (1 + 9)
  CHECK(near(p.inertia.z.z, 5, 1e-14));   // m/12 (1 + 4)
  CHECK(p.inertia.x.y == 0);
}

TEST_CASE("shape: a solid of revolution is the sum of its discs") {
  const double r = 0.4, l = 1.3, rho = 7.0;
  const auto cap = [&](double z) {  // distance beyond the cylinder's end
    const double d = std::max(0.0, std::fabs(z) - l / 2);
    return std::sqrt(std::max(0.0, r * r - d * d));
  };
  const auto times = [](MassProperties p, double density) {
    return MassProperties{p.mass * density, p.com, p.inertia * density};
  };
  // midpoint rule with 20000 discs: (h/r)² = 3e-8 where the profile is smooth, and a cap's edge,
  // where the slope is infinite but r² is not, keeps that order
  const double tolerance = 1e-7;
  const auto solid = [&](ShapeKind kind) { return mass_properties(round(kind, r, l), rho); };
  SUBCASE("cylinder") {
    check_equal(solid(ShapeKind::cylinder),
                times(stack_of_discs(-l / 2, l / 2, [&](double) { return r; }), rho), tolerance);
  }
  SUBCASE("capsule") {
    check_equal(solid(ShapeKind::capsule), times(stack_of_discs(-l / 2 - r, l / 2 + r, cap), rho),
                tolerance);
  }
  SUBCASE("sphere") {
    const auto ball = [&](double z) { return std::sqrt(std::max(0.0, r * r - z * z)); };
    check_equal(solid(ShapeKind::sphere), times(stack_of_discs(-r, r, ball), rho), tolerance);
  }
  SUBCASE("cone") {
    const auto side = [&](double z) { return r * (1 - z / l); };
    check_equal(solid(ShapeKind::cone), times(stack_of_discs(0, l, side), rho), tolerance);
  }
}

TEST_CASE("shape: a capsule without a cylinder is a sphere, and one without caps a thin rod") {
  const auto ball = mass_properties(round(ShapeKind::sphere, 0.3, 0), 5);
  check_equal(mass_properties(round(ShapeKind::capsule, 0.3, 0), 5), ball, 1e-15);

  const auto rod = mass_properties(round(ShapeKind::capsule, 1e-6, 2), 1);
  CHECK(near(rod.inertia.x.x / rod.mass, 4.0 / 12, 1e-5));  // l²/12, r/l = 5e-7
}

TEST_CASE("shape: two halves make the whole") {
  const Pose<double> X = {rotation(Vec3{0.6, 0, 0.8}, 1.1), {3, -2, 5}};
  const MassProperties half = mass_properties(box({1, 2, 1.5}), 4);
  const auto low = transformed(X * Pose<double>{Mat3::identity(), {0, 0, -0.75}}, half);
  const auto high = transformed(X * Pose<double>{Mat3::identity(), {0, 0, 0.75}}, half);
  const auto whole = transformed(X, mass_properties(box({1, 2, 3}), 4));
  check_equal(combined({low, high}), whole, 1e-14);  // a few roundings of numbers near 10
}

TEST_CASE("shape: a hole is a part of negative mass") {
  // a box with a smaller one cut out of its middle has the difference of their inertias
  const auto outside = mass_properties(box({2, 2, 2}), 3);
  const auto hole = mass_properties(box({1, 1, 1}), -3);
  const auto hollow = combined({outside, hole});
  CHECK(near(hollow.mass, 3 * (8 - 1), rounding(4)));
  CHECK(near(hollow.inertia.y.y, 24 * 8.0 / 12 - 3 * 2.0 / 12, rounding(8)));
}

TEST_CASE("shape: two points at a distance turn as m d²/2 (Steiner)") {
  const MassProperties left{2, {-1.5, 0, 0}, {}}, right{2, {1.5, 0, 0}, {}};
  const auto pair = combined({left, right});
  CHECK(pair.com.x == 0);
  CHECK(pair.inertia.x.x == 0);
  CHECK(near(pair.inertia.y.y, 2 * 9 / 2.0, rounding(8)));
  CHECK(near(pair.inertia.z.z, 2 * 9 / 2.0, rounding(8)));
}

TEST_CASE("shape: turning a quarter about z exchanges x and y") {
  const auto p = mass_properties(box({1, 2, 3}), 2.0);
  const auto turned = transformed({rotation(Vec3{0, 0, 1}, std::numbers::pi / 2), {0, 0, 0}}, p);
  CHECK(near(turned.inertia.x.x, p.inertia.y.y, 1e-14));
  CHECK(near(turned.inertia.y.y, p.inertia.x.x, 1e-14));
  CHECK(near(turned.inertia.z.z, p.inertia.z.z, 1e-14));
  CHECK(std::fabs(turned.inertia.x.y) < 1e-14);  // cos 90° is 6e-17, not 0
}

TEST_CASE("shape: nothing has no mass and no centre") {
  const auto nothing = combined({});
  CHECK(nothing.mass == 0);
  CHECK(nothing.com.x == 0);
  CHECK(combined({{0, {7, 7, 7}, {}}}).com.x == 0);
}
