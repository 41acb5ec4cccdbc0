// What a command reads it leaves as it is, whatever name leads there and whatever it may replace.
#include <cmath>
#include <map>

#include "program.hpp"

using namespace sarrus::testing;

namespace {

/// Every file below a folder, with its bytes.
std::map<std::string, std::string> contents(const fs::path& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) all[entry.path().string()] = read_text(entry.path());
  return all;
}

const std::vector<std::vector<std::string>> exports = {
    {"export", "m", "--csv"},
    {"export", "m", "--hdf5"},
    {"export", "m", "--gltf"},
    {"report", "m", "-o"},
    {"export", "m/result.sarrus", "--csv"},
};

}  // namespace

TEST_CASE("R21: no export writes over a file of the run that it reads") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.1\n"));
  REQUIRE(folder.sarrus({"run", "m.toml", "-o", "m"}).code == 0);
  folder.write("m/verify.json", "{}");
  fs::create_symlink("m/result.sarrus", folder / "link");
  fs::create_hard_link(folder / "m/result.sarrus", folder / "hard");
  fs::create_directory_symlink("m", folder / "by");
  const auto before = contents(folder / "m");
  const bool has_hdf5 = contains(folder.sarrus({"--version"}).out, "with HDF5");
  for (std::vector<std::string> words : exports)
    for (const std::string target :
         {"m/result.sarrus", "./m/../m/result.sarrus", "link", "hard", "by/result.sarrus",
          "m/model.toml", "m/verify.json", "by/checkpoint", "m/checkpoint.previous"}) {
      if (words[2] == "--hdf5" && !has_hdf5) continue;
      CAPTURE(words);
      CAPTURE(target);
      words.resize(3);
      words.insert(words.end(), {target, "--force"});
      const Ended ended = folder.sarrus(words);
      CHECK(ended.code == 6);
      CHECK(contains(ended.error, "error[would-overwrite]"));
      CHECK(contains(ended.error, target.substr(target.rfind('/') + 1)));
      const bool same = contents(folder / "m") == before;
      CHECK(same);
    }
  // a file of one's own in the same folder is nobody's source
  folder.write("m/report.html", "old");
  CHECK(folder.sarrus({"report", "m", "-o", "m/report.html", "--force"}).code == 0);
  CHECK(folder.read("m/report.html").size() > 1000);
}

TEST_CASE("R21: a picture does not take the place of the result, by whatever link") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.1\n"));
  REQUIRE(folder.sarrus({"run", "m.toml", "-o", "m"}).code == 0);
  fs::create_symlink("m/result.sarrus", folder / "plot.svg");
  const auto before = contents(folder / "m");
  CHECK(folder.sarrus({"plot", "m", "--force"}).code == 6);
  CHECK(folder.sarrus({"run", "m.toml", "-o", "m", "--force", "--plot", "plot.svg"}).code == 6);
  const bool same = contents(folder / "m") == before;
  CHECK(same);
}

TEST_CASE("R21: a run writes its rows neither over its model nor over its own result") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.1\n"));
  const std::string model = folder.read("m.toml");
  CHECK(folder.sarrus({"run", "m.toml", "-o", "m", "--force", "--csv", "m.toml"}).code == 6);
  CHECK(folder.sarrus({"run", "m.toml", "-o", "m", "--force", "--csv", "m/result.sarrus"}).code ==
        6);
  CHECK(folder.read("m.toml") == model);
  CHECK_FALSE(fs::exists(folder / "m"));
}

TEST_CASE("R21: matrices and tracks survive results of the same names") {
  const Folder folder;
  fs::create_directory(folder / "out");
  const std::string matrix =
      "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 2\n2 2 3\n";
  folder.write("out/M.mtx", matrix);
  folder.write("out/K.mtx", matrix);
  CHECK(folder
            .sarrus({"reduce", "--mass", "out/M.mtx", "--stiffness", "out/K.mtx", "-o", "out",
                     "--replace"})
            .code == 6);
  CHECK(folder.read("out/M.mtx") == matrix);
  CHECK(folder.read("out/K.mtx") == matrix);

  std::string tracks = "time,x1,y1,x2,y2\n";
  for (int i = 0; i < 50; ++i) {
    const double t = 0.01 * i, c = std::cos(t), s = std::sin(t);
    tracks += std::to_string(t) + "," + std::to_string(c) + "," + std::to_string(s) + "," +
              std::to_string(-s) + "," + std::to_string(c) + "\n";
  }
  folder.write("out/motion.csv", tracks);
  folder.write("body.csv", "x,y\n1,0\n0,1\n");
  const Ended ended = folder.sarrus(
      {"markers", "out/motion.csv", "--body", "body.csv", "-o", "out", "--force", "--noise", "0"});
  CAPTURE(ended.error);
  CHECK(ended.code == 6);
  CHECK(folder.read("out/motion.csv") == tracks);
}
