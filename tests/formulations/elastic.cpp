// Elastic bodies in the recursion, against dense matrices, differences and exact derivatives.
#include <doctest/doctest.h>

#include <Eigen/Dense>

#include "elastic_models.hpp"
#include "instant.hpp"
#include "near.hpp"
#include "sarrus/joints/chart.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

using D = Dual<double>;

struct RandomState {
  std::vector<double> q, u, a;

  RandomState(const Mechanism& m, std::uint64_t seed) {
    Random random(seed);
    q = m.start.q;
    u.resize(m.nu), a = u;
    for (size_t b = 1; b < static_cast<size_t>(m.nb); ++b) {
      const double size = m.kind[b] == JointKind::elastic ? 0.05 : 1;
      double xi[6];
      for (int k = 0; k < m.x0[b + 1] - m.x0[b]; ++k) xi[k] = random.uniform(-size, size);
      const std::vector<double> zero(m.start.q.begin() + m.q0[b], m.start.q.begin() + m.q0[b + 1]);
      if (!zero.empty()) retract(m.kind[b], zero.data(), xi, q.data() + m.q0[b]);
    }
    for (double& x : u) x = random.uniform(-1, 1);
    for (double& x : a) x = random.uniform(-1, 1);
  }
};

Eigen::Map<const Eigen::VectorXd> vec(const std::vector<double>& v) {
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}

}  // namespace

TEST_CASE("elastic tree: the recursion solves what the dense matrix says") {
  for (const char form : {'Q', 'I'}) {
    const Model model = elastic_tree(form);
    const Mechanism m = compile(model);
    // joints; the arm, whose inboard joint sits between its ends; the hand
    REQUIRE(m.nu == 6 + 3 + 1 + 2 + 1 + 16 + 8);
    Instant<double> d(m);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const RandomState s(m, seed);
      const auto n = static_cast<size_t>(m.nu);
      std::vector<double> M(n * n), bias(n), tau(n), x(n), p(n);
      d.set(0, s.q.data(), s.u.data(), nullptr);
      d.mass_matrix(M.data());
      const Eigen::Map<const Eigen::MatrixXd> mass(M.data(), m.nu, m.nu);
      // made by halves
      CHECK((mass - mass.transpose()).norm() < 1e-13 * mass.norm());

      // inverse dynamics: M a + c − forces
      const std::vector<double> none(n, 0.0);
      d.set(0, s.q.data(), s.u.data(), nullptr);
      d.inverse_dynamics(none.data(), bias.data());
      d.set(0, s.q.data(), s.u.data(), nullptr);
      d.inverse_dynamics(s.a.data(), tau.data());
      const Eigen::VectorXd needed = mass * vec(s.a) + vec(bias);
      CHECK((needed - vec(tau)).norm() < 1e-12 * needed.norm());

      // forward dynamics
      d.set(0, s.q.data(), s.u.data(), nullptr);
      REQUIRE(d.a().exist);
      const Eigen::VectorXd udot = mass.ldlt().solve(-vec(bias));
      // a mass matrix of condition 1e6, solved
      CHECK((udot - vec(d.udot())).norm() < 1e-9 * udot.norm());

      // energy and momenta are of the same matrix
      CHECK(near(d.kinetic_energy(), 0.5 * vec(s.u).dot(mass * vec(s.u)), 1e-12));
      d.joint_momenta(p.data());
      CHECK((mass * vec(s.u) - vec(p)).norm() < 1e-12 * vec(p).norm());

      // M⁻¹ b
      d.set(0, s.q.data(), s.u.data(), nullptr);
      d.solve(s.a.data(), x.data());
      // a mass matrix of condition 1e6, solved
      CHECK((mass * vec(x) - vec(s.a)).norm() < 1e-10 * vec(s.a).norm());
    }
  }
}

TEST_CASE("elastic tree: momenta lead back to velocities, their rates to the accelerations") {
  for (const char form : {'Q', 'X', 'I'}) {
    const Model model = elastic_tree(form);
    const Mechanism m = compile(model);
    const auto n = static_cast<size_t>(m.nu);
    Instant<double> d(m);
    const RandomState s(m, 4);
    std::vector<double> p(n), pdot(n);
    d.set(0, s.q.data(), s.u.data(), nullptr);
    REQUIRE(d.a().exist);
    const std::vector<double> udot(d.udot().begin(), d.udot().end());
    d.joint_momenta(p.data());
    const MomentumMotion<double>& by_momenta =
        move_by_momenta<double>(d.w, 0, s.q.data(), p.data(), nullptr);
    // a mass matrix of condition 1e6, solved
    CHECK((vec(s.u) - vec(by_momenta.places->u)).norm() < 1e-10 * vec(s.u).norm());
    momentum_rates(d.w, by_momenta, load<double>(d.w, *by_momenta.places), pdot.data());

    // ṗ = d/dt (M u) along the motion
    Instant<D> dual(m);
    std::vector<D> q(m.nq), u(n), moved(n);
    for (size_t b = 1; b < static_cast<size_t>(m.nb); ++b) {
      D xi[6], q0[7];
      double v[6];
      chart_velocity(m.kind[b], m.numbers.body[b].joint, s.q.data() + m.q0[b], s.u.data() + m.u0[b],
                     v);
      for (int k = 0; k < m.x0[b + 1] - m.x0[b]; ++k) xi[k] = D(0.0, v[k]);
      for (int k = m.q0[b]; k < m.q0[b + 1]; ++k) q0[k - m.q0[b]] = D(s.q[k]);
      retract(m.kind[b], q0, xi, q.data() + m.q0[b]);
    }
    for (size_t k = 0; k < n; ++k) u[k] = D(s.u[k], udot[k]);
    dual.set(D(0.0), q.data(), u.data(), nullptr);
    dual.joint_momenta(moved.data());
    double worst = 0, largest = 0;
    for (size_t k = 0; k < n; ++k) {
      worst = std::max(worst, std::fabs(moved[k].d - pdot[k]));
      largest = std::max(largest, std::fabs(pdot[k]));
    }
    // a mass matrix of condition 1e6, solved
    CHECK(worst < 1e-9 * largest);
  }
}

TEST_CASE("elastic tree: an unconstrained tree keeps its whole momentum") {
  Model model = elastic_tree();
  model.gravity = {0, 0, 0};
  const Mechanism m = compile(model);
  const RandomState s(m, 9);
  Instant<double> d(m);
  d.set(0, s.q.data(), s.u.data(), nullptr);
  REQUIRE(d.a().exist);
  // momentum of all = the six momenta of the base, seen from the world; its rate is Σ m a = 0
  Instant<D> dual(m);
  std::vector<D> q(m.nq), u(static_cast<size_t>(m.nu));
  for (size_t b = 1; b < static_cast<size_t>(m.nb); ++b) {
    D xi[6], q0[7];
    double v[6];
    chart_velocity(m.kind[b], m.numbers.body[b].joint, s.q.data() + m.q0[b], s.u.data() + m.u0[b],
                   v);
    for (int k = 0; k < m.x0[b + 1] - m.x0[b]; ++k) xi[k] = D(0.0, v[k]);
    for (int k = m.q0[b]; k < m.q0[b + 1]; ++k) q0[k - m.q0[b]] = D(s.q[k]);
    retract(m.kind[b], q0, xi, q.data() + m.q0[b]);
  }
  for (size_t k = 0; k < u.size(); ++k) u[k] = D(s.u[k], d.udot()[k]);
  dual.set(D(0.0), q.data(), u.data(), nullptr);
  const Wrench<D> h = dual.momentum();
  const Wrench<double> size = d.momentum();
  const double scale = norm(size.n) + norm(size.f);
  for (int i = 0; i < 3; ++i) {
    // what is left of forces that are a million times larger
    CHECK(std::fabs(h.n[i].d) < 1e-8 * scale);
    CHECK(std::fabs(h.f[i].d) < 1e-8 * scale);
  }
}
