// The source's own configuration from the command line: second moments, transformation matrices,
// energy matrix; and what does not fit is refused with the place where it was said.
#include <cmath>

#include "program.hpp"

using namespace sarrus::testing;
using Parsed = nlohmann::json;

namespace {

/// One segment on a hinge, its second moments and its hinge's transformation matrix given.
std::string segment(const std::string& of_joint, const std::string& simulate) {
  return "sarrus = 1\n[[body]]\nname = \"rod\"\nmass = 3\ncom = [0.5, 0, 0]\n"
         "second_moment = [[0.25, 0, 0], [0, 0, 0], [0, 0, 0]]\n"
         "[[joint]]\nname = \"hinge\"\ntype = \"revolute\"\nchild = \"rod\"\naxis = \"z\"\n"
         "on_parent = { transform = [[0, 1, 0, 0], [0, 0, -1, 0], [-1, 0, 0, 2], [0, 0, 0, 1]] "
         "}\n" +
         of_joint + "[simulate]\nuntil = 1\noutput_step = 0.5\n" + simulate;
}

/// The last row of the run in `out`, by column.
double at_end(const Folder& folder, const std::string& column) {
  const Ended ended = folder.sarrus({"export", "out", "--csv", "-", "--columns", column});
  REQUIRE(ended.code == 0);
  const std::string text = ended.out.substr(0, ended.out.find_last_not_of('\n') + 1);
  return std::stod(text.substr(text.find_last_of(",\n") + 1));
}

}  // namespace

TEST_CASE("the source's configuration runs from a file, and check says what it was given") {
  const Folder folder;
  folder.write("m.toml", segment("q = 0.01\n", "formulation = \"hamiltonian\"\n"));
  const Ended check = folder.sarrus({"check", "m.toml"});
  CHECK(check.code == 0);
  CHECK(contains(check.out, "inertia given as ∫ x xᵀ dm"));
  const Parsed facts = Parsed::parse(folder.sarrus({"check", "m.toml", "--json"}).out);
  CHECK(facts.at("bodies").at(0).at("inertia_from") == "second_moment");

  const Ended run = folder.sarrus(
      {"run", "m.toml", "--energy-matrix", "literal", "--rtol", "1e-10", "-o", "out"});
  CHECK(run.code == 0);
  CHECK(contains(run.out, "energy matrix literal"));
  // x of the hinge points down: a rod of length 1 hangs and swings with ω² = 3 g/2; the rest of
  // its motion is of third order in the amplitude
  const double omega = std::sqrt(1.5 * 9.81);
  // 0.01³, and its phase after a second
  CHECK(std::fabs(at_end(folder, "hinge.q") - 0.01 * std::cos(omega)) < 1e-6);
}

TEST_CASE("options of the energy that do not fit are refused where they were said") {
  const Folder folder;
  folder.write("plain.toml", segment("", ""));
  folder.write("file.toml", segment("", "energy_gradient = \"complex\"\n"));
  folder.write("small.toml", segment("small = true\n", ""));
  folder.write("hamilton.toml", segment("small = true\n", "formulation = \"hamiltonian\"\n"));

  const Ended by_flag = folder.sarrus({"run", "plain.toml", "--energy-matrix", "literal"});
  CHECK(by_flag.code == 2);
  CHECK(contains(by_flag.error, "energy_matrix"));
  const Ended in_file = folder.sarrus({"run", "file.toml"});
  CHECK(in_file.code == 3);
  CHECK(contains(in_file.error, "file.toml:16:"));
  const Ended unheard = folder.sarrus({"run", "small.toml"});
  CHECK(unheard.code == 3);
  CHECK(contains(unheard.error, "joint/hinge/small"));
  CHECK(contains(unheard.error, "formulation = \"hamiltonian\""));
  CHECK(folder.sarrus({"check", "small.toml"}).code == 3);
  CHECK(folder.sarrus({"run", "hamilton.toml"}).code == 0);
}
