// Derivatives by recursion against dual numbers, over random trees of all joints.
#include <doctest/doctest.h>

#include "builders.hpp"
#include "near.hpp"
#include "random_tree.hpp"
#include "sarrus/formulations/stages/derivatives.hpp"
#include "sarrus/joints/chart.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

using D = Dual<double>;

struct Point {
  Mechanism m;
  Coordinates at;
  std::vector<double> udot;
};

Point random_point(int seed, int bodies) {
  Random r(static_cast<std::uint64_t>(seed));
  Model model = random_tree(r, bodies);
  for (JointSpec& j : model.joints)
    if (j.type == JointType::revolute) j.armature = 0.3;
  Point p{compile(model), {}, {}};
  p.at = random_state(r, p.m);
  for (int i = 0; i < p.m.nu; ++i) p.udot.push_back(r.uniform(-3, 3));
  return p;
}

std::vector<D> duals(const std::vector<double>& x) { return {x.begin(), x.end()}; }

/// The slope of τ along one chart entry, or one velocity.
std::vector<double> by_duals(const Point& p, int x, int u) {
  Workspace<D> w(p.m);
  std::vector<D> q = duals(p.at.q), v = duals(p.at.u), a = duals(p.udot), tau(p.udot.size());
  if (x >= 0) {
    const int b = p.m.body_of_chart_entry(x);
    D xi[6], q0[7];
    for (int k = p.m.x0[b]; k < p.m.x0[b + 1]; ++k) xi[k - p.m.x0[b]] = D(0.0, k == x ? 1 : 0);
    for (int k = p.m.q0[b]; k < p.m.q0[b + 1]; ++k) q0[k - p.m.q0[b]] = D(p.at.q[k]);
    retract(p.m.kind[b], q0, xi, q.data() + p.m.q0[b]);
  }
  if (u >= 0) v[u].d = 1;
  inverse_dynamics_at(w, q.data(), v.data(), a.data(), tau.data());
  std::vector<double> slope;
  for (const D& t : tau) slope.push_back(t.d);
  return slope;
}

double largest_entry_of(const std::vector<double>& x) {
  double most = 1;
  for (const double v : x) most = std::max(most, std::fabs(v));
  return most;
}

constexpr double few_ulps = 1e-12;  // of the largest entry: sums over up to nine bodies

}  // namespace

TEST_CASE(
    "derivatives of inverse dynamics by recursion are those of dual numbers, for all joints") {
  for (int seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const Point p = random_point(seed, 1 + seed % 9);
    Workspace<double> w(p.m);
    const Kinematics<double>& k =
        move(w, 0.0, p.at.q.data(), p.at.u.data(), p.m.start_state.data());
    Derivatives derivatives(p.m);
    const InverseDerivatives found = derivatives.of_inverse_dynamics(w, k, p.udot.data());

    std::vector<double> tau(p.udot.size()), M(tau.size() * tau.size());
    inverse_dynamics_at(w, p.at.q.data(), p.at.u.data(), p.udot.data(), tau.data());
    for (int i = 0; i < p.m.nu; ++i)
      CHECK(within(found.tau[i], tau[i], few_ulps * largest_entry_of(tau)));
    mass_matrix_at(w, p.at.q.data(), M.data());
    for (int i = 0; i < p.m.nu; ++i)
      for (int j = 0; j <= i; ++j)
        CHECK(within(found.M(i, j), M[static_cast<size_t>(i + j * p.m.nu)],
                     few_ulps * largest_entry_of(M)));

    for (int x = 0; x < p.m.nx; ++x) {
      CAPTURE(x);
      const std::vector<double> slope = by_duals(p, x, -1);
      for (int i = 0; i < p.m.nu; ++i)
        CHECK(within(found.by_x(i, x), slope[i], few_ulps * largest_entry_of(slope)));
    }
    for (int u = 0; u < p.m.nu; ++u) {
      CAPTURE(u);
      const std::vector<double> slope = by_duals(p, -1, u);
      for (int i = 0; i < p.m.nu; ++i)
        CHECK(within(found.by_u(i, u), slope[i], few_ulps * largest_entry_of(slope)));
    }
  }
}

TEST_CASE("derivatives of forward dynamics solve M ∂u̇ = −∂τ, and what is held does not answer") {
  for (int seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Point p = random_point(100 + seed, 2 + seed % 7);
    Workspace<double> w(p.m);
    std::vector<char> held(p.m.nb, 0);
    if (seed % 3 == 0) held[p.m.nb - 1] = 1;
    if (seed % 5 == 0) held[1] = 1;
    for (int b = 1; b < p.m.nb; ++b) w.hold(b, held[b]);
    const Kinematics<double>& k =
        move(w, 0.0, p.at.q.data(), p.at.u.data(), p.m.start_state.data());
    Derivatives derivatives(p.m), again(p.m);
    const InverseDerivatives inverse = derivatives.of_inverse_dynamics(w, k, p.udot.data());
    const ForwardDerivatives found = again.of_forward_dynamics(w, k, p.udot.data());
    const auto M = [&](int i, int j) { return i >= j ? inverse.M(i, j) : inverse.M(j, i); };
    const auto is_held = [&](int u) { return held[p.m.body_of_velocity(u)] != 0; };

    const auto check = [&](const RowsView& answer, auto&& right_side) {
      for (int c = 0; c < answer.columns; ++c)
        for (int i = 0; i < p.m.nu; ++i) {
          if (is_held(i)) {
            CHECK(answer(i, c) == 0);
            continue;
          }
          double sum = 0, size = 1;
          for (int j = 0; j < p.m.nu; ++j) {
            sum += M(i, j) * answer(j, c);
            size = std::max(size, std::fabs(M(i, j) * answer(j, c)));
          }
          CHECK(within(sum, right_side(i, c), 1e-11 * size));  // backward error of an elimination
        }
    };
    check(found.by_x, [&](int i, int c) { return -inverse.by_x(i, c); });
    check(found.by_u, [&](int i, int c) { return -inverse.by_u(i, c); });
    check(found.by_tau, [&](int i, int c) { return i == c ? 1.0 : 0.0; });
  }
}
