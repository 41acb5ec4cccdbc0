// Inverse dynamics and mass matrix at a configuration, without setting the whole instant.
#include <doctest/doctest.h>

#include "builders.hpp"
#include "instant.hpp"
#include "near.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// A rod of length 1 m and mass 2 kg on a hinge about the world's y axis, hanging along −z.
Mechanism rod() {
  Model model;
  BodySpec b;
  b.name = "rod";
  b.mass = 2;
  b.com = Vec3{0, 0, -0.5};
  b.inertia = Mat3{{1.0 / 6, 0, 0}, {0, 1.0 / 6, 0}, {0, 0, 1e-3}};
  model.bodies.push_back(b);
  JointSpec j;
  j.name = "hinge";
  j.child = "rod";
  j.axis = {0, 1, 0};
  // forces other than gravity are not asked for
  j.spring = JointSpringSpec{{100}, {0.3}, {}};
  model.joints.push_back(j);
  return compile(model);
}

}  // namespace

TEST_CASE("a hanging rod needs I α + m g l/2 sin θ at its hinge") {
  const Mechanism m = rod();
  Instant<double> d(m);
  const double q = 0.7, u = 1.5, udot = -2.5, I = 2.0 / 3;  // m l²/3 about the hinge
  double tau = 0, M = 0;
  inverse_dynamics_at(d.w, &q, &u, &udot, &tau);
  mass_matrix_at(d.w, &q, &M);
  // a few roundings of numbers near 10
  CHECK(near(tau, I * udot + 2 * 9.81 * 0.5 * std::sin(q), 1e-14));
  CHECK(near(M, I, 1e-14));
}

TEST_CASE("a tree of all joints: forces put in by inverse dynamics are those that accelerate it") {
  const Mechanism m = compile(tree_b2());
  const auto nu = static_cast<size_t>(m.nu);
  Instant<double> d(m);
  d.set(0, m.start.q.data(), m.start.u.data(), m.start_state.data());
  REQUIRE(d.a().exist);
  const std::vector<double> udot = d.udot();

  // free of forces but gravity, so that its own acceleration asks for none
  std::vector<double> tau(nu, 1.0), M(nu * nu), at_rest(nu), with_one(nu);
  inverse_dynamics_at(d.w, m.start.q.data(), m.start.u.data(), udot.data(), tau.data());
  for (size_t i = 0; i < nu; ++i) CHECK(std::fabs(tau[i]) < 1e-10);  // of terms near 100 N, N m

  // column j of M is what one more unit of acceleration j costs
  mass_matrix_at(d.w, m.start.q.data(), M.data());
  std::vector<double> acceleration(nu, 0.0);
  inverse_dynamics_at(d.w, m.start.q.data(), m.start.u.data(), acceleration.data(), at_rest.data());
  for (size_t j = 0; j < nu; ++j) {
    acceleration.assign(nu, 0.0);
    acceleration[j] = 1;
    inverse_dynamics_at(d.w, m.start.q.data(), m.start.u.data(), acceleration.data(),
                        with_one.data());
    for (size_t i = 0; i < nu; ++i)
      CHECK(std::fabs(with_one[i] - at_rest[i] - M[j * nu + i]) < 1e-11);  // differences of 100
  }
}
