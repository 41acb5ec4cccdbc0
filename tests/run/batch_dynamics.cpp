// Dynamics of many states at once, joint forces from outside, Jacobians of points.
#include "sarrus/run/batch_dynamics.hpp"

#include <doctest/doctest.h>

#include "near.hpp"
#include "random_tree.hpp"
#include "sarrus/formulations/stages/applied.hpp"
#include "sarrus/formulations/stages/jacobians.hpp"
#include "sarrus/mechanism/compile.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

struct ManyStates {
  std::vector<double> q, u, tau;
};
ManyStates random_states(Random& r, const Mechanism& m, int count) {
  ManyStates s;
  for (int i = 0; i < count; ++i) {
    const Coordinates c = random_state(r, m);
    s.q.insert(s.q.end(), c.q.begin(), c.q.end());
    s.u.insert(s.u.end(), c.u.begin(), c.u.end());
    for (int k = 0; k < m.nu; ++k) s.tau.push_back(r.uniform(-5, 5));
  }
  return s;
}

}  // namespace

TEST_CASE("many states: inverse dynamics of the accelerations gives the joint forces back") {
  Random r(21);
  for (int tree = 0; tree < 10; ++tree) {
    const Mechanism m = compile(random_tree(r, 5));
    constexpr int count = 23;
    const ManyStates s = random_states(r, m, count);
    const StateRows rows{count, s.q.data(), s.u.data(), s.tau.data()};
    std::vector<double> udot(s.u.size()), tau(s.u.size());
    CHECK(forward_dynamics_rows(m, rows, udot.data(), 2) == -1);
    inverse_dynamics_rows(m, rows, udot.data(), tau.data(), 3);
    CHECK(
        near(tau, s.tau, 1e-9));  // accelerations of light bodies may be a thousand times as large
  }
}

TEST_CASE(
    "many states: one has the same bits whatever its neighbours and on any number of threads") {
  Random r(22);
  const Mechanism m = compile(random_tree(r, 6));
  constexpr int count = 150;
  const ManyStates s = random_states(r, m, count);
  std::vector<double> all(s.u.size()), one(static_cast<size_t>(m.nu)), threaded(s.u.size());
  forward_dynamics_rows(m, {count, s.q.data(), s.u.data()}, all.data(), 1);
  forward_dynamics_rows(m, {count, s.q.data(), s.u.data()}, threaded.data(), 3);
  CHECK(all == threaded);
  for (const int i : {0, 1, 77, count - 1}) {
    forward_dynamics_rows(m, {1, s.q.data() + i * m.nq, s.u.data() + i * m.nu}, one.data(), 1);
    for (int k = 0; k < m.nu; ++k) CHECK(one[k] == all[static_cast<size_t>(i * m.nu + k)]);
  }
  CHECK(forward_dynamics_rows(m, {}, nullptr, 4) == -1);  // none at all
}

TEST_CASE("joint forces from outside are gone when they are taken back") {
  Random r(23);
  const Mechanism m = compile(random_tree(r, 4));
  const Coordinates c = random_state(r, m);
  Workspace<double> w(m);
  const auto accelerations = [&] {
    const Kinematics<double>& k = move(w, 0.0, c.q.data(), c.u.data(), m.start_state.data());
    return accelerate(w, k, load(w, k)).udot;
  };
  const std::vector<double> before = accelerations(), tau(static_cast<size_t>(m.nu), 1.0);
  apply_joint_forces(w, tau.data());
  CHECK(accelerations() != before);
  apply_joint_forces<double>(w, nullptr);
  CHECK(accelerations() == before);
}

TEST_CASE("Jacobian: J u is the velocity of the point, and J̇ its rate") {
  Random r(24);
  for (int tree = 0; tree < 20; ++tree) {
    const Mechanism m = compile(random_tree(r, 5));
    const Coordinates c = random_state(r, m);
    const Vec3 at = random_vector(r);
    const int body = m.nb - 1;
    Workspace<double> w(m);
    const Kinematics<double>& k = move(w, 0.0, c.q.data(), c.u.data(), m.start_state.data());
    const PointJacobian<double> J = point_jacobian<double>(k, body, at);
    Vec3 v{}, omega{};
    for (int i = 0; i < m.nu; ++i) v += J.v[i] * c.u[i], omega += J.w[i] * c.u[i];
    const BodyMotion<double>& B = k.body[body];
    const Vec3 expected = B.V.v + cross(B.V.w, J.p - B.o);
    for (int i = 0; i < 3; ++i) {
      CHECK(within(v[i], expected[i], 1e-11));
      CHECK(within(omega[i], B.V.w[i], 1e-11));
    }
    const JacobianRate rate = point_jacobian_rate(m, 0, c.q.data(), c.u.data(), body, at);
    // the point itself moves with J u, and values of the dual J are J
    for (int i = 0; i < 3; ++i) CHECK(within(rate.J.p[i].d, v[i], 1e-11));
    for (int j = 0; j < m.nu; ++j)
      for (int i = 0; i < 3; ++i) CHECK(within(rate.J.v[j][i].v, J.v[j][i], 1e-12));
  }
}
