// sarrus equilibrium and sarrus modes as a user meets them: files, sweeps, refusals.
#include <cmath>
#include <cstring>

#include "near.hpp"
#include "program.hpp"

using namespace sarrus::testing;
using Parsed = nlohmann::json;

namespace {

const fs::path examples = fs::path(source_folder) / "examples";

/// A cart on a spring, pushed by a joint force, with a sensor.
constexpr const char* cart = R"toml(sarrus = 1
[parameters]
k = 16
[[body]]
name = "cart"
mass = 4
inertia = [1, 1, 1]
[[joint]]
name = "rail"
type = "prismatic"
child = "cart"
axis = "x"
spring = { k = "k" }
damper = 0.8
force = "3*sin(t)"
[[sensor]]
name = "tip"
body = "cart"
[simulate]
until = 1
)toml";

std::string bytes_of(const std::vector<double>& values) {
  std::string bytes(8 * values.size(), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

}  // namespace

TEST_CASE("modes: the linear model is the same in every file, with its names") {
  const Folder folder;
  folder.write("cart.toml", cart);
  const Ended ended = folder.sarrus({"modes", "cart.toml", "-o", "out"});
  INFO(ended.error);
  REQUIRE(ended.code == 0);
  const Parsed model = Parsed::parse(read_text(folder / "out/linear_model.json"));
  // m ẍ + c ẋ + k x = f
  CHECK(model.at("A") == Parsed::parse("[[0.0, 1.0], [-4.0, -0.2]]"));
  CHECK(model.at("B") == Parsed::parse("[[0.0], [0.25]]"));
  CHECK(model.at("states") == Parsed::parse(R"(["rail.q", "rail.u"])"));
  CHECK(model.at("inputs") == Parsed::parse(R"(["rail.force"])"));
  CHECK(model.at("outputs").at(0) == "tip.x");
  CHECK(model.at("C").at(0) == Parsed::parse("[1.0, 0.0]"));
  CHECK(model.at("D").at(6) == Parsed::parse("[0.25]"));  // acceleration along x
  // by columns in both: MATLAB has no other order, NumPy is told
  const std::string A = bytes_of({0, -4, 1, -0.2}), by_rows = bytes_of({0, 1, -4, -0.2});
  const std::string mat = read_text(folder / "out/linear_model.mat");
  CHECK(mat.starts_with("MATLAB 5.0 MAT-file"));
  CHECK(mat.substr(124, 4) == std::string("\x00\x01IM", 4));
  CHECK(contains(mat, A));
  const std::string npz = read_text(folder / "out/linear_model.npz");
  CHECK(npz.starts_with("PK\x03\x04"));
  CHECK(contains(npz, "A.npy"));
  CHECK((contains(npz, "'fortran_order': True") ? contains(npz, A) : contains(npz, by_rows)));
  CHECK(contains(read_text(folder / "out/A.mtx"), "%%MatrixMarket matrix"));
  CHECK(contains(read_text(folder / "out/energies.csv"), "potential,spring of rail,"));
}

TEST_CASE("modes: a sweep follows the parameter, ω² = k/m") {
  const Folder folder;
  folder.write("cart.toml", cart);
  const Ended ended =
      folder.sarrus({"modes", "cart.toml", "--campbell", "k=4:64:3", "-o", "out", "--json"});
  REQUIRE(ended.code == 0);
  CHECK(Parsed::parse(ended.out).at("campbell").at("unstable_from").is_null());
  std::istringstream in(read_text(folder / "out/campbell.csv"));
  std::string line;
  std::getline(in, line);
  CHECK(contains(line, "k,mode1.imaginary[rad/s],mode1.real[1/s]"));
  for (const double k : {4.0, 34.0, 64.0}) {
    REQUIRE(std::getline(in, line));
    CHECK(std::stod(line) == k);
    CHECK(near(std::stod(line.substr(line.find(',') + 1)), std::sqrt(k / 4 - 0.01),
               rounding(20)));  // eigenvalues of a matrix of two
  }
  CHECK(contains(read_text(folder / "out/campbell.svg"), "<svg"));
}

TEST_CASE("modes: with several starts the first stable equilibrium is taken") {
  const Folder folder;
  fs::copy(examples / "four_bar" / "model.toml", folder / "model.toml");
  const Ended one = folder.sarrus({"modes", "model.toml", "-o", "one"});
  REQUIRE(one.code == 0);
  CHECK(contains(one.out, "unstable: divergence of mode 1"));
  CHECK(contains(one.out, "--starts 20 looks for one"));
  const Ended many = folder.sarrus({"modes", "model.toml", "--starts", "20", "-o", "many"});
  REQUIRE(many.code == 0);
  CHECK(contains(many.out, "stable, but not every mode decays"));
  CHECK(contains(many.out, " of 4 after"));  // two ways to close it, each up and down
}

TEST_CASE("modes: shapes become motions that other commands read") {
  const Folder folder;
  folder.write("cart.toml", cart);
  REQUIRE(folder.sarrus({"modes", "cart.toml", "-o", "out", "--animate", "1"}).code == 0);
  const Ended table = folder.sarrus({"export", "out/mode_1", "--csv", "mode.csv"});
  INFO(table.error);
  CHECK(table.code == 0);
  CHECK(contains(read_text(folder / "mode.csv"), "rail.q"));
}

TEST_CASE(
    "modes and equilibrium: what cannot be served is refused, with words and the right code") {
  const Folder folder;
  folder.write("cart.toml", cart);
  fs::create_directories(folder / "full");
  folder.write("full/file", "x");
  struct Case {
    int code;
    std::vector<std::string> words;
    const char* says;
  };
  const auto example = [](const char* name) { return (examples / name / "model.toml").string(); };
  const Case cases[] = {
      {2, {"modes", "cart.toml", "--modes", "0"}, "--modes: 0 modes"},
      {2, {"modes", "cart.toml", "--animate", "-1"}, "--animate"},
      {2, {"modes", "cart.toml", "--starts", "-1"}, "--starts"},
      {2, {"modes", "cart.toml", "--about", "here"}, "neither equilibrium nor start"},
      {2, {"modes", "cart.toml", "--time", "noon"}, "'noon' is not a number"},
      {2, {"modes", "cart.toml", "--rotate", "rail"}, "JOINT=SPEED"},
      {2, {"modes", "cart.toml", "--rotate", "rial=1"}, "'rail'"},
      {2, {"modes", "cart.toml", "--rotate", "rail=fast"}, "fast"},
      {2, {"modes", "cart.toml", "--campbell", "k=1:2"}, "NAME=FROM:TO:COUNT"},
      {2, {"modes", "cart.toml", "--campbell", "k=2:1:5"}, "NAME=FROM:TO:COUNT"},
      {2, {"modes", "cart.toml", "--campbell", "m=1:2:5"}, "no parameter 'm'"},
      {2, {"modes", "cart.toml", "--campbell-rotate", "m=1:2:5"}, "is called 'm'"},
      {2,
       {"modes", "cart.toml", "--campbell", "k=1:2:3", "--campbell-rotate", "rail=1:2:3"},
       "only one sweep at a time"},
      {6, {"modes", "cart.toml", "-o", "full"}, "holds files already"},
      {3, {"modes", "none.toml"}, "no such file"},
      {3, {"modes", "cart.toml", "--set", "K=3"}, "K"},
      {2, {"modes", example("governor"), "--campbell-rotate", "spin=1:2:3"}, "follows a motion"},
      {4, {"modes", example("chain_on_floor"), "-o", "a"}, "do not support contact"},
      {4, {"equilibrium", example("clutch")}, "joint/clutch/active"},
      {4, {"modes", example("four_bar"), "--rotate", "a=3", "-o", "b"}, "moved by the rotation"},
      {5, {"equilibrium", example("screw_jack")}, "worst equations"},
      {2, {"equilibrium", "cart.toml", "--starts", "-3"}, "--starts"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.says);
    const Ended ended = folder.sarrus(c.words);
    CAPTURE(ended.error);
    CHECK(ended.code == c.code);
    CHECK(contains(ended.error, c.says));
  }
  CHECK_FALSE(fs::exists(folder / "a"));  // nothing is left where nothing was computed
  const Ended few = folder.sarrus({"modes", "cart.toml", "--modes", "7", "-o", "few"});
  CHECK(few.code == 0);
  CHECK(contains(few.error, "7 modes are asked for, the mechanism has 1"));
}

TEST_CASE("equilibrium: a beam under its weight tells deflection, section forces and reactions") {
  const Folder folder;
  write_text(folder / "beam.toml", R"(
sarrus = 1
[[body]]
name = "beam"
elastic = { length = 2, section = { area = 1e-4, Iy = 1e-9, Iz = 1e-9 }, material = { E = 2e13, density = 1000 }, deforms = ["z"] }
[[joint]]
name = "wall"
type = "fixed"
child = "beam"
[[sensor]]
name = "tip"
body = "beam"
at = [2, 0, 0]
[[sensor]]
name = "root"
body = "beam"
at = [0, 0, 0]
section = true
)");
  const Ended found = folder.sarrus({"equilibrium", "beam.toml", "--json"});
  REQUIRE(found.code == 0);
  const Parsed e = Parsed::parse(found.out)["equilibria"][0];
  const double weight = 1000 * 1e-4 * 9.81, length = 2, EI = 2e4;  // per metre
  const auto relative = [&](const char* name, double exact) {
    return std::fabs(e["values"][name].get<double>() / exact - 1);
  };
  // exact but for the stretch that bending makes, (deflection/length)² = 1e-8
  CHECK(relative("tip.z", -weight * std::pow(length, 4) / (8 * EI)) < 1e-6);
  CHECK(std::fabs(std::fabs(e["values"]["root.My"].get<double>()) / (weight * length * length / 2) -
                  1) < 1e-6);
  CHECK(relative("wall.fz", weight * length) < 1e-6);
  CHECK(e["q"].contains("beam.e4"));
  CHECK(folder.sarrus({"equilibrium", "beam.toml"}).out.find("root.My[N.m]") != std::string::npos);
}

TEST_CASE("equilibrium: several are told once each, and written as a table") {
  const Folder folder;
  fs::copy(examples / "simple_pendulum" / "model.toml", folder / "model.toml");
  const Ended ended =
      folder.sarrus({"equilibrium", "model.toml", "--starts", "20", "--csv", "all.csv", "--json"});
  REQUIRE(ended.code == 0);
  const Parsed found = Parsed::parse(ended.out).at("equilibria");
  REQUIRE(found.size() == 2);
  CHECK(found[0].at("stability") == "stable, undamped");
  CHECK(found[1].at("stability") == "divergence");
  CHECK(std::fabs(std::fabs(found[1].at("q").at("hinge.q").get<double>()) - M_PI) <
        rounding(4) * M_PI);
  CHECK(read_text(folder / "all.csv").starts_with("equilibrium,stable,hinge.q\n1,1,"));
}
