// Reactions of elastic bodies against their section forces.
#include <doctest/doctest.h>

#include "elastic_models.hpp"
#include "near.hpp"
#include "sarrus/verify/audit.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// A beam, clamped at one end and held in the middle by a carriage on a rail, shaken at the other.
Model propped() {
  BeamSpec beam;
  beam.length = 1;
  beam.section = {1e-4, 1e-9, 1e-9, 2e-9, 0, 0};
  beam.material = {7e10, 2.7e10, 2700};
  beam.deforms = {Deflection::y};
  beam.modes = 4;
  beam.damping.stiffness = 1e-4;
  Model model;
  model.gravity = {0, -9.81, 0};
  model.bodies = {elastic_body("beam", beam), ball("carriage", 0.1, 1e-4)};
  model.joints = {joint("clamp", JointType::fixed, "world", "beam"),
                  joint("rail", JointType::prismatic, "world", "carriage", {1, 0, 0}),
                  joint("hold", JointType::revolute, "beam", "carriage")};
  model.joints[1].q = {0.5};
  model.joints[2].on_parent.at = {0.5, 0, 0};
  ForceSpec force;
  force.name = "shake";
  force.at = PointSpec{"beam", {}, {1, 0, 0}};
  force.force = {formula("0"), formula("2*sin(40*t)"), formula("0")};
  model.forces = {force};
  model.simulate.reactions = true;
  return model;
}

Audit audited(const Mechanism& m, const Trajectory& rows) {
  const std::vector<Audit> found = audit_reactions(m, rows, "recursive");
  REQUIRE(found.size() == 1);
  return found[0];
}

}  // namespace

TEST_CASE("audit: reactions of a propped beam, at rest and in motion, are those that bend it") {
  for (const char* formulation : {"recursive", "hamiltonian"}) {
    CAPTURE(formulation);
    const Model model = propped();
    const Run r = run_in(model, formulation, 0.2, 0.02, 1e-9);
    const Audit a = audited(compile(model), r.trajectory);
    CAPTURE(a.value);
    CHECK(a.passed);
    CHECK(a.value < 1e-9);  // two ways through the same state: rounding
  }
}

TEST_CASE("audit: trees of elastic and rigid bodies pass, with joints askew and springs on seats") {
  Model model = elastic_tree();
  model.simulate.reactions = true;
  SpringSpec spring;
  spring.name = "strap";
  spring.from.body = "arm", spring.from.at = {0.5, 0, 0};
  spring.to.body = "rider", spring.to.at = {0, 0.2, 0.1};
  spring.k = 30, spring.damping = 0.2, spring.length = 0.1;
  model.springs = {spring};
  const Run r = run_in(model, "recursive", 0.1, 0.01, 1e-9);
  const Audit a = audited(compile(model), r.trajectory);
  CAPTURE(a.value);
  CHECK(a.value < 1e-9);
}

TEST_CASE("audit: a load that is shared among supports as by a rigid body is found") {
  const Model model = propped();
  const Mechanism m = compile(model);
  Trajectory rows = run_in(model, "recursive", 0.1, 0.02, 1e-9).trajectory;
  // a force pair that a rigid beam would not feel: one newton more at the rail, one less at the clamp,
  // and the moment that balances it there
  const auto shift = [&](const std::string& column, double by) {
    const int c = rows.column(column);
    REQUIRE(c >= 0);
    for (int i = 0; i < rows.rows(); ++i)
      rows.values[static_cast<size_t>(i) * rows.columns.size() + static_cast<size_t>(c)] += by;
  };
  shift("hold.fy", 1), shift("rail.fy", -1);
  shift("clamp.fy", 1), shift("clamp.nz", 0.5);
  const Audit a = audited(m, rows);
  CHECK_FALSE(a.passed);
  CHECK(a.value > 1e-2);
  CHECK(a.detail.find("'beam'") != std::string::npos);
}
