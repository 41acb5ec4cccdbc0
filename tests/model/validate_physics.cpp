// Models that are well said but cannot be, built in C++ as a program would.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "near.hpp"
#include "sarrus/model/validate.hpp"

using namespace sarrus;
using sarrus::testing::near;
using sarrus::testing::rounding;

namespace {

struct Found {
  Diagnostics model, physics;
  explicit Found(const Model& m) { validate(m, model, physics); }
  bool says(const Diagnostics& list, std::string_view part) const {
    return to_text(list.all()).find(part) != std::string::npos;
  }
  bool physics_says(std::string_view part) const { return says(physics, part); }
  bool model_says(std::string_view part) const { return says(model, part); }
  bool clean() const { return model.all().empty() && physics.all().empty(); }
};

BodySpec ball(std::string name) {
  BodySpec b;
  b.name = std::move(name);
  b.mass = 2;
  b.inertia = Mat3::identity();
  return b;
}

Model hinged(JointType type = JointType::revolute) {
  Model m;
  m.bodies = {ball("a")};
  JointSpec j;
  j.name = "j", j.type = type, j.child = "a";
  m.joints = {j};
  return m;
}

Mat3 diagonal(double a, double b, double c) { return {{a, 0, 0}, {0, b, 0}, {0, 0, c}}; }

}  // namespace

TEST_CASE("validate: a sound model gives nothing to say") { CHECK(Found(hinged()).clean()); }

TEST_CASE("P02: a mass is not negative, and extremes are told with their ratio") {
  Model m = hinged();
  m.bodies[0].mass = -1;
  CHECK(Found(m).physics_says("-1 kg is not a mass"));
  m.bodies[0].mass = std::numeric_limits<double>::quiet_NaN();
  CHECK(Found(m).physics.has_errors());
  for (const double extreme : {1e-300, 1e300}) {
    m.bodies[0].mass = extreme;
    CHECK(!Found(m).physics.has_errors());
    CHECK(Found(m).physics_says("ratio"));
  }
  m.bodies[0].mass = 0;
  CHECK(Found(m).clean());
}

TEST_CASE("P03: an inertia is symmetric, positive and keeps the triangle inequality") {
  Model m = hinged();
  m.bodies[0].inertia = diagonal(1, 1, 2);  // a thin disk: the limit
  CHECK(Found(m).clean());
  m.bodies[0].inertia = diagonal(1, 2, 3.1);
  const Found broken(m);
  CHECK(broken.physics.has_errors());
  CHECK(broken.physics_says("1 + 2 < 3.1"));
  CHECK(broken.physics_says("centre of mass"));
  CHECK(broken.physics_says("unphysical = true"));
  m.bodies[0].unphysical = true;
  const Found known(m);
  CHECK_FALSE(known.physics.has_errors());
  CHECK(known.physics_says("unphysical-inertia"));
  m.bodies[0].inertia = diagonal(-1, 2, 2);  // no motion follows from that
  CHECK(Found(m).physics_says("negative"));
  m.bodies[0].inertia = Mat3{{1, 0.1, 0}, {0, 1, 0}, {0, 0, 1}};
  CHECK(Found(m).physics_says("not symmetric"));
  // products of inertia alone can break it: eigenvalues 1 ± 2 and 1
  m.bodies[0].inertia = Mat3{{1, 2, 0}, {2, 1, 0}, {0, 0, 1}};
  CHECK(Found(m).physics_says("-1"));
}

TEST_CASE("P05: an axis has a direction, and two axes are not parallel") {
  Model m = hinged();
  m.joints[0].axis = {0, 0, 0};
  CHECK(Found(m).physics_says("no direction"));
  m.joints[0].axis = {0, 0, std::nan("")};
  CHECK(Found(m).physics.has_errors());
  m = hinged(JointType::universal);
  m.joints[0].axis = m.joints[0].axis2 = {0, 1, 0};
  CHECK(Found(m).physics_says("parallel"));
  m.joints[0].axis2 = {1, 0, 0};
  CHECK(Found(m).clean());
}

TEST_CASE("P06: a quaternion has norm one") {
  for (const double norm : {0.0, 0.9, 1 + 2e-6}) {
    Model m = hinged();
    m.joints[0].on_child.rotation = {norm, 0, 0, 0};
    CHECK(Found(m).physics_says("joint/j/on_child/rotation"));
    m = hinged(JointType::spherical);
    m.joints[0].q = {{norm, 0, 0, 0}};
    CHECK(Found(m).physics.has_errors());
  }
}

TEST_CASE("P07: ground is no child, no joint ties a body to itself, islands are listed") {
  Model m = hinged();
  m.joints[0].child = "world", m.joints[0].parent = "a";
  CHECK(Found(m).physics_says("ground-as-child"));
  m.joints[0].child = "a";
  CHECK(Found(m).physics_says("itself"));
  m = hinged();
  m.bodies.push_back(ball("b")), m.bodies.push_back(ball("c")), m.bodies.push_back(ball("d"));
  m.joints.push_back(m.joints[0]);
  m.joints[1].name = "k", m.joints[1].parent = "b", m.joints[1].child = "c";
  const Found islands(m);
  CHECK(!islands.physics.has_errors());
  CHECK(islands.physics_says("b, c"));
  CHECK(islands.physics_says("freely: d"));
}

TEST_CASE("P12: a start outside of the limits is told with its depth") {
  Model m = hinged();
  m.joints[0].limits = JointLimitSpec{-1, 1, 0, 0};
  m.joints[0].q = {{1.25}};
  CHECK(Found(m).physics_says("0.25 rad outside"));
  m.joints[0].limits = JointLimitSpec{1, -1, 0, 0};
  CHECK(Found(m).model_says("is not below"));
}

TEST_CASE("P13: negative damping is an error, negative stiffness a warning") {
  Model m = hinged();
  m.joints[0].damper = {-1};
  CHECK(Found(m).physics.has_errors());
  m = hinged();
  m.joints[0].spring = JointSpringSpec{{-1}, {}, {}};
  CHECK(!Found(m).physics.has_errors());
  CHECK(Found(m).physics_says("warning[negative-stiffness]"));
  m = hinged();
  m.joints[0].friction = JointFrictionSpec{.coefficient = -0.1};
  CHECK(Found(m).physics.has_errors());
  m = hinged();
  m.springs.resize(1);
  m.springs[0].name = "s", m.springs[0].from.body = "a", m.springs[0].damping = -1;
  CHECK(Found(m).physics_says("spring/s/damping"));
}

TEST_CASE("P15: huge gravity is doubted, none is not") {
  Model m = hinged();
  m.gravity = {0, 0, -1e6};
  CHECK(Found(m).physics_says("gravity"));
  m.gravity = {0, 0, 0};
  CHECK(Found(m).clean());
}

TEST_CASE("P10: a prescribed motion and a drive on one freedom exclude each other") {
  Model m = hinged();
  m.joints[0].motion = {Formula{}};
  m.joints[0].force = {Formula{}};
  CHECK(Found(m).physics_says("two-drivers"));
}

TEST_CASE("M21: a surface that is open or inside out gives no mass") {
  Shape tetrahedron;
  tetrahedron.kind = ShapeKind::mesh;
  tetrahedron.density = 1000;
  tetrahedron.mesh = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                      {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  Model m = hinged();
  m.bodies[0].mass.reset(), m.bodies[0].inertia.reset();
  m.bodies[0].shapes = {tetrahedron};
  CHECK(Found(m).clean());
  CHECK(near(mass_properties(m.bodies[0]).mass, 1000.0 / 6, rounding(8)));
  Shape inverted = tetrahedron;
  for (Triangle& t : inverted.mesh.triangles) std::swap(t.a, t.b);
  m.bodies[0].shapes = {inverted};
  CHECK(Found(m).physics_says("outwards"));
  tetrahedron.mesh.triangles.pop_back();
  m.bodies[0].shapes = {tetrahedron};
  CHECK(Found(m).physics_says("not closed"));
}

TEST_CASE("N01: times and tolerances of a run make sense") {
  const auto refused = [](auto change) {
    Model m = hinged();
    change(m.simulate);
    return Found(m).model.has_errors();
  };
  CHECK(refused([](SimulateSpec& s) { s.until = 0; }));
  CHECK(refused([](SimulateSpec& s) { s.until = -1; }));
  CHECK(refused([](SimulateSpec& s) { s.step = 0; }));
  CHECK(refused([](SimulateSpec& s) { s.step = 20; }));
  CHECK(refused([](SimulateSpec& s) { s.step = 1e-300; }));
  CHECK(refused([](SimulateSpec& s) { s.output_step = std::nan(""); }));
  CHECK(refused([](SimulateSpec& s) { s.rtol = 0; }));
  CHECK(refused([](SimulateSpec& s) { s.rtol = 1e3; }));
  CHECK(refused([](SimulateSpec& s) { s.max_steps = 0; }));
}

TEST_CASE("P03: second moments that are negative somewhere are refused as second moments") {
  Model m = hinged();
  m.bodies[0].inertia = diagonal(0.8, 0.8, 2);  // of J = diag(1, 1, −0.2)
  m.bodies[0].second_moment = true;
  CHECK(Found(m).physics_says("body/a/second_moment"));
  CHECK(Found(m).physics_says("-0.2 is negative"));
  CHECK(Found(m).physics_says("call it inertia"));
  m.bodies[0].inertia = diagonal(1, 1, 2);  // of J = diag(1, 1, 0), a thin disk
  CHECK(Found(m).clean());
}

namespace {

/// A rod of 1 m and 2 kg, drawn as a box, on a hinge at its end.
Model rod() {
  Model m = hinged();
  BodySpec& b = m.bodies[0];
  b.com = Vec3{0.5, 0, 0};
  b.inertia = Mat3{{0.001, 0, 0}, {0, 2.0 / 12, 0}, {0, 0, 2.0 / 12}};
  Shape box;
  box.size = {1, 0.05, 0.05};
  box.X_BS.p = {0.5, 0, 0};
  b.shapes = {box};
  return m;
}

Diagnostic first_suspicion(const Model& m) {
  const Found found(m);
  CHECK_FALSE(found.physics.has_errors());
  return found.physics.all().empty() ? Diagnostic{} : found.physics.all().front();
}

}  // namespace

TEST_CASE("P04: an inertia that no body of the size drawn can have is told, with both sizes") {
  CHECK(Found(rod()).clean());
  for (const bool drawn : {true, false})
    for (const double factor : {1e3, 1e6, 1e9, 1e-6, 1e-9}) {
      CAPTURE(drawn);
      CAPTURE(factor);
      Model m = rod();
      if (!drawn) m.bodies[0].shapes.clear();  // then the joint's distance is the size
      m.bodies[0].inertia = *m.bodies[0].inertia * factor;
      const Diagnostic d = first_suspicion(m);
      CHECK(d.code == "suspicious-inertia");
      CHECK(d.element == "body/a/inertia");
      CHECK(d.severity == (factor > 1 ? Severity::warning : Severity::note));
      CHECK(d.message.find("radius of gyration") != std::string::npos);
    }
  Model about_hinge = rod();  // m/3 instead of m/12, and another m/12 to leave no doubt
  about_hinge.bodies[0].inertia = Mat3{{0.001, 0, 0}, {0, 0.7, 0}, {0, 0, 0.7}};
  CHECK(first_suspicion(about_hinge).severity == Severity::note);
  CHECK(first_suspicion(about_hinge).hint.find("about the centre of mass") != std::string::npos);
  Model point = rod();
  point.bodies[0].inertia = Mat3{};  // a mass point is no slip
  CHECK(Found(point).clean());
}

TEST_CASE("P04: places and densities far from what is drawn look like other units") {
  Model far = rod();
  far.bodies[0].com = Vec3{500, 0, 0};
  CHECK(first_suspicion(far).element == "body/a/com");
  CHECK(first_suspicion(far).code == "suspicious-length");
  far = rod();
  far.joints[0].on_child.at = {300, 0, 0};
  CHECK(first_suspicion(far).element == "joint/j/on_child/at");
  for (const double mass : {2e6, 1e-9}) {
    Model m = rod();
    m.bodies[0].mass = mass;
    m.bodies[0].inertia.reset();
    CHECK(Found(m).physics_says("suspicious-density"));
  }
  Model kilometre = rod();
  kilometre.bodies[0].shapes[0].size.x = 1000;
  CHECK(Found(kilometre).physics_says("suspicious-length"));
}

TEST_CASE("P13: a joint's stiffness for sharing reactions is not negative") {
  Model m = hinged();
  m.joints[0].stiffness = -1;
  CHECK(Found(m).physics_says("joint/j/stiffness: -1 N/m must not be negative"));
}
