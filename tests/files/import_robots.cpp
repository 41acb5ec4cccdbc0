// Robots of other programs: what becomes of each element, and what bad files get.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "files/refused.hpp"
#include "near.hpp"
#include "processor_time.hpp"
#include "sarrus/files/import/import_robot.hpp"

using namespace sarrus;
using sarrus::testing::near;
using sarrus::testing::within;

namespace {

std::string urdf(const std::string& inside) {
  return "<robot name=\"r\">\n" + inside + "</robot>\n";
}

const std::string inertial =
    "<inertial><mass value=\"2\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" "
    "iyz=\"0\"/></inertial>";
std::string urdf_link(const std::string& name) {
  return "<link name=\"" + name + "\">" + inertial + "</link>\n";
}
std::string urdf_joint(const std::string& type, const std::string& inside,
                       const std::string& name = "j") {
  return "<joint name=\"" + name + "\" type=\"" + type +
         "\"><parent link=\"a\"/><child link=\"b\"/>" + inside + "</joint>\n";
}
std::string two_links(const std::string& rest) {
  return urdf(urdf_link("a") + urdf_link("b") + rest);
}

const JointSpec& joint_named(const Model& m, const std::string& name) {
  for (const JointSpec& j : m.joints)
    if (j.name == name) return j;
  FAIL(name);
  return m.joints.front();
}

std::string mjcf(const std::string& inside) { return "<mujoco>\n" + inside + "</mujoco>\n"; }

Imported imported(const std::string& text) { return import_robot(text, "robot.xml", {}); }

bool says(const std::vector<ImportRemark>& remarks, const std::string& what, Effect effect) {
  for (const ImportRemark& r : remarks)
    if (has(r.what, what) && r.effect == effect) return true;
  return false;
}

/// A folder of files that goes with the test.
class RobotFolder {
 public:
  RobotFolder()
      : path_(std::filesystem::temp_directory_path() /
              ("sarrus_test_robot_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~RobotFolder() { std::filesystem::remove_all(path_); }
  std::string put(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("urdf: types of joints, with limits, damping, friction and a following joint") {
  const Model m = parse_model(
      two_links(urdf_joint("prismatic",
                           "<origin xyz=\"1 2 3\" rpy=\"0 0 0.5\"/><axis xyz=\"0 1 0\"/>"
                           "<limit lower=\"0.2\" upper=\"0.6\" effort=\"1\" velocity=\"1\"/>"
                           "<dynamics damping=\"3\" friction=\"0.4\"/>") +
                urdf_link("c") +
                "<joint name=\"k\" type=\"continuous\"><parent link=\"b\"/><child link=\"c\"/>"
                "<mimic joint=\"j\" multiplier=\"-2\" offset=\"0.1\"/></joint>"),
      "robot.urdf");
  CHECK(m.name == "r");
  const JointSpec& j = joint_named(m, "j");
  CHECK(j.type == JointType::prismatic);
  CHECK(j.on_parent.at.y == 2);
  CHECK(j.axis.y == 1);
  CHECK(j.damper.at(0) == 3);
  CHECK(j.friction->force == 0.4);
  CHECK(j.limits->high == 0.6);
  CHECK(near(j.q->at(0), 0.4, 1e-15));  // 0 is outside of its limits
  CHECK(j.where.line == 4);
  REQUIRE(m.constraints.size() == 1);
  CHECK(m.constraints[0].type == ConstraintType::gear);
  CHECK(joint_named(m, "root_joint").type == JointType::fixed);
}

TEST_CASE("urdf: an inertia in a turned frame is turned into the link's axes") {
  // half a turn about z/2: x and y change places
  const Model m = parse_model(urdf("<link name=\"a\"><inertial><origin xyz=\"0 0 1\" rpy=\"0 0 "
                                   "1.5707963267948966\"/><mass value=\"2\"/>"
                                   "<inertia ixx=\"3\" iyy=\"4\" izz=\"5\" ixy=\"0.5\" ixz=\"0\" "
                                   "iyz=\"0\"/></inertial></link>"),
                              "robot.urdf");
  const Mat3& I = *m.bodies[0].inertia;
  // rounding of cosines
  CHECK(near(I(0, 0), 4, 1e-15));
  CHECK(near(I(1, 1), 3, 1e-15));
  CHECK(near(I(0, 1), -0.5, 1e-15));
}

TEST_CASE("urdf: a joint that follows a fixed one stands, and limits that leave no room are none") {
  const Imported made = imported(
      two_links(urdf_joint("fixed", "") + urdf_link("c") +
                "<joint name=\"k\" type=\"revolute\"><parent link=\"b\"/><child link=\"c\"/>"
                "<limit lower=\"0\" upper=\"0\"/><mimic joint=\"j\" offset=\"0.25\"/></joint>"));
  const Model m = parse_model(made.toml, "robot.toml");
  REQUIRE(m.constraints.size() == 1);
  CHECK(m.constraints[0].type == ConstraintType::coupling);
  CHECK(*m.constraints[0].offset == 0.25);
  CHECK(!joint_named(m, "k").limits);
  CHECK(says(made.report.approximated, "lower and upper are equal", Effect::changes));
}

TEST_CASE("mjcf: classes give tendons their stiffness") {
  const Model m = parse_model(mjcf(R"(<default><tendon stiffness="3"/></default>
      <worldbody><body><joint name="p"/><geom size="0.1"/></body></worldbody>
      <tendon><fixed><joint joint="p" coef="1"/></fixed></tendon>)"),
                              "robot.xml");
  CHECK(has(joint_named(m, "p").force.at(0).expression.text(), "3*(1*p.q"));
}

TEST_CASE("urdf: what is written as TOML is the model that was read") {
  const std::string text = two_links(
      urdf_joint("revolute", "<limit lower=\"-1\" upper=\"2\" effort=\"0\" velocity=\"0\"/>"));
  const Imported made = imported(text);
  const Model again = parse_model(made.toml, "robot.toml"),
              direct = parse_model(text, "robot.urdf");
  CHECK(again.bodies.size() == direct.bodies.size());
  CHECK(again.joints.size() == direct.joints.size());
  CHECK(joint_named(again, "j").limits->low == -1);
  CHECK(has(made.toml, "[[joint]]  # robot.xml:4"));
}

TEST_CASE("urdf: what is not read is named once, with whether the motion depends on it") {
  const Imported made =
      imported(two_links(urdf_joint("revolute", "<limit lower=\"-1\" upper=\"2\" effort=\"9\"/>") +
                         "<transmission/><transmission/><gazebo/><odd/>"));
  CHECK(says(made.report.left_out, "<transmission>", Effect::none));
  CHECK(says(made.report.left_out, "<gazebo>", Effect::unknown));
  CHECK(says(made.report.left_out, "<odd>", Effect::unknown));
  CHECK(says(made.report.left_out, "effort", Effect::none));
  int transmissions = 0;
  for (const ImportRemark& r : made.report.left_out)
    transmissions += r.what == "<transmission>" ? r.count : 0;
  CHECK(transmissions == 2);
  CHECK(made.report.left_out.size() == 4);
}

TEST_CASE("M34: XML that is broken, hostile or something else is refused at its line") {
  CHECK(has(refused("<robot>\n<link name=\"a\">\n</robot>"), "bad-xml"));
  CHECK(has(refused("<robot>\n<!DOCTYPE a [<!ENTITY x \"y\">]>\n</robot>"),
            "m.toml:2:1: error[bad-xml]"));
  CHECK(has(refused("<robot name=\"r\" name=\"s\"/>"), "stands twice"));
  CHECK(has(refused("<robot/>"), "no link"));
  std::string deep = "<robot>";
  for (int i = 0; i < 1'000'000; ++i) deep += "<a>";
  const double seconds =
      sarrus::testing::processor_seconds([&] { CHECK(has(refused(deep), "too-deep")); });
  CHECK(seconds < 2);
  CHECK(has(refused("<robot name=\"\xff\"/>"), "bad-utf8"));
}

TEST_CASE("M35: faults of a robot are said at the line of its element, with what to do") {
  CHECK(has(refused(two_links(urdf_joint("ball", ""))),
            "m.toml:4:1: error[unknown-word]: joint 'j': 'ball' is not a type"));
  CHECK(
      has(refused(two_links(
              "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"bb\"/></joint>")),
          "did you mean 'b'"));
  CHECK(has(refused(two_links("")), "two-roots"));
  CHECK(has(refused(two_links(urdf_joint("fixed", "") + urdf_link("a"))), "first is on line 2"));
  CHECK(has(refused(two_links(urdf_joint("revolute", "<axis xyz=\"1 2\"/>"))), "2 numbers, not 3"));
  CHECK(has(refused(two_links(urdf_joint("revolute", "<axis xyz=\"1 2 z\"/>"))),
            "'z' is not a number"));
  CHECK(has(refused(two_links(urdf_joint("revolute", "<limit lower=\"2\" upper=\"1\"/>"))),
            "above upper"));
  CHECK(has(refused(two_links(urdf_joint("revolute", "<mimic joint=\"jj\"/>"))),
            "no joint is called 'jj'"));
  CHECK(has(refused("<robot xmlns:xacro=\"x\">\n<xacro:macro/></robot>"), "xacro FILE.xacro"));
  CHECK(has(refused(mjcf("<worldbody><body><joint type=\"screw\"/></body></worldbody>")),
            "hinge, slide, ball or free"));
  CHECK(has(refused(mjcf("<worldbody><body><geom class=\"x\" size=\"1\"/></body></worldbody>")),
            "no default class"));
}

TEST_CASE("M35: an inertia that no body has is used as it is, and said") {
  const std::string text = urdf(
      "<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" "
      "izz=\"5\"/></inertial></link>");
  CHECK(says(imported(text).report.approximated, "inertia that no body has", Effect::none));
  CHECK(parse_model(text, "r.urdf").bodies[0].unphysical);
}

TEST_CASE("M36: included files stay in the folder and do not include each other") {
  const RobotFolder folder;
  const std::string a = folder.put("a.xml", "<mujoco>\n<include file=\"b.xml\"/></mujoco>");
  folder.put("b.xml", "<mujocoinclude>\n\n<include file=\"a.xml\"/></mujocoinclude>");
  const auto said = [](const std::string& path) -> std::string {
    try {
      read_model(path);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  CHECK(has(said(a), "b.xml:3:1: error[include-cycle]"));
  const std::string out = folder.put("in/out.xml", "<mujoco><include file=\"../b.xml\"/></mujoco>");
  CHECK(has(said(out), "outside the model's folder"));
}

TEST_CASE("urdf: loops stand in a model file beside the robot, and a model includes a robot") {
  const RobotFolder folder;
  const std::string robot =
      folder.put("leg.urdf", two_links(urdf_joint("continuous", "<axis xyz=\"0 1 0\"/>")));
  folder.put("leg.loops.toml",
             "sarrus = 1\n[[joint]]\nname = \"closing\"\ntype = \"spherical\"\nchild = \"b\"\n");
  CHECK(joint_named(read_model(robot), "closing").child == "b");
  const std::string model =
      folder.put("two.toml",
                 "sarrus = 1\n[[include]]\nfile = \"leg.urdf\"\nprefix = \"left\"\n"
                 "[[include]]\nfile = \"leg.urdf\"\nprefix = \"right\"\n");
  CHECK(joint_named(read_model(model), "right.j").child == "right.b");
}

TEST_CASE("urdf: meshes of its package are found, others only where they are allowed") {
  const RobotFolder folder;
  const std::string tetrahedron =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  folder.put("p/package.xml", "<package><name>parts</name></package>");
  folder.put("p/meshes/t.obj", tetrahedron);
  folder.put("other/t.obj", tetrahedron);
  const auto drawn = [](const std::string& file) {
    return "<link name=\"a\"><visual><geometry><mesh filename=\"" + file +
           "\" scale=\"2 2 2\"/></geometry></visual></link>";
  };
  const auto shapes = [&](const std::string& file, const ReadOptions& options = {}) {
    return read_model(folder.put("p/urdf/r.urdf", urdf(drawn(file))), options).bodies[0].shapes;
  };
  REQUIRE(shapes("package://parts/meshes/t.obj").size() == 1);
  CHECK(shapes("package://parts/meshes/t.obj")[0].scale == 2);
  CHECK(shapes("../meshes/t.obj").size() == 1);
  CHECK(shapes("../../other/t.obj").empty());
  CHECK(shapes("package://parts/../other/t.obj").empty());
  CHECK(shapes("package://other/t.obj").empty());
  const std::string other =
      (std::filesystem::path(folder.put("other/x", "")).parent_path()).string();
  CHECK(shapes("package://other/t.obj", {.allowed_roots = {other}}).size() == 1);
}

TEST_CASE(
    "mjcf: defaults are inherited, degrees become radians, several joints make massless bodies") {
  const Model m = parse_model(mjcf(R"(
    <compiler eulerseq="zyx"/>
    <default><joint damping="1"/><default class="arm"><joint armature="0.1"/><default class="wrist"><joint damping="2"/></default></default></default>
    <worldbody><body name="a" childclass="arm" euler="90 0 0" pos="1 0 0">
      <inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>
      <joint name="x" axis="2 0 0" range="-90 90"/><joint name="y" class="wrist" type="slide" axis="0 1 0" ref="0.5"/>
    </body></worldbody>)"),
                              "robot.xml");
  const JointSpec &x = joint_named(m, "x"), &y = joint_named(m, "y");
  CHECK(x.damper.at(0) == 1);
  CHECK(x.armature == 0.1);
  CHECK(near(x.limits->high, 1.5707963267948966, 1e-15));  // rounding of one product
  CHECK(y.damper.at(0) == 2);
  CHECK(y.armature == 0.1);
  CHECK(y.q->at(0) == 0.5);
  CHECK(y.on_parent.at.y == -0.5);
  CHECK(y.parent == x.child);
  CHECK(m.bodies.size() == 2);
}

TEST_CASE("mjcf: masses of geoms are those of solids") {
  const Model m = parse_model(mjcf(R"(<worldbody><body name="a"><freejoint/>
      <geom type="box" size="0.1 0.2 0.3" density="500" pos="1 0 0"/><geom type="ellipsoid" size="1 2 3" mass="10" pos="-1 0 0"/>
    </body></worldbody>)"),
                              "robot.xml");
  const double box = 500 * 8 * 0.1 * 0.2 * 0.3;
  CHECK(near(*m.bodies[0].mass, box + 10, 1e-14));
  CHECK(near(m.bodies[0].com->x, (box - 10) / (box + 10), 1e-14));
  // about x: both centres lie on it
  CHECK(near((*m.bodies[0].inertia)(0, 0), box / 3 * (0.04 + 0.09) + 10.0 / 5 * (4 + 9), 1e-14));
}

TEST_CASE(
    "mjcf: loops, couplings, drives and tendons become exact constraints, servos and formulas") {
  const Model m = parse_model(mjcf(R"(<worldbody>
      <body name="a"><joint name="p" axis="0 1 0"/><geom size="0.1"/><site name="s" pos="0 0 1"/></body>
      <body name="b" pos="2 0 0"><joint name="q" axis="0 1 0" ref="90"/><geom size="0.1"/></body></worldbody>
      <equality><connect name="pin" body1="a" body2="b" anchor="0 0 1"/><joint name="g" joint1="p" joint2="q" polycoef="0.1 2 0 0 0"/></equality>
      <tendon><fixed name="t" stiffness="3" springlength="0.2"><joint joint="p" coef="1"/><joint joint="q" coef="-2"/></fixed></tendon>
      <actuator><position name="hold" joint="p" kp="10" kv="1" forcerange="-4 4"/><motor name="push" joint="q" gear="3"/></actuator>)"),
                              "robot.xml");
  const JointSpec& pin = joint_named(m, "pin");
  CHECK(pin.type == JointType::spherical);
  CHECK(pin.on_child.at.x == -2);
  REQUIRE(m.constraints.size() == 1);
  CHECK(near(*m.constraints[0].offset, 0.1 - 2 * 1.5707963267948966,
             1e-15));  // q₁ = 0.1 + 2 (q₂ − ref₂)
  const JointSpec &p = joint_named(m, "p"), &q = joint_named(m, "q");
  CHECK(p.servo->kp == 10);
  CHECK(*p.servo->max_force == 4);
  CHECK(has(p.force.at(0).expression.text(), "p.q"));
  CHECK(has(q.force.at(0).expression.text(), "ctrl_push"));
  CHECK(m.parameters.at("ctrl_push") == 0);
}
