// A simulation stepped from outside gives what a run gives.
#include "sarrus/run/simulation.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "near.hpp"
#include "sarrus/run/simulate.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// A slider pushed by a force that a parameter sets.
Model pushed_slider(double mass = 2) {
  Model model = slider(mass, 0, 0);
  model.parameters["push"] = 3;
  model.joints[0].force = {formula("push")};
  return model;
}

}  // namespace

TEST_CASE("simulation: advanced in pieces it goes where the exact motion goes") {
  Simulation s(pushed_slider());
  for (const double t : {0.1, 0.25, 0.9, 2.0}) {
    s.advance(t);
    CHECK(s.time() == t);
    CHECK(near(s.value("rail.q"), 0.75 * t * t, 1e-12));  // ½ (3/2) t², the method's own is exact
    CHECK(near(s.now().u[0], 1.5 * t, 1e-12));
  }
}

TEST_CASE("simulation: an input that changes acts from then on") {
  Simulation s(pushed_slider());
  s.advance(1);
  s.set("push", -3);
  s.advance(3);
  // 0.75 + 1.5 · 2 − 0.75 · 4
  CHECK(within(s.value("rail.q"), 0.75, 1e-12));
  CHECK(within(s.value("rail.u"), -1.5, 1e-12));
  CHECK(within(s.value("energy.ledger"), 0, 1e-12));  // the account follows the work of both
}

TEST_CASE("simulation: a saved state goes on bit for bit, in the same object and in another") {
  for (const char* formulation : {"recursive", "hamiltonian", "discrete"})
    for (const char* method : {"dop853", "rk4", "gauss4"}) {
      CAPTURE(formulation);
      CAPTURE(method);
      Model model = chain_b1();
      model.simulate.formulation = formulation;
      model.simulate.integrator = method;
      model.simulate.step = 1e-3;
      Simulation s(model), other(model);
      s.advance(0.0137);
      const SimulationState kept = s.save();
      s.advance(0.05);
      const std::vector<double> once(s.row().begin(), s.row().end());
      s.restore(kept);
      CHECK(s.time() == 0.0137);
      s.advance(0.05);
      CHECK(std::vector<double>(s.row().begin(), s.row().end()) == once);
      other.restore(kept);
      other.advance(0.05);
      CHECK(std::vector<double>(other.row().begin(), other.row().end()) == once);
    }
}

TEST_CASE("simulation: steps of the method itself end where a run's end") {
  Model model = chain_b1();
  model.simulate.integrator = "rk4";
  model.simulate.step = 0.01;
  model.simulate.until = 0.1;
  model.simulate.output_step = 0.01;
  const Run run = simulate(compile(model), model.simulate);
  Simulation s(model);
  for (int k = 1; k < 10; ++k) {  // the last one of the run is cut at its end
    CHECK(s.step() == run.trajectory.row(k)[0]);
    const std::span<const double> row = s.row();
    REQUIRE(row.size() == run.trajectory.columns.size());
    for (size_t i = 0; i < row.size(); ++i) CHECK(row[i] == run.trajectory.row(k)[i]);
  }
  s.reset();
  CHECK(s.time() == 0);
  CHECK(std::vector<double>(s.row().begin(), s.row().end()) ==
        std::vector<double>(run.trajectory.row(0).begin(), run.trajectory.row(0).end()));
}

TEST_CASE("simulation: impossible names and values are refused, and nothing changes") {
  Model model = pushed_slider();
  model.parameters["unused"] = 1;
  Simulation s(model);
  s.advance(0.5);
  const auto refusal = [&](auto&& call) -> std::string {
    try {
      call();
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  CHECK(refusal([&] { s.value("rail.Q"); }).find("did you mean 'rail.q'") != std::string::npos);
  CHECK(refusal([&] { s.set("pusch", 1); }).find("did you mean 'push'") != std::string::npos);
  CHECK(refusal([&] { s.set("unused", 2); }).find("when the model is compiled") !=
        std::string::npos);
  CHECK(refusal([&] { s.set("push", NAN); }).find("finite") != std::string::npos);
  CHECK(refusal([&] { s.advance(0.2); }).find("forward only") != std::string::npos);
  CHECK(refusal([&] { Simulation(chain_b1()).restore(s.save()); }).find("another model") !=
        std::string::npos);
  CHECK(s.time() == 0.5);
}

TEST_CASE("simulation: a step that fails says why, and leaves the last good state") {
  Model model = slider(1, 0, 0);
  model.joints[0].force = {formula("1/(0.5 - t)^3")};
  Simulation s(model);
  CHECK_THROWS_AS(s.advance(1), Error);
  CHECK(s.time() < 0.5);
  CHECK(s.time() > 0.49);
  CHECK(std::isfinite(s.value("rail.q")));
}
