// Pictures of a result, as a user asks for them.
#include "program.hpp"

using namespace sarrus::testing;

TEST_CASE("plot: a run draws its joints, and plot draws what is named") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 1\n"));
  const Ended ran = folder.sarrus({"run", "m.toml", "--plot", "joints.svg"});
  REQUIRE(ran.code == 0);
  CHECK(contains(ran.out, "joints.svg"));
  CHECK(contains(folder.read("joints.svg"), "elbow.q  [rad]"));

  CHECK(folder.sarrus({"plot", "m", "tip.*", "energy.total", "-o", "tip.svg"}).code == 0);
  const std::string picture = folder.read("tip.svg");
  CHECK(contains(picture, "tip.vx"));
  CHECK(contains(picture, "energy.total  ["));
  CHECK(folder.sarrus({"plot", "m", "elbow.u", "--against", "elbow.q", "-o", "phase.svg"}).code ==
        0);
  CHECK(contains(folder.read("phase.svg"), "elbow.q  [rad]"));
}

TEST_CASE("plot: what cannot be drawn is refused before anything is written") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.1\n"));
  CHECK(folder.sarrus({"run", "m.toml", "--plot", "m.jpg"}).code == 2);
  CHECK_FALSE(fs::exists(folder / "m"));
  REQUIRE(folder.sarrus({"run", "m.toml"}).code == 0);
  const Ended unknown = folder.sarrus({"plot", "m", "elbow.Q"});
  CHECK(unknown.code == 2);
  CHECK(contains(unknown.error, "did you mean 'elbow.q'?"));
  CHECK_FALSE(fs::exists(folder / "plot.svg"));
  CHECK(folder.sarrus({"plot", "m", "--against", "nothing"}).code == 2);
  CHECK(folder.sarrus({"plot", "m"}).code == 0);
  CHECK(folder.sarrus({"plot", "m"}).code == 6);  // plot.svg exists
  CHECK(folder.sarrus({"plot", "m", "--force"}).code == 0);
  CHECK(folder.sarrus({"plot", "nowhere"}).code == 6);
}
