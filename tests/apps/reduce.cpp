// sarrus reduce: both worked examples of Walton and Steeves, and what bad input gets.
#include <cmath>

#include "program.hpp"
#include "sarrus/files/mesh/matrix_market.hpp"

using namespace sarrus::testing;
using Parsed = nlohmann::json;

namespace {

const fs::path reduced_examples = fs::path(source_folder) / "examples";

/// A number of a file that the program wrote: the cell of a CSV by row and column name, the entry
/// of a matrix, or a value of summary.json by its pointer.
double number_in(const fs::path& folder, const Parsed& check) {
  const std::string file = check.at("file");
  const fs::path path = folder / file;
  REQUIRE(fs::exists(path));
  if (file.ends_with(".mtx")) {
    const sarrus::Matrix A = to_dense(sarrus::read_matrix_market(path.string()));
    return A(check.at("row").get<int>() - 1, check.at("col").get<int>() - 1);
  }
  if (file.ends_with(".json"))
    return Parsed::parse(read_text(path))
        .at(Parsed::json_pointer(check.at("pointer")))
        .get<double>();
  std::istringstream in(read_text(path));
  std::vector<std::vector<std::string>> cells;
  for (std::string line; std::getline(in, line);) {
    cells.emplace_back();
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.back().push_back(cell);
  }
  const auto column =
      std::find(cells[0].begin(), cells[0].end(), check.at("column").get<std::string>());
  REQUIRE(column != cells[0].end());
  const auto at = static_cast<size_t>(column - cells[0].begin());
  if (check.at("row").is_number()) return std::stod(cells.at(check.at("row").get<size_t>()).at(at));
  for (const auto& row : cells)
    if (row[0] == check.at("row").get<std::string>()) return std::stod(row.at(at));
  FAIL("no row " << check.at("row"));
  return 0;
}

std::string matrix(const std::string& body) {
  return "%%MatrixMarket matrix coordinate real general\n" + body;
}

/// Two masses and a spring, and files with faults beside it.
void write_system(const Folder& folder) {
  folder.write("M.mtx", matrix("2 2 2\n1 1 1\n2 2 2\n"));
  folder.write("K.mtx", matrix("2 2 4\n1 1 5\n1 2 -5\n2 1 -5\n2 2 5\n"));
  folder.write("C.mtx", matrix("1 2 2\n1 1 1\n1 2 -1\n"));
}

Ended reduce(const Folder& folder, std::vector<std::string> more, const std::string& M = "M.mtx",
             const std::string& K = "K.mtx") {
  std::vector<std::string> words{"reduce", "--mass", M, "--stiffness", K, "--replace"};
  words.insert(words.end(), more.begin(), more.end());
  return folder.sarrus(words);
}

}  // namespace

TEST_CASE("examples: the files of every run have the numbers that were computed without Sarrus") {
  int folders = 0;
  for (const auto& entry : fs::recursive_directory_iterator(reduced_examples)) {
    const std::string name = fs::relative(entry.path(), reduced_examples);
    if (!entry.is_directory() || !contains(read_text(entry.path() / "expected.json"), "\"runs\""))
      continue;
    CAPTURE(name);
    ++folders;
    const Parsed expected = Parsed::parse(read_text(reduced_examples / name / "expected.json"));
    for (const Parsed& run : expected.at("runs")) {
      const Folder folder;
      fs::copy(reduced_examples / name, folder.path(), fs::copy_options::recursive);
      std::vector<std::string> words = run.at("command");
      const Ended ended = folder.sarrus(words);
      INFO(ended.error);
      REQUIRE(ended.code == 0);
      for (const Parsed& check : run.at("checks")) {
        CAPTURE(check.dump());
        const double found = number_in(folder / run.at("folder").get<std::string>(), check);
        CHECK(std::fabs(found - check.at("value").get<double>()) <=
              check.at("tolerance").get<double>());
      }
    }
  }
}

TEST_CASE("reduce: bad input is refused with words and the right code") {
  const Folder folder;
  write_system(folder);
  folder.write("wide.mtx", matrix("2 3 1\n1 1 1\n"));
  folder.write("three.mtx", matrix("3 3 3\n1 1 1\n2 2 1\n3 3 1\n"));
  folder.write("askew.mtx", matrix("2 2 3\n1 1 5\n2 2 5\n1 2 1\n"));
  folder.write("nan.mtx", matrix("2 2 1\n1 1 nan\n"));
  folder.write("negative.mtx", matrix("2 2 2\n1 1 1\n2 2 -2\n"));
  folder.write("indefinite.mtx", matrix("2 2 4\n1 1 1\n2 2 1\n1 2 2\n2 1 2\n"));
  folder.write("zero.mtx", matrix("2 2 0\n"));
  folder.write("C3.mtx", matrix("1 3 1\n1 1 1\n"));
  folder.write("twice.mtx", matrix("2 2 4\n1 1 1\n1 2 -1\n2 1 2\n2 2 -2\n"));
  folder.write("d.mtx", matrix("2 1 2\n1 1 1\n2 1 1\n"));
  folder.write("names.txt", "left\nleft\n");
  folder.write("Z.csv", "time,z9\n0,1\n1,1\n");
  folder.write("backwards.csv", "time,z1\n1,1\n0,1\n");
  folder.write("start.csv", "z1,z2\n1,2\n");
  struct Case {
    int code;
    std::string M, K;
    std::vector<std::string> more;
    const char* says;
  };
  const Case cases[] = {
      {3, "M.mtx", "wide.mtx", {}, "expected a square matrix"},
      {3, "three.mtx", "K.mtx", {}, "3 × 3; expected 2 × 2"},
      {3, "M.mtx", "askew.mtx", {}, "entries (2, 1) and (1, 2) differ by 1"},
      {3, "M.mtx", "nan.mtx", {}, "nan.mtx:3:5: error[not-finite]"},
      {3, "M.mtx", "L.mtx", {}, "no such file"},
      {4, "negative.mtx", "K.mtx", {}, "the mass of z2 is -2"},
      {4, "indefinite.mtx", "K.mtx", {}, "has the mass -1"},
      {4, "zero.mtx", "zero.mtx", {}, "mass"},
      {3, "M.mtx", "K.mtx", {"--constraints", "C3.mtx"}, "3 columns; expected 2"},
      {4,
       "M.mtx",
       "K.mtx",
       {"--constraints", "twice.mtx", "--right-side", "d.mtx"},
       "c2 = 2 c1, but the right-hand sides differ by -1"},
      {3,
       "M.mtx",
       "K.mtx",
       {"--coordinate-names", "names.txt"},
       "names.txt:2:1: error[doubled-name]"},
      {3, "M.mtx", "K.mtx", {"--force", "Z.csv", "--until", "1"}, "nothing is called 'z9'"},
      {3, "M.mtx", "K.mtx", {"--force", "backwards.csv", "--until", "1"}, "times must rise"},
      {4,
       "M.mtx",
       "K.mtx",
       {"--constraints", "C.mtx", "--initial", "start.csv"},
       "violate c1 by 1"},
      {2, "M.mtx", "K.mtx", {"--route", "jacob"}, "did you mean 'jacobi'"},
      {2, "M.mtx", "K.mtx", {"--keep", "z3"}, "nothing is called 'z3'"},
      {4, "M.mtx", "K.mtx", {"--constraints", "C.mtx", "--keep", "z1,z2"}, "depend on each other"},
      {2, "M.mtx", "K.mtx", {"--until", "0"}, "not after the start"},
      {2, "M.mtx", "K.mtx", {"--until", "1", "--load", "z1=1/0"}, "--load"},
      {2, "M.mtx", "K.mtx", {"--until", "1", "--load", "z1=x"}, "'x' is not known"},
      {2, "M.mtx", "K.mtx", {"--frequencies", "1:2"}, "FROM:TO:COUNT"},
      {2, "M.mtx", "K.mtx", {"--frequencies", "1:2:3"}, "--harmonic"},
      {2, "M.mtx", "K.mtx", {"--tolerance", "2"}, "outside 0 … 1"},
  };
  for (const Case& c : cases) {
    std::string line = c.M + " " + c.K;
    for (const std::string& word : c.more) line += " " + word;
    CAPTURE(line);
    const Ended ended = reduce(folder, c.more, c.M, c.K);
    CAPTURE(ended.error);
    CHECK(ended.code == c.code);
    CHECK(contains(ended.error, c.says));
  }
}

TEST_CASE("reduce: no constraint, every constraint, nearly none, and more modes than there are") {
  const Folder folder;
  write_system(folder);
  folder.write("none.mtx", matrix("2 2 0\n"));
  folder.write("all.mtx", matrix("2 2 2\n1 1 1\n2 2 1\n"));
  folder.write("near.mtx", matrix("2 2 4\n1 1 1\n1 2 1\n2 1 1\n2 2 1.00000000000001\n"));

  const Ended none = reduce(folder, {"--constraints", "none.mtx"});
  CHECK(none.code == 0);
  CHECK(contains(none.error, "C has rank 0"));
  CHECK(contains(none.out, "2 freedoms"));

  const Ended all = reduce(folder, {"--constraints", "all.mtx", "--until", "1"});
  CHECK(all.code == 0);
  CHECK(contains(all.out, "no degree of freedom is left"));

  const Ended near = reduce(folder, {"--constraints", "near.mtx", "--second-opinion"});
  CHECK(near.code == 0);
  CHECK(contains(near.error, "warning[unclear-rank]"));
  CHECK(contains(near.error, "with 32 digits the rank is 2, not 1"));

  const Ended many = reduce(folder, {"--modes", "7"});
  CHECK(many.code == 0);
  CHECK(contains(many.error, "7 modes are asked for, the system has 2"));
}

TEST_CASE(
    "reduce: results are not written over unless asked, and the folder of a refusal stays away") {
  const Folder folder;
  write_system(folder);
  REQUIRE(folder.sarrus({"reduce", "--mass", "M.mtx", "--stiffness", "K.mtx"}).code == 0);
  const Ended again = folder.sarrus({"reduce", "--mass", "M.mtx", "--stiffness", "K.mtx"});
  CHECK(again.code == 6);
  CHECK(contains(again.error, "--replace"));
  CHECK(folder.sarrus({"reduce", "--mass", "M.mtx", "--stiffness", "L.mtx", "-o", "new"}).code ==
        3);
  CHECK_FALSE(fs::exists(folder / "new"));
}

TEST_CASE("reduce: one object for machines has the rank, the modes and the files") {
  const Folder folder;
  write_system(folder);
  const Ended ended = reduce(folder, {"--constraints", "C.mtx", "--json"});
  REQUIRE(ended.code == 0);
  const Parsed json = Parsed::parse(ended.out);
  CHECK(json.at("freedoms") == 1);
  CHECK(json.at("rank").at("rank") == 1);
  CHECK(json.at("rank").at("status") == "clear");
  CHECK(json.at("rigid_modes") == 1);
  for (const std::string file : json.at("files")) CHECK(fs::exists(folder / ("reduced/" + file)));
}
