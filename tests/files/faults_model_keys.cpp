// Models that are TOML but say something that cannot be meant.
#include <doctest/doctest.h>

#include <clocale>

#include "files/models.hpp"
#include "files/refused.hpp"
#include "near.hpp"
#include "sarrus/files/fields.hpp"

using namespace sarrus;
using namespace std::string_literals;
using sarrus::testing::near;
using sarrus::testing::rounding;

TEST_CASE("M06: an unknown key is refused with the nearest known one, at every depth") {
  CHECK(has(refused("sarrus = 1\ngravty = [0, 0, 1]\n"), "did you mean 'gravity'"));
  CHECK(has(refused(with_body("mas = 1")), "unknown key 'mas'; hint: did you mean 'mass'"));
  CHECK(has(refused(with_body("mass = 1\nshape = { type = \"sphere\", radus = 1 }")),
            "did you mean 'radius'"));
  CHECK(has(refused(with_joint("type = \"revolute\"\nspring = { k = 1, rst = 0 }")),
            "joint/j/spring/rst"));
  CHECK(has(refused(with_joint("type = \"revolut\"")), "did you mean 'revolute'"));
}

TEST_CASE("M08: two elements with one name are refused with both places") {
  const std::string bodies = refused(with_body("mass = 1") + "[[body]]\nname = \"a\"\nmass = 1\n");
  CHECK(has(bodies, "line 2"));
  CHECK(has(bodies, "line 5"));
  // joints, sensors and events name columns of one table
  CHECK(has(refused(with_joint("type = \"fixed\"") + "[[sensor]]\nname = \"j\"\nbody = \"a\"\n"),
            "joint/j"));
  CHECK(refused(with_joint("type = \"fixed\"") + "[[sensor]]\nname = \"a\"\nbody = \"a\"\n") == "");
  for (const char* bad : {"", "a b", "a.b", "world", "a/b"})
    CHECK(has(refused("sarrus = 1\n[[body]]\nname = \""s + bad + "\"\nmass = 1\n"), "bad-name"));
  CHECK(refused("sarrus = 1\n[[body]]\nname = \"Gelenkträger-2_b\"\nmass = 1\n") == "");
}

TEST_CASE("M09: a reference to nothing is refused with the nearest candidate and its line") {
  const std::string said = refused(with_joint("type = \"fixed\"\nparent = \"aa\""));
  CHECK(has(said, "no body is called 'aa'"));
  CHECK(has(said, "did you mean 'a' (line 2)?"));
  CHECK(has(refused(with_body("mass = 1") + "[[sensor]]\nname = \"s\"\nbody = \"b\"\n"),
            "sensor/s/body"));
  CHECK(has(refused(with_joint("type = \"revolute\"\nmotion = \"profil(t)\"")), "profil"));
  CHECK(has(
      refused("sarrus = 1\n[parameters]\namp = 1\n[[sensor]]\nname = \"s\"\nvalue = \"2*am\"\n"),
      "did you mean 'amp'"));
  CHECK(refused("sarrus = 1\n[[sensor]]\nname = \"s\"\nvalue = \"2*t\"\n[[sensor]]\nname = "
                "\"r\"\nvalue = \"s + 1\"\n") == "");
}

TEST_CASE("M12: a wrong shape is refused with the one expected and the one found") {
  const std::string vector = refused(with_body("mass = 1\ncom = [1, 2]"));
  CHECK(has(vector, "expected a list of 3 numbers, found a list of 2"));
  CHECK(has(refused(with_body("mass = [1]")), "expected a number, found a list of 1"));
  CHECK(has(refused(with_body("mass = true")), "found true"));
  CHECK(has(refused(with_body("mass = 1\nshape = 3")), "found the number 3"));
  CHECK(has(refused("sarrus = 1\n[body]\nname = \"a\"\n"), "[[body]]"));
  CHECK(has(refused("sarrus = 1\n[simulate]\nreactions = 1\n"), "expected true or false"));
  CHECK(has(refused("sarrus = 1\n[simulate]\nreactions = yes\n"), "write true or false"));
  CHECK(has(refused("sarrus = 1\n[simulate]\nreactions = \"on\"\n"), "the text \"on\""));
  CHECK(has(refused(with_body("mass = 1\ninertia = [1, 2]")), "3 principal values"));
  CHECK(has(refused(with_joint("type = \"cylindrical\"\nq = 1")), "list of 2"));
  CHECK(has(refused(with_joint("type = \"universal\"\naxis2 = \"x\"\nq = 1")), "list of 2"));
  CHECK(has(refused("sarrus = 1\n[[body]]\nname = 7\nmass = 1\n"), "expected text"));
  CHECK(has(refused("{\"sarrus\": null}", Fault::model, Format::json), "whole number"));
  CHECK(has(refused("[1]", Fault::model, Format::json), "object"));
}

TEST_CASE("M13: sizes are above zero") {
  CHECK(has(refused(with_body("mass = 1\nshape = { type = \"sphere\", radius = 0 }")), "above 0"));
  CHECK(has(refused(with_body("mass = 1\nshape = { type = \"box\", size = [1, -1, 1] }")),
            "m.toml:5:"));
  CHECK(has(refused(with_body("shape = { type = \"sphere\", radius = 1, density = -3 }")),
            "density"));
  const std::string ends =
      "[[spring]]\nname = \"s\"\nfrom = { body = \"a\" }\nto = { body = \"world\" }\n";
  CHECK(has(refused(with_body("mass = 1") + ends + "length = -1\n"), "spring/s/length"));
  CHECK(has(refused(with_joint("type = \"rolling_disk\"\nradius = 0")), "radius"));
  CHECK(has(refused(with_body("")), "neither a mass nor a shape with density"));
}

TEST_CASE("M23: numbers that look like other units give a warning") {
  CHECK(has(notes(with_joint("type = \"revolute\"\nlimits = [-180, 180]")),
            "warning[suspicious-angle]"));
  CHECK(has(notes(with_joint("type = \"revolute\"\nq = 30")), "\"30 deg\""));
  CHECK(has(notes(with_joint("type = \"fixed\"\non_parent = { at = [1500, 0, 0] }")), "1500 m"));
  CHECK(!has(notes(with_joint("type = \"revolute\"\nlimits = [\"-180 deg\", \"180 deg\"]")),
             "warning"));
}

TEST_CASE("M24: a comma locale changes nothing") {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"})
    if (std::setlocale(LC_ALL, name)) break;
  const std::string during = std::setlocale(LC_ALL, nullptr);
  const Model m = parse_model(with_body("mass = 1.5\ncom = [\"2.5 mm\", 1e-3, 0.25]"), "m.toml");
  CHECK(std::setlocale(LC_ALL, nullptr) == during);
  std::setlocale(LC_ALL, before.c_str());
  CHECK(m.bodies[0].mass == 1.5);
  CHECK(near(m.bodies[0].com->x, 2.5e-3, rounding(2)));
  CHECK(m.bodies[0].com->z == 0.25);
}

TEST_CASE("M25: the version of the format is asked for") {
  CHECK(has(refused("name = \"x\"\n"), "'sarrus' is missing"));
  const std::string newer = refused("sarrus = 2\n");
  CHECK(has(newer, "format 2"));
  CHECK(has(newer, "up to 1"));
  for (const char* bad : {"0", "-1", "1.5", "\"1\"", "true"})
    CHECK(refused("sarrus = "s + bad + "\n") != "");
  CHECK(refused("sarrus = 1\n") == "");
}

TEST_CASE("M27: expressions that cannot be numbers are refused with text and column") {
  for (const char* bad : {"1/0", "sqrt(-1)", "2*nothing", "9^9^9^9", "mass.real", "system(1)", "1+",
                          "(1", "t", "import os", "__import__"}) {
    CAPTURE(bad);
    const std::string said = refused(with_body("mass = \""s + bad + "\""));
    CHECK(has(said, bad));
    CHECK(has(said, "column"));
  }
  CHECK(refused(with_body("mass = \"" + std::string(5000, '(') + "1" + std::string(5000, ')') +
                          "\"")) != "");
  const std::string cycle =
      refused("sarrus = 1\n[parameters]\na = \"b + 1\"\nb = \"2*c\"\nc = \"a\"\nd = 1\n");
  CHECK(has(cycle, "parameter-cycle"));
  CHECK(
      (has(cycle, "a → b → c → a") || has(cycle, "b → c → a → b") || has(cycle, "c → a → b → c")));
  CHECK(has(refused("sarrus = 1\n[parameters]\nsin = 1\n"), "bad-name"));
  CHECK(has(refused("sarrus = 1\n[parameters]\nt = 1\n"), "time"));
}

TEST_CASE("M28: a deprecated key is read with one warning") {
  const TableGrammar table = {"thing",
                              "A test.",
                              {{.name = "mass",
                                .kind = Kind::number,
                                .required = true,
                                .earlier = "weight",
                                .dropped_in = "2.0"}}};
  const Document document = read_document("weight = 3\n", "m.toml", Format::toml);
  Diagnostics found;
  Scope scope;
  scope.document = &document, scope.faults = &found;
  Fields f(scope, document.root, table, "thing");
  CHECK(f.number("mass") == 3);
  REQUIRE(found.all().size() == 1);
  const std::string said = to_text(found.all()[0]);
  CHECK(has(said, "warning[deprecated-key]"));
  CHECK(has(said, "'mass'"));
  CHECK(has(said, "2.0"));
  CHECK_THROWS_AS(f.number("speed"), std::logic_error);
  CHECK_THROWS_AS(f.boolean("mass"), std::logic_error);
}

TEST_CASE("collecting: several faults are told at once, at most twenty") {
  std::string text = "sarrus = 1\n";
  for (int i = 0; i < 50; ++i) text += "[[body]]\nname = \"b" + std::to_string(i) + "\"\nmas = 1\n";
  try {
    parse_model(text, "m.toml");
    FAIL("accepted");
  } catch (const Error& e) {
    CHECK(e.diagnostics().size() >= 20);
    CHECK(e.diagnostics().size() <= 22);
  }
}

TEST_CASE("M32: parameters and tables that nothing reads are noted with their line") {
  const std::string text =
      "sarrus = 1\n[parameters]\nused = 1\nother = \"2*used\"\nlod = 3\n[[table]]\nname = "
      "\"push\"\npoints = [[0, 1], [1, 2]]\n[[body]]\nname = \"a\"\nmass = \"other\"\ninertia = "
      "[1, 1, "
      "1]\n[[joint]]\nname = \"j\"\ntype = \"revolute\"\nchild = \"a\"\n";
  const std::string said = notes(text);
  CAPTURE(said);
  CHECK(has(said, "m.toml:5:7: note[unused-parameter]: parameters/lod"));
  CHECK(has(said, "note[unused-table]: table/push"));
  CHECK_FALSE(has(said, "parameters/used"));
  CHECK_FALSE(has(said, "parameters/other"));
  CHECK(notes(text + "force = \"lod*push(t)\"\n") == "");
}

TEST_CASE("M10: a unit inside a formula is refused with what to write instead") {
  const std::string said = refused(with_joint("type = \"revolute\"\nmotion = \"30 deg*sin(t)\""));
  CHECK(has(said, "m.toml:10:10"));
  CHECK(has(said, "a unit stands inside the formula \"30 deg*sin(t)\""));
  CHECK(has(said, "30*pi/180"));
  CHECK_FALSE(has(said, "did you mean 'in'"));
}

TEST_CASE("one plain number for the dampers of a joint counts for turns and slides alike") {
  for (const char* type : {"cylindrical", "planar", "free", "spherical"}) {
    CAPTURE(type);
    const Model m =
        parse_model(with_joint("type = \"" + std::string(type) + "\"\ndamper = 0.5\n"), "m.toml");
    for (const double d : m.joints[0].damper) CHECK(d == 0.5);
    CHECK_FALSE(m.joints[0].damper.empty());
  }
  // where it starts is another matter: there is no one place for an angle and a length
  CHECK(has(refused(with_joint("type = \"cylindrical\"\nq = 0.5\n")), "a list of 2 numbers"));
}

TEST_CASE("segments of a beam take no coordinates and no damping by the modes of the whole") {
  const auto beam = [](const std::string& more) {
    return with_body(
        "elastic = { length = 1, section = { radius = 0.01 }, material = { E = 2.1e11, "
        "density = 7850 }, segments = 3" +
        more + " }\n[[joint]]\nname = \"clamp\"\ntype = \"fixed\"\nchild = \"a\"");
  };
  CHECK(refused(beam("")) == "");
  CHECK(refused(beam(", damping = { stiffness = 1e-4 }")) == "");
  CHECK(has(refused(beam(", q = [0.1, 0]")), "leave out q"));
  CHECK(has(refused(beam(", damping = { ratio = 0.01 }")), "damping = { stiffness"));
  CHECK(has(refused(beam(", damping = { mass = 0.1 }")), "damping = { stiffness"));
  CHECK(has(refused(with_body("elastic = { length = 1, section = { radius = 0.01 }, material = { E "
                              "= 2.1e11, density = 7850 }, segments = 0 }")),
            "segments = 0 is not from 1 to 500"));
}
