// Methods for Hamilton's equations on the reference chain B1 (five hinges with springs), one
// second: errors of position and energy as published with the model,
// docs/theory/reference-models.md.
#include <doctest/doctest.h>

#include "builders.hpp"
#include "integrators/odes.hpp"
#include "sarrus/formulations/formulation.hpp"

using namespace sarrus;
using namespace sarrus::test;

namespace {

struct Found {
  double position = 0, energy = 0, evaluations = 0;
};

/// Largest error of a coordinate at t = 1 s, largest change of energy at any step.
Found run_b1(const std::string& formulation, const std::string& method, double steps) {
  const Mechanism m = compile(sarrus::testing::chain_b1());
  const auto f = make_formulation(formulation, m);
  State y(static_cast<size_t>(f->size()));
  f->begin({0, m.start.q, m.start.u, {}}, y);
  const auto integrator = make_integrator(method, {.step = 1 / steps});
  integrator->start(*f, 0, y);
  const double E0 = f->energy_account(0, y);
  Found found;
  const Run r = run(*f, *integrator, 0, 1, y, [&](double t, double h) {
    found.energy = std::max(found.energy, std::fabs(f->energy_account(t + h, y) - E0));
  });
  REQUIRE(r.status == StepStatus::accepted);
  found.evaluations = static_cast<double>(r.evaluations) / r.steps;
  // t = 1 s, by an integration to 1e-12
  const double reference[] = {-1.763856137475, 1.744666569508, 1.061397363245, -2.031873257081,
                              0.094431875130};
  const std::vector<double> q = f->configuration(1, y);
  for (size_t i = 0; i < 5; ++i)
    found.position = std::max(found.position, std::fabs(q[i] - reference[i]));
  return found;
}

struct KeptEnergy {
  std::string method;
  double steps;  // per second
  double position, energy;
};

}  // namespace

TEST_CASE("B1: every method for momenta has the errors of position and energy that are published") {
  const KeptEnergy cases[] = {{"midpoint", 200, 3.22e-3, 2.5e-2},
                              {"midpoint", 400, 8.06e-4, 6.3e-3},
                              {"midpoint", 800, 2.02e-4, 1.6e-3},
                              {"stormer_verlet", 200, 1.02e-2, 1.1e-1},
                              {"stormer_verlet", 400, 2.53e-3, 2.9e-2},
                              {"stormer_verlet", 800, 6.32e-4, 7.2e-3},
                              {"discrete_gradient", 200, 2.19e-3, 0},
                              {"discrete_gradient", 400, 5.49e-4, 0},
                              {"gauss4", 100, 1.44e-5, 7.5e-5},
                              {"gauss4", 200, 9.02e-7, 4.7e-6},
                              {"gauss4", 400, 5.65e-8, 2.9e-7},
                              {"gauss6", 50, 4.94e-7, 3.2e-6},
                              {"gauss6", 100, 8.33e-9, 7.8e-8},
                              {"gauss6", 200, 1.31e-10, 1.2e-9},
                              {"tao", 400, 5.30e-4, 1.9e-2},
                              {"tao", 800, 1.32e-4, 4.7e-3},
                              {"tao", 1600, 3.30e-5, 1.2e-3},
                              {"rk4", 200, 5.92e-6, 3.6e-5},
                              {"rk4", 400, 3.61e-7, 2.0e-6},
                              {"rk4", 800, 2.22e-8, 1.2e-7}};
  for (const KeptEnergy& c : cases) {
    CAPTURE(c.method);
    CAPTURE(c.steps);
    const Found found = run_b1("hamiltonian", c.method, c.steps);
    // half a unit of the third digit, and the reference to 1e-12
    CHECK(std::fabs(found.position - c.position) < 0.005 * c.position + 2e-12);
    if (c.energy > 0)
      CHECK(std::fabs(found.energy - c.energy) < 0.05 * c.energy);  // given with two digits
    else
      CHECK(found.energy < 1e-11);
  }
}
