#include "column_choice.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "options.hpp"
#include "sarrus/core/units.hpp"

namespace sarrus::app {

std::vector<std::string> words_of_list(const std::string& list) {
  std::vector<std::string> words;
  for (size_t at = 0; at <= list.size();) {
    const size_t comma = std::min(list.find(',', at), list.size());
    if (comma > at) words.push_back(list.substr(at, comma - at));
    at = comma + 1;
  }
  return words;
}

std::vector<std::string> chosen_columns(const std::string& where,
                                        const std::vector<std::string>& words,
                                        const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const std::string& word : words) {
    if (word.find_first_of("*?") == std::string::npos) {
      names.push_back(word);
      continue;
    }
    const size_t before = names.size();
    for (const Column& c : columns)
      if (::fnmatch(word.c_str(), c.name.c_str(), 0) == 0) names.push_back(c.name);
    if (names.size() == before)
      throw usage_error("unknown-column", where, fmt::format("no column fits '{}'", word));
  }
  if (names.empty()) throw usage_error("unknown-column", where, "no column is named");
  return names;
}

double parse_time(const std::string& flag, const std::string& text) {
  if (const auto number = parse_number(text)) return *number;
  const Quantity quantity = parse_quantity(text, dimensions::time);
  if (!quantity.problem.empty())
    throw usage_error("bad-value", flag, quantity.problem, quantity.hint);
  return quantity.value;
}

}  // namespace sarrus::app
