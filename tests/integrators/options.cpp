// Names and options: what is impossible is refused with a reason, what is too fine is raised with a
// note.
#include <doctest/doctest.h>

#include <limits>

#include "sarrus/integrators/integrator.hpp"
#include "sarrus/integrators/methods.hpp"

using namespace sarrus;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

/// The text of the Error that make_integrator throws, which must be of usage.
std::string refusal(const std::string& name, const IntegratorOptions& options) {
  try {
    make_integrator(name, options);
  } catch (const Error& e) {
    CHECK(e.fault() == Fault::usage);
    return to_text(e.diagnostics());
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("options: every listed method can be made, or says which build option it wants") {
  for (const std::string& name : integrator_names()) {
    CAPTURE(name);
    if (name == "cvode" && !has_cvode()) {
      CHECK(contains(refusal(name, {}), "SARRUS_CVODE"));
      continue;
    }
    const auto integrator = make_integrator(name, {.step = 1e-3});
    CHECK(integrator->name() == name);
    CHECK(integrator->order() >= 1);
  }
}

TEST_CASE("options: an unknown method is refused with the nearest name") {
  CHECK(contains(refusal("dop835", {.step = 1}), "did you mean 'dop853'"));
  CHECK(contains(refusal("RK4", {.step = 1}), "'RK4'"));
}

TEST_CASE("options: a fixed-step method wants a positive finite step") {
  for (const std::string name : {"rk4", "semi_implicit_euler", "midpoint", "gauss4", "gauss6",
                                 "stormer_verlet", "discrete_gradient", "tao", "lie_midpoint"})
    for (const double step : {0.0, -1e-3, not_a_number, infinite}) {
      CAPTURE(name);
      CAPTURE(step);
      CHECK(contains(refusal(name, {.step = step}), "step"));
    }
}

TEST_CASE("options: tolerances that are negative, not numbers or no accuracy at all are refused") {
  for (const std::string name : {"dopri5", "dop853"}) {
    for (const double rtol : {-1e-9, 1.0, 1e3, not_a_number, infinite})
      CHECK(contains(refusal(name, {.rtol = rtol}), "rtol"));
    for (const double atol : {-1e-9, not_a_number, infinite})
      CHECK(contains(refusal(name, {.atol = atol}), "atol"));
    CHECK(contains(refusal(name, {.step = -1}), "step"));
    CHECK(contains(refusal(name, {.max_step = not_a_number}), "max_step"));
  }
  for (const std::string name :
       {"midpoint", "gauss4", "gauss6", "stormer_verlet", "discrete_gradient", "lie_midpoint"}) {
    CAPTURE(name);
    for (const double tolerance : {-1.0, 0.1, not_a_number})
      CHECK(contains(refusal(name, {.step = 1, .tolerance = tolerance}), "tolerance"));
    CHECK(contains(refusal(name, {.step = 1, .max_iterations = 0}), "max_iterations"));
  }
  for (const double binding : {0.0, -20.0, not_a_number, infinite})
    CHECK(contains(refusal("tao", {.step = 1, .binding = binding}), "binding"));
  for (const double rho : {-0.1, 1.1, not_a_number})
    CHECK(contains(refusal("generalized_alpha", {.step = 1, .rho_infinity = rho}), "rho_infinity"));
}

TEST_CASE("options: all faults are told at once") {
  const std::string text = refusal("dop853", {.rtol = -1, .atol = not_a_number});
  CHECK(contains(text, "rtol"));
  CHECK(contains(text, "atol"));
}

TEST_CASE("options: tolerances below what doubles resolve are raised, and a note says so") {
  IntegratorOptions options = {.rtol = 1e-30, .atol = 0};
  const std::vector<Diagnostic> notes = check_options("dop853", options);
  REQUIRE(notes.size() == 2);
  for (const Diagnostic& d : notes) CHECK(d.severity == Severity::note);
  CHECK(options.rtol == 1e-14);
  CHECK(options.atol == 1e-16);
  CHECK(make_integrator("dop853", {.rtol = 0, .atol = 0}) != nullptr);

  options = {.step = 1, .tolerance = 1e-30};
  CHECK(check_options("gauss4", options).size() == 1);
  CHECK(options.tolerance == 1e-15);

  for (const std::string& name : integrator_names()) {
    CAPTURE(name);
    options = {.step = 1};
    CHECK(check_options(name, options).empty());
  }
}
