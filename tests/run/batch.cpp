// Many instances in lock-step: each is what it would be alone.
#include <doctest/doctest.h>

#include "builders.hpp"
#include "near.hpp"
#include "random_tree.hpp"
#include "sarrus/run/batch.hpp"
#include "sarrus/run/simulate.hpp"

using namespace sarrus;
using namespace sarrus::testing;

TEST_CASE("an instance in a batch moves as the same mechanism alone") {
  Model model = tree_b2();
  const Mechanism m = compile(model);
  model.simulate = {};
  model.simulate.until = 0.5;
  model.simulate.integrator = "rk4";
  model.simulate.step = 1e-3;
  const Run alone = simulate(m, model.simulate);
  Batch batch(m, 5);
  batch.advance(0.5, 1e-3);
  const Coordinates c = batch.coordinates(4);
  for (int i = 0; i < m.nq; ++i) {
    CAPTURE(i);
    // the same method and step: only the order of operations differs
    CHECK(near(c.q[i], alone.trajectory.at(alone.trajectory.rows() - 1, m.coordinate_name(i)),
               1e-11));
  }
}

TEST_CASE(
    "N12: an instance has the same bits whatever its neighbours and on any number of threads") {
  Random r(3);
  const Mechanism m = compile(random_tree(r, 6));
  std::vector<Coordinates> starts;
  for (int i = 0; i < 23; ++i) starts.push_back(random_state(r, m));
  const auto run = [&](int shift, int threads) {
    Batch batch(m, 23);
    for (int i = 0; i < 23; ++i) batch.set_start(i, starts[static_cast<size_t>((i + shift) % 23)]);
    batch.advance(0.05, 1e-3, threads);
    std::vector<Coordinates> ends(23);
    for (int i = 0; i < 23; ++i) ends[static_cast<size_t>((i + shift) % 23)] = batch.coordinates(i);
    return ends;
  };
  const auto a = run(0, 1), b = run(5, 3), c = run(11, 2);
  for (size_t i = 0; i < a.size(); ++i) {
    CHECK(a[i].q == b[i].q);
    CHECK(a[i].u == c[i].u);
  }
}

TEST_CASE(
    "instances differ in their numbers: pendulums of different length keep their own period") {
  const auto pendulum = [](double length) {
    Model model;
    BodySpec b;
    b.name = "bob";
    b.mass = 1;
    b.com = Vec3{0, 0, -length};
    model.bodies = {b};
    JointSpec j;
    j.name = "hinge";
    j.child = "bob";
    j.axis = {0, 1, 0};
    j.q = {1e-3};
    model.joints = {j};
    return compile(model);
  };
  const Mechanism first = pendulum(1);
  Batch batch(first, 6);
  for (int i = 0; i < 6; ++i) batch.set_numbers(i, pendulum(1 + 0.5 * i).numbers);
  batch.advance(2, 1e-3);
  for (int i = 0; i < 6; ++i) {
    const double w = std::sqrt(9.81 / (1 + 0.5 * i));
    // small swing: the amplitude changes the period by 1e-6/16 only
    CHECK(within(batch.coordinates(i).q[0], 1e-3 * std::cos(2 * w), 1e-3 * 1e-5));
  }
}

TEST_CASE("A04: a batch refuses what is not there") {
  const Mechanism m = compile(chain_b1());
  Batch batch(m, 3);
  CHECK_THROWS_AS(batch.coordinates(3), std::out_of_range);
  CHECK_THROWS_AS(batch.set_start(0, {{1.0}, {1.0}}), std::invalid_argument);
  CHECK_THROWS_AS(batch.set_parameter(0, "none", 1), std::invalid_argument);
  CHECK_THROWS_AS(batch.advance(1, 0), std::invalid_argument);
  Random r(1);
  CHECK_THROWS_AS(batch.set_numbers(0, compile(random_tree(r, 3)).numbers), std::invalid_argument);
}
