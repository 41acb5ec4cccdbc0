#include "sarrus/elastic/solid_field.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "elastic_balance.hpp"
#include "near.hpp"
#include "sarrus/core/random.hpp"
#include "sarrus/elastic/solid.hpp"
#include "solid_meshes.hpp"

using namespace sarrus;
using namespace sarrus::testing;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

/// Nodal values of a field.
template <class Field>
MatrixXd nodal(const SolidMesh& mesh, Field field) {
  MatrixXd u(3 * static_cast<Eigen::Index>(mesh.nodes.size()), 1);
  for (size_t i = 0; i < mesh.nodes.size(); ++i) {
    const Vec3& x = mesh.nodes[i];
    u.block<3, 1>(3 * static_cast<Eigen::Index>(i), 0) = field(Vector3d(x.x, x.y, x.z));
  }
  return u;
}

Vector3d eigen(const Vec3& v) { return {v.x, v.y, v.z}; }

/// What a force at a place makes of the coordinates: K q = Φᵀ f.
VectorXd bent_by(const ElasticBody& body, const ElasticPlace& place, const Vec3& force) {
  VectorXd load(body.n);
  for (int k = 0; k < body.n; ++k) load[k] = dot(place.phi[k], force);
  return Eigen::Map<const MatrixXd>(body.K.data(), body.n, body.n).ldlt().solve(load);
}

double moved(const ElasticPlace& place, const VectorXd& q, int axis) {
  double sum = 0;
  for (Eigen::Index k = 0; k < q.size(); ++k) sum += place.phi[k][axis] * q[k];
  return sum;
}
double turned(const ElasticPlace& place, const VectorXd& q, int axis) {
  double sum = 0;
  for (Eigen::Index k = 0; k < q.size(); ++k) sum += place.psi[k][axis] * q[k];
  return sum;
}
double stress(const std::vector<std::array<double, 6>>& rows, const VectorXd& q, size_t part) {
  double sum = 0;
  for (Eigen::Index k = 0; k < q.size(); ++k) sum += rows[k][part] * q[k];
  return sum;
}

}  // namespace

TEST_CASE("solid field: a linear displacement is read exactly at any point, with its gradient") {
  Eigen::Matrix3d A;
  A << 1, 0.3, -0.2, 0.1, -0.7, 0.4, 0.5, -0.1, 0.2;
  const Vector3d b(0.1, -2, 3);
  Random random(11);
  for (const SolidElementType type : all_types) {
    CAPTURE(to_text(type));
    const SolidMesh mesh = bar_mesh(type, {3, 2, 2}, {3, 1, 2});
    const MatrixXd u = nodal(mesh, [&](const Vector3d& x) -> Vector3d { return A * x + b; });
    for (int i = 0; i < 20; ++i) {
      const Vec3 x{random.uniform(0, 3), random.uniform(-0.5, 0.5), random.uniform(-1, 1)};
      const auto at = locate(mesh, x);
      REQUIRE(at);
      // Newton's iteration to rounding, of lengths up to 3
      CHECK(at->beside < 1e-14);
      CHECK((displacement_at(mesh, *at, u) - (A * eigen(x) + b)).norm() < 1e-13);
      const auto H = gradient_at(mesh, material_of(1, 0.3, 1), *at, u);
      for (int a = 0; a < 3; ++a)
        for (int c = 0; c < 3; ++c)
          CHECK(near(H(3 * a + c, 0), A(a, c),
                     1e-13));  // gradients of functions up to 5 over elements of 0.5
      // the rotation is that of the antisymmetric part
      const Eigen::Matrix3d W = 0.5 * (A - A.transpose());
      CHECK((rotations(H).col(0) - Vector3d(W(2, 1), W(0, 2), W(1, 0))).norm() < 1e-13);
    }
  }
}

TEST_CASE("solid field: quadratic elements read the gradient of a quadratic displacement exactly") {
  const SolidMesh mesh = bar_mesh(SolidElementType::tet10, {3, 2, 2}, {3, 1, 2});
  const MatrixXd u = nodal(mesh, [](const Vector3d& x) {
    return Vector3d(x[0] * x[1], x[1] * x[1] - x[0] * x[2], x[2] * x[0]);
  });
  for (const Vec3& x : {Vec3{1.3, 0.2, 0.4}, {0, -0.5, -1}, {3, 0.5, 0.3}}) {
    const auto H = gradient_at(mesh, material_of(1, 0.3, 1), *locate(mesh, x), u);
    const double exact[] = {x.y, x.x, 0, -x.z, 2 * x.y, -x.x, x.z, 0, x.x};
    CHECK(near(H.col(0), exact, 1e-13));  // sums of ten products
  }
}

TEST_CASE(
    "solid field: a point beside the mesh is carried by the nearest of its points, or by none") {
  const SolidMesh mesh = bar_mesh(SolidElementType::hex8, {4, 1, 1}, {4, 1, 1});
  const auto beside = locate(mesh, {1.3, 0.1, 0.6});
  REQUIRE(beside);
  CHECK(near(beside->beside, 0.1, rounding(20)));
  CHECK(norm(beside->x - Vec3{1.3, 0.1, 0.5}) < rounding(20));
  CHECK_FALSE(locate(mesh, {1.3, 0.1, 1.2}));
}

TEST_CASE("solid: a force in the middle of a cantilever moves it as a beam") {
  const double L = 1, h = 0.08, F = 100, E = 2e11, I = h * h * h * h / 12;
  for (const SolidElementType type : {SolidElementType::tet10, SolidElementType::hex8}) {
    CAPTURE(to_text(type));
    constexpr int cells = 32;
    SolidSpec spec =
        bar_solid(bar_mesh(type, {cells, 2, 2}, {L, h, h}), material_of(E, 0, 7800), 24);
    spec.form = 'I', spec.stiffening = false;
    const ElasticSolid solid(spec, {0, 0, 0});
    const ElasticBody body = solid.body();
    const ElasticPlace middle = solid.place({0.5 * L, 0, 0}), tip = solid.place({L, 0, 0});
    const VectorXd q = bent_by(body, middle, {0, 0, F});
    const double a = 0.5 * L, shear = F * a / (5.0 / 6 * (E / 2) * h * h);
    // a brick bends into an arc, which takes (l/2a)² of the deflection away, and shears evenly,
    // with 1 in the place of 5/6
    const bool brick = type == SolidElementType::hex8;
    const double arcs = brick ? std::pow(L / cells / (2 * a), 2) : 0, even = brick ? 5.0 / 6 : 1;
    const double bending = F * a * a * a / (3 * E * I) * (1 - arcs),
                 angle = F * a * a / (2 * E * I);
    const double limit = 1e-3;  // 24 modes: 150 come 4e-4 farther
    CHECK(near(moved(middle, q, 2), bending + even * shear, limit));
    // beyond the force it stays straight
    CHECK(near(moved(tip, q, 2), bending + even * shear + angle * (L - a), limit));
    CHECK(near(turned(tip, q, 1), -angle, limit));
  }
}

TEST_CASE("solid: a force at an interface stresses a cantilever as a beam is") {
  const double L = 1, h = 0.08, F = 100, I = h * h * h * h / 12;
  for (const SolidElementType type : {SolidElementType::tet10, SolidElementType::hex8}) {
    CAPTURE(to_text(type));
    SolidSpec spec =
        bar_solid(bar_mesh(type, {16, 2, 2}, {L, h, h}), material_of(2e11, 0.3, 7800), 0, true);
    const ElasticSolid solid(spec, {0, 0, 0});
    const VectorXd q = bent_by(solid.body(), solid.place({L, 0, 0}), {0, 0, F});
    for (const double x : {0.3, 0.5, 0.71})
      for (const double z : {0.5 * h, 0.1 * h, -0.5 * h}) {
        CAPTURE(x);
        CAPTURE(z);
        const auto rows = solid.stresses({x, 0, z});
        const double largest = F * (L - x) * 0.5 * h / I;
        // beyond a few thicknesses from its ends, as far as two elements over the height follow
        CHECK(std::fabs(stress(rows, q, 0) + F * (L - x) * z / I) < 0.01 * largest);
        for (const size_t other : {1, 2, 3, 4})
          CHECK(std::fabs(stress(rows, q, other)) < 0.02 * largest);
      }
  }
}

TEST_CASE("solid: points of an interface are carried by it, points in the body by the body") {
  const SolidSpec spec = bar_solid(bar_mesh(SolidElementType::tet10, {6, 1, 1}, {0.6, 0.1, 0.1}),
                                   material_of(2e11, 0.3, 7800), 2, true);
  const ElasticSolid solid(spec, {0, 0, 0});
  const auto carried_at = [&](const Vec3& x) { return solid.carrier(x).value_or(Vec3{9, 9, 9}); };
  CHECK(norm(carried_at({0.6, 0.03, -0.02}) - Vec3{0.6, 0, 0}) < 1e-12);
  CHECK(norm(carried_at({0.63, 0.01, 0}) - Vec3{0.6, 0, 0}) < 1e-12);  // beside the end
  CHECK(norm(carried_at({0.58, 0.01, 0}) - Vec3{0.58, 0.01, 0}) < 1e-12);
  CHECK(norm(carried_at({0.3, 0.05, 0.05}) - Vec3{0.3, 0.05, 0.05}) < 1e-12);
  CHECK_FALSE(solid.carrier({0.3, 0.4, 0}));
  // near it the body still moves nearly as the interface takes it along
  const ElasticPlace tip = solid.place({0.6, 0, 0}), near = solid.place({0.6 - 0.002, 0.05, 0.05});
  for (size_t k = 0; k < tip.phi.size(); ++k)
    CHECK(norm(near.phi[k] - tip.phi[k] - cross(tip.psi[k], Vec3{-0.002, 0.05, 0.05})) <
          0.03);  // of functions of size 1; over 2 mm of a bar of 0.6 m it bends and shears
  CHECK_THROWS_WITH_AS(ElasticSolid(spec, {0.3, 0, 0}), doctest::Contains("none of its interfaces"),
                       ElasticFault);
}

TEST_CASE("solid: with all nodes kept it is the same body as with all its modes") {
  SolidSpec spec = bar_solid(bar_mesh(SolidElementType::tet4, {3, 1, 1}, {0.6, 0.1, 0.1}),
                             material_of(2e11, 0.3, 7800), 36);
  spec.form = 'I';
  spec.reduction = SolidReduction::modes;
  const ElasticSolid modes(spec, {0, 0, 0});
  spec.reduction = SolidReduction::nodes;
  CHECK(coordinate_count(spec) == 36);
  const ElasticSolid nodes(spec, {0, 0, 0});
  REQUIRE(nodes.frequencies().size() == modes.frequencies().size());
  for (size_t i = 0; i < modes.frequencies().size(); ++i)
    // one reduction is the other, through eigenvectors of matrices of condition 1e6
    CHECK(near(nodes.frequencies()[i], modes.frequencies()[i], 1e-10));
  CHECK(nodes.body().says[0].starts_with("node "));
  // compliance and stress at points of the mesh
  const Vec3 x{0.47, 0.02, 0.05};
  const auto response = [&](const ElasticSolid& s) {
    const VectorXd q = bent_by(s.body(), s.place({0.6, 0.05, 0.05}), {1, 2, 3});
    return Vector3d(moved(s.place(x), q, 2), turned(s.place(x), q, 1), stress(s.stresses(x), q, 0));
  };
  const Vector3d a = response(modes), b = response(nodes);
  for (int i = 0; i < 3; ++i) CHECK(near(a[i], b[i], 1e-10));
  check_momentum_balance(nodes.body(), 1e-10);
}
