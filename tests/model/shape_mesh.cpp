// Mass properties of meshes against the solids they enclose.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "model/meshes.hpp"
#include "near.hpp"

using namespace sarrus;
using sarrus::testing::near;
using sarrus::testing::rounding;

namespace {

const Pose<double> anywhere = {rotation(Vec3{2.0 / 3, -1.0 / 3, 2.0 / 3}, 0.7), {4, -3, 2}};

double distance(const MassProperties& a, const MassProperties& b) {
  double d = std::fabs(a.mass - b.mass) + norm(a.com - b.com);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) d += std::fabs(a.inertia(i, j) - b.inertia(i, j));
  return d;
}

}  // namespace

TEST_CASE("mesh: twelve triangles weigh as much as the box they enclose, wherever it is") {
  Shape box;
  box.size = {1, 2, 3};
  const auto expected = transformed(anywhere, mass_properties(box, 2));
  const auto found = mass_properties(mesh_shape(moved(anywhere, box_mesh(box.size))), 2);
  CHECK(distance(found, expected) < 1e-12);  // sums of 12 numbers near 100, rounded
}

TEST_CASE("mesh: a corner of the unit cube has the moments of a tetrahedron") {
  Mesh corner;
  corner.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  corner.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  REQUIRE(is_closed(corner));
  const auto p = mass_properties(mesh_shape(corner), 1);
  CHECK(near(p.mass, 1.0 / 6, 1e-14));
  CHECK(near(p.com.x, 0.25, 1e-14));
  // ∫x² = 1/60, ∫xy = 1/120, less m c² = 1/96
  CHECK(near(p.inertia.x.x, 2.0 / 60 - 2.0 / 96, 1e-14));
  CHECK(near(p.inertia.x.y, -(1.0 / 120 - 1.0 / 96), 1e-14));
}

TEST_CASE("mesh: a globe tends to the sphere with the square of its triangles' size") {
  const double r = 0.5;
  Shape ball;
  ball.kind = ShapeKind::sphere;
  ball.radius = r;
  const auto exact = transformed(anywhere, mass_properties(ball, 1000));
  const auto missing = [&](int n) {
    const auto p = mass_properties(mesh_shape(moved(anywhere, sphere_mesh(r, n))), 1000);
    return std::pair{1 - p.mass / exact.mass, 1 - p.inertia.y.y / exact.inertia.y.y};
  };
  const auto [coarse_mass, coarse_inertia] = missing(32);
  const auto [fine_mass, fine_inertia] = missing(64);
  CHECK(fine_mass < 2e-3);  // π²/(2·64²), and as much again for the other direction
  CHECK(fine_mass > 0);     // the globe lies inside
  CHECK(near(coarse_mass / fine_mass, 4, 0.01));  // next term: (1/32)⁴
  CHECK(near(coarse_inertia / fine_inertia, 4, 0.01));
}

TEST_CASE("mesh: a far-away box keeps its digits") {
  const Pose<double> far = {Mat3::identity(), {1e6, 1e6, -1e6}};
  const auto p = mass_properties(mesh_shape(moved(far, box_mesh({1, 2, 3}))), 2);
  // coordinates near 1e6 are themselves exact here; about the world's origin d would lose 18 digits
  CHECK(near(p.mass, 12, 1e-12));
  CHECK(near(p.inertia.x.x, 13, 1e-12));
}

TEST_CASE("mesh: a surface turned inside out encloses a negative volume and gives no mass") {
  const Mesh box = moved(anywhere, box_mesh({1, 2, 3}));
  CHECK(near(volume(box), 6, rounding(12)));
  CHECK(near(volume(inside_out(box)), -6, rounding(12)));

  Shape shape = mesh_shape(inside_out(box));
  shape.file = "pump.stl";
  shape.where = {"crane.toml", 12, 3};
  try {
    mass_properties(shape, 1000);
    FAIL("a negative volume was used");
  } catch (const Error& e) {
    CHECK(e.exit_code() == 4);
    CHECK(e.diagnostics().at(0).where.line == 12);
    CHECK(std::string(e.what()).find("'pump.stl' encloses -6") != std::string::npos);
  }
}

TEST_CASE("mesh: nothing encloses no volume and gives no mass") {
  CHECK(volume({}) == 0);
  CHECK_THROWS_AS(mass_properties(mesh_shape({}), 1), Error);
}

TEST_CASE(
    "mesh: a surface is closed if each edge joins two triangles that go along it oppositely") {
  const Mesh box = box_mesh({1, 1, 1});
  CHECK(is_closed(box));
  CHECK(is_closed(inside_out(box)));
  CHECK(is_closed(sphere_mesh(1, 8)));
  CHECK_FALSE(is_closed({}));

  Mesh open = box;
  open.triangles.pop_back();
  CHECK_FALSE(is_closed(open));

  Mesh one_turned = box;
  std::swap(one_turned.triangles[3].a, one_turned.triangles[3].b);
  CHECK_FALSE(is_closed(one_turned));

  Mesh twice = box;
  twice.triangles.push_back(box.triangles[0]);
  CHECK_FALSE(is_closed(twice));

  Mesh with_a_line = box;  // a triangle that has shrunk to an edge changes nothing
  with_a_line.triangles.push_back({0, 0, 1});
  CHECK(is_closed(with_a_line));
}
