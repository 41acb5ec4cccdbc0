// Runs that are stopped and continued are, bit for bit, the runs that were never stopped.
#include <array>
#include <cstring>

#include "program.hpp"
#include "sarrus/core/random.hpp"
#include "sarrus/results/result_reader.hpp"

using namespace sarrus::testing;

namespace {

bool same_bits(const sarrus::Trajectory& a, const sarrus::Trajectory& b) {
  return a.values.size() == b.values.size() &&
         std::memcmp(a.values.data(), b.values.data(), 8 * a.values.size()) == 0;
}

}  // namespace

TEST_CASE("R08: a run cut by step budgets and resumed equals the uninterrupted one, every method") {
  const std::array<std::vector<std::string>, 5> methods = {{
      {"--integrator", "dop853"},
      {"--integrator", "dopri5", "--rtol", "1e-7"},
      {"--integrator", "rk4", "--step", "0.013"},
      {"--integrator", "midpoint", "--step", "0.013"},
      {"--integrator", "semi_implicit_euler", "--step", "0.013"},
  }};
  sarrus::Random random(7);
  for (const auto& method : methods) {
    CAPTURE(method[1]);
    const Folder folder;
    folder.write("m.toml", busy_model("until = 4\noutput_step = 0.03\n"));
    const auto run = [&](std::vector<std::string> words) {
      words.insert(words.begin(), {"run", "m.toml"});
      words.insert(words.end(), method.begin(), method.end());
      return folder.sarrus(words);
    };
    REQUIRE(run({"-o", "whole"}).code == 0);

    int cuts = 0;
    Ended ended = run({"-o", "cut", "--max-steps", "17"});
    for (; ended.code == 7 && cuts < 100; ++cuts) {
      CHECK(contains(ended.out, "--resume"));
      ended = run({"-o", "cut", "--resume", "--max-steps",
                   std::to_string(1 + static_cast<int>(40 * random.uniform()))});
    }
    CHECK(ended.code == 0);
    CHECK(cuts > 2);
    const auto whole = sarrus::read_result((folder / "whole").string());
    const auto cut = sarrus::read_result((folder / "cut").string());
    CHECK(whole.status == sarrus::ResultStatus::done);
    CHECK(cut.status == sarrus::ResultStatus::done);
    CHECK(same_bits(whole.rows, cut.rows));

    REQUIRE(folder.sarrus({"export", "whole", "--csv", "whole.csv"}).code == 0);
    REQUIRE(folder.sarrus({"export", "cut", "--csv", "cut.csv"}).code == 0);
    const bool same_text = folder.read("whole.csv") == folder.read("cut.csv");
    CHECK(same_text);
    const auto summary = [](const sarrus::ResultFile& r) {
      return nlohmann::json::parse(r.summary_json);
    };
    CHECK(summary(whole)["steps"] == summary(cut)["steps"]);
    CHECK(summary(whole)["events"].size() > 2);
    CHECK(summary(whole)["events"] == summary(cut)["events"]);
  }
}

TEST_CASE("R08: the command that a stopped run prints continues it") {
  const Folder folder;
  folder.write("my model.toml", busy_model("until = 1\n"));
  const Ended stopped = folder.sarrus({"run", "my model.toml", "-o", "my results", "--set",
                                       "load=1.5", "--rtol", "1e-8", "--max-steps", "5"});
  REQUIRE(stopped.code == 7);
  const size_t at = stopped.out.find("sarrus run");
  REQUIRE(at != std::string::npos);
  std::string command = stopped.out.substr(at, stopped.out.find('\n', at) - at);
  command.replace(0, 6, sarrus_program);
  command = "cd '" + folder.path().string() + "' && " + command + " > said 2>&1";
  CHECK(std::system(command.c_str()) == 0);
  CHECK(contains(folder.read("said"), "0 → 1 s"));
}

TEST_CASE("R09: another model or other settings are refused, and the reason is named") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 1\n"));
  REQUIRE(folder.sarrus({"run", "m.toml", "--max-steps", "5"}).code == 7);
  const std::string before = folder.read("m/result.sarrus");

  const Ended settings = folder.sarrus({"run", "m.toml", "--resume", "--rtol", "1e-6"});
  CHECK(settings.code == 6);
  CHECK(contains(settings.error, "rtol"));
  const Ended longer = folder.sarrus({"run", "m.toml", "--resume", "--until", "2"});
  CHECK(longer.code == 6);
  CHECK(contains(longer.error, "output_step"));
  CHECK(folder.sarrus({"run", "m.toml", "--resume", "--set", "load=3"}).code == 6);
  folder.write("m.toml", busy_model("until = 1\n") + "\n# changed");
  const Ended changed = folder.sarrus({"run", "m.toml", "--resume"});
  CHECK(changed.code == 6);
  CHECK(contains(changed.error, "model"));
  const bool untouched = folder.read("m/result.sarrus") == before;
  CHECK(untouched);

  CHECK(folder.sarrus({"run", "m.toml", "-o", "nothing", "--resume"}).code == 6);
}

TEST_CASE("R09: a part that the model includes belongs to the run, too") {
  const Folder folder;
  const std::string body = "sarrus = 1\n[[body]]\nname = \"block\"\nmass = 1\n";
  folder.write("part.toml", body);
  folder.write("m.toml",
               "sarrus = 1\n[[include]]\nfile = \"part.toml\"\n[[joint]]\nname = \"rail\"\n"
               "type = \"prismatic\"\nchild = \"block\"\nq = 1\nspring = { k = 4 }\n");
  REQUIRE(folder.sarrus({"run", "m.toml", "--max-steps", "5"}).code == 7);
  folder.write("part.toml", body + "# changed");
  CHECK(folder.sarrus({"run", "m.toml", "--resume"}).code == 6);
  folder.write("part.toml", body);
  CHECK(folder.sarrus({"run", "m.toml", "--resume"}).code == 0);
}

TEST_CASE("R09: with output_step given, a stopped run may be continued beyond its first end") {
  const Folder folder;
  folder.write("m.toml", busy_model("output_step = 0.03\nintegrator = \"rk4\"\nstep = 0.01\n"));
  REQUIRE(folder.sarrus({"run", "m.toml", "-o", "long", "--until", "2"}).code == 0);
  REQUIRE(folder.sarrus({"run", "m.toml", "-o", "cut", "--until", "1", "--max-steps", "50"}).code ==
          7);
  CHECK(folder.sarrus({"run", "m.toml", "-o", "cut", "--until", "0.1", "--resume"}).code == 2);
  REQUIRE(folder.sarrus({"run", "m.toml", "-o", "cut", "--until", "2", "--resume"}).code == 0);
  CHECK(same_bits(sarrus::read_result((folder / "long").string()).rows,
                  sarrus::read_result((folder / "cut").string()).rows));
}

TEST_CASE("R09: rows lost behind the checkpoint before the last are computed again, bit for bit") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 5\noutput_step = 0.01\n"));
  REQUIRE(folder.sarrus({"run", "m.toml", "-o", "whole"}).code == 0);
  REQUIRE(folder.sarrus({"run", "m.toml", "-o", "m", "--max-steps", "30"}).code == 7);
  const auto first = fs::file_size(folder / "m/result.sarrus");
  REQUIRE(folder.sarrus({"run", "m.toml", "-o", "m", "--resume", "--max-steps", "30"}).code == 7);
  REQUIRE(fs::exists(folder / "m/checkpoint.previous"));
  REQUIRE(fs::file_size(folder / "m/result.sarrus") > first);
  fs::resize_file(folder / "m/result.sarrus", first);  // as a machine without power may leave it
  const Ended resumed = folder.sarrus({"run", "m.toml", "-o", "m", "--resume"});
  CAPTURE(resumed.error);
  CHECK(resumed.code == 0);
  CHECK(contains(resumed.error, "older-checkpoint"));
  const auto whole = sarrus::read_result((folder / "whole").string());
  const auto again = sarrus::read_result((folder / "m").string());
  CHECK(again.rows.values == whole.rows.values);
}

TEST_CASE("R11: rows that were changed after the checkpoint are noticed") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 1\n"));
  REQUIRE(folder.sarrus({"run", "m.toml", "--max-steps", "20"}).code == 7);
  std::string bytes = folder.read("m/result.sarrus");
  bytes[bytes.size() / 2] ^= 1;
  folder.write("m/result.sarrus", bytes);
  CHECK(folder.sarrus({"run", "m.toml", "--resume"}).code == 6);
}

TEST_CASE("a finished run leaves nothing to resume") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 1\n"));
  REQUIRE(folder.sarrus({"run", "m.toml"}).code == 0);
  const std::string before = folder.read("m/result.sarrus");
  const Ended again = folder.sarrus({"run", "m.toml", "--resume"});
  CHECK(again.code == 0);
  CHECK(contains(again.out, "finished"));
  const bool untouched = folder.read("m/result.sarrus") == before;
  CHECK(untouched);
}
