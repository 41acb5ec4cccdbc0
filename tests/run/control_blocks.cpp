// Blocks: continuous ones against closed forms, sampled ones against their difference equations.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <cmath>
#include <deque>

#include "near.hpp"
#include "sarrus/files/read_model.hpp"
#include "sarrus/run/simulation.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

Model with_blocks(const std::string& blocks, const std::string& force = "0", double q = 0) {
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
q = {}
force = "{}"
{}
)toml",
                                 q, force, blocks),
                     "blocks.toml");
}

/// A block of this kind, fed with `input`.
std::string a_block(const std::string& input, const std::string& keys) {
  return fmt::format("[[block]]\nname = \"out\"\ninput = \"{}\"\n{}\n", input, keys);
}

}  // namespace

TEST_CASE("blocks: a transfer function answers a step as its partial fractions say") {
  // (2 s + 5)/(s² + 3 s + 2) · 1/s = 2.5/s − 3/(s + 1) + 0.5/(s + 2)
  const Model model =
      with_blocks(a_block("1", "type = \"transfer_function\"\nnum = [2, 5]\nden = [1, 3, 2]"));
  const Run r = run_in(model, "recursive", 3, 0.1, 1e-12);
  for (int row = 0; row < r.trajectory.rows(); ++row) {
    const double t = r.trajectory.at(row, "time");
    CHECK(  // a thousand times rtol
        within(r.trajectory.at(row, "out"), 2.5 - 3 * std::exp(-t) + 0.5 * std::exp(-2 * t), 1e-9));
  }
}

TEST_CASE("blocks: state space with a direct part, and a filter, follow their equations") {
  // ẋ = −2 x + u, y = 3 x + 0.5 u, u = t: x = t/2 − 1/4 + (x₀ + 1/4) e^−2t
  const Model model = with_blocks(
      a_block("t",
              "type = \"state_space\"\nA = [[-2]]\nB = [1]\nC = [3]\nD = 0.5\nstates = [0.3]") +
      "[[block]]\nname = \"slow\"\ninput = \"t\"\ntype = \"filter\"\ntime_constant = \"200 ms\"\n");
  const Run r = run_in(model, "recursive", 2, 0.1, 1e-12);
  for (int row = 0; row < r.trajectory.rows(); ++row) {
    const double t = r.trajectory.at(row, "time"), x = t / 2 - 0.25 + 0.55 * std::exp(-2 * t);
    CHECK(within(r.trajectory.at(row, "out"), 3 * x + 0.5 * t, 1e-9));  // a thousand times rtol
    CHECK(within(r.trajectory.at(row, "slow"), t - 0.2 + 0.2 * std::exp(-t / 0.2), 1e-9));
  }
}

TEST_CASE("blocks: a continuous PID with a limit integrates only where its output can follow") {
  // e = 1: v = 2 + 3 t reaches 5 at t = 1 and stays, the integral is 3 from there on; at t = 2 the
  // error turns to −1: v = −2 + 3 − 3 (t − 2)
  const Model model = with_blocks(
      a_block("if(t < 2, 1, -1)", "type = \"pid\"\nkp = 2\nki = 3\nlimits = [-100, 5]"));
  const Run r = run_in(model, "recursive", 3, 0.125, 1e-11);
  for (int row = 0; row < r.trajectory.rows(); ++row) {
    const double t = r.trajectory.at(row, "time");
    if (t == 2) continue;  // either side of the jump
    CHECK(within(r.trajectory.at(row, "out"),
                 t < 1   ? 2 + 3 * t
                 : t < 2 ? 5
                         : 1 - 3 * (t - 2),
                 1e-9));
  }
}

TEST_CASE("blocks: a sampled PID is its difference equation, bit for bit") {
  const double h = 0x1p-10, kp = 2, ki = 0.7, kd = 0.05, T = 3 * h;
  Model model = with_blocks(
      a_block("t*(3 - t)", fmt::format("type = \"pid\"\nkp = {}\nki = {}\nkd = {}\nfilter = {}\n"
                                       "limits = [-1.5, 4]\nevery = {}",
                                       kp, ki, kd, T, h)));
  const double until = 20;
  const Run r = run_in(model, "recursive", until, h, 1e-9);
  double I = 0, last_e = 0, last_D = 0;
  int differing = 0, saturated = 0;
  for (int k = 0; k < r.trajectory.rows() - 1; ++k) {
    const double t = k * h, e = t * (3 - t);
    const double D = T / (T + h) * last_D + kd / (T + h) * (e - last_e);
    const double v = kp * e + I + D;
    if (r.trajectory.at(k, "out") != std::clamp(v, -1.5, 4.0)) ++differing;
    const double grow = ki * e;
    I = I + h * (v >= 4 ? std::min(grow, 0.0) : v <= -1.5 ? std::max(grow, 0.0) : grow);
    last_e = e, last_D = D;
    saturated += v >= 4 || v <= -1.5;
  }
  CHECK(differing == 0);
  CHECK(saturated > 1000);  // both limits were met
}

TEST_CASE("blocks: a mass under a sampled controller moves as the exact sampled system does") {
  // force held over h: x' = x + h v + h²/2 F, v' = v + h F; F_k = 4 (1 − x_k−2) − 3 (x_k − x_k−1)/h
  const double h = 0.01;
  const std::string blocks = fmt::format(R"toml(
[[block]]
name = "late"
type = "delay"
input = "rail.q"
every = {0}
time = {1}
[[block]]
name = "brake"
type = "pid"
input = "-rail.q"
kd = 3
every = {0}
[[block]]
name = "push"
type = "sample"
input = "4*(1 - late) + brake"
every = {0}
)toml",
                                         h, 2 * h);
  const auto exact = [&](int n) {
    double x = 0.2, v = 0, before = 0;
    std::deque<double> late = {0, 0};
    for (int k = 0; k < n; ++k) {
      const double F = 4 * (1 - late.front()) - 3 * (x - before) / h;
      late.pop_front(), late.push_back(x), before = x;
      x += h * v + h * h / 2 * F, v += h * F;
    }
    return x;
  };
  const Model model = with_blocks(blocks, "push", 0.2);
  for (const char* formulation : {"recursive", "hamiltonian"}) {
    CAPTURE(formulation);
    const Run r = run_in(model, formulation, 3, 0.01, 1e-10);
    for (const int row : {1, 2, 3, 10, 100, 300})
      CHECK(within(r.trajectory.at(row, "rail.q"), exact(row), 1e-10));  // rtol, forces are held
  }
  // leapfrog is exact where forces are held, however long its steps
  for (const double step : {0.01, 0.0025}) {
    Model stepped = model;
    stepped.simulate.step = step;
    const Run r = run_in(stepped, "discrete", 3, 0.01, 1e-9);
    for (const int row : {1, 2, 3, 10, 100, 300})
      CHECK(within(r.trajectory.at(row, "rail.q"), exact(row), 1e-9));  // rounding of 1200 steps
  }
}

TEST_CASE("blocks: samples with an offset, several clocks and a rate limit hold between instants") {
  const Model model = with_blocks(R"toml(
[[block]]
name = "fast"
type = "sample"
input = "t"
every = 0.1
offset = 0.05
start = -1
[[block]]
name = "limited"
type = "rate_limit"
input = "if(fast > 0.5, 1, 0)"
rate = 2
every = 0.25
[[state]]
name = "count"
next = "count + 1"
every = 0.5
)toml");
  const Run r = run_in(model, "recursive", 2, 0.01, 1e-9);
  for (int row = 0; row < r.trajectory.rows(); ++row) {
    const double t = r.trajectory.at(row, "time");
    if (std::fabs(std::remainder(t - 0.05, 0.1)) < 1e-9) continue;  // before or after, by rounding
    const double k = std::floor((t - 0.05) / 0.1);
    CHECK(within(r.trajectory.at(row, "fast"), k < 0 ? -1 : 0.05 + 0.1 * k, 1e-12));
    CHECK(r.trajectory.at(row, "count") == std::floor(t / 0.5 + 1e-9) + 1);
    // at t = 0.75 `fast` holds 0.75 − 0.1 … and is above 0.5: steps of 0.5 to 1
    CHECK(within(r.trajectory.at(row, "limited"),
                 t < 0.75 - 1e-9 ? 0
                 : t < 1 - 1e-9  ? 0.5
                                 : 1,
                 1e-12));
  }
}

TEST_CASE("blocks: noise has its deviation, is new for each seed and the same for every step") {
  const auto noisy = [](const char* integrator, double step, int seed) {
    Model model = with_blocks(fmt::format(
        "[[block]]\nname = \"n\"\ntype = \"noise\"\ndeviation = 0.5\nseed = {}\nevery = 1e-3\n",
        seed));
    model.simulate.integrator = integrator;
    model.simulate.step = step;
    return run_in(model, "recursive", 20, 1e-3, 1e-8);
  };
  const Run a = noisy("dop853", 1e-3, 7), b = noisy("rk4", 5e-4, 7), c = noisy("rk4", 1e-3, 8);
  double sum = 0, square = 0, lag = 0;
  int same = 0, n = a.trajectory.rows();
  for (int k = 0; k < n; ++k) {
    const double x = a.trajectory.at(k, "n");
    CHECK(x == b.trajectory.at(k, "n"));
    same += x == c.trajectory.at(k, "n");
    sum += x, square += x * x;
    if (k > 0) lag += x * a.trajectory.at(k - 1, "n");
  }
  // of 20,000 independent numbers: mean within 4 σ/√n, variance within 4 √(2/n), no correlation
  CHECK(within(sum / n, 0, 4 * 0.5 / std::sqrt(20000.0)));
  CHECK(near(square / n, 0.25, 4 * std::sqrt(2 / 20000.0)));
  CHECK(within(lag / n, 0, 4 * 0.25 / std::sqrt(20000.0)));
  CHECK(same == 0);
}

TEST_CASE("blocks: hysteresis keeps its side between the thresholds, a relay does not") {
  const Model model = with_blocks(R"toml(
[[block]]
name = "two"
type = "hysteresis"
input = "sin(t)"
upper = 0.5
lower = -0.5
on = 3
every = 1e-3
[[block]]
name = "one"
type = "relay"
input = "sin(t)"
on = 3
off = -3
)toml");
  const Run r = run_in(model, "recursive", 7, 0.01, 1e-8);
  const double pi = 3.14159265358979;
  for (int row = 0; row < r.trajectory.rows(); ++row) {
    const double t = r.trajectory.at(row, "time");
    const double up = pi / 6, down = 7 * pi / 6, again = 2 * pi + pi / 6;
    if (std::min({std::fabs(t - up), std::fabs(t - down), std::fabs(t - again)}) > 2e-3)
      CHECK(r.trajectory.at(row, "two") == ((t > up && t < down) || t > again ? 3 : 0));
    CHECK(r.trajectory.at(row, "one") == (std::sin(t) > 0 ? 3 : -3));
  }
}

TEST_CASE("blocks: a controlled motion that was saved goes on bit for bit") {
  for (const char* formulation : {"recursive", "hamiltonian", "discrete"})
    for (const char* method : {"dop853", "rk4"}) {
      CAPTURE(formulation);
      CAPTURE(method);
      Model model = with_blocks(R"toml(
[[block]]
name = "u"
type = "pid"
input = "1 - rail.q + bump"
kp = 9
ki = 2
kd = 3
every = 0.01
offset = 0.004
[[block]]
name = "bump"
type = "noise"
deviation = 0.1
every = 0.002
[[state]]
name = "way"
rate = "abs(rail.u)"
)toml",
                                "u", 0.2);
      model.simulate.formulation = formulation;
      model.simulate.integrator = method;
      model.simulate.step = 1e-3;
      Simulation s(model), other(model);
      s.advance(0.1234);
      const SimulationState kept = s.save();
      s.advance(0.5);
      other.restore(kept);
      other.advance(0.5);
      for (const char* column : {"rail.q", "rail.u", "u", "bump", "way"})
        CHECK(s.value(column) == other.value(column));
    }
}
