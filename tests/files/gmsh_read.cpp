// Solids from gmsh's files: what is read, and what is refused with its line and element.
#include <doctest/doctest.h>

#include "files/mesh_files.hpp"
#include "files/refused.hpp"
#include "near.hpp"
#include "sarrus/elastic/solid_element.hpp"
#include "sarrus/files/mesh/read_gmsh.hpp"

using namespace sarrus;
using sarrus::testing::near;
using sarrus::testing::rounding;

namespace {

const Place asked = {"arm.toml", 12, 8};

/// A unit tetrahedron with the group "foot" on its face z = 0, in both versions.
const std::string version_2 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
2 1 "foot"
3 7 "all of it"
$EndPhysicalNames
$Nodes
5
10 0 0 0
20 1 0 0
30 0 1 0
40 0 0 1
99 5 5 5
$EndNodes
$Elements
2
1 2 2 1 6 10 20 30
2 4 2 7 1 10 20 30 40
$EndElements
)";
const std::string version_4 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
2
2 1 "foot"
3 7 "all of it"
$EndPhysicalNames
$Entities
1 0 1 1
1 0 0 0 0
6 0 0 0 1 1 0 1 -1 0
1 0 0 0 1 1 1 1 7 1 6
$EndEntities
$Nodes
2 5 10 99
0 1 0 1
99
5 5 5
3 1 1 4
10
20
30
40
0 0 0 0 0 0
1 0 0 0 0 0
0 1 0 0 0 0
0 0 1 0 0 0
$EndNodes
$Periodic
0
$EndPeriodic
$Elements
2 2 1 2
2 6 2 1
1 10 20 30
3 1 4 1
2 10 20 30 40
$EndElements
)";

std::string with(std::string text, const std::string& what, const std::string& other) {
  const size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), other);
}

std::string refusal(const std::string& content, const std::string& name = "part.msh") {
  const TemporaryFolder folder;
  try {
    read_gmsh(folder.file(name, content), asked);
  } catch (const Error& e) {
    CHECK(e.exit_code() == 3);
    CHECK(e.diagnostics().at(0).where.line == 12);
    CHECK_FALSE(e.diagnostics()[0].hint.empty());
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("gmsh: both versions hold the same tetrahedron, its groups, and leave loose nodes out") {
  const TemporaryFolder folder;
  for (const std::string& text : {version_2, version_4}) {
    const GmshFile f = read_gmsh(folder.file("part.msh", text), asked);
    REQUIRE(f.mesh.nodes.size() == 4);
    CHECK(f.loose == std::vector<long long>{99});
    REQUIRE(f.mesh.elements.size() == 1);
    CHECK(f.mesh.elements[0].tag == 2);
    CHECK(f.mesh.elements[0].type == SolidElementType::tet4);
    CHECK(near(element_mass(f.mesh, f.mesh.elements[0]).sum(), 1.0 / 6,
               rounding(40)));  // sums over four points and four nodes
    REQUIRE(f.mesh.find("foot"));
    CHECK(f.mesh.find("foot")->nodes.size() == 3);
    REQUIRE(f.mesh.find("all of it"));
    CHECK(f.mesh.find("all of it")->nodes.size() == 4);
    CHECK(mesh_problems(f.mesh).empty());
  }
}

TEST_CASE("gmsh: the middles of quadratic tetrahedra are where this order puts them") {
  // gmsh's own order of a tetrahedron of 10 nodes: 01 12 02 03 23 13
  std::string nodes, element = "1 11 2 3 1";
  const double x[10][3] = {{0, 0, 0},   {1, 0, 0},  {0, 1, 0},  {0, 0, 1},   {.5, 0, 0},
                           {.5, .5, 0}, {0, .5, 0}, {0, 0, .5}, {0, .5, .5}, {.5, 0, .5}};
  for (int i = 0; i < 10; ++i) {
    nodes += fmt::format("{} {} {} {}\n", i + 1, x[i][0], x[i][1], x[i][2]);
    element += fmt::format(" {}", i + 1);
  }
  const TemporaryFolder folder;
  const GmshFile f = read_gmsh(
      folder.file("q.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n" + nodes +
                               "$EndNodes\n$Elements\n1\n" + element + "\n$EndElements\n"),
      asked);
  // with a middle in a wrong place the volume of a straight tetrahedron would not come out
  CHECK(near(element_mass(f.mesh, f.mesh.elements[0]).sum(), 1.0 / 6, 1e-13));
  CHECK(near(shape_quality(f.mesh, f.mesh.elements[0]), 0.5, rounding(20)));
  CHECK(f.mesh.find("3")->nodes.size() == 10);  // a group without a name
}

TEST_CASE("gmsh: what cannot be read is refused with its line") {
  CHECK(has(refusal(version_2, "part.stl"), "is not a .msh file"));
  CHECK(has(refusal(""), "is empty"));
  CHECK(has(refusal("hello"), "line 1: 'hello' is outside"));
  CHECK(has(refusal(with(version_2, "2.2 0 8", "4.0 0 8")), "line 2: version 4 is not supported"));
  CHECK(has(refusal(with(version_4, "4.1 0 8", "4.1 1 8")), "binary"));
  CHECK(has(refusal(with(version_2, "30 0 1 0", "30 0 x 0")), "line 13: 'x' is not a number"));
  CHECK(has(refusal(with(version_2, "30 0 1 0", "30 0 nan 0")), "line 13"));
  CHECK(has(refusal(with(version_2, "30 0 1 0", "20 0 1 0")), "line 13: node 20 is given twice"));
  CHECK(has(refusal(with(version_2, "10 20 30 40", "10 20 30 41")),
            "line 20: element 2 names node 41"));
  CHECK(has(refusal(with(version_2, "$Nodes\n5", "$Nodes\n6")), "$Nodes ends before"));
  CHECK(has(refusal(with(version_2, "$Nodes\n5", "$Nodes\n5000000000")), "do not fit"));
  CHECK(has(refusal(version_4.substr(0, 360)), "ends within $"));
}

TEST_CASE("gmsh: elements of other kinds are refused by name") {
  CHECK(has(refusal(with(version_2, "2 4 2 7 1 10", "2 6 2 7 1 10 10 10")),
            "line 20: element 2 is a prism of 6 nodes"));
  CHECK(has(refusal(with(version_4, "3 1 4 1", "3 1 17 1")), "element 2 is a brick of 20 nodes"));
  CHECK(has(refusal(with(version_4, "3 1 4 1", "3 1 92 1")), "element 2 is of gmsh's type 92"));
}

TEST_CASE("solid in a model: what is wrong is said at its key") {
  const TemporaryFolder folder;
  folder.file("part.msh", version_2);
  const auto said = [&](const std::string& keys) {
    const std::string text = with_body("elastic = { type = \"solid\", " + keys + " }");
    try {
      parse_model(text, folder.path("m.toml"));
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const std::string file = "file = \"part.msh\"", steel = "material = { E = 2e11, density = 7800 }",
                    foot = "interfaces = [{ group = \"foot\" }]", few = "modes = 3";
  const auto all = [](std::initializer_list<std::string> keys) {
    return fmt::format("{}", fmt::join(keys, ", "));
  };
  CHECK(said(all({file, steel, foot, few})) == "");
  CHECK(has(said(all({steel, foot, few})), "a solid needs 'file'"));
  CHECK(has(said(all({file, steel, few})), "a solid needs 'interfaces'"));
  CHECK(has(said(all({file, steel, few, "interfaces = []"})), "at least one interface"));
  CHECK(has(said(all({file, steel, foot, few, "length = 1"})), "a solid has no 'length'"));
  CHECK(has(said(all({"file = \"none.msh\"", steel, foot, few})), "No such file"));
  CHECK(has(said(all({"file = \"../part.msh\"", steel, foot, few})), "file"));
  CHECK(has(said(all({file, steel, "interfaces = [{ group = \"food\" }]", few})),
            "no group 'food'; hint: did you mean 'foot'"));
  CHECK(has(said(all({file, steel, foot, "modes = 4"})),
            "4 modes are asked of a mesh with 3 coordinates"));
  CHECK(has(said(all({file, steel, foot, "modes = -1"})), "-1 is not from 0 to"));
  CHECK(has(said(all({file, steel, foot, "modes = 0"})), "nothing deforms"));
  CHECK(has(said(all({file, foot, few, "material = { E = 2e11, nu = 0.5, density = 7800 }"})),
            "Poisson's ratio 0.5 is not above -1 and below 0.5"));
  CHECK(has(said(all({file, foot, few, "material = { E = 2e11, nu = 0.7, density = 7800 }"})),
            "Poisson's ratio 0.7"));
  CHECK(has(said(all({file, steel, foot, few, "form = \"Q\""})), "it has no samples"));
  CHECK(has(said(all({file, steel, foot, few, "scale = -1"})), "scale of -1"));
  folder.file("part.msh", with(version_2, "10 20 30 40", "20 10 30 40"));
  CHECK(
      has(said(all({file, steel, foot, few})), "1 of 1 elements are turned inside out: element 2"));
}
