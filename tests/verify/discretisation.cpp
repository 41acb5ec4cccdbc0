// Digits of the discretisation of elastic bodies, beside those of their equations.
#include "sarrus/verify/discretisation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "elastic_models.hpp"
#include "near.hpp"
#include "sarrus/mechanism/compile.hpp"
#include "sarrus/model/segments.hpp"
#include "sarrus/verify/verify.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// A soft pendulum that swings down from the level, with n functions.
Model swinging(int functions) {
  Model model = elastic_pendulum(pendulum_beam(1.25e9, functions));
  model.simulate.until = 0.5;
  return model;
}

Verification verified(const Model& model) {
  const ValidModel valid(model);
  VerifyOptions options{6, 20, 20, false};
  options.model = &valid;
  return verify(compile(valid), valid->simulate, options);
}

}  // namespace

TEST_CASE("discretisation: functions and elements are doubled, and nothing else") {
  Model model = swinging(3);
  BeamSpec nodes = pendulum_beam();
  nodes.basis = BeamBasis::fe, nodes.modes = 0, nodes.elements = 5;
  model.bodies.push_back(elastic_body("nodes", nodes));
  model.bodies.push_back(elastic_body("chain", pendulum_beam(1.25e9, 2)));
  model.bodies.push_back(ball("rigid", 1, 1));
  model.bodies[0].elastic->start = {0.01, 0.002, 0.003};
  for (const char* name : {"nodes", "chain", "rigid"})
    model.joints.push_back(joint(std::string("to_") + name, JointType::revolute, "world", name));
  model.sensors.push_back(point_sensor("end", "chain", {1, 0, 0}));
  cut_beam(model, "chain", 3);
  std::vector<std::string> changes;
  const Model finer = resolved_twice(model, changes);
  CHECK(changes == std::vector<std::string>{"beam: 3 functions → 6", "nodes: 5 elements → 10"});
  CHECK(finer.bodies[0].elastic->beam.modes == 6);
  CHECK(finer.bodies[0].elastic->start == std::vector<double>{0.01, 0.002, 0.003, 0, 0, 0});
  CHECK(finer.bodies[1].elastic->beam.elements == 10);
  CHECK(finer.bodies.size() == model.bodies.size());
  compile(finer);  // and it is a model
}

TEST_CASE("discretisation: what is claimed is what many more functions show") {
  const Run many = run_in(swinging(12), "recursive", 0.5, 0.025, 1e-10);
  for (const int n : {1, 2}) {
    CAPTURE(n);
    const Verification v = verified(swinging(n));
    CAPTURE(v.sentence);
    REQUIRE(v.discretisation);
    CHECK(v.discretisation->lacks.empty());
    CHECK(v.verdict == Verdict::agrees);  // about the equations, whatever is left out of them
    CHECK(v.digits > v.discretisation->digits + 2);
    CHECK(v.sentence.find("its elastic bodies are resolved to") != std::string::npos);
    const Run few = run_in(swinging(n), "recursive", 0.5, 0.025, 1e-10);
    for (const ResolvedQuantity& q : v.discretisation->quantities) {
      if (q.name != "hinge.q") continue;
      double truth = 0;
      for (int r = 0; r < few.trajectory.rows(); ++r)
        truth = std::max(
            truth, std::fabs(few.trajectory.at(r, "hinge.q") - many.trajectory.at(r, "hinge.q")));
      CHECK(std::fabs(std::log10(q.difference / truth)) < 0.5);  // half a digit
    }
  }
}

TEST_CASE("discretisation: of a beam in segments nothing is claimed") {
  Model model = swinging(2);
  cut_beam(model, "beam", 2);
  const Verification v = verified(model);
  REQUIRE(v.discretisation);
  CHECK(v.discretisation->lacks.find("segments") != std::string::npos);
  CHECK(v.sentence.find("is not known") != std::string::npos);
}

TEST_CASE("discretisation: rigid bodies have none, and elastic coordinates are not compared") {
  Model rigid = pendulum(1);
  rigid.simulate.until = 0.2;
  CHECK_FALSE(verified(rigid).discretisation);
  const Verification v = verified(swinging(2));
  REQUIRE(v.discretisation);
  for (const ResolvedQuantity& q : v.discretisation->quantities) {
    CHECK(q.name != "beam.e");
    CHECK(q.name != "beam.de");
  }
}
