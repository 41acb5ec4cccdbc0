// Closed loops: rows against differences, multipliers, and mechanisms with known answers.
#include <doctest/doctest.h>

#include <algorithm>
#include <numbers>
#include <set>

#include "instant.hpp"
#include "loop_models.hpp"
#include "near.hpp"
#include "sarrus/formulations/assembly/assembly.hpp"
#include "sarrus/formulations/formulation.hpp"
#include "sarrus/formulations/ode/nullspace.hpp"
#include "sarrus/numerics/sparse/sparse_ldl.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

Instant<double> accelerated(const Mechanism& m) {
  Instant<double> d(m);
  d.set(0, m.start.q.data(), m.start.u.data(), m.start_state.data());
  REQUIRE(d.a().exist);
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

TEST_CASE("four-bar: accelerations and forces of redundant spatial hinges") {
  const Mechanism m = compile(four_bar());
  Instant<double> d = accelerated(m);
  CHECK(d.a().loops.rows->size() == 5);
  CHECK(d.a().loops.factors->rank() == 2);
  check_all(d.udot(), {-7.358661198592, 9.901073566973, 0.639750618826}, 1e-10);  // 12 decimals
  check_all(d.a().multiplier, {-2.920612626516, -9.642085153414, 0, 0, 0}, 1e-10);
}

TEST_CASE("Sarrus linkage: the platform's acceleration is that of one freedom") {
  const Mechanism m = compile(sarrus_linkage());
  Instant<double> d = accelerated(m);
  CHECK(d.a().loops.factors->rank() == 4);
  const double a = SarrusLinkage::acceleration(0.6, 0.5);
  // given with twelve decimals
  CHECK(near(a, -13.257483652361, 1e-12));
  check_all(d.udot(), {a, -2 * a, a, -a, 2 * a}, 1e-11);
}

TEST_CASE("Bricard: six hinges move with one freedom, alternating") {
  const Mechanism m = compile(bricard());
  Instant<double> d = accelerated(m);
  CHECK(d.a().loops.rows->size() == 5);
  CHECK(d.a().loops.factors->rank() == 4);
  check_all(d.udot(),
            {0.997513335814, -1.360075577150, 0.997513335814, -1.360075577150, 0.997513335814},
            1e-10);
}

TEST_CASE("the null space gives the accelerations of the multipliers") {
  for (const Model& model : {four_bar(), sarrus_linkage(), bricard()}) {
    CAPTURE(model.name);
    const Mechanism m = compile(model);
    Instant<double> d = accelerated(m);
    const std::vector<double> expected = d.udot();
    Nullspace nullspace(m);
    std::vector<double> udot(expected.size());
    nullspace.accelerations(d.w, d.k(), d.f(), udot.data());
    CHECK(nullspace.freedoms() == 1);
    // accelerations up to 30; two ways to solve one system
    for (size_t i = 0; i < udot.size(); ++i) CHECK(std::fabs(udot[i] - expected[i]) < 1e-12 * 30);
  }
}

namespace {

/// Entries of L in G M⁻¹ Gᵀ = L D Lᵀ: rows meet where their closures move a common body.
size_t fill_of(const Mechanism& m) {
  std::vector<std::set<int>> moves(m.closures.size());
  for (size_t k = 0; k < m.closures.size(); ++k)
    for (int b : {m.closures[k].a, m.closures[k].b})
      for (; b > 0; b = m.parent[b]) moves[k].insert(b);
  std::vector<std::vector<int>> pairs(m.closure_rows.size());
  for (size_t r = 0; r < pairs.size(); ++r)
    for (size_t s = 0; s < r; ++s) {
      const auto &a = moves[m.closure_rows[r].closure], &b = moves[m.closure_rows[s].closure];
      if (std::any_of(a.begin(), a.end(), [&](int body) { return b.count(body) > 0; }))
        pairs[r].push_back(static_cast<int>(s));
    }
  // elimination in the order that was chosen, on sets
  const SparsePattern pattern(pairs);
  std::vector<std::set<int>> below(pairs.size());  // by position: later rows that meet it
  std::vector<int> place(pairs.size());
  for (size_t k = 0; k < place.size(); ++k) place[pattern.order()[k]] = static_cast<int>(k);
  for (size_t r = 0; r < pairs.size(); ++r)
    for (const int s : pairs[r]) {
      const auto [first, second] = std::minmax(place[r], place[s]);
      below[first].insert(second);
    }
  size_t fill = 0;
  for (std::set<int>& rows : below) {
    fill += rows.size();
    for (auto i = rows.begin(); i != rows.end(); ++i)
      below[static_cast<size_t>(*i)].insert(std::next(i), rows.end());
  }
  return fill;
}

}  // namespace

TEST_CASE("N four-bars: the factors of the loops grow with N, and one freedom remains") {
  const size_t ten = fill_of(compile(n_four_bar(10))), hundred = fill_of(compile(n_four_bar(100)));
  CHECK(hundred < 11 * ten);  // linear: 100/10 and the ends
  CHECK(hundred <
        100 * (10 + 25));  // two neighbours: at most 5 · 4/2 in a block and 5 · 5 below it
  const Mechanism m = compile(n_four_bar(100));
  Instant<double> d = accelerated(m);
  CHECK(d.a().loops.rows->size() == 500);
  CHECK(d.a().loops.factors->rank() == 200);
  // upright: every post is a pendulum with half a beam at each side; φ̈ = 0 there
  for (const double a : d.udot()) CHECK(std::fabs(a) < 1e-9);
}

TEST_CASE("N four-bars: all posts turn as one pendulum") {
  // I φ̈ = k sin φ with I = (N + 1)/3 + N, k = g ((N + 1)/2 + N), φ from upright
  const int N = 40;
  Model model = n_four_bar(N);
  const double tilt = 0.3;
  for (JointSpec& j : model.joints) {
    if (j.name[0] == 'a') j.q = std::vector<double>{-tilt};
    if (j.name[0] == 'b') j.q = std::vector<double>{tilt};
    j.u.reset();
  }
  const Mechanism m = compile(model);
  Instant<double> d = accelerated(m);
  const double a = 9.81 * ((N + 1) / 2.0 + N) / ((N + 1) / 3.0 + N) * std::sin(tilt);
  for (const JointInfo& j : m.joints)
    // systems of some thirty equations, of condition up to 1e4
    if (j.name[0] == 'a') CHECK(std::fabs(d.udot()[j.u0] + a) < 1e-10);
}

TEST_CASE("a slider that only slides needs no inertia, in whatever order its joints are written") {
  const auto bar = [](const std::string& name) {
    BodySpec b;
    b.name = name, b.mass = 1, b.com = Vec3{0.5, 0, 0};
    b.inertia = Mat3{{0, 0, 0}, {0, 1.0 / 12, 0}, {0, 0, 1.0 / 12}};
    return b;
  };
  BodySpec slider;
  slider.name = "slider", slider.mass = 1;
  Model model;
  model.bodies = {bar("crank"), bar("rod"), slider};
  model.joints = {hinge("a", "world", "crank", {}, {}), hinge("b", "crank", "rod", {1, 0, 0}, {}),
                  hinge("c", "rod", "slider", {1, 0, 0}, {})};
  JointSpec rail;
  rail.name = "d", rail.type = JointType::prismatic;
  rail.parent = "world", rail.child = "slider", rail.axis = {1, 0, 0};
  model.joints.push_back(rail);
  const double q = std::numbers::pi / 4, u = -4, s = std::sin(q), c = std::cos(q);
  model.joints[0].q = {q}, model.joints[0].u = {u};
  model.joints[1].q = {-2 * q};
  // crank, rod at (1.5 c, 0.5 s), slider at 2 c
  const double kinetic = u * u / 2 * (1.0 / 3 + 2.25 * s * s + 0.25 * c * c + 1.0 / 12 + 4 * s * s);
  for (const bool given : {false, true})
    for (int k = 0; k < 24; ++k) {
      std::next_permutation(model.joints.begin(), model.joints.end(),
                            [](const JointSpec& x, const JointSpec& y) { return x.name < y.name; });
      for (JointSpec& j : model.joints)
        if (j.name == "c" && given) j.q = {q};
      const Mechanism m = compile(model);
      const Assembly start = assemble(m, 0);
      const Snapshot now =
          snapshot_at(m, {.t = 0, .q = start.start.q, .u = start.start.u, .state = {}});
      CAPTURE(k);
      // closed to 1e-13
      CHECK(near(now.kinetic, kinetic, 1e-11));
    }
}
