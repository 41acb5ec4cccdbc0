// States and inputs of controllers: integrated with the motion, in every formulation.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <cmath>

#include "near.hpp"
#include "sarrus/files/read_model.hpp"
#include "sarrus/run/simulation.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// A mass of 1 kg on a rail, and what `more` says.
Model on_rail(const std::string& more, const std::string& joint = "") {
  return parse_model(fmt::format(R"toml(
sarrus = 1
gravity = [0, 0, 0]
[[body]]
name = "block"
mass = 1
inertia = [1, 1, 1]
[[joint]]
name = "rail"
type = "prismatic"
axis = "x"
child = "block"
{}
{}
)toml",
                                 joint, more),
                     "rail.toml");
}

constexpr double pi = 3.14159265358979323846;

}  // namespace

TEST_CASE("states: a lag approaches its target exponentially, in every formulation") {
  const Model model = on_rail(R"toml(
[[state]]
name = "lag"
rate = "(1 - lag)/0.5"
[[output]]
name = "twice"
value = "2*lag"
)toml");
  const double exact = 1 - std::exp(-2.0);
  for (const char* formulation : {"recursive", "hamiltonian"}) {
    CAPTURE(formulation);
    const Run r = run_in(model, formulation, 1, 0.1, 1e-11);
    CHECK(near(last(r, "lag"), exact, 1e-9));  // a hundred times rtol
    CHECK(last(r, "twice") == 2 * last(r, "lag"));
  }
  // Adams and Bashforth's second order at steps of 1e-3 of the time constant
  Model stepped = model;
  stepped.simulate.step = 5e-4;
  CHECK(near(last(run_in(stepped, "discrete", 1, 0.1, 1e-9), "lag"), exact,
             3e-6));  // second order: (h/T)² of 1e-6
}

TEST_CASE("states: an integral of a position drives the mass as the third-order equation says") {
  // x‴ + 6 x″ + 11 x′ + 6 x = 6 with x(0) = x′(0) = 0: force −6 u − 11 q + s, ṡ = 6 (1 − q)
  const Model model = on_rail(R"toml(
[[state]]
name = "s"
rate = "6*(1 - rail.q)"
)toml",
                              "force = \"s - 6*rail.u - 11*rail.q\"");
  // poles −1, −2, −3: x = 1 − 3 e^−t + 3 e^−2t − e^−3t
  const auto x = [](double t) {
    return 1 - 3 * std::exp(-t) + 3 * std::exp(-2 * t) - std::exp(-3 * t);
  };
  for (const char* formulation : {"recursive", "hamiltonian"}) {
    const Run r = run_in(model, formulation, 4, 0.5, 1e-11);
    for (int row = 0; row < r.trajectory.rows(); ++row)
      CHECK(within(r.trajectory.at(row, "rail.q"), x(r.trajectory.at(row, "time")),
                   1e-9));  // a hundred times rtol
  }
  Model stepped = model;
  stepped.simulate.step = 1e-3;
  CHECK(within(last(run_in(stepped, "discrete", 4, 0.5, 1e-9), "rail.q"), x(4),
               1e-5));  // second order: (h/T)² of 1e-5
}

TEST_CASE("states: a limit holds a state until its rate leads back") {
  const Model model = on_rail(R"toml(
[[state]]
name = "held"
rate = "cos(t)"
limits = [-0.5, 0.5]
)toml");
  // sin t up to 0.5, still until cos t turns at π/2, down to −0.5 at π, still until 3π/2
  const auto exact = [](double t) {
    if (t < pi / 6) return std::sin(t);
    if (t < pi / 2) return 0.5;
    if (t < pi) return std::sin(t) - 0.5;
    if (t < 3 * pi / 2) return -0.5;
    return 0.5 + std::sin(t);
  };
  const Run r = run_in(model, "recursive", 6, 0.01, 1e-11);
  for (int row = 0; row < r.trajectory.rows(); ++row)
    CHECK(within(r.trajectory.at(row, "held"), exact(r.trajectory.at(row, "time")),
                 1e-9));  // a hundred times rtol
}

TEST_CASE("inputs: what is set acts from then on, within its limits only") {
  const Model model = on_rail(R"toml(
[[input]]
name = "push"
value = 2
limits = [-5, 5]
unit = "N"
[[input]]
name = "drift"
value = "3*t"
[[output]]
name = "speed"
value = "rail.u"
unit = "m/s"
)toml",
                              "force = \"push\"");
  Simulation s(model);
  REQUIRE(s.mechanism().inputs.size() == 2);
  CHECK(s.inputs() == std::vector<std::string>{"push"});
  CHECK(s.outputs() == std::vector<std::string>{"speed"});
  s.advance(1);
  s.set_input("push", -4);
  CHECK(s.input("push") == -4);
  s.advance(2);
  CHECK(within(s.value("speed"), -2, 1e-12));  // a parabola is exact
  CHECK(within(s.value("rail.q"), 1 + 2 - 2, 1e-12));
  CHECK(near(s.value("drift"), 6, 1e-12));
  CHECK_THROWS_WITH_AS(s.set_input("push", 7),
                       "set_input('push', 7): not within its limits -5 and 5 N",
                       std::invalid_argument);
  CHECK_THROWS_AS(s.set_input("drift", 1), std::invalid_argument);
  CHECK_THROWS_AS(s.set_input("pull", 1), std::invalid_argument);
  s.reset();
  CHECK(s.input("push") == 2);
}

TEST_CASE("inputs: what is given when a model is read wins over its file") {
  const char* text = R"toml(
sarrus = 1
[[body]]
name = "block"
mass = 1
[[joint]]
name = "rail"
type = "prismatic"
child = "block"
[[input]]
name = "push"
value = 2
limits = [-5, 5]
)toml";
  ReadOptions given;
  given.parameters = {{"push", 3}};
  CHECK(parse_model(text, "m.toml", Format::toml, given).inputs[0].value == 3);
  given.parameters = {{"push", 6}};
  CHECK_THROWS_AS(parse_model(text, "m.toml", Format::toml, given), Error);
  given.parameters = {{"posh", 3}};
  CHECK_THROWS_AS(parse_model(text, "m.toml", Format::toml, given), Error);
}
