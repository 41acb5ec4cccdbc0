// Bodies without mass or inertia in the discrete formulation: point masses, massless links, the
// steps of a sequence.
#include <doctest/doctest.h>

#include "discrete_runs.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

Model double_pendulum() {
  Model model = pendulum(1.2);
  model.bodies.push_back(ball("second", 0.5, 0, {0, 0, -0.8}));
  JointSpec j = joint("elbow", JointType::revolute, "bob", "second", {0, 1, 0});
  j.on_parent.at = {0, 0, -1};
  j.q = {0.7};
  model.joints.push_back(j);
  model.name = "double pendulum";
  return model;
}

/// A solid body in flight and another on it, by a sequence of steps.
Model by_steps(const std::vector<SequenceStep>& steps) {
  JointSpec j = joint("j", JointType::sequence, "b1", "b2");
  j.sequence = steps;
  j.q.emplace(), j.u.emplace();
  for (size_t i = 0; i < steps.size(); ++i) {
    j.q->push_back(0.3 - 0.2 * static_cast<double>(i));
    j.u->push_back(0.8 - 0.5 * static_cast<double>(i));
  }
  Model model = two_in_flight(j);
  for (const SequenceStep& s : steps)
    model.name += std::string(s.slides ? " t" : " r") + "xyz"[s.axis.y > 0   ? 1
                                                              : s.axis.z > 0 ? 2
                                                                             : 0];
  return model;
}

const SequenceStep rx{false, {1, 0, 0}}, ry{false, {0, 1, 0}}, rz{false, {0, 0, 1}},
    tx{true, {1, 0, 0}}, ty{true, {0, 1, 0}}, tz{true, {0, 0, 1}};

/// A load on a massless rope, led by a crosshead: nothing can be shared there.
Model hoist() {
  Model model;
  model.name = "hoist";
  model.bodies = {ball("rope", 0, 0), ball("load", 2, 0)};
  JointSpec swing = joint("swing", JointType::universal, "world", "rope", {1, 0, 0});
  swing.axis2 = {0, 1, 0};
  swing.q = {0.4, -0.3};
  JointSpec way = joint("way", JointType::prismatic, "rope", "load", {0, 0, -1});
  way.motion = {formula("0.8 + 0.2*sin(3*t)")};
  model.joints = {swing, way};
  model.sensors = {point_sensor("tip", "load", {})};
  return model;
}

}  // namespace

TEST_CASE("discrete: point masses on hinges tend to their ideals, and so do their reactions") {
  check_second_order(pendulum(1), {{"hinge.q"}, 1, 4e-4, 1e-3});
  check_second_order(pendulum(1), {{"hinge.fx", "hinge.fy", "hinge.fz"}, 1, 4e-4, 1e-2});
  check_second_order(double_pendulum(), {{"hinge.q", "elbow.q"}, 1, 2e-4, 1e-3});
  check_second_order(double_pendulum(), {{"hinge.fx", "hinge.fz"}, 1, 2e-4, 1e-2});
  check_second_order(double_pendulum(), {{"elbow.fx", "elbow.fz"}, 1, 2e-4, 1e-2});
}

TEST_CASE("discrete: energies in the rows of a regrouped model are those of the model") {
  Model model = double_pendulum();
  const Run exact = run_by(model, "recursive", 0.5), run = run_by(model, "discrete", 0.5, 2e-5);
  for (const char* part : {"energy.kinetic", "energy.potential"})
    CHECK(
        near(last(run, part), last(exact, part), 1e-6));  // of second order: (2e-5/0.5)², times 100
}

TEST_CASE(
    "discrete: every sequence of turns and slides tends to its ideal with the square of the step") {
  check_second_order(by_steps({rz, ry}), {tip, 0.5, 1e-4, 1e-5});
  check_second_order(by_steps({tx, rz}), {tip, 0.5, 1e-4, 1e-5});
  check_second_order(by_steps({rz, ry, rx}), {tip, 0.5, 8e-5, 1e-6});
  check_second_order(by_steps({rz, tx, ry}), {tip, 0.5, 8e-5, 1e-5});
  check_second_order(by_steps({tx, ty}), {tip, 0.5, 8e-5, 1e-5});
  check_second_order(by_steps({tx, ty, tz, rz}), {tip, 0.5, 8e-5, 1e-5});
}

TEST_CASE("discrete: a massless rope with a point mass at its end has the second order") {
  check_second_order(hoist(), {tip, 1, 1e-4, 1e-4});
  // forces are those of one instant, and still ring a little: 1.88, 1.92 and 2.08 over three
  // halvings
  check_second_order(hoist(), {{"swing.fx", "swing.fy", "swing.fz"}, 1, 1e-4, 1e-4, 0.1});
}

TEST_CASE("discrete: a body without mass that no joint leads is refused by name") {
  Model model;
  model.bodies = {ball("ghost", 0, 0), ball("real", 1, 1)};
  model.joints = {joint("a", JointType::free, "world", "ghost"),
                  joint("b", JointType::revolute, "world", "real")};
  model.simulate.formulation = "discrete";
  try {
    simulate(compile(model), model.simulate);
    FAIL("refused it should be");
  } catch (const Error& e) {
    CHECK(e.fault() == Fault::physics);
    CHECK(e.diagnostics().front().element == "body/ghost");
  }
}

TEST_CASE("discrete: a run with inertia on loan that was stopped and continued repeats every bit") {
  check_continues(by_steps({rz, ry, rx}), 5e-5, 1333, 2900);
}

TEST_CASE("discrete: three hinges that come near gimbal lock end the run with words") {
  Model model = by_steps({rz, ry, rx});
  model.gravity = {};
  model.joints[0].u.emplace(6, 0.0);
  model.joints[1].q = {0, 0.5, 0};
  model.joints[1].u = {0, 2, 0};
  model.simulate.formulation = "discrete";
  model.simulate.step = 5e-5;
  model.simulate.until = 2;
  const Run r = simulate(compile(model), model.simulate);
  REQUIRE(r.summary.failure);
  CHECK(r.summary.failure->message.find("gimbal lock") != std::string::npos);
  CHECK(std::fabs(last(r, "j.q2")) > 1.2);
  CHECK(std::fabs(last(r, "j.q2")) < 1.6);
}
