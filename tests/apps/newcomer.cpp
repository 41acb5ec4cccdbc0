// The first ten minutes: every command that the overview names works as it says.
#include "near.hpp"
#include "program.hpp"

using namespace sarrus::testing;

TEST_CASE("without a word the program shows three lines to try") {
  const Folder folder;
  const Ended ended = folder.sarrus({});
  CHECK(ended.code == 0);
  for (const char* line : {"sarrus new pendulum", "sarrus run pendulum.toml", "sarrus export"})
    CHECK(contains(ended.out, line));
}

TEST_CASE("new, check, run, export: each names the next, and all succeed") {
  const Folder folder;
  const Ended made = folder.sarrus({"new", "pendulum"});
  CHECK(made.code == 0);
  CHECK(contains(made.out, "sarrus run pendulum.toml"));
  const Ended checked = folder.sarrus({"check", "pendulum.toml"});
  CHECK(checked.code == 0);
  CHECK(contains(checked.out, "OK"));
  CHECK(contains(checked.out, "└─ hinge (revolute) ─ bar"));
  CHECK(contains(checked.out, "up is z"));  // P15
  const Ended ran = folder.sarrus({"run", "pendulum.toml"});
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "sarrus export pendulum --csv motion.csv"));
  const Ended exported = folder.sarrus({"export", "pendulum", "--csv", "motion.csv"});
  CHECK(exported.code == 0);
  const std::string csv = folder.read("motion.csv");
  CHECK(csv.starts_with("time[s],hinge.q[rad],hinge.u[rad/s],"));
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 1002);  // 0, 0.01 … 10 s under one header
}

TEST_CASE("every template runs, and its energy account closes") {
  for (const char* name : {"pendulum", "double-pendulum", "oscillator", "top"}) {
    CAPTURE(name);
    const Folder folder;
    REQUIRE(folder.sarrus({"new", "model", "--template", name}).code == 0);
    const Ended ran = folder.sarrus({"run", "model.toml", "--json"});
    REQUIRE(ran.code == 0);
    const auto facts = nlohmann::json::parse(ran.out);
    const double gap = facts["energy"]["closure"], exchanged = facts["energy"]["exchanged"];
    CHECK(gap < 1e-7 * exchanged);  // rtol is 1e-9, over tens of oscillations
  }
}

TEST_CASE("new overwrites nothing") {
  const Folder folder;
  folder.write("mine.toml", "precious");
  CHECK(folder.sarrus({"new", "mine"}).code == 6);
  CHECK(folder.read("mine.toml") == "precious");
}

TEST_CASE("a mistyped word is met with the one that was meant") {
  const Folder folder;
  const Ended command = folder.sarrus({"chek"});
  CHECK(command.code == 2);
  CHECK(contains(command.error, "did you mean 'check'"));
  const Ended flag = folder.sarrus({"run", "model.toml", "--unti", "3"});
  CHECK(flag.code == 2);
  CHECK(contains(flag.error, "did you mean --until"));
  const Ended name = folder.sarrus({"new", "a", "--template", "pendulun"});
  CHECK(name.code == 2);
  CHECK(contains(name.error, "pendulum"));
}

TEST_CASE("each command explains itself with examples") {
  const Folder folder;
  for (const char* name : {"new", "check", "run", "export", "schema"}) {
    CAPTURE(name);
    const Ended help = folder.sarrus({name, "--help"});
    CHECK(help.code == 0);
    CHECK(contains(help.out, std::string("sarrus ") + name));
    CHECK(contains(help.out, "Example"));
    CHECK(folder.sarrus({"help", name}).out == help.out);
  }
  CHECK(contains(folder.sarrus({"--version"}).out, "sarrus "));
}

TEST_CASE("a parameter may be set on the command line, with a unit") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 1\n"));
  const auto mass = [&](const std::string& set) {
    const Ended ended = folder.sarrus({"check", "m.toml", "--json", "--set", set});
    REQUIRE(ended.code == 0);
    return nlohmann::json::parse(ended.out)["mass"].get<double>();
  };
  CHECK(near(mass("load=2"), 3, rounding(2)));
  CHECK(near(mass("load=500 g"), 1.5, rounding(2)));
  CHECK(folder.sarrus({"check", "m.toml", "--set", "lod=2"}).code == 3);
  CHECK(folder.sarrus({"check", "m.toml", "--set", "load"}).code == 2);
}

TEST_CASE("columns, rows and times of an export can be chosen") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 1\noutput_step = 0.1\n"));
  REQUIRE(folder.sarrus({"run", "m.toml"}).code == 0);
  const Ended some = folder.sarrus({"export", "m", "--csv", "-", "--columns", "tip.v*,elbow.q",
                                    "--every", "5", "--from", "0.2"});
  CHECK(some.code == 0);
  CHECK(some.out.starts_with("time[s],tip.vx[m/s],tip.vy[m/s],tip.vz[m/s],elbow.q[rad]\n0.2,"));
  CHECK(contains(some.out, "\n0.7"));
  CHECK(std::count(some.out.begin(), some.out.end(), '\n') == 3);
  const Ended none = folder.sarrus({"export", "m", "--csv", "-", "--columns", "elbw.q"});
  CHECK(none.code == 2);
  CHECK(contains(none.error, "elbow.q"));
}

TEST_CASE("examples lists what came with the program, and copies one that runs") {
  const Folder folder;
  const Ended listed = folder.sarrus({"examples"});
  CHECK(listed.code == 0);
  CHECK(contains(listed.out, "four_bar"));
  CHECK(contains(listed.out, "benchmarks/rolling_coin"));
  const Ended copied = folder.sarrus({"examples", "simple_pendulum"});
  CHECK(copied.code == 0);
  CHECK(contains(copied.out, "next: sarrus run simple_pendulum/model.toml"));
  CHECK(folder.sarrus({"check", "simple_pendulum/model.toml"}).code == 0);
  CHECK(folder.read("simple_pendulum/README.md").starts_with("# "));
}

TEST_CASE("examples writes over nothing, and knows the name that was meant") {
  const Folder folder;
  folder.write("four_bar", "precious");
  CHECK(folder.sarrus({"examples", "four_bar"}).code == 6);
  CHECK(folder.read("four_bar") == "precious");
  CHECK(folder.sarrus({"examples", "four_bar", "-o", "mine"}).code == 0);
  CHECK(folder.read("mine/model.toml").starts_with("#"));
  const Ended unknown = folder.sarrus({"examples", "four_baar"});
  CHECK(unknown.code == 2);
  CHECK(contains(unknown.error, "did you mean 'four_bar'"));
}

TEST_CASE("doctor says of each optional part whether it is there, as --version does") {
  const Folder folder;
  const Ended said = folder.sarrus({"doctor", "--json"});
  REQUIRE(said.code == 0);
  const auto facts = nlohmann::json::parse(said.out);
  const std::string version = folder.sarrus({"--version"}).out;
  int known = 0;
  for (const auto& part : facts["parts"]) {
    const std::string name = part["part"];
    CHECK_FALSE(part["said"].get<std::string>().empty());
    if (name != "HDF5" && name != "PNG plots" && name != "CVODE") continue;
    ++known;
    CHECK(contains(version, (part["there"].get<bool>() ? "with " : "without ") + name));
  }
  CHECK(known == 3);
}

TEST_CASE("demo makes a page, and says where it is where there is no desktop") {
  const Folder folder;
  const Ended shown = folder.sarrus({"demo"}, {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}});
  CHECK(shown.code == 0);
  CHECK(contains(shown.out, (folder / "sarrus-demo/double_pendulum.html").string()));
  CHECK(folder.read("sarrus-demo/double_pendulum.html").size() > 100'000);
  CHECK(folder.sarrus({"demo"}, {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}}).code == 0);
}

TEST_CASE("help shows lines to copy before the flags") {
  const Folder folder;
  const std::string help = folder.sarrus({"run", "--help"}).out;
  CHECK(help.find("sarrus run pendulum.toml --report") < help.find("--resume"));
}

TEST_CASE("a method that is missing or not known is met with the names of all") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.1\n"));
  for (const char* word : {"recursive", "hamiltonian", "discrete"}) {
    CHECK(contains(folder.sarrus({"run", "m.toml", "--formulation"}).error, word));
    CHECK(contains(folder.sarrus({"run", "m.toml", "--formulation", "xyzzy"}).error, word));
  }
  const Ended integrator = folder.sarrus({"run", "m.toml", "--integrator", "xyzzyxyzzy"});
  CHECK(integrator.code == 2);
  for (const char* word : {"dop853", "rk4", "sdirk4"}) CHECK(contains(integrator.error, word));
}
