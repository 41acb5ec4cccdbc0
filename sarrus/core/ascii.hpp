// Characters of ASCII, whatever the locale of the host program says.
#pragma once

#include <string>
#include <string_view>

namespace sarrus {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
constexpr bool is_blank_or_end(char c) { return is_blank(c) || c == '\n' || c == '\r'; }

/// The text without what is blank at its ends.
inline std::string_view trimmed(std::string_view text, bool (*blank)(char) = is_blank_or_end) {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The text in lower case.
inline std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

}  // namespace sarrus
