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
  CHECK(folder.sarrus({"plot", "m"}).code == 0);
  CHECK(fs::exists(folder / "plot.previous.svg"));
  const Ended neither = folder.sarrus({"plot", "elbw.q"});
  CHECK(neither.code == 2);
  CHECK(contains(neither.error, "no run and no column is called 'elbw.q'"));
  CHECK(contains(neither.error, "elbow.q"));
  CHECK(folder.sarrus({"plot", "no/where"}).code == 6);
}

TEST_CASE("plot: several runs over each other, each column with the name of its run") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 1\n"));
  REQUIRE(folder.sarrus({"run", "m.toml", "-o", "light"}).code == 0);
  REQUIRE(folder.sarrus({"run", "m.toml", "-o", "heavy", "--set", "load=5"}).code == 0);
  CHECK(folder.sarrus({"plot", "light", "heavy", "elbow.q", "-o", "both.svg"}).code == 0);
  const std::string picture = folder.read("both.svg");
  for (const char* name : {"elbow.q light", "elbow.q heavy"}) CHECK(contains(picture, name));
  size_t curves = 0;  // a curve has more points than a line of the grid
  for (size_t at = 0; (at = picture.find("stroke-width=\"1.6\"", at + 1)) != std::string::npos;)
    ++curves;
  CHECK(curves == 2);
  CHECK(
      folder
          .sarrus({"plot", "light", "heavy", "elbow.u", "--against", "elbow.q", "-o", "phase.svg"})
          .code == 0);
  CHECK(contains(folder.read("phase.svg"), "elbow.u heavy"));
}

TEST_CASE("plot: units that people think in, and a page for print") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 1\n"));
  REQUIRE(folder.sarrus({"run", "m.toml"}).code == 0);
  CHECK(folder.sarrus({"plot", "m", "elbow.q", "elbow.u", "tip.x", "--units", "deg,rpm,mm"}).code ==
        0);
  const std::string picture = folder.read("plot.svg");
  for (const char* title : {"elbow.q  [deg]", "elbow.u  [rpm]", "tip.x  [", "mm]"})
    CHECK(contains(picture, title));
  CHECK(folder.sarrus({"plot", "m", "elbow.q", "--units", "kg"}).code == 2);
  const Ended unknown = folder.sarrus({"plot", "m", "elbow.q", "--units", "dge"});
  CHECK(unknown.code == 2);
  CHECK(contains(unknown.error, "unknown unit 'dge'"));

  const Ended printed = folder.sarrus({"plot", "m", "elbow.q", "-o", "plot.pdf"});
  if (contains(folder.sarrus({"--version"}).out, "without PNG")) {
    CHECK(printed.code == 2);
    return;
  }
  CHECK(printed.code == 0);
  CHECK(folder.read("plot.pdf").starts_with("%PDF-"));
  CHECK(folder.sarrus({"plot", "m", "elbow.q", "-o", "again.pdf"}).code == 0);
  const bool same = folder.read("plot.pdf") == folder.read("again.pdf");
  CHECK(same);
}
