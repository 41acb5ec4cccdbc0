// What the README and the tutorial show is what the program does.
#include <cmath>

#include "program.hpp"

using namespace sarrus::testing;

namespace {

const fs::path source = source_folder;

/// The first block of code of a kind, for example "toml".
std::string block(const std::string& page, const std::string& opening) {
  const size_t at = page.find("```" + opening + "\n");
  REQUIRE(at != std::string::npos);
  const size_t begin = at + opening.size() + 4;
  return page.substr(begin, page.find("\n```", begin) + 1 - begin);
}

/// Words of the lines that do not tell of speed or of the last digits: these differ between
/// machines.
std::vector<std::string> stable_words(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    bool varies = false;
    for (const char* name : {"  time ", "  steps ", "  evaluated ", "  ledger "})
      varies = varies || line.starts_with(name);
    std::istringstream cut(varies ? "" : line);
    for (std::string word; cut >> word;) words.push_back(word);
  }
  return words;
}

/// The same word, or numbers that agree to what the tolerance of the run promises.
bool alike(const std::string& a, const std::string& b) {
  char *end_a = nullptr, *end_b = nullptr;
  const double x = std::strtod(a.c_str(), &end_a), y = std::strtod(b.c_str(), &end_b);
  const bool numbers = *end_a == 0 && *end_b == 0;
  return a == b || (numbers && std::fabs(x - y) < 1e-6 * (1 + std::fabs(x)));
}

}  // namespace

TEST_CASE("the README's verdict of verify is what verify says, but for the last digits") {
  const std::string page = read_text(source / "README.md");
  const size_t shown = page.find("agrees to ");
  REQUIRE(shown != std::string::npos);
  const size_t who = page.find('(', shown);
  const std::string names = page.substr(who, page.find(')', who) + 1 - who);
  const Folder folder;
  const Ended said = folder.sarrus({"verify", (source / "examples/four_bar/model.toml").string()});
  REQUIRE(said.code == 0);
  const size_t printed = said.out.find("agrees to ");
  REQUIRE(printed != std::string::npos);
  CHECK(contains(said.out.substr(printed), names));
  const auto digits = [](const std::string& text, size_t at) {
    return std::stoi(text.substr(at + std::string("agrees to ").size()));
  };
  CHECK(std::abs(digits(page, shown) - digits(said.out, printed)) <= 1);
}

TEST_CASE("the README's model prints what the README shows") {
  const std::string page = read_text(source / "README.md");
  const Folder folder;
  folder.write("pendulum.toml", block(page, "toml"));
  const Ended ran = folder.sarrus({"run", "pendulum.toml"});
  REQUIRE(ran.code == 0);
  CHECK(ran.error.empty());
  const std::vector<std::string> shown = stable_words(block(page, "text")),
                                 printed = stable_words(ran.out);
  REQUIRE(shown.size() == printed.size());
  for (size_t i = 0; i < shown.size(); ++i) {
    CAPTURE(shown[i]);
    CAPTURE(printed[i]);
    CHECK(alike(shown[i], printed[i]));
  }
}

TEST_CASE("the tutorial's commands work in the order in which they are told") {
  const std::string page = read_text(source / "docs/tutorial/01-first-model.md") +
                           "```sh\nrm -r pendulum pendulum.html\n```\n" +
                           read_text(source / "docs/tutorial/03-looking.md");
  const Folder folder;
  std::string script = std::string("set -e\nsarrus() { '") + sarrus_program + "' \"$@\"; }\n";
  for (size_t at = page.find("```sh\n"); at != std::string::npos; at = page.find("```sh\n", at + 1))
    script += page.substr(at + 6, page.find("```", at + 6) - at - 6);
  folder.write("script", script);
  CHECK(std::system(("cd '" + folder.path().string() + "' && bash script > said 2>&1").c_str()) ==
        0);
  INFO(folder.read("said"));
  CHECK(fs::exists(folder / "motion.csv"));
  CHECK(fs::exists(folder / "pendulum.html"));
}

TEST_CASE("the tutorial's change runs, and its error reads as shown") {
  const std::string page = read_text(source / "docs/tutorial/01-first-model.md");
  const Folder folder;
  REQUIRE(folder.sarrus({"new", "pendulum"}).code == 0);
  std::string model = folder.read("pendulum.toml") + "\n" + block(page, "toml");
  folder.write("pendulum.toml", model);
  CHECK(folder.sarrus({"run", "pendulum.toml"}).code == 0);
  const std::string right = "parent = \"bar\"";
  model.replace(model.find(right), right.size(), "parent = \"bra\"");
  folder.write("pendulum.toml", model);
  const Ended refused = folder.sarrus({"check", "pendulum.toml"});
  CHECK(refused.code == 3);
  CHECK(contains(refused.error, block(page, "text")));
}

TEST_CASE("the tutorial's four-bar is what its page says") {
  const std::string page = read_text(source / "docs" / "tutorial" / "04-closed-loops.md");
  const Folder folder;
  const std::string model = block(page, "toml");
  folder.write("four_bar.toml", model);
  const Ended checked = folder.sarrus({"check", "four_bar.toml"});
  REQUIRE(checked.code == 0);
  std::istringstream shown(block(page, "text"));
  for (std::string line; std::getline(shown, line);) {
    CAPTURE(line);
    CHECK(contains(checked.out, line + "\n"));
  }
  CHECK(folder.sarrus({"run", "four_bar.toml", "--reactions"}).code == 0);
  // what it invites to try is refused
  std::string wide = model;
  wide.replace(wide.find("at = [0.5, 0, 0] }\nq"), 16, "at = [1.2, 0, 0]");
  folder.write("wide.toml", wide);
  CHECK(folder.sarrus({"check", "wide.toml"}).code == 4);
}
