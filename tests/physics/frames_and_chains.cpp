// What the user wrote and what runs inside are the same mechanism: reversed joints, sequences of
// simple joints, frames of the user's choice, massless links.
#include <doctest/doctest.h>

#include "instant.hpp"
#include "near.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// World – a – b, the second joint of the given type, written forward or from child to parent.
Model pair_of(JointType type, bool reversed) {
  Model model;
  Random r(41);
  model.bodies = {random_body(r, "a"), random_body(r, "b")};
  model.joints = {joint("base", JointType::revolute, "world", "a", {0, 1, 0}),
                  joint("link", type, "a", "b", Vec3{0.6, 0, 0.8})};
  JointSpec& j = model.joints[1];
  j.pitch = 0.7;
  j.on_parent = {{0.3, -0.1, 0.2}, quaternion_exp(Vec3{0.4, 0.1, -0.3})};
  j.on_child = {{-0.2, 0.1, 0.1}, quaternion_exp(Vec3{-0.2, 0.5, 0.6})};
  j.q = type == JointType::cylindrical ? std::vector<double>{0.4, -0.2} : std::vector<double>{0.4};
  j.u = type == JointType::cylindrical ? std::vector<double>{-0.7, 0.5} : std::vector<double>{-0.7};
  j.spring = JointSpringSpec{{6}, {0.1}, {}};
  j.damper = {0.3};
  model.joints[0].u = {1.2};
  model.simulate.reactions = true;
  SensorSpec tip;
  tip.name = "tip";
  tip.point = PointSpec{"b", {}, {0.3, 0.2, 0.1}};
  tip.rotation = quaternion_exp(Vec3{0.1, 0.2, 0.3});
  model.sensors = {tip};
  if (!reversed) return model;
  // b is carried by a all the same: the joint reads from b to a, with q of a seen from b
  std::swap(j.parent, j.child);
  std::swap(j.on_parent, j.on_child);
  for (double& q : *j.q) q = -q;
  for (double& u : *j.u) u = -u;
  j.spring->rest = {-0.1};
  return model;
}

const char* const readings[] = {"tip.x",  "tip.y",  "tip.z",  "tip.vx",    "tip.vy",    "tip.vz",
                                "tip.ax", "tip.ay", "tip.az", "tip.imu_x", "tip.imu_y", "tip.imu_z",
                                "tip.wx", "tip.wy", "tip.wz", "tip.qw",    "tip.qx",    "base.q"};

}  // namespace

TEST_CASE("reversed joints: written from child to parent they move as written forward") {
  for (const JointType type :
       {JointType::revolute, JointType::prismatic, JointType::screw, JointType::cylindrical}) {
    CAPTURE(to_text(type));
    const Run forward = run(pair_of(type, false), 1), back = run(pair_of(type, true), 1);
    // rtol 1e-12 over one second
    for (const char* name : readings) {
      CAPTURE(name);
      CHECK(within(last(forward, name), last(back, name), 1e-9));
    }
    const bool two = type == JointType::cylindrical;
    CHECK(near(last(forward, two ? "link.q1" : "link.q"), -last(back, two ? "link.q1" : "link.q"),
               1e-9));
    CHECK(near(last(forward, "energy.total"), last(back, "energy.total"), 1e-9));
  }
}

TEST_CASE("reversed joints: the reaction is that on the child, in the child's joint frame") {
  for (const JointType type : {JointType::revolute, JointType::prismatic}) {
    CAPTURE(to_text(type));
    const auto wrench = [&](bool reversed) {
      const Mechanism m = compile(pair_of(type, reversed));
      Recorder recorder(m, {true});
      std::vector<double> row(recorder.columns().size());
      recorder.row(started(m), 0, row);
      Wrench<double> w{};
      for (size_t i = 0; i < row.size(); ++i)
        for (int k = 0; k < 3; ++k) {
          if (recorder.columns()[i].name == std::string("link.f") + "xyz"[k]) w.f[k] = row[i];
          if (recorder.columns()[i].name == std::string("link.n") + "xyz"[k]) w.n[k] = row[i];
        }
      return w;
    };
    // forward: on b in the frame on b; reversed: on a, in the frame on a. The pose between them is
    // the joint's.
    const Wrench<double> on_b = wrench(false), on_a = wrench(true);
    const Vec3 axis{0.6, 0, 0.8};
    const bool slides = type == JointType::prismatic;
    const Mat3 R_ab = slides ? Mat3::identity() : rotation(axis, 0.4);
    const Vec3 p_ab = slides ? axis * 0.4 : Vec3{};
    // some ten products of forces and levers
    CHECK(norm(on_a.f + R_ab * on_b.f) < 1e-12 * (1 + norm(on_b.f)));
    CHECK(norm(on_a.n + R_ab * on_b.n + cross(p_ab, R_ab * on_b.f)) < 1e-12 * (1 + norm(on_b.n)));
  }
}

namespace {

const double angles[3][3] = {{0.3, 0.4, 0.5}, {-0.2, 0.3, 0.6}, {0.1, -0.5, 0.2}};
const double rates[3][3] = {{1, -0.5, 0.4}, {0.3, 0.8, -0.6}, {-0.7, 0.2, 0.9}};

/// Three bodies on ball joints, or on z-y-x turns with massless links between them.
Model ball_chain(bool sequences) {
  Model model;
  for (int k = 0; k < 3; ++k) {
    BodySpec b;
    b.name = "b" + std::to_string(k);
    b.mass = 1 + 0.3 * k;
    b.com = Vec3{0.03, 0.01, 0.3};
    b.inertia = Mat3{{0.03, 0, 0}, {0, 0.05, 0}, {0, 0, 0.04 + 0.01 * k}};
    model.bodies.push_back(b);
    JointSpec j =
        joint("j" + std::to_string(k), sequences ? JointType::sequence : JointType::spherical,
              k == 0 ? "world" : "b" + std::to_string(k - 1), b.name);
    if (k > 0) j.on_parent.at = {0.1, 0.05, 0.6};
    const double *a = angles[k], *w = rates[k];
    if (sequences) {
      j.sequence = {{false, {0, 0, 1}}, {false, {0, 1, 0}}, {false, {1, 0, 0}}};
      j.q = {a[0], a[1], a[2]};
      j.u = {w[0], w[1], w[2]};
    } else {
      const Quat p = quaternion_exp(Vec3{0, 0, a[0]}) * quaternion_exp(Vec3{0, a[1], 0}) *
                     quaternion_exp(Vec3{a[2], 0, 0});
      // ω in the child: each rate about its axis, seen through the turns after it
      const Mat3 Rx = rotation_exp(Vec3{-a[2], 0, 0}), Ry = rotation_exp(Vec3{0, -a[1], 0});
      const Vec3 omega = Vec3{w[2], 0, 0} + Rx * Vec3{0, w[1], 0} + Rx * (Ry * Vec3{0, 0, w[0]});
      j.q = {p.w, p.x, p.y, p.z};
      j.u = {omega.x, omega.y, omega.z};
    }
    model.joints.push_back(j);
  }
  SensorSpec tip;
  tip.name = "tip";
  tip.point = PointSpec{"b2", {}, {0, 0, 0.5}};
  model.sensors = {tip};
  return model;
}

}  // namespace

TEST_CASE("sequences: three turns with massless links move like a ball joint") {
  const Run balls = run(ball_chain(false), 0.5), turns = run(ball_chain(true), 0.5);
  // theory gives 8 decimals of the third quaternion
  const double expected[] = {0.99315324, 0.08103868, 0.06769364, -0.04996951};
  for (int i = 0; i < 4; ++i)
    CHECK(std::fabs(last(balls, "j2.q" + std::to_string(i + 1)) - expected[i]) <
          6e-9);  // eight decimals are given, of a unit quaternion
  // and the agreement of both to 1e-10 in rotation, 5.7e-13 measured elsewhere
  for (const char* name : {"tip.x", "tip.y", "tip.z", "tip.qw", "tip.qx", "tip.qy", "tip.qz"})
    CHECK(std::fabs(last(balls, name) - last(turns, name)) < 1e-10);
  CHECK(turns.summary.closure < 1e-9 * turns.summary.energy_scale);
}

TEST_CASE("frames: the user's frames decide what is read, not those that joints use inside") {
  // the same pendulum, its body frame moved and turned by X: points given in the new frame
  Random r(42);
  Model plain = pair_of(JointType::revolute, false);
  const Run expected = run(plain, 0.7);
  for (int trial = 0; trial < 3; ++trial) {
    Model moved = plain;
    const Pose<double> X{rotation(random_rotation(r)), random_vector(r)}, back = inverse(X);
    BodySpec& b = moved.bodies[1];
    b.com = X * *b.com;
    b.inertia = X.R * *b.inertia * transpose(X.R);
    JointSpec& j = moved.joints[1];
    const Pose<double> frame = X * j.on_child.pose();
    j.on_child = {frame.p, quaternion(frame.R)};
    SensorSpec& tip = moved.sensors[0];
    tip.point->at = X * tip.point->at;
    tip.rotation = quaternion(X.R * rotation(tip.rotation));
    CHECK(norm(back * (X * Vec3{1, 2, 3}) - Vec3{1, 2, 3}) < 1e-14);  // products of size 4
    const Run found = run(moved, 0.7);
    for (const char* name : readings) {
      CAPTURE(name);
      CHECK(within(last(found, name), last(expected, name),
                   1e-11));  // the same equations in other frames; rtol 1e-12
    }
  }
}

TEST_CASE("P01: a moving end body without mass is named, with its joint and direction") {
  Model model = pendulum(0.3);
  model.bodies.push_back(ball("tip", 0, 0));
  model.joints.push_back(joint("wrist", JointType::revolute, "bob", "tip", {0, 1, 0}));
  model.joints[1].on_parent.at = {0, 0, -1};
  const Mechanism m = compile(model);
  try {
    make_formulation("recursive", m);
    FAIL("made");
  } catch (const Error& e) {
    CHECK(e.exit_code() == 4);
    const std::string text = to_text(e.diagnostics());
    for (const char* part : {"joint/wrist", "'tip'", "wrist.u", "no-inertia"})
      CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("massless: a free mass point has no inertia to turn, and says so") {
  Model model;
  model.bodies = {ball("dot", 1, 0)};
  const Mechanism m = compile(model);
  CHECK_THROWS_WITH_AS(make_formulation("recursive", m), doctest::Contains("dot"), Error);
}

TEST_CASE("massless: a middle body without mass carries one that has it") {
  // a double pendulum whose first rod weighs nothing swings like its bob on two strings: for a
  // start with the rods in line, the small oscillation is that of one pendulum of both lengths
  Model model = pendulum(0.4);
  model.bodies[0].mass = 0;
  model.bodies.push_back(ball("end", 2, 0.1, {0, 0, -1}));
  model.joints.push_back(joint("knee", JointType::revolute, "bob", "end", {0, 1, 0}));
  model.joints[1].on_parent.at = {0, 0, -1};
  const Run r = run(model, 1);
  REQUIRE(r.summary.status == RunStatus::done);
  CHECK(r.summary.closure < account * r.summary.energy_scale);
  // with no mass between, the first rod transmits force along itself only: the moment at the knee
  // is zero
  const Mechanism m = compile(model);
  const Snapshot now = started(m);
  const Wrench<double> base = now.reaction[1];
  const Vec3 along = now.body[1].R * m.bodies[0].X_BC.R * Vec3{0, 0, 1};
  // some ten products
  CHECK(norm(cross(base.f, along)) < 1e-12 * norm(base.f));
}

TEST_CASE("gimbal lock: three turns whose first and last axes meet are named, with the way out") {
  Model model;
  model.bodies = {ball("top", 1, 0.1, {0, 0, 0.2})};
  model.joints = {joint("gimbal", JointType::sequence, "world", "top")};
  model.joints[0].sequence = {{false, {0, 0, 1}}, {false, {0, 1, 0}}, {false, {1, 0, 0}}};
  model.joints[0].q = {0.3, std::acos(-1.0) / 2, 0.2};
  const Mechanism m = compile(model);
  for (const char* name : {"recursive", "hamiltonian"}) {
    try {
      make_formulation(name, m);
      FAIL("made");
    } catch (const Error& e) {
      CHECK(e.exit_code() == 4);
      const std::string text = to_text(e.diagnostics());
      for (const char* part :
           {"joint/gimbal", "gimbal-lock", "gimbal.u1", "gimbal.u3", "spherical"})
        CHECK(text.find(part) != std::string::npos);
    }
  }
  model.joints[0].q = {0.3, 1.5, 0.2};
  CHECK_NOTHROW(make_formulation("recursive", compile(model)));
}

TEST_CASE("gimbal lock: three hinges with massless rings between are a gimbal as well") {
  Model model;
  model.bodies = {ball("ring1", 0, 0), ball("ring2", 0, 0), ball("rotor", 1, 0.1)};
  model.joints = {joint("outer", JointType::revolute, "world", "ring1", {0, 0, 1}),
                  joint("inner", JointType::revolute, "ring1", "ring2", {0, 1, 0}),
                  joint("spin", JointType::revolute, "ring2", "rotor", {1, 0, 0})};
  model.joints[1].q = {-std::acos(-1.0) / 2};
  const Mechanism m = compile(model);
  CHECK_THROWS_WITH_AS(make_formulation("recursive", m), doctest::Contains("spin.u"), Error);
  CHECK_THROWS_WITH_AS(make_formulation("recursive", m), doctest::Contains("outer.u"), Error);
}

TEST_CASE("gimbal lock met in a run: the energy matrix names the joint") {
  Model model;
  model.gravity = {0, 0, 0};
  model.bodies = {ball("top", 1, 0.1)};
  model.joints = {joint("gimbal", JointType::sequence, "world", "top")};
  model.joints[0].sequence = {{false, {0, 0, 1}}, {false, {0, 1, 0}}, {false, {1, 0, 0}}};
  model.joints[0].q = {0, 0, 0};
  model.joints[0].u = {0, 1, 0};  // straight into the lock at π/2
  model.simulate.formulation = "hamiltonian";
  model.simulate.energy_matrix = "literal";
  model.simulate.integrator = "rk4";
  model.simulate.step = std::acos(-1.0) / 2;  // the step ends in it
  const Run r = run(model, std::acos(-1.0));
  REQUIRE(r.summary.status == RunStatus::failed);
  CHECK(r.summary.failure->message.find("gimbal.u3") != std::string::npos);
}
