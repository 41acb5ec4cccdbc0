// The choice of the tree: which joints carry it, which close loops, how bodies are counted.
#include <doctest/doctest.h>

#include "processor_time.hpp"
#include "random_tree.hpp"
#include "sarrus/mechanism/spanning_tree.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

BodySpec body(const std::string& name) {
  BodySpec b;
  b.name = name;
  b.mass = 1;
  b.inertia = Mat3::identity();
  return b;
}
JointSpec joint_between(const std::string& name, JointType type, const std::string& parent,
                        const std::string& child) {
  JointSpec j;
  j.name = name;
  j.type = type;
  j.parent = parent;
  j.child = child;
  return j;
}
const JointInfo& info(const Mechanism& m, const std::string& name) {
  for (const JointInfo& j : m.joints)
    if (j.name == name) return j;
  FAIL("no joint ", name);
  return m.joints[0];
}

/// A ring of four links of which one joint is looser than the others.
Model ring(JointType loose, int where) {
  Model model;
  for (const char* name : {"a", "b", "c"}) model.bodies.push_back(body(name));
  const char* ends[] = {"world", "a", "b", "c", "world"};
  for (int i = 0; i < 4; ++i) {
    const bool last = i == 3;  // written from the world, as a closing joint is
    model.joints.push_back(joint_between("j" + std::to_string(i),
                                         i == where ? loose : JointType::revolute,
                                         last ? "world" : ends[i], last ? "c" : ends[i + 1]));
  }
  return model;
}

}  // namespace

TEST_CASE("tree: a loop is cut at its loosest joint, wherever that is written") {
  for (const JointType loose : {JointType::spherical, JointType::cylindrical, JointType::universal})
    for (int where = 0; where < 4; ++where) {
      CAPTURE(where);
      const Model model = ring(loose, where);
      std::vector<int> parent, child;
      for (const JointSpec& j : model.joints) {
        const auto index = [](const std::string& name) {
          return name == "world" ? -1 : name[0] - 'a';
        };
        parent.push_back(index(j.parent)), child.push_back(index(j.child));
      }
      const SpanningTree tree = spanning_tree(model, parent, child);
      REQUIRE(tree.cut.size() == 1);
      CHECK(tree.cut[0] == where);
      CHECK(tree.edges.size() == 3);
    }
}

TEST_CASE("tree: where all joints are alike the loop is cut at the one written last") {
  const Mechanism m = compile(ring(JointType::revolute, 0));
  CHECK(m.has_loops());
  CHECK(info(m, "j3").cut);
  CHECK(m.nu == 3);
}

TEST_CASE("tree: a loop with a looser joint inside hangs from both sides of the world") {
  const Mechanism m = compile(ring(JointType::spherical, 1));
  CHECK(info(m, "j1").cut);
  // a on the world by j0; c on the world by j3, b on c by j2 against the way it is written
  CHECK(info(m, "j2").reversed);
  CHECK_FALSE(info(m, "j3").reversed);
}

TEST_CASE("tree: parents come before their children, whatever the order of writing") {
  Random r(31);
  for (int trial = 0; trial < 20; ++trial) {
    Model model = random_tree(r, 30);
    for (size_t i = model.joints.size(); i > 1; --i)
      std::swap(model.joints[i - 1],
                model.joints[static_cast<size_t>(r.below(static_cast<int>(i)))]);
    for (size_t i = model.bodies.size(); i > 1; --i)
      std::swap(model.bodies[i - 1],
                model.bodies[static_cast<size_t>(r.below(static_cast<int>(i)))]);
    const Mechanism m = compile(model);
    REQUIRE(m.nb == 31);
    for (int i = 1; i < m.nb; ++i) {
      CHECK(m.parent[i] < i);
      REQUIRE(m.joint_of_body(i) != nullptr);
      CHECK(m.joint_of_body(i)->body == i);
    }
    for (int q = 0; q < m.nq; ++q) {
      const int b = m.body_of_coordinate(q);
      CHECK(m.q0[b] <= q);
      CHECK(q < m.q0[b + 1]);
    }
  }
}

TEST_CASE("tree: bodies and islands without a way to the world move freely, with a note") {
  Model model;
  for (const char* name : {"ground", "alone", "first", "second"})
    model.bodies.push_back(body(name));
  model.joints = {joint_between("base", JointType::revolute, "world", "ground"),
                  joint_between("hinge", JointType::revolute, "second", "first")};
  const Mechanism m = compile(model);
  CHECK(m.nu == 1 + 6 + 6 + 1);
  int notes = 0;
  std::string text;
  for (const Diagnostic& d : m.notes)
    if (d.severity == Severity::note) ++notes, text += to_text(d) + "\n";
  CHECK(notes >= 2);
  for (const char* name : {"alone", "first", "second"}) CHECK(text.find(name) != std::string::npos);
  CHECK(text.find("ground") == std::string::npos);
  CHECK(info(m, "hinge").reversed);  // the island hangs on its body that is written first
}

TEST_CASE("tree: joints whose coordinates belong to the child cannot be turned round") {
  Model model;
  model.bodies = {body("a"), body("b")};
  model.joints = {joint_between("hinge", JointType::revolute, "world", "a"),
                  joint_between("ball", JointType::spherical, "b", "a")};
  try {
    compile(model);
    FAIL("compiled");
  } catch (const Error& e) {
    CHECK(e.fault() == Fault::physics);
    CHECK(std::string(e.what()).find("joint/ball") != std::string::npos);
    CHECK(std::string(e.what()).find("swap parent and child") != std::string::npos);
  }
}

TEST_CASE("tree: ten times the bodies take about ten times as long") {
  // a bound far from the measured 0.1 s for 10,000: what it guards against is a hundredfold
  const auto seconds = [](int n) {
    Model model;
    for (int i = 0; i < n; ++i) {
      model.bodies.push_back(body("b" + std::to_string(i)));
      model.joints.push_back(joint_between("j" + std::to_string(i), JointType::revolute,
                                           i == 0 ? "world" : "b" + std::to_string(i - 1),
                                           "b" + std::to_string(i)));
      const std::string own = "-0.1*j" + std::to_string(i) + ".u";
      model.joints.back().force = {{Expression::parse(own).expression, {}}};
    }
    return processor_seconds([&] {
      const Mechanism m = compile(model);
      CHECK(m.nu == n);
      CHECK(m.coordinate_name(n - 1) == "j" + std::to_string(n - 1) + ".q");
    });
  };
  const double few = seconds(1000), many = seconds(10'000);
  CHECK(many < 40 * few + 0.05);  // [s] of a clock that ticks
}

TEST_CASE("tree: a joint that cannot stand on its child closes the loop instead") {
  Model model;
  for (const char* name : {"a", "b", "c"}) model.bodies.push_back(body(name));
  model.joints = {joint_between("ja", JointType::revolute, "world", "a"),
                  joint_between("ball1", JointType::spherical, "b", "a"),  // towards the world
                  joint_between("ball2", JointType::spherical, "c", "b"),
                  joint_between("jc", JointType::revolute, "world", "c")};
  const Mechanism m = compile(model);
  CHECK(info(m, "ball1").cut);
  CHECK_FALSE(info(m, "ball2").cut);
  CHECK_FALSE(info(m, "ball2").reversed);
}
