// Contact, switched joints, motion in a plane: what only the discrete formulation
// does.
#include <doctest/doctest.h>

#include "discrete_runs.hpp"
#include "near.hpp"
#include "sarrus/formulations/discrete/discrete.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

BodySpec shaped(const std::string& name, ShapeKind kind, double mass) {
  BodySpec b = ball(name, mass, 0.01 * mass);
  Shape s;
  s.kind = kind;
  s.radius = 0.1, s.length = 0.4, s.size = {0.4, 0.3, 0.2};
  b.shapes = {s};
  return b;
}

JointSpec free_at(const std::string& body, const Vec3& at, const Vec3& v = {}) {
  JointSpec j = joint(body + "_place", JointType::free, "world", body);
  j.q = {1, 0, 0, 0, at.x, at.y, at.z};
  j.u = {0, 0, 0, v.x, v.y, v.z};
  return j;
}

ContactSpec floor_for(std::vector<std::string> bodies, double k, double a, double mu) {
  ContactSpec c;
  c.name = "floor";
  c.bodies = std::move(bodies);
  c.with = "world";
  c.plane = true;
  c.stiffness = k, c.dissipation = a, c.friction = mu;
  return c;
}

Run discrete_run(Model model, double until, double h, double output) {
  model.simulate.formulation = "discrete";
  model.simulate.until = until;
  model.simulate.output_step = output;
  if (h > 0) model.simulate.step = h;
  const Run r = simulate(compile(model), model.simulate);
  REQUIRE(r.summary.status == RunStatus::done);
  return r;
}

}  // namespace

TEST_CASE("a ball bounces back to its height from a spring, to less from one that dissipates") {
  Model model;
  model.bodies = {shaped("ball", ShapeKind::sphere, 1)};
  model.joints = {free_at("ball", {0, 0, 0.6})};
  model.sensors = {point_sensor("c", "ball", {})};
  const auto highest_after_bounce = [&](double a) {
    model.contacts = {floor_for({"ball"}, 1e5, a, 0)};
    const Run r = discrete_run(model, 0.7, 1e-5, 0.001);
    double low = 1, high = 0;
    for (int i = 0; i < r.trajectory.rows(); ++i) {
      const double z = r.trajectory.at(i, "c.z");
      low = std::min(low, z);
      if (r.trajectory.row(i)[0] > 0.35) high = std::max(high, z);
    }
    CHECK(low > 0.08);  // depth √(m/k) v = 10 mm at most
    return high;
  };
  CHECK(near(highest_after_bounce(0), 0.6,
             2e-5));  // 1e-5 s of 0.7 s, and rows of 1 ms beside the top: g (5e-4)²/2 = 1e-6
  // z̈ = −g + k δ (1 + a δ̇)/m, by SciPy's RK45 with a tolerance of 1e-10
  CHECK(near(highest_after_bounce(0.2), 0.342765050, 1e-5));
}

TEST_CASE(
    "a box rests on a slope below its angle of friction and slides as Coulomb says above it") {
  Model model;
  model.bodies = {shaped("box", ShapeKind::box, 2)};
  model.joints = {free_at("box", {0, 0, 0.0999})};
  model.sensors = {point_sensor("c", "box", {})};
  const double slope = 0.5;  // tan 0.546
  model.gravity = {9.81 * std::sin(slope), 0, -9.81 * std::cos(slope)};
  model.contacts = {floor_for({"box"}, 1e5, 1, 0.7)};
  const Run rests = discrete_run(model, 1, 2e-5, 0.5);
  CHECK(std::fabs(last(rests, "c.x")) <
        2e-3);  // it lets go a little until the contact carries: a hop of 0.1 mm at 1 m/s²
  CHECK(std::fabs(last(rests, "c.x") - rests.trajectory.at(1, "c.x")) < 1e-5);  // no creep
  model.contacts[0].friction = 0.3;
  const Run slides = discrete_run(model, 1, 2e-5, 0.5);
  // once it slides: until then it hops a little, and friction is not yet at its limit
  const double acceleration = 9.81 * (std::sin(slope) - 0.3 * std::cos(slope));
  CHECK(near((slides.trajectory.at(2, "c.vx") - slides.trajectory.at(1, "c.vx")) / 0.5,
             acceleration, 2e-4));  // what is left of the hops
  CHECK(slides.summary.closure <
        1e-5 * slides.summary.energy_scale);  // friction is booked to the order of the step
}

TEST_CASE("a stack of boxes stands, and its energy only falls") {
  Model model;
  for (int i = 0; i < 4; ++i) {
    const std::string name = "b" + std::to_string(i);
    model.bodies.push_back(shaped(name, ShapeKind::box, 1));
    model.joints.push_back(free_at(name, {0.01 * (i % 2), 0, 0.1 + 0.2 * i + 0.001}));
    model.sensors.push_back(point_sensor("s" + std::to_string(i), name, {}));
  }
  model.contacts = {floor_for({"b0"}, 5e4, 2, 0.5)};
  ContactSpec between;
  between.name = "faces";
  between.bodies = {"b0", "b1", "b2", "b3"};
  between.stiffness = 5e4, between.dissipation = 2, between.friction = 0.5;
  model.contacts.push_back(between);
  const Run r = discrete_run(model, 2, 2e-5, 0.1);
  for (int i = 0; i < 4; ++i) {
    const std::string s = "s" + std::to_string(i);
    // what the weight presses in, 4 · 9.81/5e4 = 0.8 mm, and as much by the fall of 1 mm
    CHECK(near(last(r, s + ".z"), 0.1 + 0.2 * i, 0.01));
    CHECK(std::fabs(last(r, s + ".x") - 0.01 * (i % 2)) < 1e-3);
    CHECK(near(last(r, s + ".qw"), 1, 1e-6));
  }
  // what is stored in the contacts comes back: a thousandth of a joule in a stack of 4 kg
  for (int i = 1; i < r.trajectory.rows(); ++i)
    CHECK(r.trajectory.at(i, "energy.total") < r.trajectory.at(i - 1, "energy.total") + 1e-3);
  CHECK(last(r, "energy.kinetic") < 1e-6);
}

TEST_CASE("spheres and capsules meet where geometry says, and keep their momentum") {
  Model model;
  model.gravity = {0, 0, 0};
  model.bodies = {shaped("a", ShapeKind::sphere, 1), shaped("b", ShapeKind::capsule, 2)};
  // the capsule lies along z, the ball comes along x against its middle
  model.joints = {free_at("a", {-1, 0, 0.05}, {2, 0, 0}), free_at("b", {0, 0, 0})};
  ContactSpec c;
  c.name = "hit";
  c.bodies = {"a", "b"};
  c.stiffness = 1e7;  // over in 0.8 ms, in which nothing turns far
  model.contacts = {c};
  model.simulate.formulation = "discrete";
  model.simulate.step = 2e-6;
  model.simulate.until = 1;
  const Mechanism m = compile(model);
  Discrete d(m, model.simulate);
  d.begin(start_state(m, 0));
  const Wrench<double> before = momentum_of(observed(d));
  const double energy = observed(d).kinetic;
  d.advance(195000);  // 0.39 s: 10 mm before the surfaces meet, at 0.4 s
  // nothing happens; then 10⁴ steps of equal and opposite forces, with roundings of both signs
  CHECK(near(observed(d).kinetic, energy, 1e-12));
  d.advance(10000);
  const Snapshot after = observed(d);
  CHECK(norm(momentum_of(after).f - before.f) < 1e-12);
  CHECK(norm(momentum_of(after).n - before.n) < 1e-12);
  CHECK(near(after.kinetic, energy, 2e-5));  // the first touch falls into a step
  // one line through the ball's centre, 0.05 m beside the capsule's: 1/m = 1 + 1/2 + 0.05²/0.02
  const double m_eff = 1 / (1 + 0.5 + 0.05 * 0.05 / 0.02);
  // it turns by 0.8 ms · 3 rad/s during the blow
  CHECK(near(after.body[1].V.v.x, 2 - 2 * 2 * m_eff, 2e-3));
}

TEST_CASE("P12: two bodies inside each other are warned of, with their depth") {
  Model model;
  model.bodies = {shaped("a", ShapeKind::sphere, 1), shaped("b", ShapeKind::sphere, 1)};
  model.joints = {free_at("a", {0, 0, 1}), free_at("b", {0.1, 0, 1})};
  ContactSpec c;
  c.name = "pair";
  c.bodies = {"a", "b"};
  c.stiffness = 1e4, c.dissipation = 1;
  model.contacts = {c};
  const Run r = discrete_run(model, 0.1, 1e-5, 0.1);
  CHECK(has(r.summary.notes, "overlap"));
}

TEST_CASE("a grip holds what it finds, carries it, and lets it fall") {
  // a hand on a slide takes a ball at 0.1 s and lets it go at 0.5 s
  Model model;
  model.bodies = {ball("hand", 5, 0.1), ball("load", 1, 0.01)};
  JointSpec slide = joint("slide", JointType::prismatic, "world", "hand", {1, 0, 0});
  slide.motion = {formula("0.2*t")};
  JointSpec rest = free_at("load", {0.3, 0, 0.05});
  JointSpec grip = joint("grip", JointType::fixed, "hand", "load");
  grip.active = formula("(t - 0.1)*(0.5 - t)");
  model.joints = {slide, rest, grip};
  model.sensors = {point_sensor("c", "load", {})};
  const Run r = discrete_run(model, 0.8, 1e-5, 0.1);
  const double fallen = 9.81 * 0.1 * 0.1 / 2;  // before the grip
  // free fall is exact, and a joint that is led keeps its gap to (h/t)²
  CHECK(near(r.trajectory.at(1, "c.z"), 0.05 - fallen, 1e-8));
  CHECK(near(r.trajectory.at(5, "c.x") - r.trajectory.at(2, "c.x"), 0.06, 1e-8));
  CHECK(near(r.trajectory.at(5, "c.z"), r.trajectory.at(2, "c.z"), 1e-8));
  // free again, with the hand's speed
  CHECK(near(r.trajectory.at(8, "c.x") - r.trajectory.at(5, "c.x"), 0.06, 1e-3));
  CHECK(near(r.trajectory.at(8, "c.z") - r.trajectory.at(5, "c.z"), -9.81 * 0.09 / 2, 1e-3));
}

TEST_CASE("a joint that takes hold of a turning wheel books what the blow takes") {
  Model model = flywheel(0.2, 10);
  model.gravity = {};
  model.bodies.push_back(ball("load", 1, 0.3));
  model.joints.push_back(joint("load_axle", JointType::revolute, "world", "load"));
  JointSpec grip = joint("grip", JointType::fixed, "wheel", "load");
  grip.active = formula("t - 0.01");
  model.joints.push_back(grip);
  const Run r = discrete_run(model, 0.02, 1e-5, 0.02);
  // angular momentum stays: both turn at 10 · 0.2/0.5, and 10 J become 4 J
  CHECK(near(last(r, "load_axle.u"), 4, 1e-6));
  CHECK(near(last(r, "energy.kinetic"), 4, 1e-6));
  CHECK(near(last(r, "energy.dissipated"), 6, 1e-3));
}

TEST_CASE("a joint that closes in mid-run closes its gap without an impact") {
  Model model;
  model.gravity = {0, 0, 0};
  model.bodies = {ball("a", 1, 0.1)};
  model.joints = {free_at("a", {0.02, 0, 0})};
  JointSpec pin = joint("pin", JointType::spherical, "world", "a");
  pin.active = formula("t - 0.05");
  pin.captures = false;
  model.joints.push_back(pin);
  model.sensors = {point_sensor("c", "a", {})};
  const Run r = discrete_run(model, 0.5, 1e-4, 0.05);
  CHECK(near(r.trajectory.at(1, "c.x"), 0.02, rounding(2)));
  CHECK(near(r.trajectory.at(3, "c.x"), 0.01, 0.02));  // 0.1 m/s
  CHECK(std::fabs(last(r, "c.x")) < 1e-6);             // it has come to rest
  for (int i = 0; i < r.trajectory.rows(); ++i)
    CHECK(r.trajectory.at(i, "energy.kinetic") < 0.5 * 0.12 * 0.12);
}

TEST_CASE("other formulations refuse what comes and goes, with words") {
  Model model;
  model.bodies = {shaped("ball", ShapeKind::sphere, 1)};
  model.joints = {free_at("ball", {0, 0, 1})};
  model.contacts = {floor_for({"ball"}, 1e5, 0, 0)};
  try {
    simulate(compile(model), model.simulate);
    FAIL("refused it should be");
  } catch (const Error& e) {
    CHECK(e.fault() == Fault::physics);
    CHECK(e.diagnostics().front().element == "contact/floor");
    CHECK(e.diagnostics().front().hint.find("discrete") != std::string::npos);
  }
}

TEST_CASE("in a plane the double pendulum of rods is where the theory has it") {
  // F.9: m = (1, 1.5), l = (0.8, 0.6), absolute angles (1, −0.4) from −y at rest; after 1 s
  // (−0.29370732, −2.08853197)
  Model model;
  model.gravity = {0, -9.81, 0};
  const auto rod = [&](const char* name, double m, double l) {
    BodySpec b = ball(name, m, m * l * l / 12, {0, -l / 2, 0});
    return b;
  };
  model.bodies = {rod("upper", 1, 0.8), rod("lower", 1.5, 0.6)};
  JointSpec a = joint("a", JointType::revolute, "world", "upper"),
            b = joint("b", JointType::revolute, "upper", "lower");
  a.q = {1};
  b.q = {-1.4};
  b.on_parent.at = {0, -0.8, 0};
  model.joints = {a, b};
  model.simulate.plane = "xy";
  const auto error = [&](double h) {
    const Run r = discrete_run(model, 1, h, 1);
    return Vec3{last(r, "a.q") + 0.29370732, last(r, "a.q") + last(r, "b.q") + 2.08853197, 0};
  };
  const Vec3 coarse = error(5e-4), fine = error(2.5e-4);
  // the theory has order 2.16 at this step
  CHECK(norm(fine) < 3e-4);
  CHECK(near(std::log2(norm(coarse) / norm(fine)), 2.16, 0.05));
  // a hinge across the plane is refused
  model.joints[1].axis = {1, 0, 0};
  CHECK_THROWS_AS(discrete_run(model, 1, 1e-4, 1), Error);
}
