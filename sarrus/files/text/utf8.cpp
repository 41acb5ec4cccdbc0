#include "sarrus/files/text/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace sarrus {
namespace {

struct CodeRange {
  char32_t first, last;
};

bool is_in(std::span<const CodeRange> ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [c](const CodeRange& r) { return c >= r.first && c <= r.last; });
}

// Unicode: blanks (Zs), marks that are set upon the letter before them, and characters that are
// drawn as nothing (Default_Ignorable_Code_Point)
constexpr CodeRange blanks[] = {{0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A},
                                {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}};
constexpr CodeRange marks[] = {
    {0x300, 0x36F}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0xFE20, 0xFE2F}};
constexpr CodeRange unseen[] = {
    {0xAD, 0xAD},     {0x34F, 0x34F},   {0x115F, 0x1160},   {0x17B4, 0x17B5},   {0x180B, 0x180F},
    {0x200B, 0x200D}, {0x2060, 0x2064}, {0x206A, 0x206F},   {0x3164, 0x3164},   {0xFE00, 0xFE0F},
    {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}, {0x2800, 0x2800}};
constexpr CodeRange reordering[] = {{0x61C, 0x61C},   {0x200E, 0x200F}, {0x2028, 0x2029},
                                    {0x202A, 0x202E}, {0x2066, 0x2069}, {0xFEFF, 0xFEFF}};

}  // namespace

int utf8_length(std::string_view s, char32_t& code) {
  if (s.empty()) return 0;
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned char a = byte(0);
  const int n = a < 0x80 ? 1 : a < 0xC2 ? 0 : a < 0xE0 ? 2 : a < 0xF0 ? 3 : a < 0xF5 ? 4 : 0;
  if (n == 0 || s.size() < static_cast<size_t>(n)) return 0;
  code = n == 1 ? a : a & (0xFF >> (n + 1));
  for (int i = 1; i < n; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3F);
  }
  if (n == 3 && (code < 0x800 || (code >= 0xD800 && code < 0xE000))) return 0;
  if (n == 4 && (code < 0x10000 || code > 0x10FFFF)) return 0;
  return n;
}

bool is_control(char32_t c) {
  return (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7F && c < 0xA0);
}

bool is_deceptive(char32_t c) { return is_in(reordering, c) || (c >= 0x80 && c < 0xA0); }

std::string_view unfit_for_names(char32_t c) {
  if (is_in(blanks, c)) return "a blank";
  if (is_in(unseen, c)) return "a character that is not seen";
  if (is_in(marks, c)) return "a mark upon the letter before it";
  return "";
}

char32_t first_unsafe(std::string_view text) {
  while (!text.empty()) {
    char32_t code = 0;
    const int length = utf8_length(text, code);
    if (length == 0) return static_cast<unsigned char>(text.front());
    const bool line_end = code == '\r' && text.starts_with("\r\n");
    if ((is_control(code) && !line_end) || is_deceptive(code)) return code == 0 ? 0xFFFD : code;
    text.remove_prefix(static_cast<size_t>(length));
  }
  return 0;
}

std::string visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    char32_t code = 0;
    const int length = utf8_length(text, code);
    const auto used = static_cast<size_t>(std::max(1, length));
    if (length == 0 || code < 0x80) {
      const auto byte = static_cast<unsigned char>(text.front());
      out += length == 0 || is_control(byte) ? fmt::format("\\x{:02x}", byte)
                                             : std::string(1, text.front());
    } else if (is_control(code) || is_deceptive(code)) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(code));
    } else {
      out += text.substr(0, used);
    }
    text.remove_prefix(used);
  }
  return out;
}

std::string visible_line(std::string_view text) {
  std::string out = visible(text);
  for (size_t at = 0; (at = out.find_first_of("\n\t", at)) != std::string::npos;)
    out.replace(at, 1, out[at] == '\n' ? "\\n" : "\\t");
  return out;
}

}  // namespace sarrus
