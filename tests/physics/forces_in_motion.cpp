// Forces in whole mechanisms: gradients of potentials, conserved momenta, closed accounts.
#include <doctest/doctest.h>

#include "instant.hpp"
#include "near.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// A random tree with springs of every kind.
Model sprung_tree(Random& r, int bodies) {
  Model model = random_tree(r, bodies);
  for (JointSpec& j : model.joints) {
    if (j.type == JointType::spherical) j.spring = JointSpringSpec{{r.uniform(1, 20)}, {}, {}};
    if (j.type == JointType::revolute || j.type == JointType::universal ||
        j.type == JointType::screw)
      j.spring = JointSpringSpec{{r.uniform(1, 20)}, {r.uniform(-1, 1)}, {r.uniform(-1, 1)}};
  }
  const auto body = [&](int i) { return i < 0 ? std::string("world") : "b" + std::to_string(i); };
  for (int i = 0; i < 3; ++i) {
    const int a = r.below(bodies) - 1, b = bodies - 1 - i;
    if (a == b) continue;
    SpringSpec s;
    s.name = "s" + std::to_string(i);
    s.from = {body(a), {}, random_vector(r)};
    s.to = {body(b), {}, random_vector(r)};
    s.k = r.uniform(1, 50), s.length = r.uniform(0, 1), s.preload = r.uniform(-2, 2);
    model.springs.push_back(s);
    BushingSpec u;
    u.name = "u" + std::to_string(i);
    u.from = body(a), u.to = body(b);
    u.on_from = {random_vector(r), random_rotation(r)};
    u.on_to = {random_vector(r), random_rotation(r)};
    u.k = {3, 10, 30}, u.angular_k = {2, 7, 20};
    model.bushings.push_back(u);
  }
  return model;
}

/// Two bodies in space, no gravity, with velocities.
Model two_free_bodies(Random& r) {
  Model model;
  model.gravity = {0, 0, 0};
  for (const char* name : {"a", "b"}) {
    model.bodies.push_back(random_body(r, name));
    JointSpec j = joint(std::string("free_") + name, JointType::free, "world", name);
    const Quat p = quaternion_exp(random_vector(r, 0.3));
    const Vec3 o = random_vector(r);
    j.q = {p.w, p.x, p.y, p.z, o.x, o.y, o.z};
    j.u = std::vector<double>(6);
    for (double& u : *j.u) u = r.uniform(-1, 1);
    model.joints.push_back(j);
  }
  return model;
}

Wrench<double> momentum_at_end(const Mechanism& m, const Run& run) {
  Coordinates c = m.start;
  for (int i = 0; i < m.nq; ++i) c.q[i] = last(run, m.coordinate_name(i));
  for (int i = 0; i < m.nu; ++i) c.u[i] = last(run, m.velocity_name(i));
  Instant<double> d(m);
  d.set(0, c.q.data(), c.u.data(), nullptr);
  return d.momentum();
}

void check_momentum(const Model& model) {
  const Mechanism m = compile(model);
  const Run r = run(model, 1, 1e-13);
  REQUIRE(r.summary.status == RunStatus::done);
  const Wrench<double> before = momentum_of(started(m)), after = momentum_at_end(m, r);
  // 3e-12 is what theory asks of two free bodies with a bushing
  CHECK(norm(after.f - before.f) < 3e-12 * (1 + norm(before.f)));
  CHECK(norm(after.n - before.n) < 3e-12 * (1 + norm(before.n)));
  CHECK(r.summary.closure < 1e-9 * r.summary.energy_scale);  // dense output interpolates to 1e-10
}

}  // namespace

TEST_CASE("potentials: the force on every freedom is minus the gradient of the energy") {
  Random r(21);
  for (int trial = 0; trial < 8; ++trial) {
    CAPTURE(trial);
    const Mechanism m = compile(sprung_tree(r, 8));
    Coordinates c = random_state(r, m);
    std::fill(c.u.begin(), c.u.end(), 0.0);
    Instant<double> d(m);
    d.set(0, c.q.data(), c.u.data(), nullptr);
    // at rest without acceleration the joints must hold against gravity and springs: τ = ∂V/∂ξ
    const auto nu = static_cast<size_t>(m.nu);
    std::vector<double> udot(nu, 0.0), hold(nu);
    d.inverse_dynamics(udot.data(), hold.data());

    for (int direction = 0; direction < 5; ++direction) {
      std::vector<double> u(nu);
      double expected = 0;
      for (size_t j = 0; j < nu; ++j) u[j] = r.uniform(-1, 1), expected += hold[j] * u[j];
      const auto potential = [&](double h) {
        Coordinates to = c;
        for (size_t b = 1; b < static_cast<size_t>(m.nb); ++b) {
          double v[8], xi[8];
          chart_velocity(m.kind[b], m.numbers.body[b].joint, c.q.data() + m.q0[b],
                         u.data() + m.u0[b], v);
          for (int i = 0; i < 8; ++i) xi[i] = h * v[i];
          retract(m.kind[b], c.q.data() + m.q0[b], xi, to.q.data() + m.q0[b]);
        }
        d.set(0, to.q.data(), to.u.data(), nullptr);
        return d.potential_energy();
      };
      constexpr double h = 1e-4;
      const double slope =
          (8 * (potential(h) - potential(-h)) - potential(2 * h) + potential(-2 * h)) / (12 * h);
      // energies up to 1e4 J: rounding 1e-12/h; truncation h⁴ times the fifth derivative
      CHECK(within(slope, expected, 1000 * 1e-9));
    }
  }
}

TEST_CASE("momentum: springs and bushings between two free bodies keep all six components") {
  Random r(22);
  Model spring = two_free_bodies(r);
  SpringSpec s;
  s.name = "link";
  s.from = {"a", {}, {0.1, 0.2, 0}};
  s.to = {"b", {}, {-0.2, 0, 0.3}};
  s.k = 30, s.length = 0.5, s.damping = 0.7, s.preload = 1;
  spring.springs = {s};
  check_momentum(spring);

  Model bushing = two_free_bodies(r);
  BushingSpec b;
  b.name = "rubber";
  b.from = "a", b.to = "b";
  b.on_from = {{0.1, 0, 0.2}, quaternion_exp(Vec3{0.1, 0.2, 0.3})};
  b.on_to = {{0, -0.3, 0}, quaternion_exp(Vec3{-0.2, 0.1, 0})};
  b.k = {10, 20, 30}, b.angular_k = {3, 5, 8};
  b.damping = {0.1, 0.2, 0.3}, b.angular_damping = {0.05, 0.02, 0.1};
  bushing.bushings = {b};
  check_momentum(bushing);
}

TEST_CASE(
    "account: it closes with dampers, drives, motors, stops, friction and external forces at "
    "once") {
  Model model = chain_b1();
  model.joints[0].damper = {0.3};
  model.joints[0].force = {formula("2*sin(5*t) - 0.1*j2.u")};
  model.joints[1].servo = ServoSpec{formula("0.3*cos(2*t)"), 30, 4, 25.0};
  model.joints[2].motor = MotorSpec{formula("6*sin(4*t)"), 1.5, 0.02, 0.2, 0.2, 3, 0.9, 1e-3};
  model.joints[3].limits = JointLimitSpec{-0.5, 1.0, 500, 0};
  model.joints[3].friction = JointFrictionSpec{0.2, 0, 0, 0.05};
  model.joints[4].friction = JointFrictionSpec{0.1, 0.2, 0.02, 0.05};
  ForceSpec f;
  f.name = "push";
  f.at = {"b5", {}, {0.3, 0, 0.1}};
  f.force = {formula("1"), formula("sin(3*t)"), formula("0.5*j1.u")};
  f.moment = {formula("0"), formula("0.2"), formula("0")};
  f.body_axes = true;
  model.forces = {f};
  model.simulate.max_step = 0.01;
  const Run r = run(model, 1, 1e-10);
  REQUIRE(r.summary.status == RunStatus::done);
  CHECK(r.summary.dissipated > 0.1);
  CHECK(std::fabs(r.summary.drive) > 0.1);
  CHECK(std::fabs(r.summary.external) > 0.01);
  // stops and the clamp of the servo have kinks: what a step across one leaves is not controlled
  CHECK(r.summary.closure < 1e-6 * r.summary.energy_scale);
  CHECK_FALSE(has(r.summary.notes, "energy-not-closed"));
}

TEST_CASE(
    "account: a stop with a damper, whose force jumps at the touch, closes as the step shrinks") {
  Model model = chain_b1();
  model.joints[3].limits = JointLimitSpec{-0.5, 1.0, 500, 5};
  const auto closure = [&](double step) {
    model.simulate.max_step = step;
    const Run r = run(model, 1, 1e-10);
    REQUIRE(r.summary.dissipated > 0.1);
    return r.summary.closure / r.summary.energy_scale;
  };
  // one step across each jump books at most h times the power of the damper, some 100 W
  CHECK(closure(1e-2) < 1e-3);
  CHECK(closure(1e-4) < 1e-5);
}

TEST_CASE("account: a prescribed motion books the work of its drive") {
  Model model = chain_b1();
  model.joints[1].motion = {formula("0.1 + 0.5*sin(3*t)")};
  model.joints[1].q.reset(), model.joints[1].u.reset();
  const Run r = run(model, 1, 1e-12);
  CHECK(std::fabs(r.summary.drive) > 1);
  CHECK(r.summary.closure < account * r.summary.energy_scale);
}

TEST_CASE("account: a universal joint with both freedoms prescribed") {
  Model model = chain_b1(false);
  model.joints[1].type = JointType::universal;
  model.joints[1].axis = {0, 1, 0}, model.joints[1].axis2 = {1, 0, 0};
  model.joints[1].q.reset(), model.joints[1].u.reset();
  model.joints[1].motion = {formula("0.3*sin(3*t)"), formula("0.2*t^2")};
  const Run r = run(model, 1, 1e-12);
  CHECK(near(last(r, "j2.q2"), 0.2, rounding(2)));
  CHECK(near(last(r, "j2.u2"), 0.4, rounding(2)));
  CHECK(r.summary.closure < account * r.summary.energy_scale);
}
