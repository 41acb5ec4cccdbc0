#include "sarrus/elastic/solid_surface.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "near.hpp"
#include "solid_meshes.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

const Vec3 sides{1, 0.3, 0.2};  // [m]

SolidSpec bar(SolidElementType type) {
  return bar_solid(bar_mesh(type, {4, 2, 1}, sides), material_of(1e9, 0.3, 1000), 3, true);
}

/// Σ a·(b × c)/6: the volume inside a closed surface, negative where it is inside out.
double volume_inside(const SolidSurface& s) {
  double v = 0;
  for (const auto& [a, b, c] : s.triangles) {
    const auto p = [&](int i) { return s.points[i]; };
    v += dot(p(a), cross(p(b), p(c))) / 6;
  }
  return v;
}

}  // namespace

TEST_CASE("solid skin: it is closed, seen from outside, and holds the volume of the body") {
  for (const SolidElementType type : all_types) {
    CAPTURE(to_text(type));
    const SolidSpec spec = bar(type);
    const SolidSurface s = solid_surface(spec, {});
    CHECK(near(volume_inside(s), sides.x * sides.y * sides.z,
               rounding(100)));  // a sum over the triangles
    CHECK(s.triangles.size() == surface_triangles(*spec.mesh));
    // Euler: points − edges + triangles = 2, and each triangle has three halves of edges
    const auto points = static_cast<long>(s.points.size());
    const auto triangles = static_cast<long>(s.triangles.size());
    CHECK(points - 3 * triangles / 2 + triangles == 2);
  }
}

TEST_CASE("solid skin: where a joint sits it moves as the joint's place does") {
  for (const SolidElementType type : all_types) {
    CAPTURE(to_text(type));
    const SolidSpec spec = bar(type);
    const Vec3 inboard{0, 0, 0}, outboard{sides.x, 0, 0};
    const ElasticSolid solid(spec, inboard);
    const SolidSurface s = solid_surface(spec, solid.clamp());
    const ElasticPlace place = solid.place(outboard);
    REQUIRE(s.n == solid.body().n);
    size_t at_clamp = 0, at_end = 0;
    for (size_t i = 0; i < s.points.size(); ++i)
      for (int k = 0; k < s.n; ++k) {
        const auto kk = static_cast<size_t>(k);
        const Vec3 moved = s.phi[kk * s.points.size() + i];
        if (s.points[i].x == 0) {
          CHECK(norm(moved) == 0);
          ++at_clamp;
        }
        if (std::fabs(s.points[i].x - sides.x) > 1e-12) continue;
        const Vec3 r = s.points[i] - *solid.carrier(outboard);
        // the largest displacement of a mode is 1
        CHECK(norm(moved - place.phi[kk] - cross(place.psi[kk], r)) < 1e-12);
        ++at_end;
      }
    CHECK(at_clamp > 0);
    CHECK(at_end > 0);
  }
}

TEST_CASE("solid skin: it is straight without coordinates and goes with each of them") {
  const SolidSurface s = solid_surface(bar(SolidElementType::tet4), {});
  std::vector<double> q(s.n, 0);
  CHECK(norm(s.bent(q.data())[3] - s.points[3]) == 0);
  q[1] = 0.01;
  const std::vector<Vec3> bent = s.bent(q.data());
  double most = 0;
  for (size_t i = 0; i < bent.size(); ++i) most = std::max(most, norm(bent[i] - s.points[i]));
  CHECK(near(most, 0.01, 1e-14));  // the basis is scaled so that its largest is 1
}
