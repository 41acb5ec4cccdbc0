// The recursion against dense linear algebra, on random trees with every joint.
#include <doctest/doctest.h>

#include <Eigen/Dense>

#include "instant.hpp"
#include "near.hpp"
#include "random_tree.hpp"
#include "sarrus/formulations/formulation.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

constexpr int trees = 25;

/// Calls f(mechanism, state, seed) for many random trees.
template <class F>
void for_random_trees(F f) {
  for (int seed = 1; seed <= trees; ++seed) {
    CAPTURE(seed);
    Random r(static_cast<std::uint64_t>(seed));
    const Mechanism m = compile(random_tree(r, 2 + seed % 9));
    if (m.nu == 0) continue;
    f(m, random_state(r, m), r);
  }
}

Eigen::VectorXd udot_of(const Mechanism& m, const Coordinates& c) {
  Instant<double> d(m);
  d.set(0, c.q.data(), c.u.data(), nullptr);
  return Eigen::Map<const Eigen::VectorXd>(d.udot().data(), m.nu);
}

Eigen::MatrixXd mass_matrix(const Mechanism& m, const Coordinates& c) {
  Instant<double> d(m);
  d.set(0, c.q.data(), c.u.data(), nullptr);
  Eigen::MatrixXd M(m.nu, m.nu);
  d.mass_matrix(M.data());
  return M;
}

}  // namespace

TEST_CASE("inverse dynamics of the accelerations needs no force") {
  for_random_trees([](const Mechanism& m, const Coordinates& c, Random&) {
    Instant<double> d(m);
    d.set(0, c.q.data(), c.u.data(), nullptr);
    REQUIRE(d.a().exist);
    const std::vector<double> udot = d.udot();
    std::vector<double> tau(m.nu);
    d.inverse_dynamics(udot.data(), tau.data());
    const Eigen::MatrixXd M = mass_matrix(m, c);
    // rounding times the size of the terms that cancel
    const double scale =
        (M.cwiseAbs() * Eigen::Map<const Eigen::VectorXd>(udot.data(), m.nu).cwiseAbs()).maxCoeff();
    // what is left of forces of this size
    for (const double t : tau) CHECK(std::fabs(t) < 1e-12 * (1 + scale));
  });
}

TEST_CASE("the mass matrix is symmetric, positive, and gives the kinetic energy") {
  for_random_trees([](const Mechanism& m, const Coordinates& c, Random&) {
    const Eigen::MatrixXd M = mass_matrix(m, c);
    CHECK((M - M.transpose()).cwiseAbs().maxCoeff() == 0);
    CHECK(M.llt().info() == Eigen::Success);
    Instant<double> d(m);
    d.set(0, c.q.data(), c.u.data(), nullptr);
    const Eigen::Map<const Eigen::VectorXd> u(c.u.data(), m.nu);
    // some hundred products and sums
    CHECK(near(0.5 * u.dot(M * u), d.kinetic_energy(), 1e-12));
    std::vector<double> p(m.nu);
    d.joint_momenta(p.data());
    CHECK((M * u - Eigen::Map<Eigen::VectorXd>(p.data(), m.nu)).cwiseAbs().maxCoeff() <
          1e-12 * (1 + (M * u).cwiseAbs().maxCoeff()));
  });
}

TEST_CASE("the recursion solves M u̇ = −(bias): two ways to the accelerations") {
  for_random_trees([](const Mechanism& m, const Coordinates& c, Random&) {
    Instant<double> d(m);
    d.set(0, c.q.data(), c.u.data(), nullptr);
    const std::vector<double> still(m.nu, 0.0);
    Eigen::VectorXd bias(m.nu);
    d.inverse_dynamics(still.data(), bias.data());
    const Eigen::MatrixXd M = mass_matrix(m, c);
    const Eigen::VectorXd dense = M.llt().solve(-bias), recursive = udot_of(m, c);
    const Eigen::VectorXd s = M.jacobiSvd().singularValues();
    const double condition = s(0) / s(m.nu - 1);
    // a hundred roundings, times the condition of the mass matrix
    CHECK((dense - recursive).norm() < 1e-15 * 100 * condition * (1 + dense.norm()));
  });
}

TEST_CASE("solve() is the inverse of the mass matrix") {
  for_random_trees([](const Mechanism& m, const Coordinates& c, Random& r) {
    const Eigen::MatrixXd M = mass_matrix(m, c);
    Instant<double> d(m);
    d.set(0, c.q.data(), c.u.data(), nullptr);
    Eigen::VectorXd b(m.nu), x(m.nu);
    for (int i = 0; i < m.nu; ++i) b[i] = r.uniform(-1, 1);
    d.solve(b.data(), x.data());
    // roundings of each product
    CHECK((M * x - b).norm() < 1e-13 * (M.cwiseAbs() * x.cwiseAbs()).norm() * m.nu + 1e-13);
  });
}

TEST_CASE("J M⁻¹ Jᵀ: how one body answers a wrench on another") {
  for_random_trees([](const Mechanism& m, const Coordinates& c, Random& r) {
    Instant<double> d(m);
    // Jacobians by columns: twists under unit velocities
    const auto jacobian = [&](int body) {
      Eigen::MatrixXd J(6, m.nu);
      for (int k = 0; k < m.nu; ++k) {
        std::vector<double> e(m.nu, 0.0);
        e[k] = 1;
        d.set(0, c.q.data(), e.data(), nullptr);
        const Twist<double> V = d.k().body[body].V;
        J.col(k) << V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z;
      }
      return J;
    };
    const int i = 1 + r.below(m.nb - 1), j = 1 + r.below(m.nb - 1);
    const Eigen::MatrixXd Ji = jacobian(i), Jj = jacobian(j);
    const Eigen::MatrixXd expected = Ji * mass_matrix(m, c).llt().solve(Jj.transpose());
    d.set(0, c.q.data(), c.u.data(), nullptr);
    Eigen::MatrixXd V(6, 6);
    operational_inertia(d.w, factor(d.w, d.k()), i, j, V.data());
    // a mass matrix of condition up to 1e6, solved
    CHECK((V - expected).norm() < 1e-9 * (1 + expected.norm()));
  });
}

TEST_CASE("power: the rate of the kinetic energy is the work of gravity") {
  // dT/dt by differences along the motion, against −dV/dt
  for_random_trees([](const Mechanism& m, const Coordinates& c, Random&) {
    const auto f = make_formulation("recursive", m);
    std::vector<double> y(f->size()), rate = y, probe = y;
    f->begin({0, c.q, c.u, {}}, y);
    REQUIRE(f->derivative(0, y, rate));
    const auto energy = [&](double h) {
      for (size_t i = 0; i < y.size(); ++i) probe[i] = y[i] + h * rate[i];
      return observed(*f, 0, probe).energy();
    };
    // E along the tangent is stationary to first order: the difference falls as h²
    const double h = 1e-5, change = (energy(h) - energy(-h)) / (2 * h);
    // h² times a third derivative
    CHECK(std::fabs(change) < 1e-5 * (1 + std::fabs(energy(0))));
  });
}

TEST_CASE("momentum: nothing but gravity changes that of a free system") {
  for (int seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    Random r(static_cast<std::uint64_t>(100 + seed));
    Model model = random_tree(r, 5);
    model.gravity = {};
    // all hang on one free body; ground contact joints would bring external forces
    for (JointSpec& j : model.joints) {
      if (j.parent == "world") j.parent = "b0";
      if (j.type == JointType::knife_edge || j.type == JointType::rolling_disk)
        j.type = JointType::planar;
    }
    model.joints[0].parent = "world";
    model.joints[0].type = JointType::free;
    const Mechanism m = compile(model);
    const Coordinates c = random_state(r, m);
    const auto f = make_formulation("recursive", m);
    std::vector<double> y(f->size()), rate = y, probe = y;
    f->begin({0, c.q, c.u, {}}, y);
    REQUIRE(f->derivative(0, y, rate));
    const auto momentum = [&](double h) {
      for (size_t i = 0; i < y.size(); ++i) probe[i] = y[i] + h * rate[i];
      return momentum_of(observed(*f, 0, probe));
    };
    const double h = 1e-5;
    const Wrench<double> a = momentum(h), b = momentum(-h);
    const double size = norm(a.f) + norm(a.n);
    CHECK(norm((a.f - b.f) * (1 / (2 * h))) < 1e-7 * (1 + size));  // h² and rounding/h
    CHECK(norm((a.n - b.n) * (1 / (2 * h))) < 1e-7 * (1 + size));
  }
}
