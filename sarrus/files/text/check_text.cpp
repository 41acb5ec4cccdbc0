#include "sarrus/files/text/check_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sarrus/files/text/file.hpp"
#include "sarrus/files/text/utf8.hpp"

namespace sarrus {
namespace {

[[noreturn]] void refuse(std::string code, Place where, std::string message,
                         std::string hint = "") {
  throw Error(Fault::model, {.code = std::move(code),
                             .where = std::move(where),
                             .message = std::move(message),
                             .hint = std::move(hint)});
}

/// Walks over the text once, keeping line and column, and whether it stands in a string or comment.
class Scanner {
 public:
  Scanner(std::string_view text, size_t first_byte, const std::string& file, Format format)
      : text_(text), first_byte_(first_byte), file_(file), toml_(format == Format::toml) {}

  void run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      check_character();
      if (in_comment_)
        ;
      else if (quote_)
        inside_string(c);
      else
        outside_string(c);
      advance();
    }
  }

 private:
  Place here() const { return {file_, line_, column_}; }
  std::string offset() const { return fmt::format("at byte {}", at_ + first_byte_); }

  void check_character() {
    const unsigned char c = static_cast<unsigned char>(text_[at_]);
    length_ = 1;
    if (c >= 0x80) return check_wide_character();
    if (c == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') return;
    if (c == 0)
      refuse("nul-byte", here(), "zero byte in the text, " + offset(),
             "save the model as plain UTF-8 text");
    if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7F)
      refuse("control-character", here(), fmt::format("control character 0x{:02x} {}", c, offset()),
             "remove it");
  }

  void check_wide_character() {
    char32_t code = 0;
    length_ = utf8_length(text_.substr(at_), code);
    if (length_ == 0)
      refuse("bad-utf8", here(),
             fmt::format("byte 0x{:02x} {} is not UTF-8", static_cast<unsigned char>(text_[at_]),
                         offset()),
             "save the model as UTF-8");
    if (is_deceptive(code))
      refuse("deceptive-character", here(),
             fmt::format("character U+{:04X} {} hides or reorders text",
                         static_cast<unsigned>(code), offset()),
             "remove it");
    if (!quote_ && !in_comment_)
      refuse("stray-character", here(),
             fmt::format("character U+{:04X} {} outside of strings and comments",
                         static_cast<unsigned>(code), offset()),
             "put names and keys with such letters in quotes");
  }

  bool three(char c) const {
    return at_ + 2 < text_.size() && text_[at_ + 1] == c && text_[at_ + 2] == c;
  }

  void inside_string(char c) {
    if (c == '\\' && quote_ == '"') {
      // the escaped character cannot end the string; a line end still ends a string of one line
      if (at_ + 1 < text_.size() && (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\')) step();
    } else if (c == quote_ && (!triple_ || three(c))) {
      if (triple_) {
        // up to two more quotes belong to the string
        step(), step();
        while (at_ + 1 < text_.size() && text_[at_ + 1] == c && extra_ < 2) step(), ++extra_;
      }
      quote_ = 0;
    } else if (c == '\n' && !triple_) {
      quote_ = 0;  // left open: the parser says so
    }
  }

  void outside_string(char c) {
    if (c == '#' && toml_) {
      in_comment_ = true;
    } else if (c == '"' || (c == '\'' && toml_)) {
      quote_ = c, extra_ = 0;
      triple_ = toml_ && three(c);
      if (triple_) step(), step();
    } else {
      count_nesting(c);
    }
  }

  void count_nesting(char c) {
    if (c == '[' || c == '{') {
      if (++depth_ > TextLimits::nesting)
        refuse("too-deep", here(),
               fmt::format("nesting deeper than {} at line {}", TextLimits::nesting, line_));
    } else if (c == ']' || c == '}') {
      depth_ = std::max(0, depth_ - 1);
    }
    if (c == '.') {
      if (++dots_ > TextLimits::dots)
        refuse("too-deep", here(),
               fmt::format("dotted key deeper than {} at line {}", TextLimits::dots, line_));
    } else if (c == '=' || c == ',' || c == ':' || c == '[' || c == ']' || c == '{' || c == '}') {
      dots_ = 0;
    }
    if (c == '=' || c == ',' || c == ':')
      if (++values_ > TextLimits::values)
        refuse("too-large", here(), fmt::format("more than {} values", TextLimits::values));
  }

  void step() { ++at_, ++column_; }

  void advance() {
    if (text_[at_] == '\n') {
      ++line_, column_ = 1, dots_ = 0, line_start_ = at_ + 1;
      in_comment_ = false;
      ++at_;
      return;
    }
    at_ += length_, ++column_;
    if (at_ - line_start_ > TextLimits::line_bytes)
      refuse("too-large", here(),
             fmt::format("line {} is longer than {} MB", line_, TextLimits::line_bytes >> 20));
  }

  std::string_view text_;
  size_t first_byte_;
  const std::string& file_;
  bool toml_;
  size_t at_ = 0, line_start_ = 0, values_ = 0;
  int line_ = 1, column_ = 1, length_ = 1;
  int depth_ = 0, dots_ = 0, extra_ = 0;
  char quote_ = 0;  // of the string we are in, or 0
  bool triple_ = false, in_comment_ = false;
};

bool is_blank(std::string_view text, Format format) {
  bool comment = false;
  for (const char c : text) {
    if (c == '\n') comment = false;
    if (comment) continue;
    if (c == '#' && format == Format::toml)
      comment = true;
    else if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
      return false;
  }
  return true;
}

}  // namespace

std::string_view check_text(std::string_view text, const std::string& file, Format format) {
  if (const std::string what = looks_like(text); !what.empty())
    refuse("not-a-model", {file, 0, 0}, "looks like " + what + ", not a model");
  if (text.size() > TextLimits::file_bytes)
    refuse("too-large", {file, 0, 0},
           fmt::format("{} bytes are more than the limit of {} MB", text.size(),
                       TextLimits::file_bytes >> 20));
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    refuse("utf-16", {file, 1, 1}, "the text is UTF-16 (byte order mark at byte 0), not UTF-8",
           "save the model as UTF-8");
  const size_t mark = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
  text.remove_prefix(mark);
  if (is_blank(text, format)) refuse("empty", {file, 0, 0}, "the file contains no model");
  Scanner(text, mark, file, format).run();
  return text;
}

}  // namespace sarrus
