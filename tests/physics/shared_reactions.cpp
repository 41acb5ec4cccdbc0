// Redundant joints share their load: by halves where nothing is said, by stiffness
// where it is; what is unique does not change.
#include <doctest/doctest.h>

#include <algorithm>

#include "loop_models.hpp"
#include "near.hpp"
#include "sarrus/run/simulate.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// A door of 2 kg, its centre 0.4 m from two hinges on one vertical axis, 1.5 m apart.
Model door(double low, double high) {
  Model model;
  model.bodies.push_back(rod_along_x("door", 2, 0.8, 0.01));
  model.joints.push_back(hinge("low", "world", "door", {}, {}));
  model.joints.push_back(hinge("high", "world", "door", {0, 0, 1.5}, {0, 0, 1.5}));
  model.joints[0].stiffness = low, model.joints[1].stiffness = high;
  model.simulate.until = 0.1;
  model.simulate.reactions = true;
  return model;
}

struct Reactions {
  Run run;
  double operator[](const std::string& column) const { return run.trajectory.at(0, column); }
};

Reactions of(const Model& model) { return {simulate(compile(model), model.simulate)}; }

}  // namespace

TEST_CASE("P09: two hinges of a door share its weight equally, or as their stiffness says") {
  const double weight = 2 * 9.81;
  const Reactions alike = of(door(0, 0)), weighted = of(door(3e6, 1e6));
  // normal equations of ten rows, refined
  CHECK(near(alike["low.fz"], weight / 2, 1e-12));
  CHECK(near(alike["high.fz"], weight / 2, 1e-12));
  CHECK(near(weighted["low.fz"], 0.75 * weight, 1e-12));
  CHECK(near(weighted["high.fz"], 0.25 * weight, 1e-12));
  // forces and moments together always hold the door: no force across, the moment of its weight
  for (const Reactions* r : {&alike, &weighted}) {
    CHECK(std::fabs((*r)["low.fx"] + (*r)["high.fx"]) < 1e-10);
    const double moment = (*r)["low.ny"] + (*r)["high.ny"] + 1.5 * (*r)["high.fx"];
    CHECK(near(moment, -weight * 0.4, 1e-12));
  }
  const auto& notes = alike.run.summary.notes;
  CHECK(std::any_of(notes.begin(), notes.end(),
                    [](const Diagnostic& d) { return d.code == "shared-reactions"; }));
}

TEST_CASE("a hundred doors share their weights as one does") {
  Model many;
  many.simulate = door(0, 0).simulate;
  for (int i = 0; i < 100; ++i) {
    Model one = door(3e6, 1e6);
    const std::string n = std::to_string(i);
    one.bodies[0].name += n;
    for (JointSpec& j : one.joints) {
      j.name += n, j.child = one.bodies[0].name;
      j.on_parent.at.x += i;
      many.joints.push_back(j);
    }
    many.bodies.push_back(one.bodies[0]);
  }
  many.simulate.until = 0.01;
  const Reactions all = of(many);
  for (const std::string n : {"0", "57", "99"}) {
    // normal equations of a thousand rows, refined
    CHECK(near(all["low" + n + ".fz"], 0.75 * 2 * 9.81, 1e-12));
    CHECK(near(all["high" + n + ".fz"], 0.25 * 2 * 9.81, 1e-12));
  }
}

TEST_CASE("four-bar: unique reactions do not depend on how the others are shared") {
  Model plain = four_bar(), weighted = four_bar(), ball = four_bar(JointType::spherical);
  weighted.joints[1].stiffness = 5e6, weighted.joints[3].stiffness = 1e5;
  for (Model* m : {&plain, &weighted, &ball}) m->simulate.until = 0.1, m->simulate.reactions = true;
  const Reactions a = of(plain), b = of(weighted), c = of(ball);
  for (const char* column : {"a.fx", "a.fy", "b.fx", "b.fy", "c.fx", "c.fy", "d.fx", "d.fy"}) {
    CAPTURE(column);
    // equations of twenty rows, regularised by 1e-12
    CHECK(near(a[column], b[column], 1e-10));
    CHECK(near(a[column], c[column], 1e-10));
  }
}
