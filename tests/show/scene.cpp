#include "sarrus/show/scene.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "files/models.hpp"
#include "sarrus/files/read_model.hpp"
#include "sarrus/run/recorder.hpp"

using namespace sarrus;

namespace {

Model pendulum() { return parse_model(double_pendulum, "model.toml"); }

ResultHeader header_of(const Model& model) {
  ResultHeader header;
  header.columns = Recorder(compile(model), {}).columns();
  return header;
}

}  // namespace

TEST_CASE("scene: more bodies than a page can draw are refused in words, and the rows are kept") {
  const Model model = pendulum();
  Scene scene(header_of(model), {ValidModel(model), "", ""}, {.frames = 1});
  CHECK_FALSE(scene.can_draw());
  CHECK(scene.problem() == "its 2 bodies are more than a page can draw; the limit is 1");
  scene.add_row(std::vector<double>(scene.header().columns.size(), 0.5));
  CHECK(scene.rows() == 1);
  CHECK(nlohmann::json::parse(scene.json())["things"].is_null());
  CHECK(Scene(header_of(model), {ValidModel(model), "", ""}, {.frames = 2}).can_draw());
}

TEST_CASE("scene: however large a row is, some are kept, the first and the last among them") {
  const Model model = pendulum();
  Scene scene(header_of(model), {ValidModel(model), "", ""}, {.budget = 1});
  const std::int64_t seen = 1000;
  std::vector<double> row(scene.header().columns.size(), 0);
  for (std::int64_t i = 0; i < seen; ++i) {
    row[0] = static_cast<double>(i);
    scene.add_row(row);
  }
  scene.finish(ResultStatus::done, "{}", {});
  // thinned when a ninth comes: 5 to 9 of them, and the last
  CHECK(scene.rows() >= 5);
  CHECK(scene.rows() <= 10);
  CHECK(scene.time(0) == 0);
  CHECK(scene.time(scene.rows() - 1) == seen - 1);
  for (std::int64_t i = 0; i + 1 < scene.rows(); ++i)
    CHECK(scene.time(i + 1) - scene.time(i) <= static_cast<double>(scene.every()));
}

TEST_CASE("scene: a long text is there with its first lines, and how many it has") {
  const Model model = pendulum();
  std::string text;
  for (int i = 1; i <= 30'000; ++i) text += std::to_string(i) + "\n";
  const auto json =
      nlohmann::json::parse(Scene(header_of(model), {ValidModel(model), text, ""}).json());
  const std::string shown = json["text"];
  CHECK(json["lines"] == 30'000);
  CHECK(shown.ends_with("\n19999\n20000\n"));
  const auto whole =
      nlohmann::json::parse(Scene(header_of(model), {ValidModel(model), "a\nb", ""}).json());
  CHECK(whole["text"] == "a\nb");
}
