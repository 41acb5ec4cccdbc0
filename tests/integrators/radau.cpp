// radau: order, published stiff problems, many digits where sdirk4 has few.
#include <doctest/doctest.h>

#include "integrators/odes.hpp"
#include "near.hpp"

using namespace sarrus;
using namespace sarrus::test;
using sarrus::testing::near;

namespace {

/// equal_steps() with the tolerance that chooses the number of stages.
IntegratorOptions equal_stages(double h, double rtol) {
  IntegratorOptions o = equal_steps(h);
  o.rtol = rtol;
  o.tolerance = 1e-14;  // Newton's changes: below the errors that are compared
  return o;
}

double ellipse_error(double h, double rtol) {
  Plain ode = kepler();
  const State start = kepler_start(0.3);
  return distance(solve(ode, "radau", equal_stages(h, rtol), 2 * M_PI, start), start);
}

Plain van_der_pol() {
  return Plain(2, 0, [](double, auto y, auto f) {
    f[0] = y[1], f[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) * 1e6;
    return true;
  });
}

}  // namespace

TEST_CASE("radau: halving equal steps divides the error by 2^5 with three stages, 2^9 with five") {
  // 0.45, 1.2: the next terms of the error are still visible at these steps, and at order 9 rounding
  // leaves no room for shorter ones
  const double five = std::log2(ellipse_error(0.1, 1e-3) / ellipse_error(0.05, 1e-3));
  CHECK(five > 5 - 0.45);
  CHECK(five < 6);
  const double nine = std::log2(ellipse_error(0.4, 1e-8) / ellipse_error(0.2, 1e-8));
  CHECK(nine > 9 - 1.2);
  CHECK(nine < 10.2);
}

TEST_CASE("radau: van der Pol's oscillator with ε = 1e-6 at t = 2, test set for IVP solvers") {
  Plain ode = van_der_pol();
  State y = {2, 0};
  const auto integrator = make_integrator("radau", {.rtol = 1e-9, .atol = 1e-9});
  integrator->start(ode, 0, y);
  const Run r = run(ode, *integrator, 0, 2, y);
  REQUIRE(r.status == StepStatus::accepted);
  // [Mazzia, Magherini 2008, VDPOL]; rtol 1e-9 over a few hundred steps
  CHECK(near(y[0], 1.706167732170483, 1e-7));
  CHECK(near(y[1], -0.8928097010247975, 1e-7));
  CHECK(r.evaluations < 20000);  // an explicit method takes millions
}

TEST_CASE("radau: Robertson's reaction at t = 1e11") {
  Plain ode(3, 0, [](double, auto y, auto f) {
    f[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    f[2] = 3e7 * y[1] * y[1];
    f[1] = -f[0] - f[2];
    return true;
  });
  State y = {1, 0, 0};
  const auto integrator = make_integrator("radau", {.rtol = 1e-9, .atol = 1e-16});
  integrator->start(ode, 0, y);
  REQUIRE(run(ode, *integrator, 0, 1e11, y).status == StepStatus::accepted);
  // [Mazzia, Magherini 2008, ROBER]
  CHECK(near(y[0], 0.2083340149701255e-7, 1e-6));
  CHECK(near(y[1], 0.8333360770334713e-13, 1e-6));
  CHECK(near(y[2], 0.9999999791665050, 1e-9));
}

TEST_CASE("radau: inside a step the solution has the digits of its ends") {
  // ẏ = −10⁶ (y − cos t) − sin t, y = cos t [Prothero, Robinson 1974]
  Plain ode(1, 0, [](double t, auto y, auto f) {
    f[0] = -1e6 * (y[0] - std::cos(t)) - std::sin(t);
    return true;
  });
  State y = {1}, inside = {0};
  const auto integrator = make_integrator("radau", {.rtol = 1e-9, .atol = 1e-9});
  integrator->start(ode, 0, y);
  double largest = 0;
  const Run r = run(ode, *integrator, 0, 10, y, [&](double t, double h) {
    for (const double part : {0.0, 0.3, 0.5, 0.7, 0.95, 1.0}) {
      integrator->interpolate(part, inside);
      largest = std::max(largest, std::fabs(inside[0] - std::cos(t + part * h)));
    }
  });
  REQUIRE(r.status == StepStatus::accepted);
  CHECK(largest < 1e-8);  // the tolerance is 1e-9 for each step
  CHECK(r.steps < 200);   // stability would ask an explicit method for two million
}

TEST_CASE("auto: the edge of stability is noticed, and what is stiff costs a thousandth") {
  Plain ode = van_der_pol();
  State y = {2, 0};
  const auto integrator = make_integrator("auto", {.rtol = 1e-9, .atol = 1e-9});
  integrator->start(ode, 0, y);
  const Run r = run(ode, *integrator, 0, 2, y);
  REQUIRE(r.status == StepStatus::accepted);
  CHECK(near(y[0], 1.706167732170483, 1e-7));  // [Mazzia, Magherini 2008, VDPOL]
  CHECK(near(y[1], -0.8928097010247975, 1e-7));
  CHECK(r.evaluations < 25000);  // an explicit method takes millions
  const std::vector<Diagnostic> said = integrator->remarks(ode);
  REQUIRE(said.size() == 1);
  CHECK(said[0].code == "integrator-chosen");
  CHECK(said[0].value == "radau");
}

TEST_CASE("auto: where nothing is stiff it is dop853, bit for bit") {
  Plain ode = kepler();
  const IntegratorOptions o = {.rtol = 1e-10, .atol = 1e-10};
  CHECK(solve(ode, "auto", o, 20, kepler_start(0.6)) ==
        solve(ode, "dop853", o, 20, kepler_start(0.6)));
}

TEST_CASE("auto: stiffness that ends gives explicit steps back") {
  // y₀ is drawn to cos 40 t by a rate of 10⁵ until t = 1, by 1 from then on
  Plain ode(1, 0, [](double t, auto y, auto f) {
    f[0] = -(t < 1 ? 1e5 : 1.0) * (y[0] - std::cos(40 * t)) - 40 * std::sin(40 * t);
    return true;
  });
  State y = {1};
  const auto integrator = make_integrator("auto", {.rtol = 1e-10, .atol = 1e-10});
  integrator->start(ode, 0, y);
  REQUIRE(run(ode, *integrator, 0, 1, y).status == StepStatus::accepted);
  CHECK(integrator->remarks(ode).at(0).value == "radau");
  REQUIRE(run(ode, *integrator, 1, 6, y).status == StepStatus::accepted);
  CHECK(integrator->remarks(ode).at(0).value == "dop853");
  CHECK(std::fabs(y[0] - std::cos(240.)) < 1e-8);  // some hundred steps of 1e-10
}

TEST_CASE("auto: vibrations that must be followed are not taken for stiffness for long") {
  // an oscillator of 1000 rad/s, excited: no method may take longer steps
  Plain ode(2, 1, [](double, auto y, auto f) {
    f[0] = y[1], f[1] = -1e6 * y[0];
    return true;
  });
  const auto evaluations = [&](const char* name) {
    State y = {1, 0};
    const auto integrator = make_integrator(name, {.rtol = 1e-8, .atol = 1e-8});
    integrator->start(ode, 0, y);
    return run(ode, *integrator, 0, 1, y).evaluations;
  };
  CHECK(evaluations("auto") <= 1.1 * evaluations("dop853"));
}
