// Stiff equations: CVODE against published values, the implicit midpoint rule with Newton.
#include <doctest/doctest.h>

#include "integrators/odes.hpp"
#include "near.hpp"
#include "sarrus/integrators/methods.hpp"

using namespace sarrus;
using namespace sarrus::test;
using sarrus::testing::near;

TEST_CASE("cvode: van der Pol's oscillator with ε = 1e-6 at t = 2, test set for IVP solvers") {
  if (!has_cvode()) return;
  Plain ode(2, 0, [](double, auto y, auto f) {
    f[0] = y[1], f[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) * 1e6;
    return true;
  });
  State y = {2, 0};
  const auto integrator = make_integrator("cvode", {.rtol = 1e-9, .atol = 1e-9});
  integrator->start(ode, 0, y);
  const Run r = run(ode, *integrator, 0, 2, y);
  // [Mazzia, Magherini 2008, VDPOL]; errors of BDF at rtol = 1e-9 sum up over a few thousand steps
  CHECK(std::fabs(y[0] - 1.706167732170483) < 1e-6);
  CHECK(std::fabs(y[1] + 0.8928097010247975) < 1e-6);
  CHECK(r.evaluations < 20000);  // an explicit method takes millions
}

TEST_CASE("cvode: Robertson's reaction at t = 0.4 and t = 1e11") {
  if (!has_cvode()) return;
  Plain ode(3, 0, [](double, auto y, auto f) {
    f[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    f[2] = 3e7 * y[1] * y[1];
    f[1] = -f[0] - f[2];
    return true;
  });
  State y = {1, 0, 0};
  const auto integrator = make_integrator("cvode", {.rtol = 1e-9, .atol = 1e-15});
  integrator->start(ode, 0, y);
  REQUIRE(run(ode, *integrator, 0, 0.4, y).status == StepStatus::accepted);
  // by Radau IIA of scipy at rtol = 1e-11
  CHECK(near(y[0], 9.85172114e-01, 1e-7));
  CHECK(near(y[1], 3.38639538e-05, 1e-6));
  CHECK(near(y[2], 1.47940222e-02, 1e-6));

  const Run r = run(ode, *integrator, 0.4, 1e11, y);
  REQUIRE(r.status == StepStatus::accepted);
  // [Mazzia, Magherini 2008, ROBER]
  CHECK(near(y[0], 0.2083340149701255e-7, 1e-5));
  CHECK(near(y[1], 0.8333360770334713e-13, 1e-5));
  CHECK(near(y[2], 0.9999999791665050, 1e-9));
  CHECK(r.steps < 5000);
}

TEST_CASE("cvode: a body that turns many times is followed through its charts") {
  if (!has_cvode()) return;
  FreeTop ode({1, 2, 3}, {0.3, 1.5, 0.2});
  State y = ode.start();
  const State start = y;
  const auto integrator = make_integrator("cvode", {.rtol = 1e-9, .atol = 1e-9});
  integrator->start(ode, 0, y);
  double largest = 0;
  State inside(6);
  const Run r = run(ode, *integrator, 0, 5, y, [&](double, double) {
    integrator->interpolate(0.5, inside);
    for (size_t i = 0; i < 3; ++i) largest = std::max(largest, std::fabs(inside[i]));
  });
  REQUIRE(r.status == StepStatus::accepted);
  CHECK(largest > 1);    // the chart is kept for a while
  CHECK(largest < 1.7);  // and left in time
  const double reference[] = {-1.3763723923, 1.3350641001, 2.4027490270};
  // rtol 1e-9 over some hundred steps: 4e-8, 3e-7
  for (size_t i = 0; i < 3; ++i) CHECK(std::fabs(y[3 + i] - reference[i]) < 1e-6);
  const Vec3 L = rotation(ode.orientation(y)) * Vec3{y[3], y[4], y[5]};
  CHECK(norm(L - Vec3{start[3], start[4], start[5]}) < 1e-6);
}

TEST_CASE("cvode: an exception of the derivative arrives at the caller") {
  if (!has_cvode()) return;
  Plain ode(1, 0, [](double t, auto, auto f) {
    if (t > 0.1) throw std::runtime_error("a fault of the model");
    return f[0] = 1, true;
  });
  State y = {0};
  const auto integrator = make_integrator("cvode", {});
  integrator->start(ode, 0, y);
  CHECK_THROWS_WITH(run(ode, *integrator, 0, 1, y), "a fault of the model");
}

TEST_CASE("midpoint: on a linear equation one step is (1 + hλ/2)/(1 − hλ/2), however stiff") {
  // a step far beyond where the fixed point contracts: Newton must find the same root
  for (const double lambda : {-1.0, -100.0, -1e6}) {
    CAPTURE(lambda);
    Plain ode(
        2, 0, [lambda](double, auto y, auto f) { return f[0] = lambda * y[0], f[1] = y[0], true; },
        1);
    State y = {1, 0};
    const double h = 0.1, z = h * lambda;
    const auto integrator = make_integrator("midpoint", {.step = h});
    integrator->start(ode, 0, y);
    REQUIRE(integrator->step(ode, 0, 1, y).status == StepStatus::accepted);
    const double exact = (1 + z / 2) / (1 - z / 2);
    CHECK(std::fabs(y[0] - exact) < 1e-12);
    CHECK(std::fabs(y[1] - h * (1 + exact) / 2) < 1e-12);  // the quadrature sees the midpoint
  }
}

TEST_CASE("midpoint: a stiff spring across a pendulum's rod does not disturb its slow swing") {
  // pendulum in Cartesian coordinates, rod replaced by k = 1e8: frequency 1e4 rad/s at h ω = 100
  Plain ode(4, 2, [](double, auto y, auto f) {
    const double l = std::hypot(y[0], y[1]), tension = 1e8 * (l - 1) / l;
    f[0] = y[2], f[1] = y[3];
    f[2] = -tension * y[0], f[3] = -tension * y[1] - 9.81;
    return true;
  });
  // started in equilibrium of the rod at the lowest point with speed v: energy fixes the height
  const double v = 1.0, l0 = 1 + (9.81 + v * v) / 1e8;
  State y = {0, -l0, v, 0};
  const auto integrator = make_integrator("midpoint", {.step = 1e-2});
  integrator->start(ode, 0, y);
  double highest = -2;
  const Run r =
      run(ode, *integrator, 0, 4, y, [&](double, double) { highest = std::max(highest, y[1]); });
  CHECK(r.status == StepStatus::accepted);
  // v²/(2 g) above the lowest point; a step of 0.01 s may miss the top by ½ g h²/4 and O(h²) errors
  CHECK(std::fabs(highest + 1 - v * v / (2 * 9.81)) < 5e-4);
}

namespace {
/// H = q + q p² + q³/3: ṗ = −1 − p² − q² has no solution for long. From (1, 1) the equations of a
/// step of 10 have none.
Plain growth() {
  return Plain(2, 1,
               [](double, auto y, auto f) {
                 f[0] = 2 * y[0] * y[1], f[1] = -1 - y[1] * y[1] - y[0] * y[0];
                 return true;
               })
      .with_momenta([](auto y) { return y[0] * (1 + y[1] * y[1] + y[0] * y[0] / 3); });
}
}  // namespace

TEST_CASE("implicit methods: equations without a solution are reported and leave y alone") {
  for (const std::string method :
       {"midpoint", "gauss4", "gauss6", "stormer_verlet", "discrete_gradient", "lie_midpoint"}) {
    CAPTURE(method);
    Plain ode = growth();
    State y = {1, 1};
    const auto integrator = make_integrator(method, {.step = 10});
    integrator->start(ode, 0, y);
    for (int attempt = 0; attempt < 2; ++attempt) {  // a second attempt sees the same state
      const StepResult r = integrator->step(ode, 0, 100, y);
      CHECK(r.status == StepStatus::not_converged);
      CHECK(r.h == 0);
      CHECK(r.residual > 0);
      CHECK(r.worst >= 0);
      CHECK(r.worst_few[0] == r.worst);
      CHECK(r.message.find("relative changes") != std::string::npos);
      CHECK(y == State{1, 1});
    }
  }
}

TEST_CASE("implicit methods: after a step that failed a shorter one goes on from the same state") {
  for (const std::string method :
       {"midpoint", "gauss4", "gauss6", "stormer_verlet", "discrete_gradient", "lie_midpoint"}) {
    CAPTURE(method);
    Plain ode = growth(), other = growth();
    State y = {1, 1}, expected = y;
    const auto integrator = make_integrator(method, {.step = 10});
    integrator->start(ode, 0, y);
    REQUIRE(integrator->step(ode, 0, 1000, y).status == StepStatus::not_converged);
    REQUIRE(integrator->step(ode, 0, 1e-3, y).status == StepStatus::accepted);

    const auto fresh = make_integrator(method, {.step = 1e-3});
    fresh->start(other, 0, expected);
    REQUIRE(fresh->step(other, 0, 1e-3, expected).status == StepStatus::accepted);
    CHECK(distance(y, expected) < 1e-12);  // Newton on the one hand, the fixed point on the other
  }
}

namespace {

/// ẍ = −ω² x from x = 1.
Plain oscillator(double w) {
  return Plain(2, 1, [w](double, auto y, auto f) {
    f[0] = y[1], f[1] = -w * w * y[0];
    return true;
  });
}

/// What is left of its amplitude after so many steps of 0.1 s.
double left_of(double w, double rho, int steps) {
  Plain ode = oscillator(w);
  State y = {1, 0};
  const auto integrator = make_integrator("generalized_alpha", {.step = 0.1, .rho_infinity = rho});
  integrator->start(ode, 0, y);
  REQUIRE(run(ode, *integrator, 0, 0.1 * steps, y).status == StepStatus::accepted);
  return std::hypot(y[0], y[1] / w);
}

}  // namespace

TEST_CASE("generalized_alpha: slow vibrations live on, fast ones shrink by rho_infinity per step") {
  for (const double rho : {0.5, 0.8}) {
    CAPTURE(rho);
    // ωh = 1e-2: the damping is of the order (ωh)³ per step
    CHECK(std::fabs(left_of(0.1, rho, 100) - 1) < 1e-4);
    // ωh = 1e7: two double roots of size ρ∞, so that k steps leave some k ρ^k; the rate between 20
    // and 40 steps is theirs
    const double rate = std::pow(left_of(1e8, rho, 40) / left_of(1e8, rho, 20), 1 / 20.);
    CHECK(std::fabs(rate / rho - 1) < 0.06);  // what k^(1/20) is over 1, k from 20 to 40
  }
}

TEST_CASE("generalized_alpha: without damping it is the midpoint rule") {
  for (const double w : {0.3, 30.0}) {
    Plain ode = oscillator(w);
    State a = {1, 0}, b = {1, 0};
    const auto one =
        make_integrator("generalized_alpha", {.step = 0.1, .tolerance = 1e-14, .rho_infinity = 1});
    const auto other = make_integrator("midpoint", {.step = 0.1});
    one->start(ode, 0, a);
    other->start(ode, 0, b);
    run(ode, *one, 0, 5, a);
    run(ode, *other, 0, 5, b);
    // the iterations of 50 steps end at 1e-14 each
    CHECK(std::fabs(a[0] - b[0]) < 1e-11);
    CHECK(std::fabs(a[1] - b[1]) < 1e-11 * std::max(1.0, w));
  }
}
