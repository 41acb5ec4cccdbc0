// Springs with a law of their own, against closed forms.
//
// A mass of 1 kg on ẍ = −x³, let go at 1 m, is at rest there again after 4 K(½) = 7.4162987092054876737 s
// and passes x = 0 with 1/√2 m/s after a quarter of it: x = cn(t; ½) [Jacobi].
#include <doctest/doctest.h>

#include <cmath>

#include "near.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

constexpr double cubic_period = 7.4162987092054876737;

/// The block of a slider, pulled to x = −3 m by a spring with this law.
Model pulled(const std::string& law, double q, double u = 0) {
  Model model = slider(1, q, u);
  SpringSpec spring;
  spring.name = "coil";
  spring.from.at = {-3, 0, 0};
  spring.to.body = "block";
  spring.law = formula(law);
  model.springs = {spring};
  return model;
}

std::string what_is_refused(const Model& model) {
  try {
    compile(model);
    return "";
  } catch (const Error& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("spring law: a cubic spring has the period of Jacobi's functions") {
  for (const char* formulation : {"recursive", "hamiltonian"}) {
    CAPTURE(formulation);
    const Run r = run_in(pulled("(coil.length - 3)^3", 1), formulation, cubic_period,
                         cubic_period / 4, 1e-11);
    const Trajectory& rows = r.trajectory;
    REQUIRE(rows.rows() == 5);
    // rtol 1e-11 over one period, felt as a shift of phase
    CHECK(within(rows.at(1, "rail.q"), 0, 1e-9));
    CHECK(near(rows.at(1, "rail.u"), -std::sqrt(0.5), 1e-9));
    CHECK(near(rows.at(4, "rail.q"), 1, 1e-9));
    // the law took 1/4 J from x = 1 to 0, and says so: the account closes
    CHECK(near(rows.at(1, "energy.external"), 0.25, 1e-9));
    CHECK(r.summary.closure < 1e-10);
  }
}

TEST_CASE("spring law: bodies moved one by one feel it too") {
  Model model = pulled("(coil.length - 3)^3", 1);
  const Run r = run_in(model, "discrete", cubic_period / 4, cubic_period / 4, 1e-8);
  CHECK(within(last(r, "rail.q"), 0, 1e-4));  // of second order in steps of a millisecond or less
}

TEST_CASE("spring law: it adds to stiffness, damping and preload, in columns too") {
  Model model = pulled("2*coil.rate*abs(coil.rate) + 0.3*sin(5*t)", 0.4, 0.7);
  SpringSpec& spring = model.springs[0];
  spring.k = 20, spring.length = 2.9, spring.damping = 0.4, spring.preload = 1.5;
  const Run r = run_in(model, "recursive", 1, 0.1, 1e-9);
  for (int i = 0; i < r.trajectory.rows(); ++i) {
    const double t = r.trajectory.row(i)[0], v = r.trajectory.at(i, "rail.u");
    const double L = r.trajectory.at(i, "rail.q") + 3;
    CHECK(near(r.trajectory.at(i, "coil.length"), L, 1e-14));  // roundings of a few products
    CHECK(near(r.trajectory.at(i, "coil.rate"), v, 1e-14));
    CHECK(within(r.trajectory.at(i, "coil.force"),
                 20 * (L - 2.9) + 0.4 * v + 1.5 + 2 * v * std::fabs(v) + 0.3 * std::sin(5 * t),
                 1e-12));  // roundings of sums of some ten newtons
  }
}

TEST_CASE("spring law: a rope that pulls only when it is tight lets a mass fly between") {
  // half a period π/ω at the rope's end, then back with the same speed: 2/v per flight
  const double half = M_PI / std::sqrt(400.0);
  Model model = pulled("400*max(coil.length - 3, 0)", 0, 1);
  const Run r = run_in(model, "recursive", half + 2, half + 2, 1e-10);
  CHECK(within(last(r, "rail.q"), -2, 1e-8));  // a hundred times rtol
  CHECK(near(last(r, "rail.u"), -1, 1e-8));    // likewise
}

TEST_CASE("spring law: its own force is known to sensors, not to itself") {
  CHECK(what_is_refused(pulled("0.1*coil.force", 1))
            .find("depends on 'coil.force', which is known only after the forces") !=
        std::string::npos);
  Model model = pulled("(coil.length - 3)^3", 0.5);
  SensorSpec twice;
  twice.name = "twice";
  twice.value = formula("2*coil.force");
  model.sensors = {twice};
  const Run r = run_in(model, "recursive", 0.1, 0.1, 1e-10);
  CHECK(near(r.trajectory.at(0, "twice"), 0.25, 1e-14));  // roundings of a few products
  const double x = last(r, "rail.q");
  CHECK(near(last(r, "twice"), 2 * x * x * x, 1e-12));  // the same rows; x is rounded
}

TEST_CASE("spring law: methods that keep energy say that it puts some in, and keep the account") {
  Model model = pulled("(coil.length - 3)^3", 1);
  model.simulate.integrator = "discrete_gradient", model.simulate.step = 0.01;
  const Run r = run_in(model, "hamiltonian", cubic_period / 4, cubic_period / 4, 1e-9);
  bool told = false;
  for (const Diagnostic& d : r.summary.notes)
    told =
        told || d.message.find("the law of spring 'coil' changes the energy") != std::string::npos;
  CHECK(told);
  CHECK(within(last(r, "rail.q"), 0, 1e-4));  // of second order in steps of 0.01 s
  CHECK(r.summary.closure < 1e-12);           // each step's account closes to rounding
}
