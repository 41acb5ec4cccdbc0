// Events: located where the formula passes zero, once, in its direction; some end the run.
#include <doctest/doctest.h>

#include <limits>

#include "near.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

EventSpec event(const std::string& name, const std::string& when, int direction = 0,
                bool stop = false) {
  EventSpec e;
  e.name = name;
  e.when = formula(when);
  e.direction = direction;
  e.stop = stop;
  return e;
}

/// Period of a pendulum of 1 m by the arithmetic-geometric mean: 2π √(l/g) / agm(1, cos(q₀/2)).
double period(double q0) {
  double a = 1, b = std::cos(q0 / 2);
  while (std::fabs(a - b) > 1e-15) {
    const double next = (a + b) / 2;
    b = std::sqrt(a * b);
    a = next;
  }
  return 2 * M_PI / std::sqrt(9.81) / a;
}

Run swing(const std::string& integrator, const std::vector<EventSpec>& events, double until) {
  Model model = pendulum(1.0);
  model.events = events;
  model.simulate.integrator = integrator;
  model.simulate.rtol = 1e-12;
  if (integrator == "rk4") model.simulate.step = 1e-3;
  model.simulate.until = until;
  return simulate(compile(model), model.simulate);
}

}  // namespace

TEST_CASE("events: a pendulum passes the vertical at odd quarters of its period") {
  const double T = period(1.0);
  for (const char* integrator : {"dop853", "dopri5", "rk4", "cvode"}) {
    CAPTURE(integrator);
    const Run r = swing(integrator, {event("vertical", "hinge.q")}, 5);
    std::vector<double> expected;
    for (double t = T / 4; t < 5; t += T / 2) expected.push_back(t);
    REQUIRE(r.summary.events.size() == expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      // multistep errors at rtol 1e-12 add up over its many steps
      const double tolerance = std::string(integrator) == "cvode" ? 1e-7 : 1e-9;
      CHECK(std::fabs(r.summary.events[i].t - expected[i]) < tolerance);
    }
  }
}

TEST_CASE("events: rising, falling and both") {
  const Run r =
      swing("dop853",
            {event("up", "hinge.q", 1), event("down", "hinge.q", -1), event("any", "hinge.q")}, 5);
  int up = 0, down = 0, any = 0;
  for (const LocatedEvent& e : r.summary.events) {
    up += e.name == "up";
    down += e.name == "down";
    any += e.name == "any";
  }
  CHECK(down == 3);  // starts at +1: T/4, 5T/4, 9T/4 with T = 2.14 s
  CHECK(up == 2);
  CHECK(any == up + down);
  for (size_t i = 1; i < r.summary.events.size(); ++i)
    CHECK(r.summary.events[i - 1].t <= r.summary.events[i].t);
}

TEST_CASE(
    "events: one that starts at zero is not told, one that ends a step at zero is told once") {
  // steps of 1/8 s end exactly where t − 1/4 is zero
  Model model = slider(1, 0, 1);
  model.events = {event("begin", "rail.q"), event("boundary", "t - 0.25"),
                  event("place", "rail.q - 0.5")};
  model.simulate.integrator = "rk4";
  model.simulate.step = 0.125;
  model.simulate.until = 1;
  const Run r = simulate(compile(model), model.simulate);
  REQUIRE(r.summary.events.size() == 2);
  CHECK(r.summary.events[0].name == "boundary");
  CHECK(near(r.summary.events[0].t, 0.25, rounding(2)));
  CHECK(near(r.summary.events[1].t, 0.5, rounding(4)));
}

TEST_CASE("events: the earliest stop ends the run, with a last row at its time") {
  const double T = period(1.0);
  for (const char* integrator : {"dop853", "rk4"}) {
    CAPTURE(integrator);
    const Run r = swing(integrator,
                        {event("late", "t - 1.9", 1, true), event("vertical", "hinge.q", 1, true),
                         event("seen", "hinge.q", -1)},
                        5);
    CHECK(r.summary.status == RunStatus::stopped);
    // rtol 1e-12, and 1e-3 s of rk4: 1e-12 of both
    CHECK(std::fabs(r.summary.t - 0.75 * T) < 1e-9);
    CHECK(last(r, "time") == r.summary.t);
    CHECK(std::fabs(last(r, "hinge.q")) < 1e-9);
    REQUIRE(r.summary.events.size() == 2);
    CHECK(r.summary.events[0].name == "seen");
    CHECK(r.summary.events[1].name == "vertical");
  }
}

TEST_CASE("events: a formula that is no number is told, once") {
  const Run r = swing("dop853", {event("bad", "sqrt(0.9 - hinge.q) - 2")}, 2);
  CHECK(r.summary.status == RunStatus::done);
  int told = 0;
  for (const Diagnostic& d : r.summary.notes)
    if (d.code == "event-not-finite") {
      ++told;
      CHECK(d.element == "event/bad");
      CHECK(d.message.find("sqrt(0.9 - hinge.q)") != std::string::npos);
    }
  CHECK(told == 1);
}

TEST_CASE("events: none falls between the rows or the steps of a run") {
  Model model = slider(1, 0, 1);
  const auto found = [&](const std::vector<EventSpec>& events, double until) {
    model.events = events;
    model.simulate.until = until;
    return simulate(compile(model), model.simulate).summary;
  };
  SUBCASE("a body that passes a gate of 1 m in 100 m stops there") {
    const RunSummary s = found({event("gate", "abs(rail.q - 50) - 0.5", 0, true)}, 100);
    REQUIRE(s.status == RunStatus::stopped);
    CHECK(within(s.t, 49.5, 1e-9));  // x = t, at rtol 1e-9
  }
  SUBCASE("a gate behind a sensor with a formula of its own") {
    SensorSpec way;
    way.name = "way";
    way.value = formula("(rail.q - 50)^2");
    model.sensors = {way};
    const RunSummary s = found({event("gate", "way - 0.01")}, 100);
    REQUIRE(s.events.size() == 2);
    CHECK(within(s.events[0].t, 49.9, 1e-8));  // x = t, at rtol 1e-9 over 50 m
    CHECK(within(s.events[1].t, 50.1, 1e-8));  // the same
  }
  SUBCASE("formulas of time, whatever the steps do") {
    const RunSummary s = found({event("clock", "sin(400*t)"), event("two", "(t - 1)*(t - 1.05)"),
                                event("spike", "pulse(t, 1.0001, 1.0002) - 0.5")},
                               3);
    size_t clock = 0, two = 0, spike = 0;
    for (const LocatedEvent& e : s.events) {
      if (e.name == "clock")  // the rounding of an angle of up to 1200 rad
        CHECK(within(e.t, M_PI / 400 * static_cast<double>(++clock), 1e-12));
      two += e.name == "two", spike += e.name == "spike";
    }
    CHECK(clock == 381);  // 3·400/π = 381.97
    CHECK(two == 2);
    CHECK(spike == 2);
  }
  SUBCASE("more passages than can be followed are told") {
    const RunSummary s = found({event("noise", "sin(1e7*t)")}, 2);
    CHECK(has(s.notes, "events-missed"));
  }
}
