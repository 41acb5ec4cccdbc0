// Inputs that start late, are short or have kinks: none is stepped over, whatever the tolerance.
//
// A block of 1 kg on a rail, pushed by F(t): v = ∫ F dt, x = ∫ v dt. A pendulum of 1 m under a cart
// whose velocity jumps by Δv: its momentum about the hinge stays, φ̇ jumps by −Δv cos φ / l.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "loop_models.hpp"
#include "near.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

constexpr double quadrature = 1e-9;  // what polynomials of time leave, beside rounding

Model pushed(const std::string& force) {
  Model model = slider(1, 0, 0);
  model.joints[0].force = {formula(force)};
  return model;
}

std::shared_ptr<const Table> table(const std::string& name, std::vector<double> x,
                                   std::vector<double> y, Interpolation interpolation) {
  auto t = std::make_shared<Table>();
  t->name = name;
  t->x = std::move(x), t->y = std::move(y);
  t->interpolation = interpolation;
  REQUIRE(t->prepare().empty());
  return t;
}

/// A cart on a rail with a pendulum of 1 m below it, no mass but the bob's.
Model cart_with_pendulum(const std::string& motion, double q) {
  Model model;
  model.bodies = {ball("cart", 1, 1), ball("bob", 1, 0, {0, 0, -1})};
  model.joints = {joint("rail", JointType::prismatic, "world", "cart", {1, 0, 0}),
                  joint("hinge", JointType::revolute, "cart", "bob", {0, -1, 0})};
  model.joints[0].motion = {formula(motion)};
  model.joints[1].q = {q};
  return model;
}

}  // namespace

TEST_CASE("breakpoints: 1000 N for 1 ms at 5 s give a block at rest 1 m/s, at any tolerance") {
  for (const char* formulation : {"recursive", "hamiltonian"})
    for (const double rtol : {1e-4, 1e-7, 1e-9, 1e-11, 1e-13}) {
      CAPTURE(formulation);
      CAPTURE(rtol);
      const Run r = run_in(pushed("1000*pulse(t, 5, 5.001)"), formulation, 10, 0.1, rtol);
      CHECK(near(last(r, "rail.u"), 1, quadrature));
      CHECK(near(last(r, "rail.q"), 4.999 + 0.0005, quadrature));
      CHECK(near(r.summary.drive, 0.5, quadrature));
      CHECK(r.summary.closure < quadrature);
    }
}

TEST_CASE("breakpoints: every integrator sees a pulse that its steps would pass over") {
  for (const char* integrator :
       {"dopri5", "dop853", "sdirk4", "radau", "auto", "cvode", "rk4", "gauss4"}) {
    CAPTURE(integrator);
    Model model = pushed("1000*pulse(t, 5, 5.001)");
    model.simulate.integrator = integrator;
    if (!is_adaptive(integrator)) model.simulate.step = 0.3;
    const Run r = run(model, 10, 1e-9);
    REQUIRE(r.summary.status == RunStatus::done);
    // cvode's own tolerance, summed over its steps in the pulse
    CHECK(near(last(r, "rail.u"), 1, 1e-7));
  }
}

TEST_CASE("breakpoints: smooth steps, tables and conditions that begin late act in full") {
  const Model steps = pushed("step(t, 5, 0, 5.02, 1) - step(t, 5.02, 0, 5.04, 1)");
  CHECK(near(last(run(steps, 100, 1e-9), "rail.u"), 0.02, quadrature));

  for (const Interpolation kind : {Interpolation::linear, Interpolation::cubic}) {
    Model bump = pushed("bump(t) + 0*rail.q");
    bump.tables = {table("bump", {0, 5, 5.01, 5.02, 6}, {0, 0, 100, 0, 0}, kind)};
    double area = 1;  // of the triangle
    if (kind == Interpolation::cubic) {
      // ∫ a piece = h (y₀ + y₁)/2 − h³ (y″₀ + y″₁)/24
      const Table& t = *bump.tables[0];
      area = 0;
      for (size_t i = 0; i + 1 < t.x.size(); ++i) {
        const double h = t.x[i + 1] - t.x[i];
        area += h * (t.y[i] + t.y[i + 1]) / 2 - h * h * h * (t.second[i] + t.second[i + 1]) / 24;
      }
    }
    CHECK(near(last(run(bump, 10, 1e-9), "rail.u"), area, 1e-8));  // pieces of ±100 N cancel
  }

  const Model chosen = pushed("if(t > 7 and t < 7.5, 4, 0) + 0.1*rail.u*0");
  CHECK(near(last(run(chosen, 40, 1e-9), "rail.u"), 2, quadrature));

  Model sensed = pushed("wanted");
  SensorSpec wanted;
  wanted.name = "wanted";
  wanted.value = formula("100*max(0, 1 - abs(t - 30)/0.01)");
  sensed.sensors = {wanted};
  CHECK(near(last(run(sensed, 60, 1e-9), "rail.u"), 1, quadrature));
}

TEST_CASE("breakpoints: a pendulum at rest feels its cart move after 20 s") {
  Model model = cart_with_pendulum("step(t, 20, 0, 20.2, 0.1)", 0);
  const Run r = run_in(model, "recursive", 25, 0.5, 1e-11);
  model.simulate.max_step = 1e-2;  // by hand
  const Run by_hand = run_in(model, "recursive", 25, 0.5, 1e-11);
  REQUIRE(std::fabs(last(by_hand, "hinge.u")) > 1e-3);
  // errors of both runs at rtol 1e-11, over 5 s of swinging
  CHECK(near(last(r, "hinge.q"), last(by_hand, "hinge.q"), 1e-7));
  CHECK(near(last(r, "hinge.u"), last(by_hand, "hinge.u"), 1e-7));
  CHECK(r.summary.closure < 1e-8 * r.summary.energy_scale);
}

TEST_CASE("breakpoints: where a prescribed velocity jumps, the impulse moves what hangs there") {
  const Run free = run_in(cart_with_pendulum("0*t", 0.3), "recursive", 1, 0.1, 1e-12);
  const double q = last(free, "hinge.q"), u = last(free, "hinge.u");
  for (const char* formulation : {"recursive", "hamiltonian"})
    for (const char* motion :
         {"ramp(t, 1, 0, 2, 0.5)", "0.5*max(t - 1, 0)", "if(t < 1, 0, t/2 - 0.5)"}) {
      CAPTURE(formulation);
      CAPTURE(motion);
      const Run r = run_in(cart_with_pendulum(motion, 0.3), formulation, 1, 0.1, 1e-12);
      CHECK(near(last(r, "hinge.u"), u - 0.5 * std::cos(q), quadrature));
      CHECK(r.summary.closure < quadrature);
    }
}

TEST_CASE("breakpoints: formulations agree over many jumps of a prescribed velocity") {
  const Model model = cart_with_pendulum("0.2*abs(sin(3*t))", 0.3);
  const Run a = run_in(model, "recursive", 4, 0.5, 1e-12),
            b = run_in(model, "hamiltonian", 4, 0.5, 1e-12);
  for (int row = 0; row < a.trajectory.rows(); ++row)  // both at rtol 1e-12
    CHECK(within(a.trajectory.at(row, "hinge.u"), b.trajectory.at(row, "hinge.u"), 1e-9));
  // T of the jumps goes in and out through the drive
  CHECK(a.summary.closure < quadrature * a.summary.energy_scale);
  CHECK(b.summary.closure < quadrature * b.summary.energy_scale);
}

TEST_CASE("breakpoints: in a loop the impulse goes through the joints that close it") {
  Model model = four_bar();
  model.bodies.push_back(rod_along_x("bob", 1, 0.5, 1e-3));
  model.joints.push_back(hinge("p", "coupler", "bob", {2, 0, 0}, {}));
  for (JointSpec& j : model.joints) j.u = {};
  model.joints[0].q = {}, model.joints[0].motion = {formula("1 + ramp(t, 0.1, 0, 0.3, 0.2)")};
  const Run a = run_in(model, "recursive", 0.5, 0.05, 1e-11),
            b = run_in(model, "hamiltonian", 0.5, 0.05, 1e-11);
  REQUIRE(a.trajectory.rows() == b.trajectory.rows());
  for (const Column& c : a.trajectory.columns) {
    if (c.name.find(".u") == std::string::npos) continue;
    for (int row = 0; row < a.trajectory.rows(); ++row)  // both at rtol 1e-11, of some 10 rad/s
      CHECK(within(a.trajectory.at(row, c.name), b.trajectory.at(row, c.name), 1e-8));
  }
  CHECK(a.summary.closure < quadrature * a.summary.energy_scale);
  CHECK(a.summary.constraint_rate < 1e-9);  // loops closed in velocity after the jump, by rounding
}

TEST_CASE("N19: a prescribed position that jumps is refused at its time, with its formula") {
  Model model = cart_with_pendulum("if(t < 0.5, 0, 1)", 0);
  model.simulate.until = 1;
  const Run r = simulate(compile(model), model.simulate);
  REQUIRE(r.summary.status == RunStatus::failed);
  CHECK(r.summary.failure->code == "motion-jumps");
  CHECK(r.summary.failure->message.find("jumps from 0 to 1 at t = 0.5 s") != std::string::npos);
}

TEST_CASE("breakpoints: random inputs, late, short, kinked or periodic, give their integrals") {
  Random random(2718);
  for (int i = 0; i < 300; ++i) {
    const double a = random.uniform(0.5, 30), w = std::pow(10.0, random.uniform(-4, 0)),
                 F = random.uniform(1, 5) / w, until = a + w + random.uniform(0.1, 30);
    std::string force;
    double impulse = 0;
    switch (random.below(6)) {
      case 0: force = fmt::format("{}*pulse(t, {}, {})", F, a, a + w), impulse = F * w; break;
      case 1:
        force = fmt::format("{}*(ramp(t, {}, 0, {}, 1) - pulse(t, {}, 1e9))", F, a, a + w, a + w);
        impulse = F * w / 2;
        break;
      case 2:
        force = fmt::format("{}*max(0, 1 - abs(t - {})/{})", F, a + w / 2, w / 2);
        impulse = F * w / 2;
        break;
      case 3:
        force = fmt::format("if(t < {}, 0, if(t < {}, {}, 0))", a, a + w, F);
        impulse = F * w;
        break;
      case 4:  // half waves of a sine, whole ones
        force = fmt::format("{}*abs(sin(pi*(t - {})/{}))*pulse(t, {}, {})", F, a, w / 3, a, a + w);
        impulse = F * w * 2 / M_PI;
        break;
      default:  // a saw tooth of three teeth
        force = fmt::format("{}*mod(t - {}, {})/{}*pulse(t, {}, {})", F, a, w / 3, w / 3, a, a + w);
        impulse = F * w / 2;
    }
    CAPTURE(force);
    const double rtol = std::pow(10.0, random.uniform(-11, -5));
    CAPTURE(rtol);
    Model model = pushed(force);
    model.simulate.formulation = i % 2 ? "recursive" : "hamiltonian";
    const Run r = run(model, until, rtol);
    REQUIRE(r.summary.status == RunStatus::done);
    // the ends of the input are numbers of ten to sixteen digits, its width one of them less; and
    // the sine is met by the method's own error
    CHECK(near(last(r, "rail.u"), impulse, std::max(1e-9, 10 * rtol)));
    CHECK(r.summary.closure < std::max(1e-9, 10 * rtol) * r.summary.energy_scale);
  }
}

TEST_CASE("breakpoints: a ball on an elastic stop rises to where it fell from, when it should") {
  // depth x″ = g − ω² x from x = 0, x′ = v: back at the surface after 2 (π − atan(v ω/g))/ω
  const double g = 9.81, k = 1e4, v = std::sqrt(2 * g), w = std::sqrt(k);
  const double top = 2 * v / g + 2 * (M_PI - std::atan(v * w / g)) / w;
  for (const char* formulation : {"recursive", "hamiltonian"})
    for (const char* integrator : {"dop853", "dopri5", "sdirk4", "radau", "auto", "cvode"}) {
      CAPTURE(formulation);
      CAPTURE(integrator);
      Model model = slider(1, 1, 0);
      model.gravity = {-g, 0, 0};
      model.joints[0].limits = JointLimitSpec{.low = 0, .high = 10, .stiffness = k, .damping = 0};
      model.simulate.integrator = integrator;
      const Run r = run_in(model, formulation, top, 0.01, 1e-10);
      CHECK(within(last(r, "rail.q"), 1, 1e-7));  // rtol 1e-10, of the way of all steps
      CHECK(within(last(r, "rail.u"), 0, 1e-6));  // the same, by g/v and the summed steps of cvode
    }
}

TEST_CASE("breakpoints: the account of a damped stop closes, the better the tighter") {
  Model model = slider(1, 1, 0);
  model.gravity = {-9.81, 0, 0};
  model.joints[0].limits = JointLimitSpec{.low = 0, .high = 10, .stiffness = 1e4, .damping = 10};
  for (const double rtol : {1e-7, 1e-9, 1e-11}) {
    const Run r = run_in(model, "recursive", 2, 0.01, rtol);
    CAPTURE(rtol);
    CHECK(r.summary.dissipated > 1);
    CHECK(r.summary.closure < 100 * rtol * r.summary.energy_scale);  // of some hundred steps
  }
}

TEST_CASE("N20: a run that crawls ends soon, with the formula that jumps and what to write") {
  Model model = rods(3, 0.5, 1);
  model.joints[1].force = {formula("-100*sign(j1.u)")};
  model.joints[0].q = {1.0};
  model.simulate.until = 2;
  const Run r = simulate(compile(model), model.simulate);
  REQUIRE(r.summary.status == RunStatus::failed);
  CHECK(r.summary.failure->code == "crawling");
  CHECK(r.summary.failure->message.find("\"-100*sign(j1.u)\" of joint 'j1'") != std::string::npos);
  CHECK(r.summary.failure->hint.find("friction") != std::string::npos);
  CHECK(r.summary.steps < 100000);  // three seconds of one core, for two bodies
}
