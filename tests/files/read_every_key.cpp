// Every key that the grammar lists is read, in TOML and in JSON, in SI and in other units.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include "files/refused.hpp"
#include "near.hpp"
#include "processor_time.hpp"
#include "sarrus/elastic/solid.hpp"
#include "sarrus/files/grammar.hpp"

using namespace sarrus;
using namespace sarrus::testing;
namespace fs = std::filesystem;

namespace {

const std::string everything = R"toml(sarrus = 1
name = "everything"
gravity = [0, 0, -9810]
[units]
length = "mm"
mass = "g"
time = "s"
angle = "deg"
[parameters]
L = 0.5
[[include]]
file = "part.toml"
prefix = "p"
parameters = { k = "2*L" }
[[table]]
name = "profile"
points = [[0, 0], [1, 2], [2, 3]]
interpolation = "linear"
outside = "extrapolate"
[[table]]
name = "measured"
file = "m.csv"
x = "time"
y = 2
[[body]]
name = "arm"
mass = 1200
com = [500, 0, 0]
inertia = [1e9, 1e9, 1e9]
unphysical = true
shapes = [
  { type = "box", size = [1000, 50, 50], density = 2.7e-3, at = [1, 2, 3], color = "#8899aa" },
  { type = "cylinder", radius = 10, length = 100, rotation = { axis = "x", angle = 90 } },
  { type = "mesh", file = "part.stl", scale = 0.001, rotation = { quaternion = [1, 0, 0, 0] } },
]
[[body]]
name = "wheel"
mass = 1
second_moment = [[1, 0, 0], [0, 1, 0], [0, 0, 2]]
shape = { type = "sphere", radius = 10, rotation = { rpy = [0, 0, 90] } }
[[body]]
name = "nut"
mass = 1
shape = { type = "sphere", radius = 10, rotation = { axes = "zx", angles = [90, 90] } }
[[body]]
for = { i = ["b"] }
if = "L > 0"
name = "bo{i}"
mass = 1
[[joint]]
name = "shoulder"
type = "revolute"
parent = "world"
child = "arm"
on_parent = { at = [0, 0, 2000], rotation = { matrix = [[0, -1, 0], [1, 0, 0], [0, 0, 1]] } }
on_child = { at = [-500, 0, 0] }
axis = [0, 3, 4]
q = 30
u = 90
spring = { k = 12, rest = 10, preload = 3 }
damper = 4
limits = [-90, "0.5 rad"]
limit_stiffness = 5
limit_damping = 6
friction = { force = 7, coefficient = 0.2, radius = 8, speed = 9 }
armature = 10
stiffness = 15
force = "2*sin(3*t)"
servo = { reference = 45, kp = 11, kd = 12, ki = 14, max_force = 13 }
motor = { voltage = 12, resistance = 1.5, inductance = 1e-3, torque_constant = 0.05, back_emf = 0.06, gear = 50, efficiency = 0.8, rotor_inertia = 14 }
[[joint]]
name = "lead"
type = "screw"
child = "nut"
on_parent = { transform = [[0, -1, 0, 500], [1, 0, 0, "0.2 m"], [0, 0, 1, 0], [0, 0, 0, 1]] }
pitch = 2
motion = "profile(t)*L"
[[joint]]
name = "roll"
type = "rolling_disk"
child = "wheel"
radius = 300
axis = "-y"
q = { axis = "z", angle = 90, at = [100, 0, 300] }
[[joint]]
name = "cross"
type = "universal"
parent = "arm"
child = "bob"
axis = "x"
axis2 = "y"
small = true
q = [10, 20]
[[body]]
name = "b1"
mass = 1
[[body]]
name = "b2"
mass = 1
[[body]]
name = "b3"
mass = 1
[[body]]
name = "blade"
elastic = { type = "beam", length = 1000, section = { area = 100, Iy = 800, Iz = 900, J = 1700 }, material = { E = 2.1e8, G = 8e7, density = 7.85e-3 }, deforms = ["y", "torsion"], basis = "fe", elements = 5, modes = 3, tip_mass = 10, damping = { stiffness = 1e-4, ratio = [0.01, 0.02], mass = 0.1 }, stiffening = false, form = "X", q = [1, 0, 0, 0, 0, 0] }
[[body]]
name = "tube"
elastic = { length = 1000, section = { radius = 10, inner_radius = 8 }, material = { E = 2.1e8, nu = 0.3, density = 7.85e-3 } }
[[body]]
name = "strip"
elastic = { length = 1000, section = { width = 20, height = 10 }, material = { E = 2.1e8, density = 7.85e-3 }, segments = 4 }
[[body]]
name = "lump"
elastic = { type = "solid", file = "lump.msh", scale = 0.001, material = { E = 2.1e8, density = 7.85e-3 }, interfaces = [{ name = "root", group = "face" }], reduction = "modes", modes = 3, form = "I" }
[[joint]]
name = "s1"
type = "sequence"
child = "b1"
sequence = ["rz", "tx"]
[[joint]]
name = "ball"
type = "spherical"
child = "b2"
q = { quaternion = [1, 0, 0, 0] }
[[joint]]
name = "ball2"
type = "spherical"
child = "b3"
q = { rpy = [0, 0, 90] }
[[joint]]
name = "ball3"
type = "spherical"
parent = "b2"
child = "b3"
q = { matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }
[[joint]]
name = "ball4"
type = "spherical"
parent = "b3"
child = "b2"
q = { axes = "xyz", angles = [0, 0, 90] }
[[joint]]
name = "grip"
type = "fixed"
parent = "b1"
child = "wheel"
active = "1 - t"
engage = "close"
[[spring]]
name = "return"
from = { body = "arm", at = [1, 0, 0] }
to = { body = "world" }
k = 40
length = 800
damping = 0.5
preload = 1000
law = 500
[[bushing]]
name = "mount"
from = "world"
to = "arm"
on_from = { at = [1, 0, 0] }
on_to = { at = [2, 0, 0] }
k = [1, 2, 3]
damping = [1, 2, 3]
angular_k = [1, 2, 3]
angular_damping = [1, 2, 3]
[[force]]
name = "wind"
body = "arm"
at = [1, 0, 0]
axes = "body"
force = [1000, "2*sin(t)", "1 N"]
moment = [0, 0, "-0.1*shoulder.u"]
[[torsion_spring]]
name = "spiral"
from = "world"
to = "arm"
axis = "y"
on_from = { at = [1, 0, 0] }
on_to = { at = [2, 0, 0] }
k = 3
damping = 0.5
rest = 30
[[contact]]
name = "floor"
bodies = ["wheel"]
with = "world"
plane = { normal = "y", at = [0, 0, -5] }
stiffness = 100
dissipation = 0.5
friction = 0.4
[[constraint]]
name = "rod"
type = "distance"
from = { body = "arm", at = [1, 0, 0] }
to = { body = "wheel" }
length = 500
[[constraint]]
name = "tyre"
type = "wheel"
to = { body = "nut" }
axis = "z"
direction = "y"
radius = 300
[[constraint]]
name = "mesh"
type = "gear"
joints = ["shoulder", "s1.q1"]
ratio = -2
offset = 0
[[constraint]]
name = "sum"
type = "coupling"
joints = ["shoulder", "s1.q2"]
coefficients = [1, 2]
[[sensor]]
name = "tip"
body = "arm"
at = [1000, 0, 0]
rotation = { axis = "z", angle = 45 }
[[sensor]]
name = "root"
body = "blade"
section = true
[[sensor]]
name = "pressed"
body = "blade"
stress = true
[[sensor]]
name = "squared"
value = "shoulder.q^2"
unit = "rad2"
[[event]]
name = "top"
when = "squared - 1"
direction = "falling"
stop = true
set = { count = 0 }
[[body]]
name = "spun"
mass = 1
inertia = [1, 1, 1]
[[joint]]
name = "spin"
type = "revolute"
child = "spun"
speed = "2*t"
[[input]]
name = "wish"
value = 1
limits = [0, 2]
unit = "N"
[[output]]
name = "angle"
value = "shoulder.q"
unit = "rad"
[[state]]
name = "integral"
rate = "shoulder.q"
start = 0
limits = [-1, 1]
unit = "rad.s"
[[state]]
name = "count"
next = "count + 1"
every = 0.1
offset = 0.05
[[block]]
name = "b1"
type = "pid"
input = "wish"
every = 0.1
offset = 0.05
unit = "N"
kp = 1
ki = 2
kd = 3
filter = 0.1
limits = [-1, 1]
start = 0.5
[[block]]
name = "b2"
type = "transfer_function"
input = "b1"
num = [1]
den = [1, 1]
[[block]]
name = "b3"
type = "state_space"
input = "b2"
A = [[-1]]
B = [1]
C = [1]
D = 0
states = [0]
[[block]]
name = "b4"
type = "filter"
input = "b3"
time_constant = 0.1
[[block]]
name = "b5"
type = "rate_limit"
input = "b4"
rate = 1
falling = 2
time_constant = 0.1
[[block]]
name = "b6"
type = "hysteresis"
input = "b5"
upper = 1
lower = 0
on = 2
off = 1
every = 0.1
[[block]]
name = "b7"
type = "relay"
input = "b6"
threshold = 1
[[block]]
name = "b8"
type = "lookup"
input = "b7"
table = "profile"
[[block]]
name = "b9"
type = "delay"
input = "b8"
every = 0.1
time = 0.2
[[block]]
name = "b10"
type = "noise"
deviation = 0.1
seed = 3
every = 0.1
[simulate]
until = 2
start = 1
output_step = 0.01
rows = 200
formulation = "hamiltonian"
energy_matrix = "literal"
energy_gradient = "complex"
integrator = "rk4"
loops = "nullspace"
step = 1e-3
rtol = 1e-6
atol = 1e-8
max_step = 0.1
max_wall = "10 min"
max_steps = 1000000
reactions = true
accelerations = true
momenta = true
binding = 12
rho_infinity = 0.5
scheme = "leapfrog"
rotation = "lie2"
plane = "xz"
joint_gap = 0.01
joint_stiffness = 0.5
joint_damping = 0.75
real_time_factor = 2
overrun = "stop"
)toml";

struct Files {
  fs::path folder =
      fs::temp_directory_path() / ("sarrus_test_every_key_" + std::to_string(::getpid()));
  Files() {
    fs::remove_all(folder);
    fs::create_directories(folder);
    std::ofstream(folder / "part.toml")
        << "sarrus = 1\n[parameters]\nk = 1\n[[body]]\nname = \"b\"\nmass = \"k\"\n";
    std::ofstream(folder / "m.csv") << "time,y\n0,0\n1,2\n2,2.5\n";
    std::ofstream(folder / "lump.msh")
        << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"face\"\n"
           "$EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n2 10 0 0\n3 0 10 0\n4 0 0 10\n$EndNodes\n"
           "$Elements\n2\n1 2 2 1 1 1 2 3\n2 4 2 9 1 1 2 3 4\n$EndElements\n";
    std::ofstream(folder / "part.stl")
        << "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
           "endloop\nendfacet\nendsolid s\n";
  }
  ~Files() { fs::remove_all(folder); }
  Model read(std::string_view text, Format format = Format::toml) const {
    return parse_model(text, (folder / "m.toml").string(), format);
  }
};

/// Marks the keys of a table, and of the tables in it.
void mark(const Node& node, const TableGrammar& table, std::set<std::string>& seen) {
  for (const Node& child : node.children) {
    const bool everywhere = table.is_repeatable && grammar("repeat").find(child.key);
    const TableGrammar& owner = everywhere ? grammar("repeat") : table;
    const Key* key = owner.find(child.key);
    REQUIRE(key);
    seen.insert(std::string(owner.name) + "/" + child.key);
    if (key->kind == Kind::table || (key->kind == Kind::start && child.kind == NodeKind::table))
      mark(child, grammar(key->table), seen);
    if (key->kind == Kind::tables)
      for (const Node& element : child.children) mark(element, grammar(key->table), seen);
  }
}

/// The same document written as JSON.
std::string as_json(const Node& node) {
  std::string out;
  switch (node.kind) {
    case NodeKind::table:
      for (const Node& c : node.children)
        out += (out.empty() ? "" : ",\n") + ("\"" + c.key + "\": ") + as_json(c);
      return "{" + out + "}";
    case NodeKind::list:
      for (const Node& c : node.children) out += (out.empty() ? "" : ", ") + as_json(c);
      return "[" + out + "]";
    case NodeKind::text: return "\"" + node.text + "\"";
    default: return node.text;
  }
}

}  // namespace

TEST_CASE("grammar: one model holds every key that the grammar lists") {
  std::set<std::string> seen;
  mark(read_document(everything, "m.toml", Format::toml).root, grammar("model"), seen);
  for (const TableGrammar& table : grammar())
    for (const Key& key : table.keys) {
      const std::string path = std::string(table.name) + "/" + std::string(key.name);
      CHECK_MESSAGE(seen.count(path), path);
    }
}

TEST_CASE("reader: plain numbers are in the units of the file, all else in SI") {
  const Files files;
  const Model m = files.read(everything);
  const double degree = std::acos(-1.0) / 180;
  const double rounded = 1e-14;  // the factors of a few units
  CHECK(near(m.gravity.z, -9.81, rounded));
  const auto grip = std::find_if(m.joints.begin(), m.joints.end(),
                                 [](const JointSpec& j) { return j.name == "grip"; });
  CHECK(grip->active);
  CHECK_FALSE(grip->captures);
  CHECK(m.contacts[0].bodies == std::vector<std::string>{"wheel"});
  CHECK(m.contacts[0].plane);
  CHECK(m.contacts[0].normal.y == 1);
  CHECK(near(m.contacts[0].at.z, -0.005, rounded));
  CHECK(near(m.contacts[0].stiffness, 0.1, rounded));  // 100 g/s²
  CHECK(m.contacts[0].friction == 0.4);
  CHECK(m.simulate.rotation == "lie2");
  CHECK(m.simulate.plane == "xz");
  CHECK(near(m.simulate.joint_gap, 1e-5, rounded));
  CHECK(m.simulate.joint_damping == 0.75);
  CHECK(m.simulate.real_time_factor == 2);
  CHECK(m.simulate.overrun == "stop");
  const auto body = [&](const char* name) {
    return *std::find_if(m.bodies.begin(), m.bodies.end(), [&](const BodySpec& b) {
              return b.name == name;
            })->elastic;
  };
  CHECK(near(body("blade").beam.section.Iz, 9e-10, rounded));
  CHECK(near(body("blade").beam.material.E, 2.1e8, rounded));  // g/(mm s²) are Pa
  CHECK(near(body("blade").beam.tip_mass, 0.01, rounded));
  CHECK(near(body("blade").start.at(0), 1e-3, rounded));
  CHECK(near(body("strip_4").beam.length, 0.25, rounded));  // of four
  CHECK(body("strip").beam.modes == 2);
  CHECK(near(body("lump").solid->material.density, 7850, rounded));
  CHECK(near(body("lump").solid->mesh->nodes.at(1).x, 0.01, rounded));
  CHECK(body("lump").solid->mesh->find("face")->nodes.size() == 3);
  CHECK(body("lump").solid->reduction == SolidReduction::modes);
  CHECK(near(m.bodies[0].mass.value(), 1.2, rounded));
  CHECK(near(m.bodies[0].com->x, 0.5, rounded));
  CHECK(near((*m.bodies[0].inertia)(0, 0), 1, rounded));  // 1e9 g.mm²
  CHECK(near(m.bodies[0].shapes.at(0).density, 2700, rounded));
  CHECK(near(m.bodies[0].shapes.at(2).mesh.vertices.at(1).x, 1e-3, rounded));
  CHECK(m.bodies[1].second_moment);
  CHECK(near((*m.bodies[1].inertia)(2, 2), 2e-9, rounded));  // tr J − J₃₃ = 4 − 2
  CHECK(near((*m.bodies[1].inertia)(0, 0), 3e-9, rounded));
  const JointSpec& j = m.joints[0];
  CHECK(near(j.axis.y, 0.6, rounded));
  CHECK(near(j.q->at(0), 30 * degree, rounded));
  CHECK(near(j.u->at(0), 90 * degree, rounded));
  CHECK(near(j.spring->k[0], 12e-9 / degree, rounded));  // g.mm²/s² per degree
  CHECK(near(j.spring->rest[0], 10 * degree, rounded));
  CHECK(near(j.spring->preload[0], 3e-9, rounded));
  CHECK(near(j.limits->low, -90 * degree, rounded));
  CHECK(j.limits->high == 0.5);
  CHECK(near(j.friction->radius, 0.008, rounded));
  CHECK(near(j.armature, 10e-9, rounded));
  CHECK(near(j.servo->reference.expression.evaluate<double>({}), 45 * degree, rounded));
  CHECK(j.motor->resistance == 1.5);
  CHECK(near(j.motor->rotor_inertia, 14e-9, rounded));
  const Mat3 R = rotation(j.on_parent.rotation);
  CHECK(near(R(1, 0), 1, rounded));  // x goes to y
  CHECK(near(rotation(m.joints[1].on_parent.rotation)(1, 0), 1, rounded));
  CHECK(near(m.joints[1].on_parent.at.x, 0.5, rounded));  // 500 mm
  CHECK(near(m.joints[1].on_parent.at.y, 0.2, rounded));
  CHECK(m.joints[3].small);
  CHECK(m.simulate.energy_matrix == "literal");
  CHECK(m.simulate.energy_gradient == "complex");
  CHECK(near(m.joints[1].pitch, 0.002, rounded));
  CHECK(m.joints[2].q->size() == 7);
  CHECK(near(m.joints[2].q->at(0), std::sqrt(0.5), rounded));
  CHECK(near(m.joints[2].q->at(6), 0.3, rounded));
  CHECK(m.joints[2].axis.y == -1);
  CHECK(m.joints[4].sequence.at(1).slides);
  CHECK(near(m.springs[0].preload, 1e-3, rounded));
  CHECK(near(m.springs[0].law.expression.evaluate<double>({}), 0.5e-3, rounded));
  CHECK(near(m.torsion_springs[0].rest, 30 * degree, rounded));
  CHECK(m.torsion_springs[0].axis.y == 1);
  CHECK(m.simulate.rows == 200);
  CHECK(near(m.forces[0].force[0].expression.evaluate<double>({}), 1e-3, rounded));  // 1000 g.mm/s²
  CHECK(near(m.forces[0].force[2].expression.evaluate<double>({}), 1, rounded));
  CHECK(m.forces[0].body_axes);
  CHECK(near(m.constraints[0].length, 0.5, rounded));
  CHECK(near(m.constraints[1].radius, 0.3, rounded));
  CHECK(m.constraints[1].direction.y == 1);
  CHECK(m.constraints[2].coefficients == std::vector<double>{1, 2});  // first − ratio × second
  CHECK(m.constraints[2].offset == 0.0);
  CHECK(m.constraints[3].joints.at(1).name == "s1.q2");
  CHECK(near(m.joints[0].stiffness, 15e-3, rounded));  // g/s²
  CHECK(m.simulate.loops == "nullspace");
  CHECK(m.events[0].direction == -1);
  CHECK(near(m.simulate.max_wall.value(), 600, rounded));
  CHECK(m.simulate.momenta);
  CHECK(near(m.simulate.binding.value(), 12, rounded));
  CHECK(near(m.simulate.rho_infinity.value(), 0.5, rounded));
  CHECK(m.simulate.where.at("step").line > 0);
  CHECK(near(m.bodies.back().mass.value(), 1, rounded));  // the part's k = 2 L
  CHECK(has(to_text(m.notes), "second-moment"));
  CHECK(has(to_text(m.notes), "axis-normalised"));
}

TEST_CASE("reader: JSON gives the same model as TOML, with places") {
  const Files files;
  const std::string json = as_json(read_document(everything, "m.toml", Format::toml).root);
  const Model a = files.read(everything), b = files.read(json, Format::json);
  REQUIRE(a.bodies.size() == b.bodies.size());
  REQUIRE(a.joints.size() == b.joints.size());
  for (size_t i = 0; i < a.bodies.size(); ++i) {
    CHECK(a.bodies[i].name == b.bodies[i].name);
    CHECK(a.bodies[i].mass == b.bodies[i].mass);
  }
  for (size_t i = 0; i < a.joints.size(); ++i) CHECK(a.joints[i].q == b.joints[i].q);
  CHECK(a.parameters == b.parameters);
  const Document d =
      read_document("{\"a\": [1.50,\n  \"ä\", {\"b\" : -2e3 }], \"c\": true}", "j", Format::json);
  const Node& list = *d.root.child("a");
  CHECK(list.children[0].text == "1.50");
  CHECK(list.children[0].column == 8);
  CHECK(list.children[1].line == 2);
  CHECK(list.children[1].column == 3);
  CHECK(list.children[2].child("b")->text == "-2e3");
  CHECK(list.children[2].child("b")->column == 15);
  CHECK(list.children[2].child("b")->key_column == 9);
  CHECK(d.root.child("c")->text == "true");
}

TEST_CASE("M19: ten thousand bodies in a chain are read in well under a second") {
  std::string text = "sarrus = 1\n", parent = "world";
  for (int i = 0; i < 10000; ++i) {
    const std::string name = "b" + std::to_string(i);
    text += "[[body]]\nname = \"" + name +
            "\"\nmass = 1.0\ninertia = [0.1, 0.1, 0.1]\n[[joint]]\nname = \"j" + name +
            "\"\ntype = \"revolute\"\nparent = \"" + parent + "\"\nchild = \"" + name +
            "\"\naxis = \"y\"\non_parent = { at = [1.0, 0, 0] }\n";
    parent = name;
  }
  const double seconds =
      processor_seconds([&] { CHECK(parse_model(text, "chain.toml").joints.size() == 10000); });
  MESSAGE("bytes: " << text.size() << ", seconds: " << seconds);
#if !defined(__SANITIZE_ADDRESS__)  // it costs time of its own
  CHECK(seconds < 2);
#endif
}
