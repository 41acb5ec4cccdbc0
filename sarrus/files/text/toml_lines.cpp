#include "sarrus/files/text/toml_lines.hpp"

#include <algorithm>
#include <cctype>

#include "sarrus/core/ascii.hpp"

namespace sarrus {
namespace {

/// The position of `wanted` outside of strings; npos where there is none.
size_t find_outside_strings(std::string_view s, char wanted) {
  char quote = 0;
  for (size_t i = 0; i < s.size(); ++i) {
    if (quote) {
      if (s[i] == '\\' && quote == '"')
        ++i;
      else if (s[i] == quote)
        quote = 0;
    } else if (s[i] == wanted) {
      return i;
    } else if (s[i] == '"' || s[i] == '\'') {
      quote = s[i];
    }
  }
  return std::string_view::npos;
}

/// A key as compared: without blanks and quotes.
std::string plain(std::string_view key) {
  std::string out;
  for (const char c : key)
    if (c != ' ' && c != '\t' && c != '"' && c != '\'') out += c;
  return out;
}

}  // namespace

TomlLines::TomlLines(std::string_view text) : text_(text) {
  start_.push_back(0);
  for (size_t i = text.find('\n'); i != std::string_view::npos; i = text.find('\n', i + 1))
    start_.push_back(i + 1);
}

std::string_view TomlLines::line(int number) const {
  if (number < 1 || number > static_cast<int>(start_.size())) return "";
  const size_t from = start_[number - 1];
  const size_t to = number < static_cast<int>(start_.size()) ? start_[number] : text_.size();
  return text_.substr(from, to - from);
}

size_t TomlLines::byte_of(int number, int column) {
  if (number != indexed_line_) {
    indexed_line_ = number;
    const std::string_view s = line(number);
    ascii_ =
        std::none_of(s.begin(), s.end(), [](char c) { return static_cast<signed char>(c) < 0; });
    columns_.clear();
    if (!ascii_)
      for (size_t i = 0; i < s.size(); ++i)
        if ((static_cast<unsigned char>(s[i]) & 0xC0) != 0x80) columns_.push_back(i);
  }
  const size_t at = static_cast<size_t>(std::max(column - 1, 0));
  if (ascii_) return at;
  return at < columns_.size() ? columns_[at] : line(number).size();
}

std::string TomlLines::token(int number, int column) {
  const std::string_view s = line(number);
  const size_t from = std::min(byte_of(number, column), s.size());
  size_t to = from;
  while (to < s.size() && (std::isalnum(static_cast<unsigned char>(s[to])) || s[to] == '+' ||
                           s[to] == '-' || s[to] == '.' || s[to] == '_' || s[to] == ':'))
    ++to;
  return std::string(s.substr(from, to - from));
}

std::string TomlLines::value_text(int number) const {
  std::string_view s = line(number);
  if (const size_t comment = find_outside_strings(s, '#'); comment != std::string_view::npos)
    s = s.substr(0, comment);
  if (const size_t equals = find_outside_strings(s, '='); equals != std::string_view::npos)
    s = s.substr(equals + 1);
  return std::string(trimmed(s));
}

TomlLines::Doubled TomlLines::first_of_doubled(int number) const {
  const std::string_view here = trimmed(line(number));
  if (here.starts_with('[')) {
    const std::string header = plain(here.substr(0, here.find(']')));
    const std::string name = plain(
        here.substr(here.find_first_not_of('['), here.find(']') - here.find_first_not_of('[')));
    for (int n = 1; n < number; ++n)
      if (const std::string_view s = trimmed(line(n)); s.starts_with('[')) {
        const std::string other = plain(s.substr(0, s.find(']')));
        if (other == header || other == "[" + name || other == "[[" + name) return {name, n};
      } else if (plain(s.substr(0, s.find('='))) == name) {
        return {name, n};
      }
    return {name, number};
  }
  const std::string key = plain(here.substr(0, find_outside_strings(here, '=')));
  for (int n = number - 1; n >= 1; --n) {
    const std::string_view s = trimmed(line(n));
    if (s.starts_with('[')) break;
    const size_t equals = find_outside_strings(s, '=');
    if (equals == std::string_view::npos) continue;
    if (plain(s.substr(0, equals)) == key) return {key, n};
  }
  // both stand on this line, inside { … }: the key that occurs twice
  const size_t open = here.find('{');
  if (open != std::string_view::npos) {
    std::vector<std::string> seen;
    std::string_view rest = here.substr(open + 1);
    while (!rest.empty()) {
      const size_t equals = find_outside_strings(rest, '=');
      if (equals == std::string_view::npos) break;
      std::string_view name = rest.substr(0, equals);
      for (const char c : {',', '{', '['})
        if (const size_t at = name.rfind(c); at != std::string_view::npos)
          name = name.substr(at + 1);
      seen.push_back(plain(name));
      if (std::count(seen.begin(), seen.end(), seen.back()) > 1) return {seen.back(), number};
      rest = rest.substr(equals + 1);
    }
  }
  return {key, number};
}

std::string value_hint(std::string_view found) {
  const auto has = [&](const char* s) { return found.find(s) != std::string_view::npos; };
  if (found == "yes" || found == "no" || found == "on" || found == "off")
    return "write true or false";
  if (!found.empty() &&
      (std::isdigit(static_cast<unsigned char>(found[0])) || found[0] == '-' || found[0] == '+')) {
    if (has("/") || has("*")) return "an expression is written in quotes: \"1/2\"";
    if (has(",")) return "decimals are written with a point: 1.5";
    if (has("_")) return "write the digits without _";
    for (const char c : found)
      if (std::isalpha(static_cast<unsigned char>(c)) && c != 'e' && c != 'E')
        return "a number with its unit is written in quotes, with a blank: \"1.5 kg\"";
    return "a number is written like 1.5 or 2e-3";
  }
  if (!found.empty() && std::isalpha(static_cast<unsigned char>(found[0])))
    return "text is written in quotes";
  return "";
}

}  // namespace sarrus
