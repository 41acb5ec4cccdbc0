// Elastic beams in model files: what is wrong is said at its key, all of it at once.
#include <doctest/doctest.h>

#include "files/refused.hpp"
#include "sarrus/mechanism/mechanism.hpp"

using namespace sarrus;

namespace {

const std::string section = "section = { radius = 0.01 }";
const std::string steel = "material = { E = 2e11, density = 7800 }";

std::string said_of(const std::string& keys) {
  const std::string text = with_body("elastic = { " + keys + " }") +
                           "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nchild = \"a\"\n";
  try {
    compile(parse_model(text, "m.toml"));
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

std::string with_all(const std::string& more) {
  return "length = 1, " + section + ", " + steel + ", " + more;
}

}  // namespace

TEST_CASE("beam in a model: sizes, materials and counts out of range are refused at their key") {
  struct Case {
    std::string keys, element, says;
  };
  const Case cases[] = {
      {"length = 0, " + section + ", " + steel, "elastic/length", "0 m is not a size"},
      {"length = -1, " + section + ", " + steel, "elastic/length", "-1 m is not a size"},
      {"length = 1, section = { radius = 0 }, " + steel, "section/radius", "above 0"},
      {"length = 1, section = { area = 0, Iy = 1e-9, Iz = 1e-9 }, " + steel, "section/area",
       "0 m²"},
      {"length = 1, section = { area = 1e-4 }, " + steel, "section/Iz", "0 m⁴"},
      {"length = 1, " + steel, "elastic/section", "a beam needs 'section'"},
      {"length = 1, " + section + ", material = { E = 2e11, nu = 0.6, density = 7800 }",
       "material/nu", "0.6 is not above -1"},
      {"length = 1, " + section + ", material = { E = 0, density = 7800 }", "material/E", "0 Pa"},
      {with_all("modes = 0"), "elastic/modes", "modes = 0 is not from 1"},
      {with_all("basis = \"fe\", elements = 2, modes = 9"), "elastic/modes",
       "9 modes are asked of 2 elements"},
      {with_all("basis = \"fe\", elements = 100000"), "elastic/elements", "is not from 1 to"},
      {with_all("deforms = []"), "elastic/deforms", "deforms in no way"},
      {with_all("deforms = [\"w\"]"), "elastic/deforms", "'w' is not one of y, z, torsion, axial"},
      {with_all("damping = { ratio = -0.1 }"), "damping/ratio", "must not be negative"},
      {with_all("q = [1, 2]"), "elastic/q", "2 numbers are given for 8 elastic coordinates"},
  };
  for (const Case& c : cases) {
    const std::string text = said_of(c.keys);
    CAPTURE(c.keys);
    CAPTURE(text);
    CHECK(text.find(c.element) != std::string::npos);
    CHECK(text.find(c.says) != std::string::npos);
  }
  CHECK(said_of(with_all("modes = 2")) == "");
}
