// Closed loops: rows against differences, multipliers, and mechanisms with known answers.
#include <doctest/doctest.h>

#include "loop_models.hpp"
#include "sarrus/formulations/formulation.hpp"
#include "sarrus/formulations/nullspace.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

Dynamics<double> accelerated(const Mechanism& m) {
  Dynamics<double> d(m);
  d.set(0, m.start.q.data(), m.start.u.data(), m.start_state.data());
  REQUIRE(d.accelerate());
  return d;
}

void check_all(const std::vector<double>& found, std::initializer_list<double> expected,
               double tolerance) {
  size_t i = 0;
  for (const double e : expected) {
    CAPTURE(i);
    CHECK(std::fabs(found[i++] - e) <= tolerance);
  }
}

}  // namespace

TEST_CASE("four-bar: accelerations and forces of spatial hinges that repeat each other") {
  const Mechanism m = compile(four_bar());
  const Dynamics<double> d = accelerated(m);
  CHECK(d.loops().size() == 5);
  CHECK(d.loops().rank() == 2);
  check_all(d.udot(), {-7.358661198592, 9.901073566973, 0.639750618826}, 1e-10);  // 12 decimals
  check_all(d.loops().forces(), {-2.920612626516, -9.642085153414, 0, 0, 0}, 1e-10);
}

TEST_CASE("Sarrus linkage: the platform's acceleration is that of one freedom") {
  const Mechanism m = compile(sarrus_linkage());
  const Dynamics<double> d = accelerated(m);
  CHECK(d.loops().rank() == 4);
  const double a = SarrusLinkage::acceleration(0.6, 0.5);
  CHECK(a == doctest::Approx(-13.257483652361).epsilon(1e-12));
  check_all(d.udot(), {a, -2 * a, a, -a, 2 * a}, 1e-11);
}

TEST_CASE("Bricard: six hinges move with one freedom, alternating") {
  const Mechanism m = compile(bricard());
  const Dynamics<double> d = accelerated(m);
  CHECK(d.loops().size() == 5);
  CHECK(d.loops().rank() == 4);
  check_all(d.udot(),
            {0.997513335814, -1.360075577150, 0.997513335814, -1.360075577150, 0.997513335814},
            1e-10);
}

TEST_CASE("the null space gives the accelerations of the multipliers") {
  for (const Model& model : {four_bar(), sarrus_linkage(), bricard()}) {
    CAPTURE(model.name);
    const Mechanism m = compile(model);
    Dynamics<double> d = accelerated(m);
    const std::vector<double> expected = d.udot();
    Nullspace nullspace(m);
    std::vector<double> udot(expected.size());
    d.set(0, m.start.q.data(), m.start.u.data(), nullptr);
    nullspace.accelerations(d, udot.data());
    CHECK(nullspace.freedoms() == 1);
    for (size_t i = 0; i < udot.size(); ++i) CHECK(std::fabs(udot[i] - expected[i]) < 1e-12 * 30);
  }
}
