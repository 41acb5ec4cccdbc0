// The report of a result: one file, whole, and what it holds is what was computed.
#include <cmath>
#include <cstring>

#include "near.hpp"
#include "program.hpp"

using namespace sarrus::testing;

namespace {

nlohmann::json scene_of(const std::string& page) {
  const std::string opening = "<script type=\"application/json\" id=\"scene\">";
  const size_t begin = page.find(opening);
  REQUIRE(begin != std::string::npos);
  const size_t from = begin + opening.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

template <class Number>
std::vector<Number> numbers(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(letters.find(c));
    count += 6;
    if (count >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 255);
  }
  std::vector<Number> out(bytes.size() / sizeof(Number));
  std::memcpy(out.data(), bytes.data(), out.size() * sizeof(Number));
  return out;
}

/// A wheel from a file of its own, with a mesh and a parameter.
void write_model_in_parts(const Folder& folder) {
  fs::create_directories(folder / "lab/parts");
  fs::create_directories(folder / "lab/model");
  folder.write(
      "lab/model/m.toml",
      "sarrus = 1\nname = \"parts\"\n[[include]]\nfile = \"../parts/wheel.toml\"\nprefix = "
      "\"w\"\n[simulate]\nuntil = 1\noutput_step = 0.1\n");
  folder.write("lab/parts/wheel.toml",
               "sarrus = 1\n[parameters]\nload = 1\n[[body]]\nname = \"rim\"\nmass = "
               "\"load\"\ninertia = [1, 1, "
               "1]\nshape = { type = \"mesh\", file = \"tetra.obj\" }\n[[joint]]\nname = \"axle\"\n"
               "type = \"revolute\"\nchild = \"rim\"\nu = 2\n");
  folder.write("lab/parts/tetra.obj",
               "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
}

}  // namespace

TEST_CASE("report: its poses are those of the recorded sensor") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 1\noutput_step = 0.05\n"));
  REQUIRE(folder.sarrus({"run", "m.toml"}).code == 0);
  REQUIRE(folder.sarrus({"report", "m"}).code == 0);
  const nlohmann::json scene = scene_of(folder.read("report.html"));
  CHECK(scene["title"] == "busy");
  CHECK(scene["rows"]["kept"] == 21);
  const auto poses = numbers<float>(scene["poses"]);
  REQUIRE(poses.size() == 21 * 2 * 7);

  // the sensor sits at x = 1 on the second body: position and quaternion must lead there
  const auto column = [&](const std::string& name) {
    for (const auto& c : scene["columns"])
      if (c["name"] == name) {
        std::vector<double> values(21, c["offset"].get<double>());
        if (c.contains("data")) {
          const auto d = numbers<float>(c["data"]);
          for (size_t i = 0; i < 21; ++i) values[i] += d[i];
        }
        return values;
      }
    FAIL("no column " << name);
    return std::vector<double>();
  };
  const auto x = column("tip.x"), y = column("tip.y"), z = column("tip.z");
  for (size_t row = 0; row < 21; ++row) {
    const float* p = &poses[(row * 2 + 1) * 7];
    const double w = p[3], a = p[4], b = p[5], c = p[6];
    // R (1, 0, 0) of a unit quaternion
    const double tip[] = {p[0] + 1 - 2 * (b * b + c * c), p[1] + 2 * (a * b + w * c),
                          p[2] + 2 * (a * c - w * b)};
    const double sensed[] = {x[row], y[row], z[row]};
    CHECK(within(tip, sensed, 1e-6));  // floats of up to 2 m: 2⁻²⁴ of that, a few times
  }
}

TEST_CASE("report: names with HTML in them stay text") {
  const Folder folder;
  std::string model = busy_model("until = 0.1\n");
  model.replace(model.find("\"busy\""), 6, "\"</script><script>alert(1)</script>\"");
  folder.write("m.toml", model);
  REQUIRE(folder.sarrus({"run", "m.toml"}).code == 0);
  REQUIRE(folder.sarrus({"report", "m"}).code == 0);
  const std::string page = folder.read("report.html");
  CHECK_FALSE(contains(page, "<script>alert(1)"));
  CHECK(contains(page, "<title>&lt;/script>&lt;script>alert(1)"));
  CHECK(scene_of(page)["title"] == "</script><script>alert(1)</script>");
}

TEST_CASE("report: a model in several files is drawn where none of them is any more") {
  const Folder folder;
  write_model_in_parts(folder);
  REQUIRE(
      folder.sarrus({"run", "lab/model/m.toml", "--allow", "lab", "-o", "out", "--set", "w.load=3"})
          .code == 0);
  fs::remove_all(folder / "lab");
  const Ended made = folder.sarrus({"report", "out"});
  REQUIRE(made.code == 0);
  CHECK(made.error == "");
  const nlohmann::json scene = scene_of(folder.read("report.html"));
  CHECK(scene["things"]["bodies"][0]["mass"] == 3);
  CHECK(scene["things"]["frames"][0]["shapes"][0]["kind"] == "mesh");
  const auto corners =
      numbers<std::uint32_t>(scene["things"]["frames"][0]["shapes"][0]["mesh"]["corners"]);
  CHECK(corners.size() == 12);
}

TEST_CASE("report: without its model a result still shows its plots, and says why no more") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.1\n"));
  REQUIRE(folder.sarrus({"run", "m.toml"}).code == 0);
  fs::remove(folder / "m/model.toml");
  const Ended made = folder.sarrus({"report", "m"});
  CHECK(made.code == 0);
  CHECK(contains(made.error, "model.toml, is not beside the result"));
  const nlohmann::json scene = scene_of(folder.read("report.html"));
  CHECK(scene["things"].is_null());
  CHECK(scene["columns"].size() > 5);
}

TEST_CASE("report: too many rows are thinned evenly, and the last one stays") {
  const Folder folder;
  folder.write("m.toml",
               busy_model("until = 10\noutput_step = 1e-4\nintegrator = \"rk4\"\nstep = 1e-3\n"));
  REQUIRE(folder.sarrus({"run", "m.toml"}).code == 0);
  const Ended made = folder.sarrus({"report", "m", "--json"});
  REQUIRE(made.code == 0);
  const auto facts = nlohmann::json::parse(made.out)["report"];
  CHECK(facts["rows"] == 100001);
  CHECK(facts["shown"] > 20000);
  CHECK(facts["bytes"] < 40'000'000);
  const nlohmann::json scene = scene_of(folder.read("report.html"));
  const auto time = numbers<double>(scene["time"]);
  CHECK(time.front() == 0);
  CHECK(near(time.back(), 10, 1e-14));
  const double step = 1e-4 * scene["rows"]["every"].get<double>();
  CHECK(step > 1e-4);
  for (size_t i = 1; i + 1 < time.size(); ++i)
    CHECK(within(time[i] - time[i - 1], step, 1e-14));  // two roundings of t < 10
}

TEST_CASE("report: written again, it keeps the file that was there, unless --replace") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.1\n"));
  REQUIRE(folder.sarrus({"run", "m.toml"}).code == 0);
  folder.write("report.html", "mine");
  CHECK(folder.sarrus({"report", "m"}).code == 0);
  CHECK(folder.read("report.previous.html") == "mine");
  const std::string page = folder.read("report.html");
  CHECK(folder.sarrus({"report", "m", "--replace"}).code == 0);
  CHECK(folder.read("report.previous.html") == "mine");
  CHECK(folder.sarrus({"report", "m"}).code == 0);
  const bool kept = folder.read("report.previous.html") == page;
  CHECK(kept);
  CHECK(folder.sarrus({"report", "nowhere"}).code == 6);
  CHECK(folder.sarrus({"report", "m", "-o", "r2.html", "--every", "0"}).code == 2);
}

TEST_CASE("report: run --report writes the page in one go, beside the results") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.1\n"));
  const Ended ran = folder.sarrus({"run", "m.toml", "--report"});
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "m.html"));
  CHECK(folder.sarrus({"report", "m", "-o", "same.html"}).code == 0);
  const bool same = folder.read("m.html") == folder.read("same.html");
  CHECK(same);
}

TEST_CASE("report: a model means its run, a folder the newest run below it, and so does no word") {
  const Folder folder;
  CHECK(folder.sarrus({"report"}).code == 2);
  folder.write("m.toml", busy_model("until = 0.1\n"));
  CHECK(folder.sarrus({"report", "m.toml"}).code == 2);  // it was not run
  REQUIRE(folder.sarrus({"run", "m.toml", "-o", "old"}).code == 0);
  REQUIRE(folder.sarrus({"run", "m.toml", "-o", "in/new"}).code == 0);
  // of two results the file system may not know which is newer
  const fs::path old = folder / "old/result.sarrus";
  fs::last_write_time(old, fs::last_write_time(old) - std::chrono::hours(1));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"report"}, {"report", "in"}, {"report", "."}}) {
    CAPTURE(words);
    const Ended made = folder.sarrus(words);
    CHECK(made.code == 0);
    CHECK(contains(made.out, "in/new"));
  }
  CHECK(contains(folder.sarrus({"plot"}).out, "in/new"));
  CHECK(contains(folder.sarrus({"export", "--csv", "x.csv"}).out, "in/new"));

  REQUIRE(folder.sarrus({"run", "m.toml", "-o", "new"}).code == 0);  // as a command is called
  CHECK(folder.sarrus({"report", "new", "-o", "new.html"}).code == 0);
  CHECK(fs::exists(folder / "new.html"));
  REQUIRE(folder.sarrus({"run", "m.toml"}).code == 0);
  CHECK(folder.sarrus({"report", "m.toml"}).error.find("model-changed") == std::string::npos);
  folder.write("m.toml", busy_model("until = 0.2\n"));
  const Ended changed = folder.sarrus({"report", "m.toml"});
  CHECK(changed.code == 0);
  CHECK(contains(changed.error, "warning[model-changed]"));
}
