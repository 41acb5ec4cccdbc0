// Motors, friction and armature against closed forms.
#include <doctest/doctest.h>

#include "instant.hpp"
#include "near.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

TEST_CASE("motor without inductance: the flywheel nears its speed like 1 − exp(−t/T)") {
  Model model = flywheel(0.5);
  const double R = 2, K = 0.3, G = 4, eta = 0.9, J = 0.01, U = 12;
  model.joints[0].motor = MotorSpec{formula("12"), R, 0, K, K, G, eta, J};
  const Run r = run(model, 1.5);
  // (I + G² J) u̇ = η G K (U − K G u)/R
  const double inertia = 0.5 + G * G * J, T = inertia * R / (eta * G * G * K * K);
  const double u = U / (K * G) * (1 - std::exp(-1.5 / T));
  CHECK(near(last(r, "axle.u"), u, 1e-10));  // rtol is 1e-12
  CHECK(near(last(r, "axle.current"), (U - K * G * u) / R, 1e-11));
  CHECK(near(last(r, "axle.drive"), eta * G * K * (U - K * G * u) / R,
             1e-11));  // as above, at a tenth of the speed
}

TEST_CASE("motor with inductance and its shaft held: the current of an RL circuit") {
  Model model = flywheel(0.5);
  model.joints[0].motor = MotorSpec{formula("12"), 2, 0.1, 0.3, 0.3, 4, 1, 0};
  model.joints[0].damper = {1e9};  // what turns is 1e-9 of the answer
  model.simulate.integrator = "cvode";
  const Run r = run(model, 0.05, 1e-9);
  CHECK(near(last(r, "axle.current"), 6 * (1 - std::exp(-0.05 * 2 / 0.1)),
             1e-7));  // what turns, and rtol 1e-9
}

TEST_CASE("motor with inductance: speed and current swing as two coupled linear equations") {
  Model model = flywheel(0.05);
  const double R = 0.4, L = 0.1, K = 0.3, G = 2, U = 5, I = 0.05;
  model.joints[0].motor = MotorSpec{formula("5"), R, L, K, K, G, 1, 0};
  const double t = 0.6;
  const Run r = run(model, t);
  // I u̇ = G K i, L i̇ = U − R i − K G u: u'' + (R/L) u' + (G K)²/(I L) u = U G K/(I L), from rest
  const double decay = R / (2 * L), w0 = G * K / std::sqrt(I * L),
               w = std::sqrt(w0 * w0 - decay * decay);
  const double end = U / (G * K);
  const double u =
      end * (1 - std::exp(-decay * t) * (std::cos(w * t) + decay / w * std::sin(w * t)));
  const double u_dot = end * std::exp(-decay * t) * (w0 * w0 / w) * std::sin(w * t);
  // rtol is 1e-12
  CHECK(near(last(r, "axle.u"), u, 1e-11));
  CHECK(near(last(r, "axle.current"), I * u_dot / (G * K), 1e-11));
}

namespace {

/// A block on a plane inclined by 20° about y; q uphill along the plane.
Model incline(double mu, double u0) {
  Model model;
  model.bodies = {ball("block", 2, 0.1)};
  model.joints = {joint("plane", JointType::prismatic, "world", "block", {1, 0, 0})};
  const double angle = 20 * M_PI / 180;
  model.joints[0].on_parent.rotation = quaternion_exp(Vec3{0, -angle, 0});
  model.joints[0].u = {u0};
  // so narrow that the regularisation is felt for the last 1e-5 s only
  model.joints[0].friction = JointFrictionSpec{0, mu, 0, 1e-6};
  model.simulate.integrator = "cvode";
  return model;
}

}  // namespace

TEST_CASE("friction on the reaction: a block shot up an incline stops where Coulomb says") {
  // g = 9.81, 20°, μ = 0.3, 4 m/s: stops after 0.65351649993 s and 1.30703299987 m
  Model model = incline(0.3, 4);
  EventSpec stop;
  stop.name = "stop";
  stop.when = formula("plane.u - 1e-4");
  stop.direction = -1;
  stop.stop = true;
  model.events = {stop};
  const Run up = run(model, 1, 1e-10);
  REQUIRE(up.summary.status == RunStatus::stopped);
  // u = 1e-4 comes 1.6e-5 s before the stop, and tanh is 1 up to there
  const double a = 4 / 0.6535164999339391;
  // events are located to rounding; friction changes over 1e-4 m/s at the top
  CHECK(near(up.summary.t, 0.6535164999339391 - 1e-4 / a, 1e-9));
  CHECK(near(last(up, "plane.q"), 1.3070329998678782, 1e-8));
}

TEST_CASE("friction on the reaction: where the slope is steeper than μ the block slides down") {
  // μ = 0.25: 1.05062145354737 m/s²; μ = 0.3 on the way back: 0.5897022230518819 m/s²
  for (const auto& [mu, acceleration] :
       {std::pair{0.25, 1.05062145354737}, std::pair{0.3, 0.5897022230518819}}) {
    const Mechanism m = compile(incline(mu, -0.5));
    // one equation, and the iteration of a reaction
    CHECK(near(started(m).udot[0], -acceleration, 1e-12));
  }
}

TEST_CASE("friction on the reaction: a hinge with a radius rubs with μ r N") {
  // a wheel of weight m g on a horizontal axle: the axle carries m g, whatever the wheel does
  Model model = flywheel(0.5, 3);
  model.gravity = {0, -9.81, 0};
  model.joints[0].friction = JointFrictionSpec{0.02, 0.3, 0.05, 1e-3};
  const Mechanism m = compile(model);
  const Snapshot d = started(m);
  const double torque = 0.02 + 0.3 * 0.05 * 1 * 9.81;
  // one equation, and the iteration of a reaction
  CHECK(near(d.udot[0], -torque / 0.5, 1e-12));
  Instant<double> now(m, 0, m.start.q.data(), m.start.u.data(), nullptr);
  CHECK(near(now.a().flow.dissipated, torque * 3, 1e-12));
  // along the axle nothing presses
  model.gravity = {0, 0, -9.81};
  const Mechanism upright = compile(model);
  CHECK(near(started(upright).udot[0], -0.02 / 0.5, 1e-12));
}

TEST_CASE("friction on the reaction: the reaction answers to the friction, and both agree") {
  // a rod pushed through a hinge at its end: N depends on u̇, u̇ on the friction
  Model model;
  model.bodies = {ball("rod", 2, 0.3, {0.5, 0, 0})};
  model.joints = {joint("hinge", JointType::revolute, "world", "rod", {0, 1, 0})};
  model.joints[0].u = {4};
  model.joints[0].friction = JointFrictionSpec{0, 0.4, 0.1, 1e-3};
  const Mechanism m = compile(model);
  const Snapshot d = started(m);
  // (I + m c²) α = m g c − μ r N (about +y the rod falls); N from a_c = α × c + ω × (ω × c)
  const double alpha = d.udot[0];
  const double ax = -4 * 4 * 0.5, az = -alpha * 0.5;
  const double N = 2 * std::hypot(ax, az + 9.81);
  CHECK(near((0.3 + 2 * 0.25) * alpha, 2 * 9.81 * 0.5 - 0.4 * 0.1 * N,
             1e-12));  // the iteration between friction and reaction ends there
}

TEST_CASE("armature: it adds to the joint's own diagonal like a disk on the same axis") {
  Model bare = chain_b1(false);
  Model geared = bare, wheel = flywheel(0.5, 2), disk = flywheel(0.8, 2);
  geared.joints[2].armature = 0.7;
  const auto mass = [](const Model& model) {
    const Mechanism m = compile(model);
    std::vector<double> M(25);
    Workspace<double> w(m);
    mass_matrix_at(w, m.start.q.data(), M.data());
    return M;
  };
  const std::vector<double> without = mass(bare), with = mass(geared);
  for (size_t i = 0; i < 25; ++i)  // entries up to 30
    CHECK(within(with[i] - without[i], i == 12 ? 0.7 : 0, 30 * rounding(4)));

  // on a fixed axle a disk has no other effect: same motion, same energy
  wheel.joints[0].armature = 0.3;
  for (Model* model : {&wheel, &disk}) {
    model->joints[0].force = {formula("sin(3*t)")};
    model->joints[0].damper = {0.2};
  }
  const Run a = run(wheel, 2), b = run(disk, 2);
  // the same equations, in another order
  CHECK(near(last(a, "axle.q"), last(b, "axle.q"), 1e-13));
  CHECK(near(last(a, "energy.kinetic"), last(b, "energy.kinetic"), 1e-13));
}
