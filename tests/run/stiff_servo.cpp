// A servo far faster than what it moves: `auto` does not pay for it, and others are told.
//
//   u̇ = −K (u − cos w t)  from u = 1:   u = (K² cos wt + K w sin wt + w² e^−Kt) / (K² + w²)
#include <doctest/doctest.h>

#include "near.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

constexpr double K = 4e5, w = 3;

Model servo(const std::string& integrator) {
  Model model = slider(1, 0, 1);
  model.joints[0].force = {formula("-4e5*(rail.u - cos(3*t))")};
  model.simulate.integrator = integrator;
  return model;
}

double speed(double t) {
  return (K * K * std::cos(w * t) + K * w * std::sin(w * t) + w * w * std::exp(-K * t)) /
         (K * K + w * w);
}

}  // namespace

TEST_CASE("stiff servo: auto follows the slow motion, in every row, and says what it chose") {
  for (const char* formulation : {"recursive", "hamiltonian"}) {
    CAPTURE(formulation);
    const Run r = run_in(servo("auto"), formulation, 1, 1e-3, 1e-9);
    for (int i = 0; i < r.trajectory.rows(); ++i)
      CHECK(within(r.trajectory.at(i, "rail.u"), speed(r.trajectory.at(i, "time")),
                   1e-7));                                     // rtol 1e-9, summed
    CHECK(within(last(r, "rail.q"), std::sin(w) / w, 1e-5));   // the servo lags by w/K
    CHECK(r.summary.evaluations < 3000);                       // dop853: 750,000
    CHECK(r.summary.closure < 1e-6 * r.summary.energy_scale);  // where the summary would warn
    CHECK(has(r.summary.notes, "integrator-chosen"));
  }
}

TEST_CASE("stiff servo: a run that stability held back says so and names auto") {
  const Run r = run_in(servo("dop853"), "recursive", 0.05, 1e-3, 1e-9);
  CHECK(has(r.summary.notes, "held-by-stability"));
}

TEST_CASE("first step: not longer than the distance of rows") {
  // nothing acts: one step would do
  for (const char* integrator : {"dop853", "dopri5", "sdirk4", "radau", "auto"}) {
    CAPTURE(integrator);
    Model model = slider(1, 0, 1);
    model.gravity = {0, 0, 0};
    model.simulate.integrator = integrator;
    const Run r = run_in(model, "recursive", 10, 1e-3, 1e-9);
    CHECK(r.summary.smallest_step <= 1e-3);  // the distance
  }
}
