// The reference page and the schema say what the reader does: both are made from its grammar, and
// every example is read.
//
// With SARRUS_UPDATE set in the environment, the committed files are written anew.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "files/refused.hpp"
#include "places.hpp"
#include "sarrus/files/grammar.hpp"
#include "sarrus/files/schema.hpp"

using namespace sarrus;

namespace {

const std::string reference = std::string(sarrus::testing::source_folder) + "/docs/reference/";

std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void compare(const std::string& path, const std::string& made) {
  if (std::getenv("SARRUS_UPDATE")) std::ofstream(path) << made;
  CHECK_MESSAGE(contents(path) == made, "run the tests once with SARRUS_UPDATE=1");
}

/// The text between `open` and `close`, each time they occur.
std::vector<std::string> between(const std::string& page, const std::string& open,
                                 const std::string& close) {
  std::vector<std::string> found;
  for (size_t at = page.find(open); at != page.npos; at = page.find(open, at)) {
    at += open.size();
    const size_t end = page.find(close, at);
    REQUIRE(end != page.npos);
    found.push_back(page.substr(at, end - at));
    at = end;
  }
  return found;
}

/// A block of keys without their table: each is a key of some table.
void check_lone_keys(const std::string& block) {
  const Document document = read_document(block, "page", Format::toml);
  for (const Node& key : document.root.children) {
    bool known = false;
    for (const TableGrammar& table : grammar()) known |= table.find(key.key) != nullptr;
    CHECK_MESSAGE(known, key.key);
  }
}

}  // namespace

TEST_CASE("reference: the committed schema and key tables are those of the grammar") {
  compare(reference + "model.schema.json", schema_json());
  const std::string page = contents(reference + "model.md");
  compare(reference + "model.md", with_reference_tables(page));
  for (const TableGrammar& table : grammar())
    CHECK_MESSAGE(has(page, "<!-- keys: " + std::string(table.name) + " -->"),
                  std::string(table.name));
}

TEST_CASE("reference: every example is a model, alone or after the page's base, or keys of one") {
  int examples = 0;
  for (const auto& file : std::filesystem::directory_iterator(reference)) {
    if (file.path().extension() != ".md") continue;
    const std::string page = contents(file.path().string());
    const std::vector<std::string> base = between(page, "<!-- base\n", "-->");
    for (const std::string& block : between(page, "```toml\n", "```")) {
      CAPTURE(block);
      ++examples;
      if (!has("\n" + block, "\n[") && !block.starts_with("sarrus")) {
        check_lone_keys(block);
        continue;
      }
      const bool whole = block.starts_with("sarrus");
      CHECK(refused(whole || base.empty() ? block : base[0] + block) == "");
    }
  }
  CHECK(examples >= 10);
}

TEST_CASE("reference: the example of every key has the shape that the reader asks for") {
  // read back as TOML: the examples of one table side by side
  for (const TableGrammar& table : grammar()) {
    std::string text;
    for (const Key& key : table.keys)
      if (!key.example.empty())
        text += std::string(key.name) + " = " + std::string(key.example) + "\n";
    CHECK_NOTHROW(read_document(text, std::string(table.name), Format::toml));
  }
}

TEST_CASE("schema: it knows exactly the keys of the grammar") {
  const auto schema = nlohmann::json::parse(schema_json());
  for (const TableGrammar& table : grammar()) {
    const auto& part = table.name == "model" ? schema : schema["$defs"][std::string(table.name)];
    const size_t everywhere = table.is_repeatable ? grammar("repeat").keys.size() : 0;
    CHECK(part["properties"].size() == table.keys.size() + everywhere);
    CHECK(part["additionalProperties"] == false);
    for (const Key& key : table.keys) CHECK(part["properties"].contains(std::string(key.name)));
  }
}
