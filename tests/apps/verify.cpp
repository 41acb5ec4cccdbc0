// sarrus verify as a user meets it: exit codes, words, the object for machines, the suite.
#include "program.hpp"

using namespace sarrus::testing;
using Parsed = nlohmann::json;

namespace {

const std::string verified_examples = std::string(source_folder) + "/examples/";

}  // namespace

TEST_CASE("verify: agreement is exit 0 and a sentence with its digits") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 1\n"));
  const Ended ended = folder.sarrus({"verify", "m.toml"});
  CHECK(ended.code == 0);
  CHECK(contains(ended.out, "agrees to "));
  CHECK(contains(ended.out, "hamiltonian"));
  CHECK(contains(ended.out, "elbow.q"));
}

TEST_CASE("verify: the object for machines holds table, formulations and audits") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.5\n"));
  const Ended ended = folder.sarrus({"verify", "m.toml", "--json"});
  const Parsed all = Parsed::parse(ended.out);
  const Parsed& v = all.at("verify");
  CHECK(v.at("verdict") == "agrees");
  CHECK(v.at("digits").get<int>() >= 8);
  CHECK(v.at("formulations").size() == 4);
  CHECK(v.at("quantities").size() > 10);
  CHECK(v.at("audits").size() > 8);
}

TEST_CASE(
    "verify: what one formulation alone can run is undecided, exit 10, with what others lack") {
  const Folder folder;
  const Ended ended =
      folder.sarrus({"verify", verified_examples + "clutch/model.toml", "--until", "0.1"});
  CHECK(ended.code == 10);
  CHECK(contains(ended.out, "does not support joints with `active`"));
  CHECK(contains(ended.out, "discrete alone"));
}

TEST_CASE("verify: more digits than numbers have are refused, fewer than are there are enough") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.2\n"));
  CHECK(folder.sarrus({"verify", "m.toml", "--digits", "20"}).code == 2);
  CHECK(folder.sarrus({"verify", "m.toml", "--digits", "3"}).code == 0);
  CHECK(folder.sarrus({"verify"}).code == 2);
  CHECK(folder.sarrus({"verify", "--suite", "nowhere"}).code == 2);
}

TEST_CASE("verify: its table stands in the report of a run") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.2\n"));
  REQUIRE(folder.sarrus({"run", "m.toml"}).code == 0);
  REQUIRE(folder.sarrus({"verify", "m.toml", "-o", "m"}).code == 0);
  REQUIRE(folder.sarrus({"report", "m"}).code == 0);
  CHECK(contains(folder.read("report.html"), "\"sentence\":\"the rows have "));
}

TEST_CASE("verify: the suite finds a number that is off and a model that has none") {
  const Folder folder;
  fs::create_directories(folder / "all/pendulum");
  folder.write("all/pendulum/model.toml", busy_model("until = 0.2\noutput_step = 0.1\n"));
  CHECK(folder.sarrus({"verify", "--suite", "all"}).code == 2);  // nothing to expect
  folder.write("all/pendulum/expected.json",
               R"({"source": "the start of the model", "checks": [
                   {"column": "elbow.q", "time": 0, "value": 0.6981317007977318, "tolerance": 1e-12}]})");
  const Ended good = folder.sarrus({"verify", "--suite", "all", "--short"});
  CHECK(good.code == 0);
  CHECK(contains(good.out, "1 of 1 models"));
  folder.write("all/pendulum/expected.json",
               R"({"source": "a wrong number", "checks": [
                   {"column": "elbow.q", "time": 0, "value": 0.7, "tolerance": 1e-12}]})");
  const Ended bad = folder.sarrus({"verify", "--suite", "all", "--short"});
  CHECK(bad.code == 9);
  CHECK(contains(bad.out, "misses its reference"));
}

TEST_CASE("trust: a wrong inertia agrees with itself and misses the numbers of the pendulum") {
  const Folder folder;
  const std::string trust = std::string(source_folder) + "/docs/trust";
  const Ended alone =
      folder.sarrus({"verify", trust + "/wrong_inertia/model.toml", "--until", "1"});
  CHECK(alone.code == 0);
  CHECK(contains(alone.out, "agrees to "));
  const Ended suite = folder.sarrus({"verify", "--suite", trust, "--short"});
  CHECK(suite.code == 9);
  CHECK(contains(suite.out, "shoulder.q at 0.5 s is 0.5431542134"));
}

TEST_CASE("trust: forces that are no slope of any potential are pointed out") {
  const Folder folder;
  const std::string field = std::string(source_folder) + "/docs/trust/field/model.toml";
  const Ended ended = folder.sarrus({"verify", field, "--until", "0.5"});
  CHECK(ended.code == 0);
  CHECK(contains(ended.out, "note external forces without a potential (y.u and x.u)"));
}

TEST_CASE("verify: the rows of a run are judged as they are, and its report shows their digits") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.5\nrtol = 1e-4\n"));
  REQUIRE(folder.sarrus({"run", "m.toml"}).code == 0);
  const Ended ended = folder.sarrus({"verify", "m", "--json"});
  CHECK(ended.code == 0);
  const Parsed v = Parsed::parse(ended.out).at("verify");
  CHECK(v.at("digits").get<int>() >= 8);             // of the formulations
  CHECK(v.at("rows").at("digits").get<int>() <= 6);  // rtol 1e-4
  CHECK(v.at("rows").at("digits").get<int>() >= 2);
  CHECK(Parsed::parse(folder.read("m/verify.json")).at("rows") == v.at("rows"));
  CHECK(folder.sarrus({"verify", "m", "--digits", "8"}).code == 9);
  CHECK(folder.sarrus({"verify", "m", "--until", "1"}).code == 2);
}

TEST_CASE("run: it ends with an estimate of its digits, which can be left out") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.5\n"));
  const Ended told = folder.sarrus({"run", "m.toml", "--json"});
  REQUIRE(told.code == 0);
  const Parsed digits = Parsed::parse(told.out).at("digits");
  CHECK(digits.at("estimate").get<double>() > 6);  // rtol 1e-9
  const std::string rows = folder.read("m/result.sarrus");
  const Ended silent = folder.sarrus({"run", "m.toml", "--json", "--force", "--no-estimate"});
  REQUIRE(silent.code == 0);
  CHECK_FALSE(Parsed::parse(silent.out).contains("digits"));
  CHECK(folder.read("m/result.sarrus") == rows);
  CHECK(contains(folder.sarrus({"run", "m.toml", "--force"}).out, "digits     about "));
}
