// The digits that a run says its rows have, beside those that they have.
#include "sarrus/verify/estimate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "near.hpp"
#include "sarrus/verify/verify.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

constexpr double omega = 3, reach = 0.4, last_time = 20;

Model long_oscillator() {
  Model model = slider(2, reach, 0);
  model.joints[0].spring = JointSpringSpec{{2 * omega * omega}, {0.0}, {}};
  model.simulate.until = last_time;
  model.simulate.output_step = 0.1;
  return model;
}

/// Digits of x = x₀ cos ωt, u = −x₀ ω sin ωt and the energies, the worst of them.
double true_digits(const Trajectory& rows) {
  double wrong = 0;
  for (int r = 0; r < rows.rows(); ++r) {
    const double t = rows.row(r)[0], x = reach * std::cos(omega * t),
                 u = -reach * omega * std::sin(omega * t);
    wrong = std::max(
        {wrong, std::fabs(rows.at(r, "rail.q") - x) / reach,
         std::fabs(rows.at(r, "rail.u") - u) / (reach * omega),
         std::fabs(rows.at(r, "energy.kinetic") - u * u) / (reach * omega * reach * omega)});
  }
  return digits_of(wrong);
}

}  // namespace

TEST_CASE("estimate: a run knows its digits within one, whatever the method and its tolerance") {
  Model model = long_oscillator();
  const Mechanism m = compile(model);
  struct Case {
    const char *formulation, *integrator;
    double rtol, step;
  };
  for (const Case& c :
       {Case{"recursive", "dop853", 1e-5, 0}, Case{"recursive", "dop853", 1e-7, 0},
        Case{"recursive", "dop853", 1e-9, 0}, Case{"recursive", "dop853", 1e-11, 0},
        Case{"hamiltonian", "dop853", 1e-9, 0}, Case{"recursive", "dopri5", 1e-6, 0},
        Case{"recursive", "dopri5", 1e-8, 0}, Case{"recursive", "rk4", 0, 0.02},
        Case{"hamiltonian", "gauss4", 0, 0.02}, Case{"discrete", "", 0, 1e-3}}) {
    SimulateSpec s = model.simulate;
    s.formulation = c.formulation;
    if (c.integrator[0]) s.integrator = c.integrator;
    if (c.rtol > 0) s.rtol = c.rtol;
    if (c.step > 0) s.step = c.step;
    const Run run = simulate(m, s);
    const DigitsEstimate e = estimate_digits(m, s, even_rows(run.trajectory, 500), 100);
    CAPTURE(c.formulation);
    CAPTURE(c.integrator);
    CAPTURE(c.rtol);
    CAPTURE(e.why_not);
    REQUIRE(e.is_known());
    CHECK(within(e.digits, true_digits(run.trajectory), 1));  // as it promises
    CHECK(within(e.until, last_time, 0.05));                  // half a row
    CHECK(!e.at_most);
  }
}

TEST_CASE("estimate: rows that end unevenly, or are none, are told") {
  Trajectory rows;
  rows.columns = {{"time", "s"}, {"x", "m"}};
  CHECK(even_rows(rows, 10).rows() == 0);
  for (int i = 0; i <= 100; ++i) rows.values.insert(rows.values.end(), {0.1 * i, double(i)});
  rows.values.insert(rows.values.end(), {10.03, 0});  // where an event stopped the run
  CHECK(even_rows(rows, 1000).rows() == 101);
  const Trajectory thin = even_rows(rows, 11);
  CHECK(thin.rows() == 11);
  CHECK(thin.at(10, "x") == 100);
  const Mechanism m = compile(long_oscillator());
  CHECK(!estimate_digits(m, long_oscillator().simulate, even_rows({}, 10), 1).is_known());
}

TEST_CASE("verify: rows of a coarse run are judged as they are, with the digits that they have") {
  Model model = long_oscillator();
  model.simulate.rtol = 1e-4;
  const Mechanism m = compile(model);
  const Run run = simulate(m, model.simulate);
  const Trajectory rows = even_rows(run.trajectory, 100);
  VerifyOptions options{8, 40, 10, false};
  options.run = &rows;
  const Verification v = verify(m, model.simulate, options);
  REQUIRE(v.rows);
  CAPTURE(v.sentence);
  CHECK(v.verdict == Verdict::agrees);
  CHECK(v.digits >= 8);
  // rows are compared at half of their times, and errors grow with time
  CHECK(within(v.rows->digits, true_digits(run.trajectory), 0.1));
  CHECK(v.rows->rows == rows.rows());
  options.rows_digits = 8;
  CHECK(verify(m, model.simulate, options).verdict == Verdict::disagrees);
}
