// Formulas find their names, and what they may not depend on is refused with words.
#include <doctest/doctest.h>

#include "builders.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

SensorSpec point(const std::string& name, const std::string& body) {
  SensorSpec s;
  s.name = name;
  s.point = PointSpec{body, {}, {0.1, 0, 0}};
  return s;
}
SensorSpec value(const std::string& name, const std::string& text) {
  SensorSpec s;
  s.name = name;
  s.value = formula(text);
  return s;
}

/// The refusal of compile, or "" where it compiles.
std::string refusal(const Model& model, Fault expected = Fault::model) {
  try {
    compile(model);
  } catch (const Error& e) {
    CHECK(e.fault() == expected);
    return to_text(e.diagnostics());
  }
  return "";
}
bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("formulas: an unknown name is told with the nearest known one") {
  Model model = chain_b1();
  model.parameters["gain"] = 2;
  model.sensors = {point("tip", "b5")};
  const auto with = [&](const std::string& text) {
    Model m = model;
    m.joints[0].force = {formula(text)};
    return refusal(m);
  };
  CHECK(with("gain*tip.vx - j3.q") == "");
  for (const auto& [wrong, right] : {std::pair{"gian", "gain"}, std::pair{"tip.vxx", "tip.vx"},
                                     std::pair{"j3.qq", "j3.q"}, std::pair{"tipp.x", "tip.x"}}) {
    const std::string text = with(std::string("2*") + wrong);
    CHECK(says(text, "unknown-name"));
    CHECK(says(text, "joint/j1/force"));
    CHECK(says(text, std::string("'") + wrong + "'"));
    CHECK(says(text, std::string("did you mean '") + right + "'"));
  }
  CHECK(says(with("j3.q2"), "unknown-name"));  // it has one coordinate
  CHECK(says(with("zebra_crossing"), "a formula may use"));
}

TEST_CASE("formulas: sensors that depend on each other in a circle are named") {
  Model model = chain_b1();
  model.sensors = {value("a", "2*b"), value("b", "c + 1"), value("c", "a*a"), value("d", "1")};
  const std::string text = refusal(model);
  CHECK(says(text, "circular-formula"));
  for (const char* name : {"a", "b", "c"}) CHECK(says(text, std::string(name) + " →"));
  CHECK_FALSE(says(text, "d →"));
}

TEST_CASE("formulas: sensors may use sensors that are written later, through many levels") {
  Model model = chain_b1();
  // each uses the next twice: a search without memory would need 2^40 steps
  for (int i = 0; i < 40; ++i)
    model.sensors.push_back(
        value("s" + std::to_string(i),
              "s" + std::to_string(i + 1) + " + sin(s" + std::to_string(i + 1) + ")"));
  for (int i = 0; i < 40; ++i)
    model.sensors.push_back(
        value("v" + std::to_string(i),
              i == 0 ? "s40 + s39" : "v" + std::to_string(i - 1) + "*s" + std::to_string(40 - i)));
  model.sensors.push_back(value("s40", "j1.u"));
  const Mechanism m = compile(model);
  CHECK(m.early_signals == static_cast<int>(m.signals.size()));
}

TEST_CASE("formulas: a force may not depend on an acceleration, not even through a sensor") {
  Model model = chain_b1();
  model.sensors = {point("tip", "b5"), value("lift", "2*tip.az + 1"), value("twice", "lift*2")};
  CHECK(refusal(model) == "");  // sensors may
  for (const char* text : {"tip.ax", "tip.imu_z", "lift", "0.1*twice"}) {
    Model m = model;
    m.joints[1].force = {formula(text)};
    const std::string told = refusal(m);
    CHECK(says(told, "force-of-acceleration"));
    CHECK(says(told, "joint/j2/force"));
  }
  // an event may
  EventSpec e;
  e.name = "lifted";
  e.when = formula("twice");
  model.events = {e};
  CHECK(refusal(model) == "");
}

TEST_CASE("formulas: a prescribed motion is a function of time alone") {
  Model model = chain_b1();
  model.joints[1].q.reset();
  model.parameters["A"] = 0.2;
  model.joints[1].motion = {formula("A*sin(t)")};
  CHECK(refusal(model) == "");
  model.joints[1].motion = {formula("A*sin(t) + j1.q")};
  const std::string told = refusal(model);
  CHECK(says(told, "motion-of-signals"));
  CHECK(says(told, "'j1.q'"));
  CHECK(says(told, "use a servo"));
}

TEST_CASE("formulas: a function that is neither built in nor a table is named") {
  Model model = chain_b1();
  model.joints[0].force = {formula("torque(t)")};
  const std::string told = refusal(model);
  CHECK(says(told, "unknown-function"));
  CHECK(says(told, "'torque'"));
}

TEST_CASE("forces on joints: wrong counts and wrong joints are refused, all at once") {
  Model model = tree_b2();
  model.joints[2].damper = {1, 2};  // spherical: three freedoms
  model.joints[6].servo = ServoSpec{formula("0"), 1, 1, {}};
  model.joints[6].motion.clear();
  const std::string told = refusal(model);
  CHECK(says(told, "joint/j3/damper"));
  Model second = tree_b2();
  second.joints[6].servo = ServoSpec{formula("0"), 1, 1, {}};
  CHECK(says(refusal(second), "joint/j7/servo"));
  Model third = tree_b2();
  third.joints[6].motion = {formula("0"), formula("0"), formula("0")};
  CHECK(says(refusal(third), "joint/j7/motion"));
}

TEST_CASE("names: springs and bushings keep theirs for messages") {
  Model model = chain_b1();
  SpringSpec s;
  s.name = "coil";
  s.from = {"world", {}, {}};
  s.to = {"b2", {}, {1, 0, 0}};
  s.k = 1;
  model.springs = {s};
  BushingSpec b;
  b.name = "rubber";
  b.to = "b3";
  b.k = {1, 1, 1};
  model.bushings = {b};
  const Mechanism m = compile(model);
  const ForceSet<double>& f = m.numbers.forces;
  CHECK(m.describe(f.point_springs[0], 0) == "spring 'coil'");
  CHECK(m.describe(f.bushings[0], 0) == "bushing 'rubber'");
  CHECK(m.describe(JointDamper<double>{m.joints[1].u0, 1}, 0) ==
        "damper of joint '" + m.joints[1].name + "'");
}
