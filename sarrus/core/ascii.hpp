// Characters of ASCII, whatever the locale of the host program says.
#pragma once

#include <string>
#include <string_view>

namespace sarrus {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
constexpr bool is_blank_or_end(char c) { return is_blank(c) || c == '\n' || c == '\r'; }

/// The text with its capital letters made small.
inline std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

}  // namespace sarrus
