// Partial linearisation: what small coordinates keep, and the trap of keeping too little.
#include <doctest/doctest.h>

#include "builders.hpp"
#include "near.hpp"
#include "random_tree.hpp"
#include "sarrus/formulations/energy/energy.hpp"
#include "sarrus/formulations/formulation.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// A uniform blade of 4 m and 50 kg on a flapping hinge, 0.2 m from the axis of a hub.
Model flapping_blade() {
  Model model;
  model.name = "blade";
  model.gravity = {0, 0, 0};
  BodySpec hub, blade;
  hub.name = "hub";
  hub.mass = 10;
  hub.inertia = Mat3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  blade.name = "blade";
  blade.mass = 50;
  blade.com = Vec3{2, 0, 0};
  const double across = 50 * 16 / 12.0;
  blade.inertia = Mat3{{0, 0, 0}, {0, across, 0}, {0, 0, across}};
  model.bodies = {hub, blade};
  JointSpec shaft, flap;
  shaft.name = "shaft";
  shaft.child = "hub";
  flap.name = "flap";
  flap.parent = "hub";
  flap.child = "blade";
  flap.axis = {0, -1, 0};  // up is positive
  flap.on_parent.at = {0.2, 0, 0};
  flap.small = true;
  model.joints = {shaft, flap};
  return model;
}

constexpr double flap_ratio = 1.036822067666;  // √(1 + e S/I), S = 100 kg m, I = 800/3 kg m²

/// The mechanism with every marked coordinate and velocity scaled by ε.
Coordinates scaled(const Mechanism& m, Coordinates c, double e) {
  for (size_t b = 1; b < static_cast<size_t>(m.nb); ++b)
    if (m.small[b]) {
      for (int i = m.q0[b]; i < m.q0[b + 1]; ++i) c.q[i] *= e;
      for (int i = m.u0[b]; i < m.u0[b + 1]; ++i) c.u[i] *= e;
    }
  return c;
}

}  // namespace

TEST_CASE("flapping: the centrifugal stiffness is in the second order of the hub's own energy") {
  const Mechanism m = compile(flapping_blade());
  EnergyRows<Series<double>> rows(m);
  const double beta = 0.01;
  const Series<double> q[] = {Series<double>(0.7), {0.0, beta, 0.0}};
  Series<double> A[4];
  rows.matrix(q, A);
  // ½ Ω² (a₀ + a₁ + a₂): only a₂ = −(I + e S) β² restores the blade
  CHECK(A[0].c1 == 0);  // so that the first order alone gives a frequency of 0
  CHECK(near(std::sqrt(-A[0].c2 / (beta * beta) / A[3].c0), flap_ratio, 1e-12));
}

TEST_CASE("flapping: the rate of the flap's momentum is that of the closed form") {
  Model model = flapping_blade();
  const double Omega = 30, beta = 0.02;
  model.joints[0].motion = {formula("30*t")};
  model.joints[1].q = {beta};
  const Mechanism m = compile(model);
  for (const char* gradient : {"complex", "literal"}) {
    CAPTURE(gradient);
    const auto f = make_formulation("hamiltonian", m, {"", gradient, {}, ""});
    std::vector<double> y(f->size()), rate = y;
    f->begin({0, m.start.q, m.start.u, {}}, y);
    REQUIRE(f->derivative(0, y, rate));
    const double stiffness = 800 / 3.0 * flap_ratio * flap_ratio * Omega * Omega;
    CHECK(near(rate[m.nx + 1], -stiffness * beta,
               1e-8));  // digits of the ratio; differences
  }
}

TEST_CASE("what is left out of the energies is of third order") {
  for (int seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Random r(static_cast<std::uint64_t>(seed));
    Model model = random_tree(r, 3 + seed % 5);
    for (JointSpec& j : model.joints)
      if (j.type <= JointType::universal && j.type != JointType::fixed) j.small = r.below(2) == 0;
    const Mechanism m = compile(model);
    Energy truncated(m);
    if (!truncated.is_truncated()) continue;
    for (JointSpec& j : model.joints) j.small = false;
    const Mechanism in_full = compile(model);
    Energy full(in_full);
    const Coordinates c = random_state(r, m);
    const auto difference = [&](double e) {
      const Coordinates s = scaled(m, c, e);
      return std::array{std::fabs(truncated.kinetic(s.q.data(), s.u.data()) -
                                  full.kinetic(s.q.data(), s.u.data())),
                        std::fabs(truncated.gravity(s.q.data()) - full.gravity(s.q.data()))};
    };
    const auto coarse = difference(1e-2), fine = difference(5e-3);
    for (size_t i = 0; i < 2; ++i)
      // a factor of 8, or 16 where the third order happens to vanish
      if (coarse[i] > 1e-9) CHECK(coarse[i] / fine[i] > 7);
  }
}

TEST_CASE("the truncated matrix, energy and gradient belong together") {
  Random r(5);
  Model model = random_tree(r, 6);
  for (JointSpec& j : model.joints)
    if (j.type <= JointType::universal && j.type != JointType::fixed) j.small = true;
  const Mechanism m = compile(model);
  Energy energy(m);
  REQUIRE(energy.is_truncated());
  const Coordinates c = random_state(r, m);
  const auto n = static_cast<size_t>(m.nu);
  std::vector<double> A(n * n), by_step(n), by_difference(n);
  energy.matrix(c.q.data(), A.data());
  double T = 0;
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) T += 0.5 * A[i + j * n] * c.u[i] * c.u[j];
  // some hundred products and sums
  CHECK(near(energy.kinetic(c.q.data(), c.u.data()), T, 1e-13));
  energy.gradient_by_complex_step(c.q.data(), c.u.data(), by_step.data());
  energy.gradient_by_differences(c.q.data(), c.u.data(), by_difference.data());
  for (size_t i = 0; i < n; ++i)
    // differences of energies
    CHECK(std::fabs(by_difference[i] - by_step[i]) < 1e-8 * (1 + std::fabs(T)));
}

TEST_CASE("small coordinates are refused by whoever would treat them in full, by name") {
  const Mechanism m = compile(flapping_blade());
  CHECK_THROWS_WITH_AS(make_formulation("recursive", m), doctest::Contains("joint/flap"), Error);
  CHECK_THROWS_WITH_AS(make_formulation("hamiltonian", m, {"recursive", "", {}, ""}),
                       doctest::Contains("joint/flap"), Error);
  CHECK_THROWS_WITH_AS(make_formulation("hamiltonian", m, {"", "recursive", {}, ""}),
                       doctest::Contains("joint/flap"), Error);
  CHECK_NOTHROW(make_formulation("hamiltonian", m));
}

TEST_CASE("a joint without plain coordinates cannot be small, nor one that is prescribed") {
  Model model = flapping_blade();
  model.joints[1].type = JointType::spherical;
  CHECK_THROWS_WITH_AS(compile(model), doctest::Contains("joint/flap/small"), Error);
  model = flapping_blade();
  model.joints[1].motion = {formula("0.01*t")};
  CHECK_THROWS_WITH_AS(compile(model), doctest::Contains("joint/flap/small"), Error);
}
