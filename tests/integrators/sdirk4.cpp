// sdirk4: order, published stiff problems, and steps that follow the slow motion.
#include <doctest/doctest.h>

#include "integrators/odes.hpp"
#include "near.hpp"

using namespace sarrus;
using namespace sarrus::test;
using sarrus::testing::near;

TEST_CASE("sdirk4: halving equal steps divides the error by sixteen") {
  const auto error = [](double h) {
    Plain ode = kepler();
    const State start = kepler_start(0.3);
    IntegratorOptions o = equal_steps(h);
    o.tolerance = 1e-12;  // Newton's changes: below the errors that are compared
    return distance(solve(ode, "sdirk4", o, 2 * M_PI, start), start);
  };
  const double coarse = error(0.02), fine = error(0.01);
  const double found = std::log2(coarse / fine);
  // 0.45: the next term of the error is still visible at these steps
  CHECK(found > 4 - 0.45);
  CHECK(found < 5);
}

TEST_CASE("sdirk4: van der Pol's oscillator with ε = 1e-6 at t = 2, test set for IVP solvers") {
  Plain ode(2, 0, [](double, auto y, auto f) {
    f[0] = y[1], f[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) * 1e6;
    return true;
  });
  State y = {2, 0};
  const auto integrator = make_integrator("sdirk4", {.rtol = 1e-7, .atol = 1e-7});
  integrator->start(ode, 0, y);
  const Run r = run(ode, *integrator, 0, 2, y);
  REQUIRE(r.status == StepStatus::accepted);
  // [Mazzia, Magherini 2008, VDPOL]; rtol 1e-7 over a thousand steps, and order reduction
  CHECK(near(y[0], 1.706167732170483, 1e-4));
  CHECK(near(y[1], -0.8928097010247975, 1e-4));
  CHECK(r.evaluations < 100000);  // an explicit method takes millions
}

TEST_CASE("sdirk4: a fast decay does not hold the step down") {
  // ẏ = −10⁶ (y − cos t) − sin t, y = cos t [Prothero, Robinson 1974]
  Plain ode(1, 0, [](double t, auto y, auto f) {
    f[0] = -1e6 * (y[0] - std::cos(t)) - std::sin(t);
    return true;
  });
  State y = {1};
  const auto integrator = make_integrator("sdirk4", {.rtol = 1e-6, .atol = 1e-6});
  integrator->start(ode, 0, y);
  const Run r = run(ode, *integrator, 0, 10, y);
  REQUIRE(r.status == StepStatus::accepted);
  CHECK(near(y[0], std::cos(10.), 1e-6));  // the tolerance
  CHECK(r.steps < 500);  // stability would ask an explicit method for three million
}
