// Forces that switch with the state: steps end where they do.
//
// A mass that a constant force F drives back to x = 0 from both sides falls for √(2 m x₀/F) in each
// quarter of its period; its energy F |x| + m v²/2 stays.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "near.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

Model driven(const std::string& force, double q, double u = 0) {
  Model model = slider(1, q, u);
  model.joints[0].force = {formula(force)};
  return model;
}

}  // namespace

TEST_CASE("switches: a mass driven back from both sides is where it began after each period") {
  const double period = 4 * std::sqrt(2.0 / 50);  // F = 50 N, x₀ = 1 m
  for (const char* force : {"if(rail.q > 0, -50, 50)", "-50*sign(rail.q)", "-50*rail.q/abs(rail.q)",
                            "50 - 100*pulse(rail.q, 0, 1e9)", "clamp(-1e30*rail.q, -50, 50)"})
    for (const char* formulation : {"recursive", "hamiltonian"}) {
      CAPTURE(force);
      CAPTURE(formulation);
      const Run r = run_in(driven(force, 1), formulation, 10 * period, period, 1e-10);
      // parabolas are exact: what is left is the instant of 20 turns, at rtol 1e-10
      CHECK(within(last(r, "rail.q"), 1, 1e-8));
      CHECK(within(last(r, "rail.u"), 0, 1e-7));
      CHECK(r.summary.steps < 2000);
    }
}

TEST_CASE("switches: half an oscillator with another spring on each side has both half periods") {
  // max and abs change the slope of the force, not its value: π/√k₁ + π/√k₂
  const double period = M_PI / std::sqrt(100.0) + M_PI / std::sqrt(400.0);
  for (const char* force :
       {"-100*max(rail.q, 0) - 400*min(rail.q, 0)", "-250*rail.q + 150*abs(rail.q)"})
    for (const char* integrator : {"dop853", "dopri5", "sdirk4", "radau", "auto"}) {
      CAPTURE(force);
      CAPTURE(integrator);
      Model model = driven(force, 0, 1);
      model.simulate.integrator = integrator;
      const Run r = run_in(model, "recursive", 5 * period, period, 1e-10);
      CHECK(within(last(r, "rail.q"), 0, 1e-8));  // rtol 1e-10 over five periods
      CHECK(near(last(r, "rail.u"), 1, 1e-8));
    }
}

TEST_CASE("switches: those of sensors, of references and behind a pulse are found as well") {
  Model sensed = driven("-50*side", 1);
  SensorSpec side;
  side.name = "side";
  side.value = formula("sign(rail.q)");
  sensed.sensors = {side};
  const double period = 4 * std::sqrt(2.0 / 50);
  CHECK(within(last(run_in(sensed, "recursive", 3 * period, period, 1e-10), "rail.q"), 1, 1e-8));

  // 1 N for 1 s from 100 s on, then 1 m/s into a wall that pushes by 4 N: back after 0.5 s at −1 m/s
  const Model late = driven("pulse(t, 100, 101) - if(rail.q > 2.5, 4, 0)", 0);
  const Run r = run_in(late, "recursive", 104, 1, 1e-9);
  // x = ½ at 101 s, the wall at 103 s, out of it at 103.5 s
  CHECK(near(last(r, "rail.u"), -1, 1e-8));
  CHECK(near(last(r, "rail.q"), 2, 1e-8));
}

TEST_CASE("switches: steps that end at a switch are few, and the account closes") {
  const Model model = driven("if(rail.q > 0, -50, 50) - 0.2*rail.u*abs(rail.u)", 1);
  const Run r = run_in(model, "recursive", 2, 0.1, 1e-10);
  CHECK(r.summary.steps < 600);  // of some ten turns of each; error control alone takes thousands
  CHECK(r.summary.closure < 1e-8 * r.summary.energy_scale);  // a hundred steps at rtol 1e-10
}
