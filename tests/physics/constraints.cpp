// Constraints beyond joints, and starts that cannot be put together.
#include <doctest/doctest.h>

#include "instant.hpp"
#include "loop_models.hpp"
#include "near.hpp"
#include "sarrus/formulations/assembly/assembly.hpp"
#include "sarrus/mobility/mobility.hpp"
#include "sarrus/run/simulate.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

BodySpec rolling_ball(const std::string& name, double mass, double radius) {
  BodySpec body;
  body.name = name;
  body.mass = mass;
  const double I = 0.4 * mass * radius * radius;
  body.inertia = Sym3{I, I, I, 0, 0, 0}.full();
  return body;
}

JointSpec free_joint(const std::string& child, const Vec3& at) {
  JointSpec joint;
  joint.name = child + "_place";
  joint.type = JointType::free;
  joint.child = child;
  joint.q = std::vector<double>{1, 0, 0, 0, at.x, at.y, at.z};
  return joint;
}

std::string refused(const Model& model) {
  try {
    const Mechanism m = compile(model);
    assemble(m, 0);
  } catch (const Error& e) {
    std::string text;
    for (const Diagnostic& d : e.diagnostics()) text += to_text(d) + "\n";
    return text;
  }
  return "";
}

bool text_has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a ball rolls down an incline with five sevenths of the slope's pull") {
  const double slope = 0.3, radius = 0.2;
  Model model;
  model.gravity = {9.81 * std::sin(slope), 0, -9.81 * std::cos(slope)};
  model.bodies.push_back(rolling_ball("ball", 1.3, radius));
  model.joints.push_back(free_joint("ball", {0, 0, radius}));
  ConstraintSpec rolling;
  rolling.name = "floor";
  rolling.type = ConstraintType::rolling_sphere;
  rolling.to.body = "ball";
  rolling.radius = radius;
  model.constraints.push_back(rolling);
  for (const char* formulation : {"recursive", "hamiltonian"}) {
    model.simulate.formulation = formulation;
    model.simulate.until = 1;
    model.simulate.rtol = 1e-12;
    const Run run = simulate(compile(model), model.simulate);
    REQUIRE(run.summary.status == RunStatus::done);
    const int x = run.trajectory.column("ball_place.q5");
    REQUIRE(x >= 0);
    // s = a t²/2 with a = 5/7 g sin(slope)
    CHECK(near(run.trajectory.row(run.trajectory.rows() - 1)[x], 0.5 * 2.070752305248, 1e-10));
    CHECK(run.summary.constraint < 1e-12);
  }
}

TEST_CASE("a massless rod of fixed length is a pendulum of that length") {
  // small body, so that it is a point: period of a swing from 1 rad by the closed form of F.8's
  // kind
  Model rod, hinge_model;
  for (Model* m : {&rod, &hinge_model}) m->gravity = {0, -9.81, 0};
  rod.bodies.push_back(rolling_ball("bob", 1, 1e-3));
  rod.joints.push_back(free_joint("bob", {std::sin(1.0), -std::cos(1.0), 0}));
  ConstraintSpec c;
  c.name = "rod";
  c.type = ConstraintType::distance;
  c.to.body = "bob";
  c.length = 1;
  rod.constraints.push_back(c);
  BodySpec bob = rolling_ball("bob", 1, 1e-3);
  bob.inertia = Mat3{};
  bob.com = Vec3{0, -1, 0};
  hinge_model.bodies.push_back(bob);
  hinge_model.joints.push_back(hinge("a", "world", "bob", {}, {}));
  hinge_model.joints.back().q = std::vector<double>{1.0};
  double height[2];
  for (int i = 0; i < 2; ++i) {
    Model& m = i == 0 ? rod : hinge_model;
    SensorSpec tip;
    tip.name = "tip";
    PointSpec at;
    at.body = "bob";
    if (i == 1) at.at = {0, -1, 0};
    tip.point = at;
    m.sensors.push_back(tip);
    m.simulate.until = 1.5;
    m.simulate.rtol = 1e-12;
    const Run run = simulate(compile(m), m.simulate);
    REQUIRE(run.summary.status == RunStatus::done);
    height[i] = run.trajectory.row(run.trajectory.rows() - 1)[run.trajectory.column("tip.y")];
  }
  CHECK(std::fabs(height[0] - height[1]) < 1e-10);  // rtol 1e-12 over some ten steps
}

TEST_CASE("a gear makes two wheels one: inertias add with the square of the ratio") {
  Model model;
  model.gravity = {};
  for (const char* name : {"a", "b"}) {
    model.bodies.push_back(rolling_ball(name, name[0] == 'a' ? 2.0 : 3.0, 0.5));
    model.joints.push_back(hinge(std::string("h") + name, "world", name, {}, {}));
  }
  model.joints[0].force = {formula("1.5")};
  ConstraintSpec gear;
  gear.name = "mesh";
  gear.type = ConstraintType::gear;
  gear.joints = {{"ha", {}}, {"hb", {}}};
  gear.coefficients = {1, 2};  // qa = −2 qb
  model.constraints.push_back(gear);
  const Mechanism m = compile(model);
  Instant<double> d(m);
  d.set(0, m.start.q.data(), m.start.u.data(), nullptr);
  REQUIRE(d.a().exist);
  const double Ia = 0.4 * 2 * 0.25, Ib = 0.4 * 3 * 0.25;
  // one system of equations of size 1
  CHECK(near(d.udot()[0], 1.5 / (Ia + Ib / 4), 1e-12));
  CHECK(near(d.udot()[1], -0.5 * d.udot()[0], 1e-12));
}

TEST_CASE("a loop that cannot be closed says which joint stays open, and by how much") {
  Model model = four_bar();
  model.joints[2].on_parent.at = {9, 0, 0};  // the rods reach 7.5 m
  const std::string text = refused(model);
  CHECK(text_has(text, "open-loop"));
  CHECK(text_has(text, "joint 'd' by"));
  CHECK(text_has(text, "found at q"));
}

TEST_CASE("two motions on one freedom are named") {
  Model model = four_bar();
  for (JointSpec& j : model.joints) j.q.reset(), j.u.reset();
  model.joints[0].motion = {formula("1 + 2*t")};
  model.joints[2].motion = {formula("1.789251403388 + 5*t")};
  model.joints[1].q = std::vector<double>{-0.361052092213};
  const std::string text = refused(model);
  CHECK(text_has(text, "contradiction"));
  CHECK(text_has(text, "'a'"));
  CHECK(text_has(text, "'c'"));
}

TEST_CASE("mobility: ranks, counts and shares of three mechanisms with known answers") {
  const auto report = [](const Model& model) {
    const Mechanism m = compile(model);
    return mobility(m, start_state(m, 0));
  };
  const Mobility bar = report(four_bar()), sarrus = report(sarrus_linkage()),
                 six = report(bricard());
  CHECK(bar.rows == 20);
  CHECK(bar.rank == 17);
  CHECK(bar.counted == -2);
  CHECK(bar.freedoms == 1);
  CHECK(sarrus.rows == 30);
  CHECK(sarrus.rank == 29);
  CHECK(sarrus.freedoms == 1);
  REQUIRE(sarrus.sets.size() == 1);
  CHECK(sarrus.sets[0].times == 1);
  CHECK(sarrus.sets[0].carries == "the moment about z");
  for (const double share : sarrus.sets[0].share) CHECK(near(share, 1.0 / 6, rounding(40)));
  CHECK(six.rank == 29);
  CHECK(six.redundant == 1);
  CHECK(six.freedoms == 1);
  CHECK_FALSE(six.singular_here);
}

TEST_CASE("mobility: redundant constraints, in words") {
  const Mechanism m = compile(sarrus_linkage());
  const Mobility found = mobility(m, start_state(m, 0));
  REQUIRE(found.sets.size() == 1);
  CHECK(found.sets[0].words ==
        "the moment about z is carried by 6 hinges, 1 redundant: a1, a2, a3, b1, b2, b3, "
        "1/6 each");
  REQUIRE(found.changes.size() == 1);
  CHECK(text_has(found.changes[0], "turn hinge 'b3' into a universal joint"));
  // forces are unique, the moments that have a part along z are not
  for (const JointReactions& joint : found.reactions)
    for (int k = 0; k < 3; ++k) CHECK(joint.components[k] == Reaction::unique);
  CHECK(found.reactions[0].components[5] == Reaction::shared);
}

TEST_CASE("mobility: the changes that are proposed remove what repeats, and keep the freedom") {
  Model linkage = sarrus_linkage();
  linkage.joints[5].type = JointType::universal;  // b3 with its moment about z set free
  linkage.joints[5].axis2 = {0, 0, 1};
  Model bar = four_bar();  // d as a ball that slides along z
  ConstraintSpec slot;
  slot.name = "d";
  slot.type = ConstraintType::point_on_line;
  slot.from = {"coupler", {}, {3.5, 0, 0}};
  slot.to = {"rocker", {}, {3, 0, 0}};
  slot.axis = {0, 0, 1};
  bar.joints.pop_back();
  bar.constraints.push_back(slot);
  for (const Model& model : {linkage, bar}) {
    CAPTURE(model.name);
    const Mechanism m = compile(model);
    const Mobility found = mobility(m, start_state(m, 0));
    CHECK(found.redundant == 0);
    CHECK(found.freedoms == 1);
    CHECK(found.sets.empty());
  }
}

TEST_CASE("mobility: a parallelogram that lies flat has a freedom more, here only") {
  Model model = n_four_bar(1);
  const double flat = -1.5707963267948966;
  for (JointSpec& j : model.joints) {
    j.u.reset();
    if (j.name[0] == 'a') j.q = std::vector<double>{flat};
    if (j.name[0] == 'b') j.q = std::vector<double>{-flat};
  }
  const Mechanism m = compile(model);
  const Mobility found = mobility(m, start_state(m, 0));
  CHECK(found.freedoms == 2);
  CHECK(found.singular_here);
  CHECK(found.velocities - found.generic_rank == 1);
}
