// One kernel, several scalars: packs equal doubles, duals equal the complex step equal differences.
#include <doctest/doctest.h>

#include <cstring>

#include "builders.hpp"
#include "instant.hpp"
#include "random_tree.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// A tree with every kind of force on it, so that derivatives pass through all of them.
Model loaded_tree(Random& r) {
  Model model = random_tree(r, 6);
  model.parameters["a"] = 1.3;
  for (JointSpec& j : model.joints) {
    if (j.type == JointType::revolute) {
      j.spring = JointSpringSpec{{7}, {0.2}, {0.3}};
      j.damper = {0.4};
      j.limits = JointLimitSpec{-0.3, 0.3, 50, 2};
      j.friction = JointFrictionSpec{0.2, 0, 0, 0.5};
      j.servo = ServoSpec{formula("a*sin(2*t)"), 3, 0.5, {}};
    }
    if (j.type == JointType::prismatic) {
      j.force = {formula("a*t^2")};
      j.motor = MotorSpec{formula("3"), 2, 0.1, 0.3, 0.3, 4, 0.9, 1e-3};
    }
    if (j.type == JointType::spherical) j.spring = JointSpringSpec{{5}, {}, {}};
  }
  SpringSpec s;
  s.name = "s";
  s.from = {"b0", {}, {0.1, 0.2, 0.3}};
  s.to = {"b3", {}, {-0.1, 0.4, 0}};
  s.k = 30, s.length = 0.2, s.damping = 0.7, s.preload = 1;
  model.springs.push_back(s);
  BushingSpec b;
  b.name = "b";
  b.from = "b1", b.to = "b4";
  b.k = {10, 20, 30}, b.damping = {1, 2, 3}, b.angular_k = {1, 2, 3},
  b.angular_damping = {0.1, 0.2, 0.3};
  model.bushings.push_back(b);
  ForceSpec f;
  f.name = "f";
  f.at = {"b5", {}, {0.3, 0, 0}};
  f.body_axes = true;
  f.force = {formula("a*cos(t)"), formula("2"), Formula{}};
  f.moment = {Formula{}, formula("0.1*t"), Formula{}};
  model.forces.push_back(f);
  return model;
}

template <class T>
std::vector<T> convert(const std::vector<double>& x) {
  return {x.begin(), x.end()};
}

std::vector<double> accelerations(const Mechanism& m, double t, const Coordinates& c) {
  Instant<double> d(m);
  d.set(t, c.q.data(), c.u.data(), m.start_state.data());
  return d.udot();
}

}  // namespace

TEST_CASE("duals equal the complex step to rounding, and differences to their error") {
  for (int seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    Random r(static_cast<std::uint64_t>(seed));
    const Mechanism m = compile(loaded_tree(r));
    const Coordinates c = random_state(r, m);
    // a direction in the velocities, the parameters and time; configurations move along it too
    std::vector<double> dq(c.q.size()), du(c.u.size());
    for (size_t b = 1; b < static_cast<size_t>(m.nb); ++b)
      if (is_additive(m.kind[b]))
        for (int i = m.q0[b]; i < m.q0[b + 1]; ++i) dq[i] = r.uniform(-1, 1);
    for (double& x : du) x = r.uniform(-1, 1);
    const double t = 0.37;

    Instant<Dual<double>> dual(m);
    std::vector<Dual<double>> q, u;
    for (size_t i = 0; i < c.q.size(); ++i) q.push_back({c.q[i], dq[i]});
    for (size_t i = 0; i < c.u.size(); ++i) u.push_back({c.u[i], du[i]});
    const auto state = convert<Dual<double>>(m.start_state);
    dual.w.numbers().parameters[0].d = 0.5;
    dual.w.numbers().body[2].inertia.m.d = 0.3;
    dual.set({t, 1}, q.data(), u.data(), state.data());
    REQUIRE(dual.a().exist);

    using Complex = std::complex<double>;
    constexpr double e = 1e-30;
    Instant<Complex> step(m);
    std::vector<Complex> zq, zu;
    for (size_t i = 0; i < c.q.size(); ++i) zq.push_back({c.q[i], e * dq[i]});
    for (size_t i = 0; i < c.u.size(); ++i) zu.push_back({c.u[i], e * du[i]});
    const auto zstate = convert<Complex>(m.start_state);
    step.w.numbers().parameters[0] += Complex(0, e * 0.5);
    step.w.numbers().body[2].inertia.m += Complex(0, e * 0.3);
    step.set({t, e}, zq.data(), zu.data(), zstate.data());
    REQUIRE(step.a().exist);

    const auto moved = [&](double h) {
      Coordinates x = c;
      for (size_t i = 0; i < x.q.size(); ++i) x.q[i] += h * dq[i];
      for (size_t i = 0; i < x.u.size(); ++i) x.u[i] += h * du[i];
      Mechanism changed = m;
      changed.numbers.parameters[0] += h * 0.5;
      changed.numbers.body[2].inertia.m += h * 0.3;
      return accelerations(changed, t + h, x);
    };
    const double h = 1e-6;
    const std::vector<double> plus = moved(h), minus = moved(-h), here = accelerations(m, t, c);
    double size = 1;
    for (const auto& x : dual.udot()) size = std::max({size, std::fabs(x.d), std::fabs(x.v)});
    for (size_t i = 0; i < here.size(); ++i) {
      CAPTURE(i);
      CHECK(std::fabs(dual.udot()[i].v - here[i]) < 1e-10 * size);  // other order of operations
      CHECK(std::fabs(dual.udot()[i].d - step.udot()[i].imag() / e) < 1e-10 * size);
      // h² times third derivatives, and rounding over h
      CHECK(std::fabs(dual.udot()[i].d - (plus[i] - minus[i]) / (2 * h)) < 1e-4 * size);
    }
  }
}

TEST_CASE("a lane has the same bits whatever its neighbours are") {
  Random r(5);
  const Mechanism m = compile(loaded_tree(r));
  std::vector<Coordinates> states;
  for (int i = 0; i < 8; ++i) states.push_back(random_state(r, m));
  const auto run = [&](const std::vector<int>& lanes) {
    Instant<Pack<4>> d(m);
    std::vector<Pack<4>> q(m.start.q.size()), u(m.start.u.size());
    for (int lane = 0; lane < 4; ++lane) {
      const Coordinates& c = states[lanes[lane]];
      for (size_t i = 0; i < q.size(); ++i) q[i].set(lane, c.q[i]);
      for (size_t i = 0; i < u.size(); ++i) u[i].set(lane, c.u[i]);
    }
    const auto state = convert<Pack<4>>(m.start_state);
    d.set(Pack<4>(0.2), q.data(), u.data(), state.data());
    return d.udot();
  };
  const auto a = run({0, 1, 2, 3}), b = run({4, 1, 5, 6}), c = run({1, 1, 1, 1}),
             e = run({7, 0, 1, 2});
  for (size_t i = 0; i < a.size(); ++i) {
    CHECK(a[i][1] == b[i][1]);
    CHECK(a[i][1] == c[i][3]);
    CHECK(a[i][1] == e[i][2]);
  }
}

TEST_CASE("packs agree with doubles to rounding") {
  Random r(9);
  const Mechanism m = compile(loaded_tree(r));
  Instant<Pack<4>> d(m);
  std::vector<Coordinates> states;
  std::vector<Pack<4>> q(m.start.q.size()), u(m.start.u.size());
  for (int lane = 0; lane < 4; ++lane) {
    states.push_back(random_state(r, m));
    for (size_t i = 0; i < q.size(); ++i) q[i].set(lane, states.back().q[i]);
    for (size_t i = 0; i < u.size(); ++i) u[i].set(lane, states.back().u[i]);
  }
  const auto state = convert<Pack<4>>(m.start_state);
  d.set(Pack<4>(0.2), q.data(), u.data(), state.data());
  for (int lane = 0; lane < 4; ++lane) {
    const std::vector<double> one = accelerations(m, 0.2, states[lane]);
    double size = 1;
    for (const double x : one) size = std::max(size, std::fabs(x));
    for (size_t i = 0; i < one.size(); ++i)
      // another order of the sums, times the condition of the mass matrix
      CHECK(std::fabs(d.udot()[i][lane] - one[i]) < 1e-11 * size);
  }
}
