// Force elements, drives and prescribed motions in the discrete formulation, beside the recursive
// one.
#include <doctest/doctest.h>

#include "instant.hpp"
#include "near.hpp"
#include "sarrus/formulations/discrete/discrete.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

Run run_with(Model model, const std::string& formulation, double until, double h) {
  model.simulate.until = until;
  model.simulate.output_step = until / 10;
  model.simulate.formulation = formulation;
  model.simulate.rtol = 1e-12;
  if (formulation == "discrete") model.simulate.step = h;
  return simulate(compile(model), model.simulate);
}

/// Largest difference of a column over the rows.
double apart(const Run& a, const Run& b, const std::string& column) {
  REQUIRE(a.trajectory.rows() == b.trajectory.rows());
  double worst = 0;
  for (int i = 0; i < a.trajectory.rows(); ++i)
    worst = std::max(worst, std::fabs(a.trajectory.at(i, column) - b.trajectory.at(i, column)));
  return worst;
}

/// The difference to the recursive formulation falls with the square of the step.
void check_orders_of(const Model& model, const std::string& column, double until, double h,
                     double limit) {
  const Run exact = run_with(model, "recursive", until, 0);
  const Run coarse = run_with(model, "discrete", until, h),
            fine = run_with(model, "discrete", until, h / 2);
  REQUIRE(exact.summary.status == RunStatus::done);
  REQUIRE(fine.summary.status == RunStatus::done);
  const double a = apart(exact, coarse, column), b = apart(exact, fine, column);
  CAPTURE(a);
  CAPTURE(b);
  CHECK(b < limit);
  CHECK(near(std::log2(a / b), 2,
             0.07));  // next term: h² beside 1; the largest difference may change its row
}

/// Two reference bodies on hinges.
Model two_links() {
  Model model;
  model.name = "two links";
  model.bodies = {reference_body(1), reference_body(2)};
  JointSpec a = joint("a", JointType::revolute, "world", "b1", {0, 1, 0});
  a.q = {0.3}, a.u = {0.5};
  JointSpec b = joint("b", JointType::revolute, "b1", "b2", {0, 1, 0});
  b.on_parent.at = {0.6, 0, 0};
  b.q = {-0.4}, b.u = {-0.7};
  model.joints = {a, b};
  return model;
}

}  // namespace

TEST_CASE("B1 with springs and a damped strut arrives where the theory says") {
  Model model = chain_b1();
  SpringSpec s;
  s.name = "strut";
  s.from = {"b2", {}, {0.1, 0.2, 0}};
  s.to = {"b5", {}, {0.3, 0, 0.1}};
  s.k = 40, s.length = 0.3, s.damping = 0.5;
  model.springs = {s};
  const Run coarse = run_with(model, "discrete", 1, 4e-5),
            fine = run_with(model, "discrete", 1, 2e-5);
  const double q[] = {-2.121867999, 1.822736694, 0.868053036, 3.983998658, 0.676154537};
  const auto extrapolated = [&](const std::string& column) {
    return (4 * last(fine, column) - last(coarse, column)) / 3;
  };
  for (int k = 1; k <= 5; ++k) {
    const std::string column = "j" + std::to_string(k) + ".q";
    CHECK(std::fabs(last(fine, column) - q[k - 1]) <
          2e-3);  // (fine/coarse)² of 4e-3; extrapolated below
    // what is left when the square of the step is taken away: its fourth power
    CHECK(std::fabs(extrapolated(column) - q[k - 1]) < 5e-6);
  }
  CHECK(near(extrapolated("energy.dissipated"), 2.427308273, 1e-6));
  CHECK(near(coarse.summary.closure / fine.summary.closure, 4, 0.02));
}

TEST_CASE("B1 without springs has its centre of mass where the recursion has it") {
  Model model = chain_b1(false);
  for (int k = 1; k <= 5; ++k) {
    model.sensors.push_back(
        point_sensor("c" + std::to_string(k), "b" + std::to_string(k), {0.25, 0.02 * k, -0.03}));
  }
  const Run exact = run_with(model, "recursive", 0.5, 0);
  const auto worst = [&](double h) {
    const Run r = run_with(model, "discrete", 0.5, h);
    double most = 0;
    for (int k = 1; k <= 5; ++k) {
      Vec3 d;
      for (int i = 0; i < 3; ++i) {
        const std::string column = "c" + std::to_string(k) + "." + "xyz"[i];
        d[i] = last(r, column) - last(exact, column);
      }
      most = std::max(most, norm(d));
    }
    return most;
  };
  const double coarse = worst(1e-4), fine = worst(2e-5);
  CHECK(coarse < 1e-4);                                         // 7.8e-5 m
  CHECK(near(std::log(coarse / fine) / std::log(5), 2, 0.05));  // 7.8e-7 m at 1e-5 s
}

TEST_CASE("springs, dampers and servos on joints keep the second order") {
  Model model = two_links();
  model.joints[0].spring = JointSpringSpec{{20}, {0.1}, {0.5}};
  model.joints[0].damper = {0.4};
  model.joints[1].servo = ServoSpec{formula("0.3*sin(4*t)"), 30, 1.5, {}};
  check_orders_of(model, "b.q", 0.5, 2e-4, 1e-5);
}

TEST_CASE("a prescribed joint follows its motion, and its drive pushes as in the recursion") {
  Model model = two_links();
  model.joints[0].motion = {formula("0.1 + 0.5*sin(3*t)")};
  model.joints[0].q.reset(), model.joints[0].u.reset();
  check_orders_of(model, "b.q", 0.5, 2e-4, 1e-4);
  const Run exact = run_with(model, "recursive", 0.5, 0),
            discrete = run_with(model, "discrete", 0.5, 2e-5);
  CHECK(apart(exact, discrete, "a.q") < 2e-6);  // torque of 50 N.m over k = 1/(4 h² λ)
  // of second order: 2e-5 s beside periods of 0.1 s
  CHECK(near(last(discrete, "a.drive"), last(exact, "a.drive"), 1e-4));
  CHECK(near(last(discrete, "energy.drive"), last(exact, "energy.drive"), 1e-4));
}

TEST_CASE("a rotor behind a gear, with a motor that has inductance, keeps the second order") {
  Model model = two_links();
  model.joints[1].motor = MotorSpec{formula("12*sin(5*t)"), 1.5, 0.01, 0.05, 0.05, 20, 0.9, 2e-5};
  check_orders_of(model, "b.q", 0.5, 2e-4, 1e-5);
}

TEST_CASE("bushings and external forces keep the second order") {
  Model model = two_links();
  BushingSpec b;
  b.name = "mount";
  b.from = "world", b.to = "b2";
  b.on_from.at = {0.9, 0.1, -0.2};
  b.on_to.at = {0.3, 0, 0};
  b.k = {80, 90, 100}, b.damping = {1, 2, 1}, b.angular_k = {4, 5, 6},
  b.angular_damping = {0.1, 0.1, 0.2};
  model.bushings = {b};
  ForceSpec f;
  f.name = "push";
  f.at = {"b2", {}, {0.4, 0, 0}};
  f.force = {formula("2*sin(7*t)"), formula("0"), formula("1 - 0.5*b.u")};
  f.moment = {formula("0"), formula("0.3"), formula("0")};
  model.forces = {f};
  check_orders_of(model, "b.q", 0.5, 2e-4, 1e-5);
}

TEST_CASE("friction on a reaction stops a block where it stops it in the recursion") {
  Model model = slider(2, 0, 1.5);
  model.gravity = {0, 0, -9.81};
  model.joints[0].friction = JointFrictionSpec{0, 0.3, 0, 0.01};
  const Run exact = run_with(model, "recursive", 0.8, 0),
            discrete = run_with(model, "discrete", 0.8, 1e-5);
  // of second order: 1e-5 s beside 0.8 s
  CHECK(near(last(discrete, "rail.q"), last(exact, "rail.q"), 1e-6));
  CHECK(near(last(discrete, "energy.dissipated"), last(exact, "energy.dissipated"), 1e-6));
}

TEST_CASE("limits throw a joint back as in the recursion") {
  Model model = two_links();
  model.joints[1].limits = JointLimitSpec{-0.6, 0.2, 500, 2};
  const Run exact = run_with(model, "recursive", 0.5, 0),
            discrete = run_with(model, "discrete", 0.5, 2e-5);
  CHECK(apart(exact, discrete, "b.q") <
        1e-4);  // the torque that a block with this step carries by 2e-5 rad
}

TEST_CASE("a step that an element does not allow is refused with body, element and limit") {
  Model model = two_links();
  SpringSpec s;
  s.name = "hard";
  s.from = {"b2", {}, {0.3, 0, 0}};
  s.k = 1e8;
  {  // unstretched at the start
    SensorSpec end;
    end.name = "end";
    end.point = s.from;
    Model with_end = model;
    with_end.sensors = {end};
    const Mechanism m = compile(with_end);
    s.to = {"world", {}, started(m).sensor_motion(0).position + Vec3{0, 0, 0.2}};
    s.length = 0.2;
  }
  model.springs = {s};
  try {
    run_with(model, "discrete", 0.5, 1e-3);
    FAIL("refused it should be");
  } catch (const Error& e) {
    CHECK(e.fault() == Fault::numerics);
    const Diagnostic& d = e.diagnostics().front();
    CHECK(d.code == "step-too-large");
    CHECK(d.message.find("body 'b2'") != std::string::npos);
    CHECK(d.message.find("spring 'hard'") != std::string::npos);
    const double limit = std::stod(d.limit);
    // just below the limit it runs, and stays where it is finite
    const Run r = run_with(model, "discrete", 0.05, 0.95 * limit);
    CHECK(r.summary.status == RunStatus::done);
  }
}

TEST_CASE("the step is chosen so that joints open no further than is wanted") {
  Model model = two_links();
  model.simulate.formulation = "discrete";
  model.simulate.until = 1;
  for (const double gap : {1e-5, 1e-7}) {
    model.simulate.joint_gap = gap;
    const Mechanism m = compile(model);
    Discrete d(m, model.simulate);
    d.begin(start_state(m, 0));
    double worst = 0;
    while (d.time() < 1) {
      d.advance(50);
      worst = std::max(worst, d.largest_gap().size);
    }
    CHECK(worst < 2 * gap);  // the force in a joint is estimated from the start
    CHECK(worst > 0.02 * gap);
  }
}
