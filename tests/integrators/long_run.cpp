// What symplectic and symmetric methods are for: no trend over many periods.
#include <doctest/doctest.h>

#include <algorithm>

#include "integrators/odes.hpp"

using namespace sarrus;
using namespace sarrus::test;

namespace {

/// Largest energy error of an ellipse over the first and over the last of `periods` periods.
std::pair<double, double> energy_errors(const std::string& method, double h, int periods) {
  Plain ode = kepler();
  State y = kepler_start(0.3);
  const double E0 = kepler_energy(y);
  const auto integrator = make_integrator(method, {.step = h});
  integrator->start(ode, 0, y);
  double first = 0, last = 0;
  run(ode, *integrator, 0, 2 * M_PI * periods, y, [&](double t, double) {
    const double e = std::fabs(kepler_energy(y) - E0);
    if (t < 2 * M_PI) first = std::max(first, e);
    if (t > 2 * M_PI * (periods - 1)) last = std::max(last, e);
  });
  return {first, last};
}

}  // namespace

TEST_CASE("long run: midpoint and semi-implicit Euler keep the energy of an orbit without trend") {
  for (const auto& [method, h] :
       {std::pair<std::string, double>{"midpoint", 0.05}, {"semi_implicit_euler", 0.01}}) {
    CAPTURE(method);
    const auto [first, last] = energy_errors(method, h, 300);
    CHECK(first > 1e-6);  // the error oscillates
    CHECK(last <
          1.05 * first);  // but does not grow; 5 %: steps fall on other points of the ellipse
  }
}

TEST_CASE("long run: rk4, which is not symplectic, loses energy at a steady rate") {
  const auto [first, last] = energy_errors("rk4", 0.05, 300);
  CHECK(last > 50 * first);
}

TEST_CASE(
    "long run: midpoint keeps angular momentum of an orbit to rounding, a quadratic invariant") {
  Plain ode = kepler();
  State y = kepler_start(0.6);
  const double L0 = y[0] * y[3] - y[1] * y[2];
  const auto integrator = make_integrator("midpoint", {.step = 0.05});
  integrator->start(ode, 0, y);
  const Run r = run(ode, *integrator, 0, 200, y);
  // 4000 steps, each solved to 1e-13
  CHECK(std::fabs(y[0] * y[3] - y[1] * y[2] - L0) < 4e-11);
  CHECK(r.evaluations < 30 * r.steps);
}
