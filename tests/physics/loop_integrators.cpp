// Closed loops under every integrator: it works with its order, or is refused with words.
#include <doctest/doctest.h>

#include "loop_models.hpp"
#include "near.hpp"
#include "sarrus/integrators/integrator.hpp"
#include "sarrus/run/simulate.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

struct Outcome {
  bool refused = false;
  std::string words;
  double error = 0;  // of the crank's angle after a second
  double ledger = 0;
};

constexpr double crank_after_one = 3.3558707883859684;  // one equation in its angle, SciPy

Outcome after_one(const std::string& integrator, const std::string& formulation, double step,
                  double rtol = 0) {
  Model model = four_bar();
  model.simulate.formulation = formulation;
  model.simulate.integrator = integrator;
  model.simulate.until = 1;
  if (step > 0) model.simulate.step = step;
  if (rtol > 0) model.simulate.rtol = rtol, model.simulate.atol = rtol;
  Outcome out;
  try {
    const Run run = simulate(compile(model), model.simulate);
    REQUIRE_MESSAGE(run.summary.status == RunStatus::done,
                    (run.summary.failure ? run.summary.failure->message : ""));
    out.error = std::fabs(run.trajectory.at(run.trajectory.rows() - 1, "a.q") - crank_after_one);
    out.ledger = run.summary.closure;
    CHECK(run.summary.constraint < closed);
    CHECK(run.summary.constraint_rate < closed_rate);
  } catch (const Error& e) {
    out.refused = true;
    for (const Diagnostic& d : e.diagnostics()) out.words += to_text(d);
  }
  return out;
}

}  // namespace

TEST_CASE("loops: every integrator follows them, or says why it does not") {
  int served = 0, refused = 0;
  for (const std::string& name : integrator_names())
    for (const std::string formulation : {"recursive", "hamiltonian"}) {
      CAPTURE(name);
      CAPTURE(formulation);
      const bool adaptive = make_integrator(name, {.step = 1e-3})->is_adaptive();
      const Outcome out = after_one(name, formulation, adaptive ? 0 : 2e-3, adaptive ? 1e-9 : 0);
      if (out.refused) {
        ++refused;
        CHECK(out.words.find("integrator/" + name) != std::string::npos);
        CHECK(out.words.find("hint:") != std::string::npos);
      } else {
        ++served;
        CHECK(out.error < (name == "semi_implicit_euler" ? 0.05 : 1e-3));
      }
    }
  CHECK(served >= 12);
  CHECK(refused >= 2);  // those that move positions and momenta apart from each other
}

TEST_CASE("loops: fixed steps keep their order") {
  const auto order = [](const std::string& name, const std::string& formulation, double h) {
    return std::log2(after_one(name, formulation, h).error /
                     after_one(name, formulation, h / 2).error);
  };
  for (const std::string formulation : {"recursive", "hamiltonian"}) {
    CAPTURE(formulation);
    // next terms: h over a tenth of a second, to the power of the order, or one for Euler
    CHECK(near(order("rk4", formulation, 0.01), 4, 0.1));
    CHECK(near(order("midpoint", formulation, 0.01), 2, 0.1));
    CHECK(near(order("generalized_alpha", formulation, 0.01), 2, 0.1));
    CHECK(near(order("gauss4", formulation, 0.02), 4, 0.1));
    CHECK(near(order("stormer_verlet", formulation, 0.01), 2, 0.1));
    CHECK(near(order("semi_implicit_euler", formulation, 0.001), 1, 0.1));
  }
}

TEST_CASE("loops: adaptive steps keep their order, error falls with the tolerance") {
  // two and a half digits less tolerance give as many digits less error, within a factor
  for (const std::string formulation : {"recursive", "hamiltonian"})
    for (const std::string name : {"dopri5", "dop853", "cvode"}) {
      CAPTURE(name);
      CAPTURE(formulation);
      const double coarse = after_one(name, formulation, 0, 1e-6).error,
                   fine = after_one(name, formulation, 0, 1e-9).error;
      // some hundred times the tolerances, 1e-6 and 1e-9
      CHECK(coarse < 3e-3);
      CHECK(fine < 1e-5);
      CHECK(std::log10(coarse / fine) > 2);
    }
}

TEST_CASE("loops: bringing them back adds no drift of energy") {
  // long enough for a drift to show: ten times the time, at most some ten times the gap
  const auto gap = [](double until) {
    Model model = four_bar();
    model.simulate.until = until;
    model.simulate.rtol = 1e-10;
    const Run run = simulate(compile(model), model.simulate);
    CHECK(run.summary.constraint < closed);
    return run.summary.closure / run.summary.energy_scale;
  };
  const double one = gap(3), ten = gap(30);
  CHECK(ten < 30 * one);
  CHECK(ten < 1e-7);  // energy of 10 s at rtol 1e-10
}

TEST_CASE("N15: over many steps loops stay closed, and the gap does not grow") {
  Model model = four_bar();
  model.simulate.integrator = "rk4";
  model.simulate.step = 2e-3;
  model.simulate.until = 60;
  model.simulate.output_step = 0.1;
  const Run run = simulate(compile(model), model.simulate);
  REQUIRE(run.summary.status == RunStatus::done);
  CHECK(run.summary.steps == 30000);
  // slope of the residual over time, from the two halves
  double first = 0, second = 0;
  for (int i = 0; i < run.trajectory.rows(); ++i) {
    const double open = run.trajectory.at(i, "constraint.position");
    (2 * i < run.trajectory.rows() ? first : second) += open;
    CHECK(open < closed);
  }
  CHECK(second < 3 * first + 1e-13);  // sums of residuals that are rounding
}
