#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "elastic_balance.hpp"
#include "near.hpp"
#include "sarrus/elastic/beam.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

BeamSpec slender(std::vector<Deflection> deforms = {Deflection::y, Deflection::z,
                                                    Deflection::torsion, Deflection::axial}) {
  BeamSpec b;
  b.length = 1.3;
  b.section = {1e-3, 4e-7, 9e-7, 6e-7, 0, 0};
  b.material = {7e9, 2.6e9, 2700};
  b.deforms = std::move(deforms);
  b.modes = 3;
  return b;
}

/// A turned and shifted frame, so that no axis is special.
ElasticBody tilted(const BeamSpec& spec, double clamp = 0) {
  const Pose<double> X{rotation(Vec3{0.6, 0, 0.8}, 0.7) * rotation(Vec3{0, 1, 0}, -0.4),
                       {0.1, -0.2, 0.3}};
  return seen_from(Beam(spec, clamp).body(), X);
}

}  // namespace

TEST_CASE("elastic body: forces are the rates of its momenta") {
  for (const char form : {'Q', 'X', 'I'}) {
    CAPTURE(form);
    BeamSpec spec = slender();
    spec.form = form;
    check_momentum_balance(tilted(spec), 1e-11);
    check_momentum_balance(tilted(spec, 0.4), 1e-11);
  }
}

TEST_CASE("elastic body: samples that are factored anew are the same body") {
  BeamSpec spec = slender();
  const ElasticBody Q = tilted(spec);
  spec.form = 'X';
  const ElasticBody X = tilted(spec);
  const State s(Q.n, 3, 0.1);
  const Evaluated<double> a(Q, s.q), b(X, s.q);
  const Wrench<double> h = a.momentum(s.V, s.qdot), g = b.momentum(s.V, s.qdot);
  // sums over some thirty samples
  CHECK(norm(h.n - g.n) < 1e-12 * norm(h.n));
  CHECK(norm(h.f - g.f) < 1e-12 * norm(h.f));
  const std::vector<double> p = a.momenta(s.V, s.qdot), r = b.momenta(s.V, s.qdot);
  for (size_t k = 0; k < p.size(); ++k) CHECK(near(p[k], r[k], 1e-12));
}

TEST_CASE("elastic body: samples stay positive where invariants to second order do not") {
  BeamSpec spec = slender({Deflection::y});
  const auto smallest = [&](char form) {
    spec.form = form;
    const ElasticBody b = Beam(spec, 0).body();
    std::vector<double> q(b.n, 0);
    q[0] = 0.4 * spec.length;
    const Evaluated<double> at(b, q);
    const Eigen::Index n = 6 + b.n;
    Eigen::MatrixXd M(n, n);
    for (Eigen::Index j = 0; j < n; ++j) {
      Twist<double> V{};
      std::vector<double> qdot(b.n, 0);
      if (j < 3)
        V.w[static_cast<int>(j)] = 1;
      else if (j < 6)
        V.v[static_cast<int>(j - 3)] = 1;
      else
        qdot[j - 6] = 1;
      const Wrench<double> h = at.momentum(V, qdot);
      const std::vector<double> p = at.momenta(V, qdot);
      for (int i = 0; i < 3; ++i) M(i, j) = h.n[i], M(3 + i, j) = h.f[i];
      for (Eigen::Index k = 0; k < b.n; ++k) M(6 + k, j) = p[k];
    }
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(M).eigenvalues()[0];
  };
  CHECK(smallest('Q') > 0);
  CHECK(smallest('I') < 0);
}

TEST_CASE("elastic body: a place moves as its columns and their rates say") {
  const BeamSpec spec = slender();
  const Pose<double> X{rotation(Vec3{0, 0.6, 0.8}, 0.9), {0.2, 0.1, -0.1}};
  const ElasticPlace place = seen_from(Beam(spec, 0).place(1.1), X);
  for (const double deflection : {0.02, 0.6}) {  // small and large rotations of the section
    const State s(static_cast<int>(place.phi.size()), 11, deflection);
    const int n = static_cast<int>(s.q.size());
    std::vector<D> q;
    for (size_t k = 0; k < s.q.size(); ++k) q.push_back(D(s.q[k], s.qdot[k]));
    Vector3<D> r;
    Matrix3<D> E;
    std::vector<Twist<D>> columns(s.q.size());
    place_elastic(place, n, q.data(), r, E, columns.data());
    std::vector<Twist<double>> rates(s.q.size());
    elastic_column_rates(place, n, s.q.data(), s.qdot.data(), rates.data());
    Vec3 v{}, w{};
    for (size_t k = 0; k < s.q.size(); ++k) {
      v += Vec3{columns[k].v.x.v, columns[k].v.y.v, columns[k].v.z.v} * s.qdot[k];
      w += Vec3{columns[k].w.x.v, columns[k].w.y.v, columns[k].w.z.v} * s.qdot[k];
      for (int i = 0; i < 3; ++i) {
        // products of a few numbers of size 1
        CHECK(within(columns[k].w[i].d, rates[k].w[i], 1e-13));
        CHECK(within(columns[k].v[i].d, rates[k].v[i], 1e-13));
      }
    }
    CHECK(norm(rate(r) - v) < 1e-13 * norm(v));
    // Ė = [w]× E
    for (int j = 0; j < 3; ++j) {
      const Vector3<D>& column = j == 0 ? E.x : j == 1 ? E.y : E.z;
      const Vec3 turned = cross(w, Vec3{column.x.v, column.y.v, column.z.v});
      CHECK(norm(rate(column) - turned) < 1e-13 * (1 + norm(w)));
    }
  }
}

TEST_CASE("elastic body: seen from anywhere it weighs the same") {
  const BeamSpec spec = slender();
  const ElasticBody b = Beam(spec, 0).body();
  std::vector<double> q(b.n, 0);
  const Evaluated<double> at(b, q);
  const double m = 2700 * 1e-3 * 1.3, L = 1.3;
  // sums over some thirty samples
  CHECK(near(at.inertia.rigid.m, m, rounding(40)));
  CHECK(near(at.inertia.rigid.mc.x, m * L / 2, rounding(40)));
  CHECK(near(at.inertia.rigid.I.xx, 2700 * L * (4e-7 + 9e-7), rounding(40)));
  CHECK(near(at.inertia.rigid.I.zz, m * L * L / 3 + 2700 * L * 9e-7, rounding(40)));
  CHECK(near(at.inertia.rigid.I.yy, m * L * L / 3 + 2700 * L * 4e-7, rounding(40)));
}
