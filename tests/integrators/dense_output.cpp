// The solution inside a step: its ends, its order, and what happens where nobody looks.
#include <doctest/doctest.h>

#include <algorithm>

#include "integrators/odes.hpp"
#include "sarrus/integrators/methods.hpp"

using namespace sarrus;
using namespace sarrus::test;

namespace {

/// Largest error against 1/(1 + t²) inside the one step from t = 0.5 to 0.5 + h, exact at its
/// start.
double error_inside(const std::string& method, double h) {
  Plain ode = witch();
  State y = {1 / 1.25}, inside(1);
  const auto integrator = make_integrator(method, equal_steps(h));
  integrator->start(ode, 0.5, y);
  REQUIRE(integrator->step(ode, 0.5, 10, y).h == h);
  double worst = 0;
  for (double theta = 0.05; theta < 1; theta += 0.05) {
    integrator->interpolate(theta, inside);
    const double t = 0.5 + theta * h;
    worst = std::max(worst, std::fabs(inside[0] - 1 / (1 + t * t)));
  }
  return worst;
}

}  // namespace

TEST_CASE("dense output: errors inside one step fall as h^(order + 1)") {
  struct Case {
    std::string method;
    int order;
    double h;
  };
  // rk4 carries a cubic (error h⁴ in one step), dopri5 a quartic, dop853 a polynomial of order 7
  for (const auto& [method, order, h] :
       {Case{"rk4", 3, 0.05}, Case{"dopri5", 4, 0.05}, Case{"dop853", 7, 0.1}}) {
    CAPTURE(method);
    const double coarse = error_inside(method, h), fine = error_inside(method, h / 2);
    CAPTURE(coarse);
    CAPTURE(fine);
    const double found = std::log2(coarse / fine);
    CHECK(found > order + 1 - 0.4);
    CHECK(found < order + 1 + 0.9);
  }
}

TEST_CASE("dense output: it starts and ends where the step does") {
  for (const std::string& method : integrator_names()) {
    if (method == "cvode" && !has_cvode()) continue;
    CAPTURE(method);
    Plain ode = kepler();
    State y = kepler_start(0.4), inside(4);
    IntegratorOptions options = {.step = 0.01, .rtol = 1e-8, .atol = 1e-8};
    const auto integrator = make_integrator(method, options);
    integrator->start(ode, 0, y);
    for (int k = 0; k < 20; ++k) {
      const State before = y;
      REQUIRE(integrator->step(ode, k == 0 ? 0 : 0.01 * k, 100, y).status == StepStatus::accepted);
      integrator->interpolate(1, inside);
      CHECK(inside == y);
      integrator->interpolate(0, inside);
      CHECK(distance(inside, before) < 1e-13);  // an ellipse of size 1, some sums
      if (integrator->is_adaptive()) break;     // its times are its own
    }
  }
}

TEST_CASE(
    "dense output: an unobserved step costs twelve evaluations of dop853, an observed one "
    "fifteen") {
  Plain ode = kepler();
  State y = kepler_start(0.2);
  const auto integrator = make_integrator("dop853", {.rtol = 1e-6, .atol = 1e-6});
  integrator->start(ode, 0, y);
  double t = integrator->step(ode, 0, 100, y).h;
  integrator->expect_output(50);
  StepResult step = integrator->step(ode, t, 100, y);
  CHECK(step.evaluations == 12 * (1 + step.rejected));
  t += step.h;
  integrator->expect_output(t);
  step = integrator->step(ode, t, 100, y);
  CHECK(step.evaluations == 12 * (1 + step.rejected) + 3);
}
