// Adaptive steps: errors follow the tolerance, jumps are passed, singularities end the run soon.
#include <doctest/doctest.h>

#include <limits>

#include "integrators/odes.hpp"
#include "near.hpp"
#include "sarrus/integrators/methods.hpp"

using namespace sarrus;
using namespace sarrus::test;
using sarrus::testing::near;
using sarrus::testing::rounding;

namespace {

const std::vector<std::string> adaptive = {"dopri5", "dop853"};

}  // namespace

TEST_CASE("step control: the error of one orbit follows the tolerance over eight decades") {
  for (const std::string& method : adaptive) {
    CAPTURE(method);
    for (double rtol = 1e-4; rtol > 5e-13; rtol /= 10) {
      CAPTURE(rtol);
      Plain ode = kepler();
      const State start = kepler_start(0.5);
      const State y = solve(ode, method, {.rtol = rtol, .atol = rtol}, 2 * M_PI, start);
      // phase errors of an orbit grow with the number of steps, so one to two decades above rtol;
      // never far below it, which would be wasted work
      CHECK(distance(y, start) < 300 * rtol);
      CHECK(distance(y, start) > 1e-3 * rtol);
    }
  }
}

TEST_CASE("step control: the Arenstorf orbit closes after its published period") {
  // satellite, earth and moon: start and period as printed in Hairer, Nørsett, Wanner, II.0
  Plain ode(4, 2, [](double, auto y, auto f) {
    const double mu = 0.012277471, nu = 1 - mu;
    const double d1 = std::pow(std::hypot(y[0] + mu, y[1]), 3);
    const double d2 = std::pow(std::hypot(y[0] - nu, y[1]), 3);
    f[0] = y[2], f[1] = y[3];
    f[2] = y[0] + 2 * y[3] - nu * (y[0] + mu) / d1 - mu * (y[0] - nu) / d2;
    f[3] = y[1] - 2 * y[2] - nu * y[1] / d1 - mu * y[1] / d2;
    return true;
  });
  const State start = {0.994, 0, 0, -2.00158510637908252240537862224};
  const State y =
      solve(ode, "dop853", {.rtol = 1e-13, .atol = 1e-13}, 17.0652165601579625588917206249, start);
  // close encounters amplify errors by 1e5 or so
  CHECK(std::hypot(y[0] - start[0], y[1] - start[1]) < 1e-6);
}

TEST_CASE("step control: where a mechanism stands does not change its steps") {
  // the same vibration about x = 0 and about x = 1e6, in a vector space with positions from there
  for (const std::string& method : adaptive) {
    CAPTURE(method);
    int steps[2];
    for (int k = 0; k < 2; ++k) {
      const double centre = k == 0 ? 0 : 1 << 20;
      Plain ode(2, 1, [centre](double, auto y, auto f) {
        f[0] = y[1], f[1] = -(y[0] - centre);
        return true;
      });
      State y = {centre + 0.5, 0};
      const auto integrator = make_integrator(method, {.rtol = 1e-6, .atol = 1e-9});
      integrator->start(ode, 0, y);
      steps[k] = run(ode, *integrator, 0, 20, y).steps;
    }
    CHECK(std::abs(steps[0] - steps[1]) <= 2);  // rounding of 1e6 may shift a step
  }
}

TEST_CASE("step control: a small mechanism is solved to as many digits as a large one") {
  for (const double size : {1e-4, 1.0, 1e4}) {
    CAPTURE(size);
    Plain ode(2, 1, [](double, auto y, auto f) { return f[0] = y[1], f[1] = -y[0], true; });
    const State y = solve(ode, "dop853", {.rtol = 1e-9, .atol = 1e-16}, 10, {size, 0});
    CHECK(std::fabs(y[0] / size - std::cos(10)) < 1e-7);  // about twenty steps of 1e-9
  }
}

TEST_CASE("step control: quadratures are integrated but do not shorten steps") {
  // energy of a vibration as a quadrature that oscillates 1000 times larger than the rest
  const auto steps = [](double gain) {
    Plain ode(
        3, 1,
        [gain](double, auto y, auto f) {
          f[0] = y[1], f[1] = -y[0], f[2] = gain * y[0] * y[1];
          return true;
        },
        1);
    State y = {1, 0, 0};
    const auto integrator = make_integrator("dop853", {.rtol = 1e-8, .atol = 1e-8});
    integrator->start(ode, 0, y);
    const int n = run(ode, *integrator, 0, 10, y).steps;
    CHECK(near(y[2], gain / 2 * (std::pow(std::cos(10), 2) - 1),
               1e-6));  // rtol 1e-8 over some twenty steps
    return n;
  };
  CHECK(steps(1) == steps(1000));
}

TEST_CASE("step control: a jump of the derivative is found and passed") {
  // ẏ = 1 until t = 1/3, then −2: y(1) = 1/3 − 4/3
  for (const std::string& method : adaptive) {
    CAPTURE(method);
    Plain ode(1, 0, [](double t, auto, auto f) { return f[0] = t < 1 / 3. ? 1 : -2, true; });
    State y = {0};
    const auto integrator = make_integrator(method, {.rtol = 1e-9, .atol = 1e-9});
    integrator->start(ode, 0, y);
    const Run r = run(ode, *integrator, 0, 1, y);
    CHECK(r.status == StepStatus::accepted);
    CHECK(std::fabs(y[0] + 1) <
          2e-7);  // across a jump the estimate, h Σ eⱼ kⱼ, is a guess, no bound
    CHECK(r.rejected > 3);
    CHECK(r.steps < 200);
  }
}

TEST_CASE("step control: a solution that is infinite at t = 1/y₀ ends there, soon and in words") {
  std::vector<std::string> methods = adaptive;
  if (has_cvode()) methods.push_back("cvode");
  for (const std::string& method : methods) {
    CAPTURE(method);
    Plain ode(2, 0, [](double, auto y, auto f) { return f[0] = 0, f[1] = y[1] * y[1], true; });
    State y = {1, 2};
    const auto integrator = make_integrator(method, {.rtol = 1e-9, .atol = 1e-9});
    integrator->start(ode, 0, y);
    const Run r = run(ode, *integrator, 0, 1, y, {}, 20000);
    CHECK(r.status != StepStatus::accepted);
    CHECK(r.status != StepStatus::not_converged);
    CHECK(near(r.t, 0.5, 1e-6));  // y = 1e7 there
    CHECK(r.evaluations < 100000);
    CHECK(std::isfinite(y[1]));  // the last good state
    if (r.status == StepStatus::step_too_small) CHECK(r.last.worst == 1);
    CHECK(r.last.smallest_h > 0);
  }
}

TEST_CASE("step control: y is unchanged by a step that fails, and the entry is named") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::string& method : integrator_names()) {
    if (method == "cvode" && !has_cvode()) continue;
    CAPTURE(method);
    // H = p₁ + p₂ − q₁ − q₂, until the second force is no number
    Plain ode = Plain(4, 2, [nan](double t, auto, auto f) {
                  f[0] = 1, f[1] = 1, f[2] = 1, f[3] = t < 0.5 ? 1 : nan;
                  return true;
                }).with_momenta([](auto y) { return y[2] + y[3] - y[0] - y[1]; });
    State y = {0, 0, 0, 0};
    const auto integrator = make_integrator(method, {.step = 0.1});
    integrator->start(ode, 0, y);
    const Run r = run(ode, *integrator, 0, 1, y, {}, 2000);
    CHECK(r.status == StepStatus::not_finite);
    CHECK(r.last.worst == 3);
    CHECK(r.last.h == 0);
    CHECK(r.t <= 0.5);
    CHECK(near(y[3], r.t, rounding(20)));  // as many steps
  }
}

TEST_CASE(
    "step control: a derivative that refuses beyond a wall is met with shorter steps up to it") {
  for (const std::string& method : adaptive) {
    CAPTURE(method);
    Plain ode(1, 0, [](double, auto y, auto f) { return f[0] = 1, y[0] < 0.7; });
    State y = {0};
    const auto integrator = make_integrator(method, {.rtol = 1e-6, .atol = 1e-6});
    integrator->start(ode, 0, y);
    const Run r = run(ode, *integrator, 0, 1, y, {}, 2000);
    CHECK(r.status == StepStatus::not_finite);
    CHECK(near(y[0], 0.7, 1e-9));  // where steps end, not the tolerance
  }
}

TEST_CASE("step control: max_step is a limit and the first step is taken as given") {
  for (const std::string& method : adaptive) {
    CAPTURE(method);
    Plain ode = witch();
    State y = {1};
    const auto integrator = make_integrator(method, {.step = 1e-3, .max_step = 0.01});
    integrator->start(ode, 0, y);
    bool is_first = true;
    const Run r = run(ode, *integrator, 0, 1, y, [&](double, double h) {
      if (is_first) CHECK(h == 1e-3);
      is_first = false;
      CHECK(h <= 0.0101);  // the last step may take 1 % more to leave no sliver
    });
    CHECK(r.steps >= 99);
    CHECK(r.t == 1);
  }
}

TEST_CASE("fixed steps: the last one is cut to t_end, and rounding leaves no sliver") {
  for (const std::string method :
       {"rk4", "midpoint", "semi_implicit_euler", "gauss4", "gauss6", "stormer_verlet"}) {
    CAPTURE(method);
    Plain ode = witch();
    State y = {1};
    const auto integrator = make_integrator(method, {.step = 0.1});
    integrator->start(ode, 0, y);
    CHECK(run(ode, *integrator, 0, 1, y).steps == 10);
    y = {1};
    integrator->start(ode, 0, y);
    const Run r = run(ode, *integrator, 0, 1.05, y);
    CHECK(r.steps == 11);
    CHECK(near(r.last.h, 0.05, rounding(40)));  // 1.05 less ten steps: 1e-16 of 1, beside 0.05
    CHECK_THROWS_AS(integrator->step(ode, 2, 2, y), std::invalid_argument);
  }
}
