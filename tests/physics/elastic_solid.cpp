// Solids from meshes in motion: against beams, in both formulations, and as parts of mechanisms.
#include <doctest/doctest.h>

#include "elastic_models.hpp"
#include "near.hpp"
#include "solid_meshes.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

BodySpec solid_body(const std::string& name, SolidSpec solid) {
  BodySpec body;
  body.name = name;
  body.elastic = ElasticSpec{};
  body.elastic->solid = std::make_shared<const SolidSpec>(std::move(solid));
  return body;
}

/// A soft bar on a hinge about y at its root, released level.
Model solid_pendulum(char form = 'X') {
  SolidSpec bar = bar_solid(bar_mesh(SolidElementType::hex8, {12, 1, 1}, {1, 0.04, 0.03}),
                            material_of(1e8, 0.3, 1000), 2, true);
  bar.reduction = SolidReduction::modes;
  bar.modes = 4;
  bar.form = form;
  Model model;
  model.bodies = {solid_body("bar", bar)};
  model.joints = {joint("hinge", JointType::revolute, "world", "bar", {0, 1, 0})};
  model.sensors = {point_sensor("tip", "bar", {1, 0, 0})};
  return model;
}

}  // namespace

TEST_CASE("solid pendulum: both formulations find the motion of the beam of the same size") {
  BeamSpec b;
  b.length = 1;
  b.section = {0.04 * 0.03, 0.04 * 2.7e-5 / 12, 0.03 * 6.4e-5 / 12, 1e-7, 0, 0};
  b.material = material_of(1e8, 0.3, 1000);
  b.deforms = {Deflection::z};
  const Run beam = run_in(elastic_pendulum(b), "recursive", 0.5, 0.5, 1e-8);
  const Run a = run_in(solid_pendulum(), "recursive", 0.5, 0.5, 1e-9);
  const Run h = run_in(solid_pendulum(), "hamiltonian", 0.5, 0.5, 1e-9);
  for (const char* name : {"tip.x", "tip.y", "tip.z"}) {
    CAPTURE(name);
    CHECK(std::fabs(last(a, name) - last(h, name)) < 1e-8);     // rtol 1e-9 over some ten steps
    CHECK(std::fabs(last(a, name) - last(beam, name)) < 3e-3);  // shear, mesh, clamp
  }
  // rtol 1e-9 over some ten steps
  CHECK(a.summary.closure < 1e-7 * a.summary.energy_scale);
  CHECK(h.summary.closure < 1e-8 * h.summary.energy_scale);
  // the deflection is worth talking about: a rigid bar would be elsewhere
  CHECK(std::fabs(last(a, "bar.e1")) > 5e-3);
}

TEST_CASE("solid between bodies: a chain through its interfaces is the same in both formulations") {
  SolidSpec link = bar_solid(bar_mesh(SolidElementType::hex8, {5, 1, 1}, {0.5, 0.06, 0.04}),
                             material_of(3e7, 0.3, 1200), 1, true);
  link.form = 'I';
  Model model;
  model.bodies = {ball("base", 3, 0.4, {0.1, 0, 0}), solid_body("link", link),
                  ball("hand", 0.5, 0.02, {0.05, 0.1, 0})};
  model.joints = {joint("float", JointType::free, "world", "base"),
                  joint("shoulder", JointType::revolute, "base", "link", {0, 0.6, 0.8}),
                  joint("elbow", JointType::revolute, "link", "hand", {0, 1, 0})};
  // the link hangs by its tip: the other end carries the hand
  model.joints[1].on_child.at = {0.5, 0.01, 0};
  model.joints[2].on_parent.at = {0, 0, 0};
  model.joints[1].u = {1.5};
  model.joints[2].u = {-2};
  model.sensors = {point_sensor("palm", "hand", {0.1, 0.1, 0})};
  const Run a = run_in(model, "recursive", 0.05, 0.05, 1e-9);
  const Run h = run_in(model, "hamiltonian", 0.05, 0.05, 1e-9);
  for (const char* name : {"palm.x", "palm.y", "palm.z", "elbow.q", "link.e1"})
    // rtol 1e-9 over some hundred steps
    CHECK(std::fabs(last(a, name) - last(h, name)) < 1e-7);
  CHECK(a.summary.closure < 1e-7 * a.summary.energy_scale);
}

TEST_CASE("solid: joints and forces inside its mesh do the same in both formulations") {
  Model model = solid_pendulum();
  model.bodies.push_back(ball("weight", 0.3, 0.01, {0.05, 0, -0.04}));
  model.joints.push_back(joint("pin", JointType::revolute, "bar", "weight", {0, 1, 0}));
  model.joints[1].on_parent.at = {0.7, 0.01, 0.005};  // between nodes
  ForceSpec push;
  push.name = "push";
  push.at = PointSpec{"bar", {}, {0.43, -0.01, 0.015}};
  push.force = {formula("0"), formula("0"), formula("2*sin(30*t)")};
  push.moment = {formula("0"), formula("0.1"), formula("0")};
  model.forces = {push};
  SensorSpec inside = point_sensor("inside", "bar", {0.25, 0, 0.015});
  inside.stress = true;
  model.sensors.push_back(inside);
  const Run a = run_in(model, "recursive", 0.2, 0.2, 1e-9);
  const Run h = run_in(model, "hamiltonian", 0.2, 0.2, 1e-9);
  for (const char* name : {"tip.x", "tip.z", "pin.q", "bar.e1", "bar.e2"}) {
    CAPTURE(name);
    // rtol 1e-9 over some hundred steps
    CHECK(std::fabs(last(a, name) - last(h, name)) < 1e-7);
  }
  CHECK(near(last(a, "inside.xx"), last(h, "inside.xx"), 1e-5));  // a second derivative of it
  CHECK(std::fabs(last(a, "inside.xx")) > 1e3);
  CHECK(near(last(a, "inside.mises"), std::fabs(last(a, "inside.xx")),
             0.01));  // the other stresses of a bar that bends are small
  // rtol 1e-9 over some hundred steps
  CHECK(a.summary.closure < 1e-7 * a.summary.energy_scale);
  CHECK(h.summary.closure < 1e-7 * h.summary.energy_scale);
}

TEST_CASE("solid: a place beside its mesh and on no interface is refused with a list of them") {
  const auto said = [](const Model& model) {
    try {
      compile(model);
    } catch (const Error& e) {
      CHECK(e.exit_code() == 4);
      return std::string(e.what());
    }
    return std::string();
  };
  Model model = solid_pendulum('I');
  model.sensors[0].point->at = {0.5, 0, 0.2};
  const std::string beside = said(model);
  CAPTURE(beside);
  CHECK(beside.find("(0.5, 0, 0.2) m is not on the elastic body 'bar'") != std::string::npos);
  CHECK(beside.find("'root' within 0.025 m of (0, 0, 0) m or 'tip'") != std::string::npos);
  // the inboard joint holds the whole body, and wants a patch
  model = solid_pendulum('I');
  model.joints[0].on_child.at = {0.5, 0, 0};
  const std::string hung = said(model);
  CAPTURE(hung);
  CHECK(hung.find("on none of its interfaces") != std::string::npos);
  CHECK(hung.find("'tip' within 0.025 m of (1, 0, 0) m") != std::string::npos);
  // stresses are of solids, section forces of beams
  model = solid_pendulum('I');
  model.sensors[0].section = true;
  CHECK(said(model).find("stress = true") != std::string::npos);
}
