// Models of several files: parts, tables, and where paths may lead.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "files/refused.hpp"
#include "near.hpp"

using namespace sarrus;
using sarrus::testing::near;
using sarrus::testing::rounding;
namespace fs = std::filesystem;

namespace {

/// A folder that goes away with the test.
struct Folder {
  fs::path path;
  explicit Folder(const char* name)
      : path(fs::temp_directory_path() / (name + std::to_string(::getpid()))) {
    fs::remove_all(path);
    fs::create_directories(path / "model");
  }
  ~Folder() { fs::remove_all(path); }
  void write(const char* name, const std::string& text) const {
    std::ofstream(path / "model" / name) << text;
  }
  std::string model(const char* name) const { return (path / "model" / name).string(); }
};

std::string refused_read(const std::string& path, const ReadOptions& options = {}) {
  try {
    read_model(path, options);
  } catch (const Error& e) {
    CHECK(e.fault() == Fault::model);
    return e.what();
  }
  return "";
}

std::string including(const std::string& lines) {
  return "sarrus = 1\n[[include]]\n" + lines + "\n";
}

const std::string leg = R"(sarrus = 1
units = { length = "mm" }
[parameters]
L = "400 mm"
half = "L/2"
[[table]]
name = "gait"
points = [[0, 0], [1, 1]]
[[body]]
name = "thigh"
mass = 3
com = ["half", 0, 0]
[[joint]]
name = "hip"
type = "revolute"
child = "thigh"
on_parent = { at = [100, 0, 0] }
force = "gait(t) - L*hip.u + 2*push"
[[sensor]]
name = "push"
value = "hip.q"
)";

}  // namespace

TEST_CASE("include: names, references, parameters and formulas of a part carry its prefix") {
  const Folder folder("sarrus_test_include");
  folder.write("leg.toml", leg);
  folder.write("robot.toml", R"(sarrus = 1
[parameters]
long = 0.6
[[include]]
file = "leg.toml"
prefix = "left"
[[include]]
file = "leg.toml"
prefix = "right"
parameters = { L = "2*long" }
[[joint]]
name = "bar"
type = "fixed"
parent = "left.thigh"
child = "right.thigh"
)");
  const Model m = read_model(folder.model("robot.toml"), {.parameters = {{"left.L", 1.0}}});
  REQUIRE(m.bodies.size() == 2);
  CHECK(m.bodies[0].name == "left.thigh");
  CHECK(m.bodies[0].com->x == 0.5);             // L = 1 from outside
  CHECK(near(m.bodies[1].com->x, 0.6, 1e-14));  // L = 2 × 0.6
  CHECK(near(m.parameters.at("right.L"), 1.2, 1e-14));
  REQUIRE(m.joints.size() == 3);
  CHECK(m.joints[1].name == "left.hip");
  CHECK(m.joints[1].parent == "world");
  CHECK(m.joints[1].child == "left.thigh");
  CHECK(m.joints[1].on_parent.at.x == 0.1);  // the part's own units
  CHECK(m.tables[1]->name == "right.gait");
  const Expression& force = m.joints[2].force.at(0).expression;
  CHECK(force.text() == "right.gait(t) - right.L*right.hip.u + 2*right.push");
  CHECK(force.depends_on("right.hip.u"));
}

TEST_CASE("M14: cycles and doubles of includes are refused with the chain") {
  const Folder folder("sarrus_test_m14");
  folder.write("a.toml", including("file = \"b.toml\"\nprefix = \"b\""));
  folder.write("b.toml", including("file = \"a.toml\"\nprefix = \"a\""));
  folder.write("self.toml", including("file = \"self.toml\"\nprefix = \"s\""));
  folder.write("leg.toml", leg);
  folder.write("twice.toml", including("file = \"leg.toml\"\n[[include]]\nfile = \"./leg.toml\""));
  const std::string cycle = refused_read(folder.model("a.toml"));
  CHECK(has(cycle, "include-cycle"));
  CHECK(cycle.find("a.toml → ") < cycle.find("b.toml → "));
  CHECK(has(refused_read(folder.model("self.toml")), "self.toml → "));
  CHECK(has(refused_read(folder.model("twice.toml")), "twice.toml → "));
  // 2^20 copies by twenty files that each include the next one twice
  for (int i = 0; i < 20; ++i) {
    const std::string next = "file = \"n" + std::to_string(i + 1) + ".toml\"\nprefix = ";
    folder.write(("n" + std::to_string(i) + ".toml").c_str(),
                 including(next + "\"a\"\n[[include]]\n" + next + "\"b\""));
  }
  folder.write("n20.toml", "sarrus = 1\n");
  CHECK(has(refused_read(folder.model("n0.toml")), "more than 1000 included files"));
}

TEST_CASE("M16: no path leads out of the model's folder unless it is allowed") {
  const Folder folder("sarrus_test_m16");
  fs::create_directories(folder.path / "other");
  std::ofstream(folder.path / "other" / "secret.toml") << "password = hunter2\n";
  std::ofstream(folder.path / "other" / "good.toml")
      << "sarrus = 1\n[[body]]\nname = \"b\"\nmass = 1\n";
  fs::create_symlink(folder.path / "other" / "secret.toml", folder.path / "model" / "link.toml");
  fs::create_directory_symlink(folder.path / "other", folder.path / "model" / "inner");
  for (const std::string& path :
       {std::string("../other/secret.toml"), (folder.path / "other" / "secret.toml").string(),
        std::string("link.toml"), std::string("inner/secret.toml"),
        std::string("x/../../other/secret.toml"), std::string("file:secret.toml"),
        std::string("http://host/secret.toml"), std::string("~/secret.toml"),
        std::string("$HOME/secret.toml"), std::string("`id`"), std::string("/etc/passwd"),
        std::string("../../../../../../etc/passwd"), std::string("")}) {
    CAPTURE(path);
    folder.write("m.toml", including("file = '" + path + "'"));
    const std::string said = refused_read(folder.model("m.toml"));
    CHECK(has(said, "bad-path"));
    CHECK(has(said, "m.toml:3:"));
    CHECK(!has(said, "hunter2"));
    folder.write("t.toml", "sarrus = 1\n[[table]]\nname = \"t\"\nfile = '" + path + "'\n");
    CHECK(has(refused_read(folder.model("t.toml")), "bad-path"));
    folder.write(
        "g.toml",
        "sarrus = 1\n[[body]]\nname = \"b\"\nmass = 1\nshape = { type = \"mesh\", file = '" + path +
            "' }\n");
    CHECK(has(refused_read(folder.model("g.toml")), "bad-path"));
  }
  folder.write("m.toml", including("file = '../other/good.toml'"));
  CHECK(read_model(folder.model("m.toml"), {.allowed_roots = {(folder.path / "other").string()}})
            .bodies.size() == 1);
}

TEST_CASE("M20: a mesh that is missing is refused at the line that asks for it") {
  const Folder folder("sarrus_test_m20");
  folder.write("m.toml",
               "sarrus = 1\n[[body]]\nname = \"b\"\nmass = 1\nshape = { type = \"mesh\", file = "
               "\"part.stl\" }\n");
  CHECK(has(refused_read(folder.model("m.toml")), "m.toml:5:"));
  folder.write("part.stl", "");
  CHECK(has(refused_read(folder.model("m.toml")), "part.stl"));
}

TEST_CASE("P18: a table from a CSV file is read by header or by number, strictly") {
  const Folder folder("sarrus_test_csv");
  const auto table = [&](const std::string& csv, const std::string& keys) {
    folder.write("p.csv", csv);
    folder.write("m.toml", "sarrus = 1\n[[table]]\nname = \"p\"\nfile = \"p.csv\"\n" + keys + "\n");
    return folder.model("m.toml");
  };
  const std::string csv = "# measured\ntime, force, other\n0, 1, 5\n0.5, 2.5, 6\r\n1, 3, 7\n";
  const Model m = read_model(table(csv, "x = \"time\"\ny = \"other\"\ninterpolation = \"linear\""));
  REQUIRE(m.tables.size() == 1);
  CHECK(near(m.tables[0]->at(0.25).value, 5.5, rounding(3)));
  CHECK(read_model(table(csv, "y = 2")).tables[0]->y[1] == 2.5);
  CHECK(has(refused_read(table(csv, "x = \"tme\"")), "did you mean 'time'"));
  CHECK(has(refused_read(table(csv, "y = 4")), "the file has 3"));
  CHECK(has(refused_read(table("0, 1\n1, x\n", "")), "p.csv:2: 'x' in column 2"));
  CHECK(has(refused_read(table("0, 1\n1\n", "")), "p.csv:2: 1 cells"));
  CHECK(has(refused_read(table("0, 1\n0, 2\n", "")), "bad-table"));  // P18: two equal times
  CHECK(has(refused_read(table("0, 1\n", "")), "bad-table"));        // P18: one row
  CHECK(has(refused_read(table("1, 1\n0, 2\n", "")), "bad-table"));  // P18: not rising
  CHECK(has(refused_read(table("", "")), "no rows"));
}

TEST_CASE("parameters: any order, overrides win and must exist") {
  const std::string text =
      "sarrus = 1\n[parameters]\na = \"2*b\"\nb = \"c + 1\"\nc = \"30 deg\"\n[[body]]\nname = "
      "\"x\"\nmass = \"a\"\n";
  const double c = std::acos(-1.0) / 6;
  CHECK(near(parse_model(text, "m.toml").bodies[0].mass.value(), 2 * (c + 1), rounding(3)));
  CHECK(parse_model(text, "m.toml", Format::toml, {.parameters = {{"b", 5}}}).bodies[0].mass == 10);
  CHECK_THROWS_WITH_AS(parse_model(text, "m.toml", Format::toml, {.parameters = {{"bb", 5}}}),
                       doctest::Contains("no parameter is called 'bb'"), Error);
}
