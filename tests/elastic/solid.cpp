#include "sarrus/elastic/solid.hpp"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "elastic_balance.hpp"
#include "near.hpp"
#include "sarrus/core/random.hpp"
#include "sarrus/elastic/solid_element.hpp"
#include "sarrus/elastic/solid_reduction.hpp"
#include "sarrus/numerics/sparse/sparse_ldlt.hpp"
#include "solid_meshes.hpp"

using namespace sarrus;
using namespace sarrus::testing;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Every node moved by up to `most`, or inner ones only, so that no element is regular; edges stay
/// straight.
SolidMesh shaken(SolidMesh mesh, double most, bool inside_only = false) {
  Random random(5);
  for (Vec3& x : mesh.nodes) {
    const Vec3 d{random.uniform(-most, most), random.uniform(-most, most),
                 random.uniform(-most, most)};
    const bool inside = std::fabs(x.x - 1) < 0.9 && std::fabs(x.y) < 0.9 && std::fabs(x.z) < 0.9;
    if (!inside_only || inside) x = x + d;
  }
  constexpr size_t ends[6][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {3, 2}, {3, 1}};
  const auto node = [&](const SolidElement& e, size_t i) -> Vec3& { return mesh.nodes[e.node[i]]; };
  for (const SolidElement& e : mesh.elements)
    for (size_t k = 0; k < 6 && e.type == SolidElementType::tet10; ++k)
      node(e, 4 + k) = (node(e, ends[k][0]) + node(e, ends[k][1])) * 0.5;
  return mesh;
}

MatrixXd map(const std::vector<double>& values, int n) {
  return Eigen::Map<const MatrixXd>(values.data(), n, n);
}

/// Frequencies of the body held at its clamp that turns about z with Ω: only what the coordinates
/// do across the plane of rotation is in phase with them, so it serves for flapping.
VectorXd flapping(const ElasticBody& b, double omega) {
  const int n = b.n;
  MatrixXd M = MatrixXd::Zero(n, n);
  for (int k = 0; k < n; ++k)
    for (int l = 0; l < n; ++l) M(k, l) = trace(b.invariants.Sig[static_cast<size_t>(k * n + l)]);
  MatrixXd soft = M;  // ∫ (φₓ φₓ + φ_y φ_y) dm
  for (int k = 0; k < n; ++k)
    for (int l = 0; l < n; ++l)
      soft(k, l) -= b.invariants.Sig[static_cast<size_t>(k * n + l)](2, 2);
  const MatrixXd Kg = -map(b.invariants.B[0][0], n) - map(b.invariants.B[1][1], n) - soft;
  return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(map(b.K, n) + omega * omega * Kg, M)
      .eigenvalues()
      .cwiseAbs()
      .cwiseSqrt();
}

}  // namespace

TEST_CASE("solid element: only the six rigid motions have no energy") {
  const Matrix6 D = elasticity(material_of(1, 0.3, 1));
  for (const SolidElementType type : all_types) {
    CAPTURE(to_text(type));
    const SolidMesh mesh = shaken(bar_mesh(type, {1, 1, 1}, {1, 1, 1}), 0.04);
    const MatrixXd k = element_stiffness(mesh, mesh.elements[0], D);
    const VectorXd lambda = Eigen::SelfAdjointEigenSolver<MatrixXd>(k).eigenvalues();
    CHECK(lambda[5] <
          1e-14 * lambda.maxCoeff());  // rounding of the eigenvalues of a matrix of up to 30
    CHECK(lambda[6] > 1e-4 * lambda.maxCoeff());
  }
}

TEST_CASE("solid element: constant strain stays constant in an irregular mesh") {
  // inner nodes are free, outer ones follow a linear field; so must the inner ones
  const ElasticMaterial steel = material_of(2, 0.3, 1);
  Eigen::Matrix3d gradient;
  gradient << 1, 0.3, -0.2, 0.1, -0.7, 0.4, 0.5, -0.1, 0.2;
  for (const SolidElementType type : all_types) {
    CAPTURE(to_text(type));
    const SolidMesh mesh = shaken(bar_mesh(type, {2, 2, 2}, {2, 2, 2}), 0.1, true);
    const SparseMatrix K = solid_stiffness(mesh, steel);
    VectorXd u(3 * static_cast<Eigen::Index>(mesh.nodes.size()));
    for (size_t i = 0; i < mesh.nodes.size(); ++i) {
      const Vec3& x = mesh.nodes[i];
      u.segment<3>(3 * static_cast<Eigen::Index>(i)) = gradient * Eigen::Vector3d(x.x, x.y, x.z);
    }
    const VectorXd f = times(K, u);
    for (size_t i = 0; i < mesh.nodes.size(); ++i) {
      const Vec3& x = mesh.nodes[i];
      if (std::fabs(x.x - 1) < 0.9 && std::fabs(x.y) < 0.9 && std::fabs(x.z) < 0.9)
        CHECK(f.segment<3>(3 * static_cast<Eigen::Index>(i)).norm() <
              1e-14);  // sums of some hundred products of size 1
    }
    // energy: volume 8, half of stress times strain
    Eigen::Matrix<double, 6, 1> e;
    e << gradient(0, 0), gradient(1, 1), gradient(2, 2), gradient(0, 1) + gradient(1, 0),
        gradient(1, 2) + gradient(2, 1), gradient(0, 2) + gradient(2, 0);
    CHECK(near(0.5 * u.dot(f), 0.5 * 8 * e.dot(elasticity(steel) * e),
               rounding(200)));  // sums over all nodes
  }
}

TEST_CASE("solid element: mass, centre and moments of a box are those of a box") {
  for (const SolidElementType type : all_types) {
    CAPTURE(to_text(type));
    const SolidMesh mesh = shaken(bar_mesh(type, {2, 2, 2}, {2, 2, 2}), 0.1, true);
    const SparseMatrix m = solid_mass(mesh, 3);
    MatrixXd F(static_cast<Eigen::Index>(mesh.nodes.size()), 4);
    for (Eigen::Index i = 0; i < F.rows(); ++i) {
      const Vec3& x = mesh.nodes[i];
      F.row(i) << 1, x.x, x.y, x.z;
    }
    const MatrixXd Z = F.transpose() * times(m, F);
    // sums over all elements and their points
    CHECK(near(Z(0, 0), 24, 1e-13));
    CHECK(near(Z(0, 1), 24, 1e-13));
    CHECK(std::fabs(Z(0, 2)) < 1e-13);
    CHECK(near(Z(1, 1), 24 * 4.0 / 3, 1e-13));
    CHECK(near(Z(2, 2), 24 / 3.0, 1e-13));
    CHECK(std::fabs(Z(1, 2)) < 1e-13);
  }
}

TEST_CASE("solid: a cantilever bends under a tip force as a beam with shear does") {
  // nu = 0: the clamped end does not press sideways
  const double L = 1, b = 0.1, h = 0.05, E = 2e11;
  const double I = b * h * h * h / 12, G = E / 2;
  const double beam = L * L * L / (3 * E * I) + L / (5.0 / 6 * G * b * h);
  for (const SolidElementType type : {SolidElementType::tet10, SolidElementType::hex8}) {
    CAPTURE(to_text(type));
    SolidSpec spec =
        bar_solid(bar_mesh(type, {20, 1, 1}, {L, b, h}), material_of(E, 0, 1000), 0, true);
    const ElasticSolid solid(spec, {0, 0, 0});
    const ElasticBody body = solid.body();
    const ElasticPlace tip = solid.place({L, 0, 0});
    double deflection = 0;  // K is diagonal
    for (size_t k = 0; k < static_cast<size_t>(body.n); ++k)
      deflection += tip.phi[k].z * tip.phi[k].z / body.K[k * static_cast<size_t>(body.n + 1)];
    CHECK(near(
        deflection, beam,
        1e-3));  // bricks bend into arcs and shear evenly: (1/40)² and 1/6 of the shear's 1.5e-3
  }
}

TEST_CASE("solid: how far it bends is told without the places of its nodes") {
  SolidSpec spec = bar_solid(bar_mesh(SolidElementType::hex8, {12, 1, 1}, {1, 0.05, 0.04}),
                             material_of(2e11, 0.3, 1000), 3, true);
  spec.reduction = SolidReduction::modes;
  for (const char form : {'X', 'I'}) {
    spec.form = form;
    const ElasticSolid solid(spec, {0, 0, 0});
    const ElasticPlace tip = solid.place({1, 0, 0});
    const double q[] = {0.07, 0, 0};
    CHECK(std::fabs(largest_deflection(solid.body(), q) / (0.07 * norm(tip.phi[0])) - 1) <
          0.05);  // the corner of the section moves with its slope as well
  }
}

TEST_CASE("solid: integrals of the second order are geometric stiffness under unit loads") {
  for (const SolidElementType type : all_types) {
    CAPTURE(to_text(type));
    SolidSpec spec =
        bar_solid(bar_mesh(type, {4, 2, 2}, {1, 0.3, 0.2}), material_of(2e9, 0.3, 1200), 4);
    spec.form = 'I';
    const ElasticSolid solid(spec, {0, 0, 0});
    const ElasticBody body = solid.body();
    const std::vector<Patch> patches{make_patch(*spec.mesh, spec.mesh->find("root")->nodes)};
    const SolidSystem s = solid_system(spec, patches, 0);
    const MatrixXd Phi = times(s.z.T, solid_basis(spec, s).z);
    const SparseLdlt factor(s.K);
    const SparseMatrix m = three_times(s.scalar_mass);
    for (int a = -1; a < 3; ++a)  // the load 1 or x_a along b, per mass
      for (int b = 0; b < 3; ++b) {
        VectorXd load = VectorXd::Zero(Phi.rows());
        for (size_t i = 0; i < spec.mesh->nodes.size(); ++i)
          load[3 * static_cast<Eigen::Index>(i) + b] = a < 0 ? 1 : spec.mesh->nodes[i][a];
        MatrixXd u = transposed_times(s.z.T, times(m, load));
        factor.solve(u.data(), 1);
        const MatrixXd Ks = geometric_stiffness(*spec.mesh, spec.material, times(s.z.T, u), Phi);
        const std::vector<double>& found = a < 0 ? body.invariants.A[b] : body.invariants.B[a][b];
        CHECK((map(found, body.n) + Ks).norm() <
              1e-10 * std::max(1e-3, Ks.norm()));  // solutions of systems of condition 1e4; some of
                                                   // the matrices vanish
      }
  }
}

TEST_CASE("solid: a rotating cantilever flaps faster as the beam does") {
  const double L = 1, b = 0.04, h = 0.02, E = 7e10, rho = 2700;
  SolidSpec spec = bar_solid(bar_mesh(SolidElementType::tet10, {40, 1, 1}, {L, b, h}),
                             material_of(E, 0, rho), 20);
  spec.reduction = SolidReduction::modes;
  spec.form = 'I';
  const ElasticBody body = ElasticSolid(spec, {0, 0, 0}).body();
  const double unit = std::sqrt(E * h * h / (12 * rho)) / (L * L);
  const double rest = flapping(body, 0)[0];
  CHECK(near(rest, 3.51601527 * unit, 3e-4));  // shear, rotary inertia
  // the same solid with all its nodes in another program; Euler–Bernoulli: 1.17671 and 2.09338
  CHECK(near(flapping(body, 2 * unit)[0] / rest, 1.17673, 1e-5));
  CHECK(near(flapping(body, 6 * unit)[0] / rest, 2.09349, 1e-5));
}

TEST_CASE("solid: a column buckles under the load of Euler") {
  const double L = 1, b = 0.03, h = 0.02, E = 1e9;
  SolidSpec spec = bar_solid(bar_mesh(SolidElementType::tet10, {12, 1, 1}, {L, b, h}),
                             material_of(E, 0, 1000), 3, true);
  const ElasticSolid solid(spec, {0, 0, 0});
  const ElasticBody body = solid.body();
  const ElasticPlace tip = solid.place({L, 0, 0});
  const MatrixXd G = map(tip.second[0].g, body.n);
  // K v = P (−G) v: the largest 1/P
  const VectorXd inverse =
      Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(-G, map(body.K, body.n)).eigenvalues();
  const double euler = std::numbers::pi * std::numbers::pi * E * b * h * h * h / (12 * 4 * L * L);
  CHECK(near(
      1 / inverse.maxCoeff(), euler,
      1.5e-3));  // three modes beside those of the ends, and shear, which takes π²h²/20L² = 2e-4
}

TEST_CASE("solid: Craig and Bampton's modes come to those of the whole body") {
  SolidSpec spec = bar_solid(bar_mesh(SolidElementType::tet10, {10, 1, 1}, {1, 0.1, 0.05}),
                             material_of(2e11, 0.3, 7800), 8, true);
  spec.form = 'I';
  spec.reduction = SolidReduction::modes;
  const std::vector<double> exact = ElasticSolid(spec, {0, 0, 0}).frequencies();
  spec.reduction = SolidReduction::craig_bampton;
  double before[4] = {1, 1, 1, 1};
  for (const int modes : {3, 6, 12}) {
    CAPTURE(modes);
    spec.modes = modes;
    const ElasticSolid solid(spec, {0, 0, 0});
    CHECK(solid.frequencies().size() == static_cast<size_t>(modes + 6));
    for (size_t i = 0; i < 4; ++i) {
      const double error = solid.frequencies()[i] / exact[i] - 1;
      CHECK(error > -1e-9);          // a part of all motions: never softer
      CHECK(error < before[i] / 2);  // twice the modes: at least twice as good
      before[i] = error;
    }
  }
  for (const double error : before)
    CHECK(error < 1e-3);  // what twelve modes leave of the fourth; the first three are better
}

TEST_CASE("solid: forces are the rates of its momenta, in both forms") {
  SolidSpec spec = bar_solid(bar_mesh(SolidElementType::hex8, {4, 2, 1}, {1, 0.3, 0.2}),
                             material_of(2e9, 0.3, 1200), 3);
  const Pose<double> X{rotation(Vec3{0.6, 0, 0.8}, 0.7), {0.1, -0.2, 0.3}};
  for (const char form : {'X', 'I'}) {
    CAPTURE(form);
    spec.form = form;
    check_momentum_balance(seen_from(ElasticSolid(spec, {0, 0, 0}).body(), X), 1e-10);
  }
}

TEST_CASE("solid: both forms agree while deflections are small") {
  SolidSpec spec = bar_solid(bar_mesh(SolidElementType::hex8, {4, 1, 1}, {1, 0.2, 0.1}),
                             material_of(2e9, 0.3, 1200), 3);
  const ElasticBody X = ElasticSolid(spec, {0, 0, 0}).body();
  spec.form = 'I';
  const ElasticBody I = ElasticSolid(spec, {0, 0, 0}).body();
  const auto apart = [&](double size) {
    State s(X.n, 3, size);
    for (double& v : s.qdot) v *= size;
    const Wrench<double> h = Evaluated<double>(X, s.q).momentum(s.V, s.qdot);
    const Wrench<double> g = Evaluated<double>(I, s.q).momentum(s.V, s.qdot);
    return norm(h.n - g.n) / norm(h.n) + norm(h.f - g.f) / norm(h.f);
  };
  // what is cut is of third order
  CHECK(apart(1e-3) < 1e-7);
  CHECK(near(apart(1e-2) / apart(1e-3), 1000, 0.02));
}

TEST_CASE("solid: mass and centre are those of the mesh") {
  SolidSpec spec = bar_solid(bar_mesh(SolidElementType::tet4, {4, 1, 1}, {1, 0.2, 0.1}),
                             material_of(2e9, 0.3, 1200), 3);
  for (const char form : {'X', 'I'}) {
    spec.form = form;
    const ElasticBody b = ElasticSolid(spec, {0, 0, 0}).body();
    const Evaluated<double> at(b, std::vector<double>(b.n, 0));
    const BodyInertia<double>& r = at.inertia.rigid;
    // sums over all elements and their points
    CHECK(near(r.m, 24, rounding(200)));
    CHECK(near(r.mc.x, 12, rounding(200)));
    CHECK(near(r.I.zz, 24 * (1.0 / 3 + 0.04 / 12), rounding(200)));
  }
}

TEST_CASE("solid: what is wrong with a mesh is said with its elements and nodes") {
  const auto codes = [](const SolidSpec& spec) {
    std::string all;
    for (const SolidProblem& p : solid_problems(spec)) all += p.code + " ";
    return all;
  };
  const SolidMesh good = bar_mesh(SolidElementType::tet4, {2, 1, 1}, {1, 0.2, 0.1});
  const auto solid = [](SolidMesh mesh) {
    return bar_solid(std::move(mesh), material_of(1e9, 0.3, 1000), 3, true);
  };
  CHECK(codes(solid(good)) == "");

  SolidMesh mesh = good;
  std::swap(mesh.elements[3].node[0], mesh.elements[3].node[1]);
  CHECK(codes(solid(mesh)) == "inverted-element ");
  CHECK(solid_problems(solid(mesh))[0].message.find("element 4 ") != std::string::npos);

  mesh = good;
  mesh.elements[5].node[2] = mesh.elements[5].node[1];
  CHECK(codes(solid(mesh)) == "flat-element ");
  CHECK(solid_problems(solid(mesh))[0].message.find("element 6 ") != std::string::npos);

  mesh = good;  // one element a second time, its nodes in another order
  mesh.elements.push_back(mesh.elements[2]);
  std::swap(mesh.elements.back().node[0], mesh.elements.back().node[1]);
  std::swap(mesh.elements.back().node[2], mesh.elements.back().node[3]);
  mesh.elements.back().tag = 99;
  CHECK(codes(solid(mesh)) == "doubled-element ");
  CHECK(solid_problems(solid(mesh))[0].message.find("element 99 ") != std::string::npos);

  mesh = good;
  mesh.nodes.push_back({5, 5, 5}), mesh.tags.push_back(77);
  CHECK(codes(solid(mesh)) == "loose-node ");
  CHECK(solid_problems(solid(mesh))[0].message.find("node 77") != std::string::npos);

  mesh = good;  // a second bar beside it
  const int shift = static_cast<int>(mesh.nodes.size());
  for (const Vec3& x : good.nodes)
    mesh.nodes.push_back(x + Vec3{0, 1, 0}), mesh.tags.push_back(1000);
  for (SolidElement e : good.elements) {
    for (int& n : e.node) n += shift;
    mesh.elements.push_back(e);
  }
  CHECK(codes(solid(mesh)) == "loose-part ");

  SolidSpec spec = solid(good);
  spec.interfaces[1].group = "tipp";
  CHECK(codes(spec) == "unknown-group ");
  CHECK(solid_problems(spec)[0].hint.find("'tip'") != std::string::npos);
  spec = solid(good), spec.interfaces[1].group = "root";
  CHECK(codes(spec) == "shared-node ");
  spec = solid(good), spec.interfaces.clear();
  CHECK(codes(spec) == "no-interface ");
  spec = solid(good), spec.modes = 100;
  CHECK(codes(spec).starts_with("too-many-modes "));
  spec = solid(good), spec.interfaces.pop_back(), spec.modes = 0;
  CHECK(codes(spec) == "no-modes ");
  mesh = good, mesh.groups[1].nodes.resize(2);
  CHECK(codes(solid(mesh)) == "thin-interface ");
}
