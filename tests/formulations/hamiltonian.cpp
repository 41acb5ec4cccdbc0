// Hamilton's side: velocities from momenta, rates of momenta, and the same motion as the recursion.
#include <doctest/doctest.h>

#include "builders.hpp"
#include "instant.hpp"
#include "near.hpp"
#include "random_tree.hpp"
#include "sarrus/formulations/formulation.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

double largest_rate(const std::vector<double>& x) {
  double size = 0;
  for (const double a : x) size = std::max(size, std::fabs(a));
  return size;
}

}  // namespace

TEST_CASE("B1: the rates of the momenta at the start") {
  const Mechanism m = compile(chain_b1());
  const auto f = make_formulation("hamiltonian", m);
  std::vector<double> y(f->size()), rate = y;
  f->begin({0, m.start.q, m.start.u, {}}, y);
  const double p[] = {5.749723806870, 1.680343876309, -1.362085492701, 0.304485869220,
                      -0.234762348074};
  const double pdot[] = {-26.553209076350, 72.229261652022, -6.023377042205, -7.718814672491,
                         2.716087620955};
  REQUIRE(f->derivative(0, y, rate));
  // a mass matrix of condition 1e2, solved
  CHECK(near(std::span(rate).first(5), m.start.u, 1e-12));
  for (size_t i = 0; i < 5; ++i) {
    CAPTURE(i);
    CHECK(near(y[5 + i], p[i], 1e-11));  // given with 12 decimals
    CHECK(near(rate[5 + i], pdot[i], 1e-11));
  }
}

TEST_CASE("velocities found from momenta are those that made the momenta") {
  for (int seed = 1; seed <= 25; ++seed) {
    CAPTURE(seed);
    Random r(static_cast<std::uint64_t>(seed));
    Model model = random_tree(r, 2 + seed % 9);
    for (JointSpec& j : model.joints)
      if (j.type == JointType::revolute) j.armature = 0.3;
    const Mechanism m = compile(model);
    const Coordinates c = random_state(r, m);
    Instant<double> d(m);
    d.set(0, c.q.data(), c.u.data(), nullptr);
    std::vector<double> p(m.nu);
    d.joint_momenta(p.data());
    const double kinetic = d.kinetic_energy();
    const Places<double>& back =
        *move_by_momenta<double>(d.w, 0, c.q.data(), p.data(), nullptr).places;
    // a mass matrix of condition up to 1e4, solved
    for (int i = 0; i < m.nu; ++i) CHECK(near(back.u[i], c.u[i], 1e-9));
    CHECK(near(kinetic_energy(d.w, back), kinetic, 1e-12));
  }
}

TEST_CASE("ṗ is the derivative of M u along the motion that the recursion finds") {
  for (int seed = 1; seed <= 25; ++seed) {
    CAPTURE(seed);
    Random r(static_cast<std::uint64_t>(seed));
    const Mechanism m = compile(random_tree(r, 2 + seed % 9));
    if (m.nu == 0) continue;
    const Coordinates c = random_state(r, m);
    const auto lagrange = make_formulation("recursive", m);
    std::vector<double> y(lagrange->size()), rate = y, probe = y;
    lagrange->begin({0, c.q, c.u, {}}, y);
    REQUIRE(lagrange->derivative(0, y, rate));
    const double h = 1e-5;
    for (size_t i = 0; i < y.size(); ++i) probe[i] = y[i] + h * rate[i];
    const std::vector<double> plus = observed(*lagrange, 0, probe).momentum;
    for (size_t i = 0; i < y.size(); ++i) probe[i] = y[i] - h * rate[i];
    const std::vector<double> minus = observed(*lagrange, 0, probe).momentum;

    const auto hamilton = make_formulation("hamiltonian", m);
    std::vector<double> z(hamilton->size()), zdot = z;
    hamilton->begin({0, c.q, c.u, {}}, z);
    REQUIRE(hamilton->derivative(0, z, zdot));
    const double scale = 1 + largest_rate(zdot);
    for (int i = 0; i < m.nu; ++i) {
      CAPTURE(i);
      const auto k = static_cast<size_t>(i);
      // h² of the difference and rounding over h
      CHECK(std::fabs(zdot[m.nx + k] - (plus[k] - minus[k]) / (2 * h)) < 1e-6 * scale);
    }
  }
}
