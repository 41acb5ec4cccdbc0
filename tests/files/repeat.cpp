// Elements that stand for several: for, if and braces.
#include <doctest/doctest.h>

#include "files/refused.hpp"
#include "near.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

Model read(const std::string& text, const std::map<std::string, double>& parameters = {}) {
  ReadOptions options;
  options.parameters = parameters;
  return parse_model("sarrus = 1\n" + text, "m.toml", Format::toml, options);
}

std::vector<std::string> names(const auto& list) {
  std::vector<std::string> found;
  for (const auto& one : list) found.push_back(one.name);
  return found;
}

using Words = std::vector<std::string>;

const std::string links = R"(
[parameters]
n = 3
[[body]]
for = { i = "1..n" }
name = "link{i}"
mass = "6 / {i}"
com = [0, 0, "{-0.1*i}"]
inertia = [1, 1, 1]
[[joint]]
name = "hinge1"
type = "revolute"
child = "link1"
[[joint]]
for = { i = "2..n" }
name = "hinge{i}"
type = "revolute"
parent = "link{i - 1}"
child = "link{i}"
q = "{10*i} deg"
)";

}  // namespace

TEST_CASE("for: a chain of n links is written once, and n can be set from outside") {
  const Model m = read(links);
  CHECK(names(m.bodies) == Words{"link1", "link2", "link3"});
  CHECK(names(m.joints) == Words{"hinge1", "hinge2", "hinge3"});
  CHECK(m.bodies[2].mass == 2);
  CHECK(near(m.bodies[2].com->z, -0.3, 1e-15));  // one product
  CHECK(m.joints[2].parent == "link2");
  CHECK(near(m.joints[2].q->at(0), std::acos(-1.0) / 6, 1e-15));  // 30 degrees
  CHECK(read(links, {{"n", 40}}).bodies.size() == 40);
  CHECK(read(links, {{"n", 1}}).joints.size() == 1);
}

TEST_CASE(
    "for: counts, lists of numbers and words, two indices of which one depends on the other") {
  const std::string rest = "\nmass = 1\n";
  CHECK(names(read("[[body]]\nfor = { i = 3 }\nname = \"b{i}\"" + rest).bodies) ==
        Words{"b0", "b1", "b2"});
  CHECK(names(read("[[body]]\nfor = { i = [5, 7] }\nname = \"b{i}\"" + rest).bodies) ==
        Words{"b5", "b7"});
  CHECK(names(read("[[body]]\nfor = { s = [\"left\", \"right\"], i = 2 }\nname = \"{s}{i}\"" + rest)
                  .bodies) == Words{"left0", "left1", "right0", "right1"});
  CHECK(names(read("[[body]]\nfor = { i = \"1..3\", j = \"i+1..3\" }\nname = \"b{i}_{j}\"" + rest)
                  .bodies) == Words{"b1_2", "b1_3", "b2_3"});
  CHECK(read("[[body]]\nfor = { i = 0 }\nname = \"b{i}\"" + rest).bodies.empty());
}

TEST_CASE("if: elements that are there or not, by parameters and indices") {
  const std::string text = R"(
[parameters]
damped = 0
[[body]]
for = { i = 4 }
if = "mod(i, 2) == 1"
name = "b{i}"
mass = 1
[[body]]
if = "damped"
name = "d"
mass = 1
)";
  CHECK(names(read(text).bodies) == Words{"b1", "b3"});
  CHECK(names(read(text, {{"damped", 1}}).bodies) == Words{"b1", "b3", "d"});
}

TEST_CASE(
    "for: a lone value is a plain number in the units of the file, doubled braces are braces") {
  const Model m = read(R"(
[units]
length = "mm"
[[body]]
for = { i = [2] }
name = "b"
mass = 1
com = ["{100*i}", 0, "0.5*{i}"]
)");
  CHECK(near(m.bodies[0].com->x, 0.2, 1e-15));  // millimetres
  CHECK(m.bodies[0].com->z == 1);               // an expression: SI
  CHECK(has(refused("sarrus = 1\n[[body]]\nname = \"a{{b}}\"\nmass = 1\n"), "'a{b}' contains '{'"));
}

TEST_CASE("a range among the entries of a list gives several entries") {
  const Model m = read(R"(
[parameters]
n = 3
[[body]]
for = { i = "0..n" }
name = "b{i}"
mass = 1
shape = { type = "sphere", radius = 1 }
[[contact]]
name = "floor"
bodies = ["b0", "b{1..n}"]
with = "world"
plane = { normal = "z" }
stiffness = 1000
)");
  CHECK(m.contacts[0].bodies == Words{"b0", "b1", "b2", "b3"});
}

TEST_CASE("for: faults name the element, its line and the index") {
  const auto said = [](const std::string& head) {
    return refused("sarrus = 1\n[[body]]\n" + head + "\nmass = 1\n");
  };
  CHECK(has(said("for = { i = 3 }\nname = \"b\""), "body/b"));  // three of one name
  CHECK(has(said("for = 3\nname = \"b\""), "for = { i = 3 }"));
  CHECK(has(said("for = { i = 2.5 }\nname = \"b{i}\""), "i = 2.5 is no number of copies"));
  CHECK(has(said("for = { i = -1 }\nname = \"b{i}\""), "i = -1 is no number of copies"));
  CHECK(has(said("for = { i = 1e9 }\nname = \"b{i}\""), "more than"));
  CHECK(has(said("for = { i = 1000, j = 1000, k = 1000 }\nname = \"b{i}_{j}_{k}\""), "more than"));
  CHECK(has(said("for = { i = 400000, j = 400000 }\nif = 0\nname = \"b{i}_{j}\""), "more than"));
  CHECK(has(said("for = { sin = 3 }\nname = \"b{i}\""), "'sin' cannot name an index"));
  CHECK(has(said("for = { i = 3 }\nname = \"b{k}\""), "no parameter is called 'k'"));
  CHECK(has(said("for = { i = 3 }\nname = \"b{i\""), "'{' without '}'"));
  CHECK(
      has(said("for = { i = 3 }\nif = \"j > 1\"\nname = \"b{i}\""), "no parameter is called 'j'"));
  CHECK(has(said("for = { i = 3 }\nname = \"b{1/i}\""), "body/b{1/i}/name"));
  // what is wrong in one copy is said of that copy, at the line where it was written
  const std::string negative = said("for = { i = 3 }\nname = \"b{i}\"\ncom = [0, 0, \"log({i})\"]");
  CHECK(has(negative, "m.toml:5"));
  CHECK(has(negative, "body/b0/com"));
}

TEST_CASE("lists in [parameters]: entries by index, whole vectors, units inside") {
  const Model m = read(R"(
[parameters]
lengths = ["100 mm", 0.3, "2*half"]
half = 0.2
centre = [0, 0, -0.1]
corners = [[1, 2, 3], [4, 5, 6]]
[[body]]
for = { i = 3 }
name = "b{i}"
mass = "{lengths[i]} + {lengths[2 - i]}"
com = "{centre}"
[[body]]
name = "far"
mass = "{lengths[1]}"
com = "{corners[1]}"
[[body]]
name = "farther"
mass = "{2*lengths[1] + corners[0][2]}"
)");
  CHECK(near(*m.bodies[0].mass, 0.5, 1e-15));  // 0.1 + 0.4
  CHECK(near(*m.bodies[1].mass, 0.6, 1e-15));
  CHECK(m.bodies[1].com->z == -0.1);
  CHECK(*m.bodies[3].mass == 0.3);
  CHECK(m.bodies[3].com->y == 5);
  CHECK(near(*m.bodies[4].mass, 3.6, 1e-15));
  const std::string head = "sarrus = 1\n[parameters]\nL = [1, 2]\n[[body]]\nname = \"b\"\n";
  CHECK(has(refused(head + "mass = \"{L[2]}\"\n"),
            "'L' has no entry 2: it has 2, and the first is 0"));
  CHECK(has(refused(head + "mass = \"{L + 1}\"\n"), "expected one entry of the list"));
  CHECK(has(refused(head + "mass = \"{M[1]}\"\n"), "m.toml:6"));
}
