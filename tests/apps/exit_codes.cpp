// One exit code per kind of failure, and the same facts as JSON.
#include "program.hpp"
#include "sarrus/results/result_reader.hpp"

using namespace sarrus::testing;

namespace {

std::string oscillator(double k, const std::string& simulate) {
  return "sarrus = 1\n[[body]]\nname = \"block\"\nmass = 1\n[[joint]]\nname = \"rail\"\n"
         "type = \"prismatic\"\nchild = \"block\"\nq = 1\nspring = { k = " +
         std::to_string(k) + " }\n[simulate]\n" + simulate;
}

}  // namespace

TEST_CASE("exit codes: usage 2, model 3, physics 4, numerics 5, files 6, budget 7") {
  const Folder folder;
  folder.write("good.toml", busy_model("until = 1\n"));
  folder.write("unknown_key.toml", "sarrus = 1\n[[body]]\nname = \"a\"\nmas = 1\n");
  folder.write("negative_mass.toml", "sarrus = 1\n[[body]]\nname = \"a\"\nmass = -1\n");
  folder.write("stiff.toml", oscillator(1e8, "until = 10\nintegrator = \"rk4\"\nstep = 0.01\n"));
  folder.write("a_file", "");

  struct Case {
    int code;
    std::vector<std::string> words;
    const char* says;
  };
  const Case cases[] = {
      {2, {"run"}, "MODEL"},
      {2, {"run", "good.toml", "--until", "soon"}, "'soon' is not a number"},
      {2, {"run", "good.toml", "--integrator", "rk5"}, "did you mean 'rk4'"},
      {2, {"run", "good.toml", "--integrator", "rk4"}, "--step 1e-3"},
      {2, {"run", "good.toml", "--formulation", "recursiv"}, "did you mean 'recursive'"},
      {2, {"export", "good"}, "--csv"},
      {2, {"run", "good.toml", "-o", ""}, "empty word"},
      {3, {"run", "god.toml"}, "good.toml"},
      {3, {"check", "unknown_key.toml"}, "did you mean 'mass'"},
      {4, {"run", "negative_mass.toml"}, "body/a/mass"},
      {5, {"run", "stiff.toml"}, "spring of joint 'rail'"},
      {6, {"run", "good.toml", "-o", "a_file"}, "is a file"},
      {6, {"export", "nowhere", "--csv", "x.csv"}, "nowhere"},
      {7, {"run", "good.toml", "--max-steps", "10", "--force"}, "budget"},
  };
  for (const Case& c : cases) {
    std::string line;
    for (const std::string& word : c.words) line += word + " ";
    CAPTURE(line);
    const Ended ended = folder.sarrus(c.words);
    CHECK(ended.code == c.code);
    if (c.code != 7) CHECK(contains(ended.error, c.says));

    std::vector<std::string> words = c.words;
    words.push_back("--json");
    if (c.words[0] == "run") words.push_back("--force");
    const Ended machine = folder.sarrus(words);
    CHECK(machine.code == c.code);
    const auto json = nlohmann::json::parse(machine.out, nullptr, false);
    REQUIRE(json.is_object());
    CHECK(json["exit_code"] == c.code);
    CHECK(contains(json.dump(), c.code == 7 ? "budget" : "diagnostics"));
  }
}

TEST_CASE("a refused model leaves no folder behind") {
  const Folder folder;
  folder.write("bad.toml", "sarrus = 1\n[[body]]\nname = \"a\"\nmass = -1\n");
  CHECK(folder.sarrus({"run", "bad.toml"}).code == 4);
  CHECK_FALSE(fs::exists(folder / "bad"));
}

TEST_CASE("N02: a run that blows up keeps its good rows, marked diverged") {
  const Folder folder;
  folder.write(
      "m.toml",
      oscillator(1e8, "until = 10\noutput_step = 0.01\nintegrator = \"rk4\"\nstep = 0.01\n"));
  const Ended ended = folder.sarrus({"run", "m.toml"});
  CHECK(ended.code == 5);
  CHECK(contains(ended.error, "stiffest element"));
  const auto result = sarrus::read_result((folder / "m").string());
  CHECK(result.status == sarrus::ResultStatus::diverged);
  REQUIRE(result.rows.rows() > 1);
  for (const double x : result.rows.values) CHECK(std::isfinite(x));
}

TEST_CASE("N01: impossible times are refused, by flag with 2, in the file with 3") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 1\n"));
  for (const auto& [flag, value] :
       std::vector<std::pair<std::string, std::string>>{{"--step", "0"},
                                                        {"--step", "-1"},
                                                        {"--step", "nan"},
                                                        {"--step", "inf"},
                                                        {"--step", "5"},
                                                        {"--step", "1e-300"},
                                                        {"--until", "-1"},
                                                        {"--until", "0"},
                                                        {"--output-step", "0"},
                                                        {"--output-step", "-0.1"},
                                                        {"--max-wall", "0"},
                                                        {"--max-steps", "0"},
                                                        {"--max-steps", "1.5"},
                                                        {"--checkpoint-every", "0"}}) {
    CAPTURE(flag);
    CAPTURE(value);
    CHECK(folder.sarrus({"run", "m.toml", "--integrator", "rk4", flag, value}).code == 2);
  }
  folder.write("file.toml", busy_model("until = -1\n"));
  CHECK(folder.sarrus({"run", "file.toml"}).code == 3);
}

TEST_CASE("N01: where the end is no multiple of the step, the last row is at the end exactly") {
  const Folder folder;
  folder.write("m.toml",
               busy_model("until = 1\noutput_step = 0.3\nintegrator = \"rk4\"\nstep = 0.07\n"));
  REQUIRE(folder.sarrus({"run", "m.toml"}).code == 0);
  const auto result = sarrus::read_result((folder / "m").string());
  REQUIRE(result.rows.rows() == 5);
  CHECK(result.rows.row(4)[0] == 1.0);
  CHECK(result.rows.row(3)[0] == 3 * 0.3);
}

TEST_CASE("N08: tolerances of no use are refused, too small ones raised with a note") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.1\n"));
  for (const char* value : {"0", "-1e-6", "1e3", "nan"}) {
    CAPTURE(value);
    CHECK(folder.sarrus({"run", "m.toml", "--rtol", value}).code == 2);
  }
  const Ended small = folder.sarrus({"run", "m.toml", "--rtol", "1e-30"});
  CHECK(small.code == 0);
  CHECK(contains(small.error, "note[raised-option]"));
}

TEST_CASE("settings that a method does not use are noted") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.1\nrtol = 1e-8\n"));
  const Ended fixed = folder.sarrus({"run", "m.toml", "--integrator", "rk4", "--step", "0.01"});
  CHECK(fixed.code == 0);
  CHECK(contains(fixed.error, "note[not-used]: simulate/rtol"));
  const Ended adaptive = folder.sarrus({"run", "m.toml", "--step", "0.01", "--force"});
  CHECK(adaptive.code == 0);
  CHECK(contains(adaptive.error, "note[not-used]: --step"));
}

TEST_CASE("P16: a mechanism that cannot move gives a valid result, and says so") {
  const Folder folder;
  folder.write(
      "m.toml",
      "sarrus = 1\n[[body]]\nname = \"a\"\nmass = 1\n[[joint]]\nname = \"j\"\ntype = \"fixed\"\n"
      "child = \"a\"\n[simulate]\nuntil = 1\noutput_step = 0.5\n");
  const Ended ended = folder.sarrus({"run", "m.toml"});
  CHECK(ended.code == 0);
  CHECK(contains(ended.out, "nothing to integrate"));
  CHECK(sarrus::read_result((folder / "m").string()).rows.rows() == 3);
}

TEST_CASE("--quiet says nothing, --json one object, colours only on terminals") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 1\n"));
  const Ended quiet = folder.sarrus({"run", "m.toml", "--quiet"});
  CHECK(quiet.code == 0);
  CHECK(quiet.out.empty());
  CHECK(quiet.error.empty());
  const Ended plain = folder.sarrus({"run", "m.toml", "--force"});
  CHECK_FALSE(contains(plain.out, "\x1b"));
  CHECK_FALSE(contains(plain.error, "\x1b"));
  const auto json =
      nlohmann::json::parse(folder.sarrus({"run", "m.toml", "--force", "--json"}).out);
  CHECK(json["status"] == "done");
  CHECK(json["t"] == 1.0);
  CHECK(json["rows"] == 1001);
  CHECK(json["folder"] == "m");
}

TEST_CASE("--strict refuses a model that gives warnings") {
  const Folder folder;
  folder.write("m.toml", "gravity = [0, 0, -1e7]\n" + busy_model("until = 0.001\n"));
  CHECK(contains(folder.sarrus({"check", "m.toml"}).error, "huge-gravity"));  // P15
  CHECK(folder.sarrus({"run", "m.toml", "--strict"}).code == 4);
  CHECK_FALSE(fs::exists(folder / "m"));
}
