// What rolls and what does not slip sideways, said in two ways: as a joint whose velocities are the
// free ones, and as a constraint on a body that could move otherwise.
#include <doctest/doctest.h>

#include "loop_models.hpp"
#include "sarrus/run/simulate.hpp"
#include "tolerances.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// Values of a sensor's columns at the end.
std::vector<double> last_values(Model model, const std::string& formulation, double until,
                                const std::vector<std::string>& columns) {
  model.simulate.formulation = formulation;
  model.simulate.until = until;
  model.simulate.rtol = 1e-12;
  const Run run = simulate(compile(model), model.simulate);
  REQUIRE_MESSAGE(run.summary.status == RunStatus::done,
                  (run.summary.failure ? run.summary.failure->message : ""));
  CHECK(run.summary.constraint_rate < closed_rate);
  std::vector<double> values;
  for (const std::string& c : columns)
    values.push_back(run.trajectory.at(run.trajectory.rows() - 1, c));
  return values;
}

Model with_sensor(Model model, const std::string& body) {
  SensorSpec sensor;
  sensor.name = "centre";
  sensor.point = PointSpec{};
  sensor.point->body = body;
  model.sensors.push_back(sensor);
  return model;
}

void check_close(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  REQUIRE(a.size() == b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    CAPTURE(i);
    CHECK(std::fabs(a[i] - b[i]) < tolerance);
  }
}

/// Mass 2, inertia 0.3 about the centre of mass, which is 0.4 ahead of the edge.
Model sleigh(bool as_joint) {
  Model model;
  model.gravity = {};
  BodySpec body;
  body.name = "sleigh";
  body.mass = 2;
  body.com = Vec3{0.4, 0, 0};
  body.inertia = Sym3{0.1, 0.2, 0.3, 0, 0, 0}.full();
  model.bodies.push_back(body);
  JointSpec joint;
  joint.name = "plane";
  joint.child = "sleigh";
  joint.axis = {0, 0, 1}, joint.axis2 = {1, 0, 0};
  joint.q = std::vector<double>{0.2, 0, 0};
  joint.type = as_joint ? JointType::knife_edge : JointType::planar;
  joint.u = as_joint ? std::vector<double>{2, 0.5} : std::vector<double>{2, 0.5, 0};
  model.joints.push_back(joint);
  if (!as_joint) {
    ConstraintSpec edge;
    edge.name = "edge";
    edge.type = ConstraintType::knife_edge;
    edge.to.body = "sleigh";
    edge.direction = {0, 1, 0};
    model.constraints.push_back(edge);
  }
  return with_sensor(model, "sleigh");
}

Model disk(bool as_joint) {
  Model model;
  const double mass = 1.5, radius = 0.3, lean = 0.35;
  BodySpec body;
  body.name = "disk";
  body.mass = mass;
  const double k = mass * radius * radius;
  body.inertia = Sym3{k / 4, k / 2, k / 4, 0, 0, 0}.full();
  model.bodies.push_back(body);
  JointSpec joint;
  joint.name = "floor";
  joint.child = "disk";
  joint.axis = {0, 1, 0};
  joint.radius = radius;
  joint.type = as_joint ? JointType::rolling_disk : JointType::free;
  joint.q = std::vector<double>{std::cos(lean / 2),     std::sin(lean / 2), 0, 0, 0, 0,
                                radius * std::cos(lean)};
  const Vec3 w{0.3, -8, 0.4};
  joint.u = std::vector<double>{w.x, w.y, w.z};
  if (!as_joint) {
    // v = −ω × r to the contact: in the body's axes the contact is at −radius z
    const Vec3 v = -cross(w, Vec3{0, 0, -radius});
    joint.u = std::vector<double>{w.x, w.y, w.z, v.x, v.y, v.z};
    ConstraintSpec rolling;
    rolling.name = "rolling";
    rolling.type = ConstraintType::rolling_disk;
    rolling.to.body = "disk";
    rolling.direction = {0, 1, 0};
    rolling.radius = radius;
    model.constraints.push_back(rolling);
  }
  model.joints.push_back(joint);
  return with_sensor(model, "disk");
}

const std::vector<std::string> rolling_formulations{"recursive", "hamiltonian"};

}  // namespace

TEST_CASE("sleigh: a knife edge as joint and as constraint, and the closed form") {
  const std::vector<std::string> columns{"plane.q1", "centre.x", "centre.y", "plane.u1"};
  for (const std::string& formulation : rolling_formulations) {
    CAPTURE(formulation);
    const auto joint = last_values(sleigh(true), formulation, 3, columns),
               constraint = last_values(sleigh(false), formulation, 3, columns);
    check_close(joint, constraint, 1e-11);
    // given with 8 decimals
    check_close(constraint, {1.78303106, 0.20397544, 3.17430169, 0.02516819}, 1e-8);
  }
}

TEST_CASE("rolling disk: rolling as joint and as constraint, and published numbers") {
  const std::vector<std::string> columns{"centre.x",  "centre.y",  "centre.z",
                                         "centre.wx", "centre.wy", "centre.wz"};
  for (const std::string& formulation : rolling_formulations) {
    CAPTURE(formulation);
    const auto joint = last_values(disk(true), formulation, 2, columns),
               constraint = last_values(disk(false), formulation, 2, columns);
    check_close(joint, constraint, 1e-9);
    // given with 8 decimals
    check_close({constraint[0], constraint[1], constraint[2]},
                {-1.62419834, -3.54521219, 0.28045444}, 2e-8);
  }
}

TEST_CASE("redundant hinges and joints that are not redundant give one motion") {
  // a ball joint that may slide along z is what the closing hinge adds beyond the others
  Model redundant = four_bar(), lean = four_bar();
  lean.joints[3].type = JointType::spherical;
  lean.joints[1].type = JointType::cylindrical;
  lean.joints[1].q = std::vector<double>{-0.361052092213, 0};
  lean.joints[1].u = std::vector<double>{-2.444320678020, 0};
  const std::vector<std::string> columns{"a.q", "a.u", "c.q", "c.u"};
  for (const std::string& formulation : rolling_formulations)
    check_close(last_values(redundant, formulation, 2, columns),
                last_values(lean, formulation, 2, columns), 1e-9);
  // and two hinges on one door
  Model one, two;
  for (Model* m : {&one, &two}) {
    m->bodies.push_back(rod_along_x("door", 2, 0.8, 0.01));
    m->joints.push_back(hinge("low", "world", "door", {}, {}, {0.1, 0, 1}));
    m->joints[0].axis = m->joints[0].axis * (1 / norm(m->joints[0].axis));
    m->joints[0].q = std::vector<double>{0.7};
  }
  const Vec3 above = one.joints[0].axis * 1.5;
  two.joints.push_back(hinge("high", "world", "door", above, above, one.joints[0].axis));
  for (const std::string& formulation : rolling_formulations)
    check_close(last_values(one, formulation, 3, {"low.q", "low.u"}),
                last_values(two, formulation, 3, {"low.q", "low.u"}), 1e-9);
}
