// A run cut into (y, memory) and continued by another integrator repeats the uninterrupted one.
#include <doctest/doctest.h>

#include <limits>

#include "integrators/odes.hpp"
#include "sarrus/integrators/methods.hpp"

using namespace sarrus;
using namespace sarrus::test;

namespace {

// Not bitwise for cvode, whose past stays inside SUNDIALS; resumes_exactly() says so.
const std::vector<std::string> exact = {"rk4",
                                        "dopri5",
                                        "dop853",
                                        "semi_implicit_euler",
                                        "midpoint",
                                        "gauss4",
                                        "gauss6",
                                        "stormer_verlet",
                                        "discrete_gradient",
                                        "tao",
                                        "lie_midpoint",
                                        "generalized_alpha",
                                        "sdirk4",
                                        "radau",
                                        "auto"};
constexpr double t_end = 3;

IntegratorOptions options() { return {.step = 0.1, .rtol = 1e-7, .atol = 1e-8}; }

/// Steps until t_end, at most `steps` of them.
template <class AnyOde>
void advance(AnyOde& ode, Integrator& integrator, double& t, State& y, int steps) {
  while (t < t_end && steps-- > 0) {
    const StepResult r = integrator.step(ode, t, t_end, y);
    REQUIRE(r.status == StepStatus::accepted);
    t = r.h == t_end - t ? t_end : t + r.h;
    ode.rebase(t, y, integrator.end_derivative());
  }
}

/// Cuts a run of the ODE after every number of steps and compares ends bit for bit.
template <class AnyOde>
void check_all_cuts(const std::string& method, const AnyOde& fresh, const State& start) {
  CAPTURE(method);
  constexpr int all = std::numeric_limits<int>::max();
  AnyOde whole_ode = fresh;
  State whole = start;
  double t = 0;
  const auto one = make_integrator(method, options());
  CHECK(one->resumes_exactly());
  one->start(whole_ode, t, whole);
  advance(whole_ode, *one, t, whole, all);

  for (int cut = 0; cut < 40; ++cut) {
    CAPTURE(cut);
    AnyOde ode = fresh;
    State y = start;
    t = 0;
    const auto first = make_integrator(method, options());
    first->start(ode, t, y);
    advance(ode, *first, t, y, cut);
    const std::vector<double> memory = first->memory();

    const auto second = make_integrator(method, options());
    second->start(ode, t, y);
    second->set_memory(memory);
    advance(ode, *second, t, y, all);
    CHECK(y == whole);
    CHECK(second->memory() == one->memory());
    if constexpr (std::is_same_v<AnyOde, FreeTop>) {
      CHECK(ode.base.w == whole_ode.base.w);
      CHECK(ode.base.x == whole_ode.base.x);
      CHECK(ode.base.y == whole_ode.base.y);
      CHECK(ode.base.z == whole_ode.base.z);
    }
  }
}

}  // namespace

TEST_CASE("resume: every cut of an orbit continues bit for bit") {
  for (const std::string& method : exact) check_all_cuts(method, kepler(), kepler_start(0.5));
}

TEST_CASE("resume: every cut of a turning body continues bit for bit, charts included") {
  const FreeTop top({1, 2, 3}, {0.3, 3.5, 0.2});
  for (const std::string& method : exact)
    if (method != "tao") check_all_cuts(method, top, top.start());
}

TEST_CASE("resume: every cut of a stiff run continues bit for bit, Newton included") {
  const Plain stiff(2, 1, [](double t, auto y, auto f) {
    f[0] = y[1], f[1] = -900 * (y[0] - std::sin(t)) - 60 * y[1] * std::fabs(y[1]);
    return true;
  });
  for (const std::string method :
       {"midpoint", "gauss4", "gauss6", "stormer_verlet", "sdirk4", "radau"})
    check_all_cuts(method, stiff, {0, 2});
}

TEST_CASE("resume: cuts before, at and after a change of method continue bit for bit") {
  const Plain stiff(2, 0, [](double t, auto y, auto f) {
    f[0] = -1e4 * (y[0] - std::sin(t)), f[1] = y[0] - y[1];
    return true;
  });
  check_all_cuts("auto", stiff, {0, 1});  // explicit for about 20 steps, then implicit
}

TEST_CASE("resume: cvode goes on from a cut within its tolerance") {
  if (!has_cvode()) return;
  FreeTop ode({1, 2, 3}, {0.3, 1.5, 0.2});
  State y = ode.start();
  const IntegratorOptions tight = {.rtol = 1e-9, .atol = 1e-9};
  const auto first = make_integrator("cvode", tight);
  first->start(ode, 0, y);
  CHECK_FALSE(first->resumes_exactly());
  run(ode, *first, 0, 2, y);
  const auto second = make_integrator("cvode", tight);
  second->start(ode, 2, y);
  second->set_memory(first->memory());
  run(ode, *second, 2, 5, y);
  const double reference[] = {-1.3763723923, 1.3350641001, 2.4027490270};  // see order.cpp
  for (size_t i = 0; i < 3; ++i)
    CHECK(std::fabs(y[3 + i] - reference[i]) < 1e-6);  // rtol 1e-9 over some hundred steps: 3e-8
}

TEST_CASE("resume: memory of another model or method is refused") {
  for (const std::string& method : integrator_names()) {
    if (method == "cvode" && !has_cvode()) continue;
    CAPTURE(method);
    Plain ode = kepler();
    const auto integrator = make_integrator(method, options());
    integrator->start(ode, 0, kepler_start(0));
    CHECK_THROWS_AS(integrator->set_memory(State(1001, 0.0)), std::invalid_argument);
    CHECK_THROWS_AS(integrator->set_memory({}), std::invalid_argument);
  }
}
