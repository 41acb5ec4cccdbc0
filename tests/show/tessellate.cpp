// Surfaces of shapes: closed, turned outwards, and as large as the shape.
#include "sarrus/show/tessellate.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "near.hpp"

using namespace sarrus;
using sarrus::testing::near;
using sarrus::testing::rounding;

namespace {

constexpr double pi = std::numbers::pi;

Shape shape_of(ShapeKind kind) {
  Shape s;
  s.kind = kind;
  s.size = {1, 2, 3};
  s.radius = 0.5;
  s.length = 1.5;
  return s;
}

/// By the signed tetrahedra over the triangles; positive only where they are turned outwards.
double volume_of(const Surface& s) {
  double six = 0;
  for (size_t i = 0; i < s.corners.size(); i += 3)
    six +=
        dot(s.points[s.corners[i]], cross(s.points[s.corners[i + 1]], s.points[s.corners[i + 2]]));
  return six / 6;
}

double exact_volume(ShapeKind kind) {
  const double r = 0.5, l = 1.5;
  switch (kind) {
    case ShapeKind::box: return 6;
    case ShapeKind::cylinder: return pi * r * r * l;
    case ShapeKind::cone: return pi * r * r * l / 3;
    case ShapeKind::sphere: return 4 * pi * r * r * r / 3;
    case ShapeKind::capsule: return pi * r * r * l + 4 * pi * r * r * r / 3;
    case ShapeKind::mesh: return 0;
  }
  return 0;
}

}  // namespace

TEST_CASE("tessellate: volumes tend to those of the shapes with the square of the faces' size") {
  for (const ShapeKind kind :
       {ShapeKind::cylinder, ShapeKind::cone, ShapeKind::sphere, ShapeKind::capsule}) {
    CAPTURE(static_cast<int>(kind));
    const double exact = exact_volume(kind);
    const double coarse = exact - volume_of(tessellate(shape_of(kind), 32));
    const double fine = exact - volume_of(tessellate(shape_of(kind), 64));
    CHECK(coarse > 0);                    // inscribed
    CHECK(near(coarse / fine, 4, 0.02));  // next term: (1/32)²
  }
  CHECK(near(volume_of(tessellate(shape_of(ShapeKind::box))), 6, rounding(12)));
}

TEST_CASE("tessellate: normals have length one and agree with their triangles") {
  for (const ShapeKind kind : {ShapeKind::box, ShapeKind::cylinder, ShapeKind::cone,
                               ShapeKind::sphere, ShapeKind::capsule}) {
    CAPTURE(static_cast<int>(kind));
    const Surface s = tessellate(shape_of(kind), 24);
    REQUIRE(s.points.size() == s.normals.size());
    for (const Vec3& n : s.normals) CHECK(near(dot(n, n), 1, rounding(8)));
    for (size_t i = 0; i < s.corners.size(); i += 3) {
      const Vec3 &a = s.points[s.corners[i]], &b = s.points[s.corners[i + 1]],
                 &c = s.points[s.corners[i + 2]];
      const Vec3 across = cross(b - a, c - a);
      if (dot(across, across) == 0) continue;  // at the poles two corners meet
      for (size_t k = 0; k < 3; ++k) CHECK(dot(across, s.normals[s.corners[i + k]]) > 0);
    }
  }
}
