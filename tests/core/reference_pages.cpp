// The pages on units and expressions: every example in their tables is what the page says.
#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

#include "near.hpp"
#include "places.hpp"
#include "sarrus/core/expression.hpp"
#include "sarrus/core/units.hpp"

using namespace sarrus;
using sarrus::testing::near;

namespace {

/// The cells of the rows of all tables below a heading.
std::vector<std::vector<std::string>> table_below(const std::string& page,
                                                  const std::string& heading) {
  std::ifstream file(std::string(sarrus::testing::source_folder) + "/docs/reference/" + page);
  REQUIRE(file.good());
  std::vector<std::vector<std::string>> rows;
  std::string line, current;
  while (std::getline(file, line)) {
    if (line.starts_with("## ")) current = line.substr(3);
    if (current != heading || !line.starts_with("| ") || line.starts_with("| ---")) continue;
    std::vector<std::string> cells;
    for (size_t from = 2, to; (to = line.find(" |", from)) != line.npos; from = to + 3)
      cells.push_back(line.substr(from, to - from));
    rows.push_back(cells);
  }
  REQUIRE(rows.size() > 1);
  rows.erase(rows.begin());  // the head
  return rows;
}

/// What stands between back-ticks in a cell.
std::vector<std::string> quoted(const std::string& cell) {
  std::vector<std::string> found;
  size_t from = 0;
  while ((from = cell.find('`', from)) != cell.npos) {
    const size_t to = cell.find('`', from + 1);
    REQUIRE(to != cell.npos);
    found.push_back(cell.substr(from + 1, to - from - 1));
    from = to + 1;
  }
  return found;
}

void check_examples(const std::string& heading, size_t example, size_t value) {
  for (const auto& row : table_below("expressions.md", heading)) {
    const std::string text = quoted(row.at(example)).at(0);
    CAPTURE(text);
    const Expression::Parsed parsed = Expression::parse(text);
    REQUIRE(parsed.problem == "");
    const double due = parse_number(row.at(value)).value();
    // the page shows at most 16 digits
    CHECK(near(parsed.expression.constant_value(), due, 1e-15));
  }
}

}  // namespace

TEST_CASE("reference: every example of an expression has the value on the page") {
  check_examples("Numbers and constants", 0, 1);
  check_examples("Operators", 2, 3);
  check_examples("Functions", 2, 3);
}

TEST_CASE("reference: every function is on the page") {
  std::string page;
  for (const auto& row : table_below("expressions.md", "Functions")) page += row[0];
  for (const std::string& name : Expression::function_names())
    CHECK_MESSAGE(page.find("`" + name + "(") != page.npos, name);
}

TEST_CASE("reference: what the page says is refused is refused with those words") {
  for (const auto& row : table_below("expressions.md", "What is refused")) {
    const Expression::Parsed parsed = Expression::parse(quoted(row.at(0)).at(0));
    CHECK(parsed.problem == row.at(1));
  }
}

TEST_CASE("reference: every unit on the page is one") {
  for (const auto& row : table_below("units.md", "Words"))
    for (const std::string& word : quoted(row.at(1))) CHECK_MESSAGE(parse_unit(word), word);
  for (const auto& row : table_below("units.md", "Products, quotients, powers")) {
    CHECK_MESSAGE(parse_unit(quoted(row.at(0)).at(0)), row[0]);
    for (const std::string& same : quoted(row.at(1)))
      CHECK(parse_unit(same)->dimension == parse_unit(quoted(row[0])[0])->dimension);
  }
}

TEST_CASE("reference: numbers are read and refused as the page says") {
  for (const auto& row : table_below("units.md", "Numbers")) {
    CHECK_MESSAGE(parse_number(quoted(row.at(0)).at(0)), row[0]);
    for (const std::string& text : quoted(row.at(1))) CHECK_MESSAGE(!parse_number(text), text);
  }
}
