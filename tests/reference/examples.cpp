// Every example of the repository meets the numbers of its expected.json.
//
// The file holds numbers from outside, never from Sarrus:
//
//   source           where they come from
//   models           the model files that have to meet them, model.toml unless said
//   columns, rows    a table whose first column is the time, with one absolute tolerance
//   checks           single ones: a column at a time, a column that always has a value or never
//   exceeds one,
//                    the moment of an event; "model" restricts a check to one of the models
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "sarrus/analysis/simulate.hpp"
#include "sarrus/io/read_model.hpp"

using namespace sarrus;
namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

const fs::path root = SARRUS_SOURCE_DIR;

std::vector<fs::path> examples() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(root / "examples"))
    if (fs::exists(entry.path() / "model.toml")) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The row at a time, −1 where the run wrote none.
int row_at(const Trajectory& run, double time) {
  for (int i = 0; i < run.rows(); ++i)
    if (std::fabs(run.row(i)[0] - time) < 1e-9) return i;
  return -1;
}

/// What differs, in words; empty where all is well.
std::string near(const std::string& what, double found, double value, double tolerance) {
  if (std::fabs(found - value) <= tolerance) return {};
  return fmt::format("{} is {:.15g}, expected {:.15g} within {:g}, off by {:.2e}", what, found,
                     value, tolerance, found - value);
}

std::string at_time(const Trajectory& run, const std::string& column, double time, double value,
                    double tolerance) {
  if (run.column(column) < 0) return "there is no column " + column;
  const int row = row_at(run, time);
  if (row < 0) return fmt::format("there is no row at {} s", time);
  return near(fmt::format("{} at {} s", column, time), run.at(row, column), value, tolerance);
}

std::string at_all_times(const Trajectory& run, const std::string& column, double value,
                         double tolerance) {
  if (run.column(column) < 0) return "there is no column " + column;
  for (int i = 0; i < run.rows(); ++i)
    if (std::string wrong = at_time(run, column, run.row(i)[0], value, tolerance); !wrong.empty())
      return wrong;
  return {};
}

std::string event_at(const RunSummary& run, const std::string& name, int index, double time,
                     double tolerance) {
  int count = 0;
  for (const LocatedEvent& event : run.events)
    if (event.name == name && count++ == index)
      return near(fmt::format("event {} {}", name, index), event.t, time, tolerance);
  return fmt::format("event {} happened {} times only", name, count);
}

std::string one_check(const Run& run, const Json& c) {
  const auto number = [&](const char* key) { return c.at(key).get<double>(); };
  if (c.contains("event"))
    return event_at(run.summary, c.at("event"), c.at("index"), number("time"), number("tolerance"));
  if (c.contains("max_abs"))
    return at_all_times(run.trajectory, c.at("column"), 0, number("max_abs"));
  if (c.contains("always"))
    return at_all_times(run.trajectory, c.at("column"), number("always"), number("tolerance"));
  return at_time(run.trajectory, c.at("column"), number("time"), number("value"),
                 number("tolerance"));
}

std::vector<std::string> table(const Run& run, const Json& expected) {
  std::vector<std::string> wrong;
  const auto columns = expected.at("columns").get<std::vector<std::string>>();
  for (const Json& row : expected.at("rows"))
    for (size_t i = 1; i < columns.size(); ++i)
      wrong.push_back(
          at_time(run.trajectory, columns[i], row.at(0), row.at(i), expected.at("tolerance")));
  return wrong;
}

/// Everything in which a run of the model differs from what is expected.
std::vector<std::string> differences(const Model& model, const std::string& file,
                                     const Json& expected) {
  const Run run = simulate(compile(model), model.simulate);
  std::vector<std::string> found;
  if (expected.contains("rows")) found = table(run, expected);
  if (run.summary.status != RunStatus::done)
    found.push_back(fmt::format("the run ended with '{}'", to_text(run.summary.status)));
  for (const Json& c : expected.value("checks", Json::array()))
    if (c.value("model", file) == file) found.push_back(one_check(run, c));
  std::erase(found, "");
  return found;
}

std::vector<std::string> differences(const fs::path& folder, const std::string& file,
                                     const Json& expected) {
  return differences(read_model((folder / file).string()), file, expected);
}

}  // namespace

TEST_CASE("examples: every model meets the numbers that were computed without Sarrus") {
  for (const fs::path& folder : examples()) {
    SUBCASE(folder.filename().c_str()) {
      const Json expected = Json::parse(text_of(folder / "expected.json"));
      CHECK(expected.at("source").get<std::string>().size() > 10);
      CHECK(expected.value("rows", Json::array()).size() +
                expected.value("checks", Json::array()).size() >
            0);
      for (const std::string& file :
           expected.value("models", std::vector<std::string>{"model.toml"})) {
        CAPTURE(file);
        for (const std::string& difference : differences(folder, file, expected))
          FAIL_CHECK(difference);
      }
    }
  }
}

TEST_CASE("examples: closed loops meet them in every formulation and way to close them") {
  int seen = 0;
  for (const fs::path& folder : examples()) {
    Model model = read_model((folder / "model.toml").string());
    if (model.simulate.formulation != "recursive" || !compile(model).has_loops()) continue;
    ++seen;
    Json expected = Json::parse(text_of(folder / "expected.json"));
    // two formulations agree to 1e-9 where one may be nearer to the reference: speeds reach 23
    // rad/s
    expected["tolerance"] = std::max(2e-8, expected.at("tolerance").get<double>());
    CAPTURE(folder.filename().string());
    for (const std::string way : {"hamiltonian", "nullspace"}) {
      CAPTURE(way);
      model.simulate.formulation = way == "hamiltonian" ? way : "recursive";
      model.simulate.loops = way == "nullspace" ? way : "multipliers";
      for (const std::string& difference : differences(model, "model.toml", expected))
        FAIL_CHECK(difference);
    }
  }
  CHECK(seen >= 10);
}

TEST_CASE("examples: a number that is off, a column or an event that is not there, is noticed") {
  const fs::path folder = root / "examples" / "screw_jack";
  const Json good = Json::parse(text_of(folder / "expected.json"));
  const auto wrong = [&](const char* change) {
    Json expected = good;
    expected.merge_patch(Json::parse(change));
    return differences(folder, "model.toml", expected).size();
  };
  CHECK(wrong("{}") == 0);
  CHECK(wrong(R"({"columns": ["time", "head.z", "thread.u", "head.z"]})") > 0);
  CHECK(
      wrong(R"({"checks": [{"column": "thread.u", "time": 1, "value": 50, "tolerance": 0.1}]})") ==
      1);
  CHECK(wrong(R"({"checks": [{"column": "thread.w", "time": 1, "value": 50, "tolerance": 99}]})") ==
        1);
  CHECK(
      wrong(
          R"({"checks": [{"column": "thread.u", "time": 1.0003, "value": 50, "tolerance": 99}]})") ==
      1);
  CHECK(wrong(R"({"checks": [{"column": "thread.u", "max_abs": 1}]})") == 1);
  CHECK(wrong(R"({"checks": [{"event": "lifted", "index": 0, "time": 1, "tolerance": 1e-3}]})") ==
        1);
  CHECK(wrong(R"({"checks": [{"event": "lifted", "index": 1, "time": 1, "tolerance": 99}]})") == 1);
}

TEST_CASE("examples: each is explained, and what its page names exists") {
  const std::string gallery = text_of(root / "docs" / "examples.md");
  const std::regex path("examples/[A-Za-z0-9_]+/[A-Za-z0-9_.]+");
  const std::regex link(R"(\]\(([^)#:]+)\))");
  for (const fs::path& folder : examples()) {
    const std::string name = folder.filename();
    CAPTURE(name);
    const std::string page = text_of(folder / "README.md");
    CHECK(page.find("sarrus run examples/" + name + "/model.toml") != std::string::npos);
    CHECK(gallery.find("](../examples/" + name + "/README.md)") != std::string::npos);
    for (std::sregex_iterator i(page.begin(), page.end(), path), end; i != end; ++i) {
      CAPTURE(i->str());
      CHECK(fs::exists(root / i->str()));
    }
    for (std::sregex_iterator i(page.begin(), page.end(), link), end; i != end; ++i) {
      CAPTURE(i->str());
      CHECK(fs::exists(folder / (*i)[1].str()));
    }
  }
}
