// A model that was validated is not validated again.
#include "sarrus/model/valid_model.hpp"

#include <doctest/doctest.h>

#include <type_traits>

#include "sarrus/mechanism/compile.hpp"

using namespace sarrus;

// only validation makes one, and nothing changes it
static_assert(!std::is_default_constructible_v<ValidModel>);
static_assert(!std::is_convertible_v<Model, ValidModel>);
static_assert(!std::is_assignable_v<ValidModel&, Model>);
static_assert(std::is_same_v<decltype(*std::declval<ValidModel&>()), const Model&>);

namespace {

Model swing() {
  BodySpec rod;
  rod.name = "rod", rod.mass = 2, rod.inertia = Mat3::identity();
  JointSpec hinge;
  hinge.name = "hinge", hinge.type = JointType::revolute, hinge.child = "rod";
  Model model;
  model.bodies = {rod};
  model.joints = {hinge};
  return model;
}

Fault fault_of(const auto& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.fault();
  }
  return Fault::internal;
}

}  // namespace

TEST_CASE("valid model: what is wrong is refused where it is made") {
  Model lost = swing();
  lost.joints[0].child = "rot";
  CHECK(fault_of([&] { ValidModel{lost}; }) == Fault::model);
  Model light = swing();
  light.bodies[0].mass = -1;
  CHECK(fault_of([&] { ValidModel{light}; }) == Fault::physics);
  CHECK(fault_of([&] { compile(lost); }) == Fault::model);
  CHECK(ValidModel(swing())->bodies[0].name == "rod");
}

TEST_CASE("valid model: compiling it does not ask again") {
  Model model = swing();
  model.simulate.until = model.simulate.start - 1;  // an error that no compiler looks at
  CHECK(fault_of([&] { compile(model); }) == Fault::model);
  int asked = 0;
  const ValidModel pardoned(model, [&](const Model&, Diagnostics& faults, Diagnostics&) {
    ++asked;
    CHECK(faults.errors() == 1);
    faults = {};
  });
  CHECK(compile(pardoned).nu == 1);  // a second look would find it
  CHECK(asked == 1);
}

TEST_CASE("valid model: other settings are judged alone, and kept only if they are good") {
  ValidModel model(swing());
  SimulateSpec s = model->simulate;
  s.until = 7;
  model.set(s);
  CHECK(model->simulate.until == 7);
  s.until = s.start - 1;
  CHECK(fault_of([&] { model.set(s); }) == Fault::model);
  CHECK(model->simulate.until == 7);
}

TEST_CASE("valid model: what is no error is noted once") {
  Model model = swing();
  model.gravity = {0, 0, -9810};  // millimetres, probably
  const ValidModel first(model);
  REQUIRE(first->notes.size() == 1);
  CHECK(first->notes[0].code == "huge-gravity");
  CHECK(ValidModel(*first)->notes.size() == 1);
  // a plain model has no reader who would tell: the mechanism does
  REQUIRE(compile(model).notes.size() == 1);
  CHECK(compile(first).notes.empty());
  CHECK(compile(*first).notes.empty());
}
