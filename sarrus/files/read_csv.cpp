// CSV as a table of points: commas between numbers, one optional row of headers, # comments.
// Strict: every row has the same number of cells and every cell is one finite number.
#include <fmt/format.h>

#include "sarrus/core/ascii.hpp"
#include "sarrus/core/units.hpp"
#include "sarrus/files/reading.hpp"

namespace sarrus {
namespace {

std::vector<std::string_view> cells(std::string_view line) {
  std::vector<std::string_view> result;
  for (;;) {
    const size_t comma = line.find(',');
    std::string_view cell = trimmed(line.substr(0, comma));
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"')
      cell = cell.substr(1, cell.size() - 2);
    result.push_back(cell);
    if (comma == std::string_view::npos) return result;
    line.remove_prefix(comma + 1);
  }
}

bool any_number(const std::vector<std::string_view>& row) {
  for (const std::string_view cell : row)
    if (parse_number(cell)) return true;
  return false;
}

}  // namespace

Csv parse_csv(std::string_view text) {
  Csv csv;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  int line_number = 0;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++line_number;
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string_view> row = cells(line);
    const bool first = csv.columns.empty();
    if (first) csv.columns.resize(row.size());
    if (row.size() != csv.columns.size()) {
      csv.problem = fmt::format("{}: {} cells; the first row has {}", line_number, row.size(),
                                csv.columns.size());
      return csv;
    }
    if (first && !any_number(row)) {
      csv.headers.assign(row.begin(), row.end());
      continue;
    }
    for (size_t i = 0; i < row.size(); ++i) {
      const std::optional<double> x = parse_number(row[i]);
      if (!x) {
        csv.problem = fmt::format(
            "{}: '{}' in column {} is not a number{}", line_number, shown(row[i]), i + 1,
            line.find(';') != std::string_view::npos ? "; cells are separated by commas" : "");
        return csv;
      }
      csv.columns[i].push_back(*x);
    }
  }
  if (csv.columns.empty() || csv.columns[0].empty()) csv.problem = "1: no rows of numbers";
  return csv;
}

}  // namespace sarrus
