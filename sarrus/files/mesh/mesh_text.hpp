// Mesh files as text: refusals that name the file and its line, and words with their lines.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "sarrus/core/diagnostic.hpp"

namespace sarrus {

struct MeshFile {
  std::string path;
  Place asked_at;
  std::string bytes;

  [[noreturn]] void refuse(std::string code, const std::string& message, std::string hint) const {
    throw Error(Fault::model, {.code = std::move(code),
                               .where = asked_at,
                               .message = fmt::format("mesh file '{}': {}", path, message),
                               .hint = std::move(hint)});
  }
  [[noreturn]] void refuse_line(int line, const std::string& message) const {
    refuse("bad-mesh", fmt::format("line {}: {}", line, message), "export the mesh again");
  }
};

/// What stands in a message for a token of a file that may be anything: short, printable.
std::string mesh_word(std::string_view token);

/// Reads the whole file, where it is one and not too large; `kinds` says what to name instead.
void load_mesh_file(MeshFile& file, const std::string& kinds);

/// Words of a text file, with the line they stand on.
class Words {
 public:
  explicit Words(const MeshFile& file) : file_(file), text_(file.bytes) {}

  int line() const { return line_; }
  bool at_end() const { return at_ >= text_.size(); }

  /// The next word of this line; empty at its end. A backslash before the end joins two lines.
  std::string_view in_line() {
    for (; !at_end(); ++at_) {
      if (text_[at_] == '\\' && continues()) continue;
      if (text_[at_] != ' ' && text_[at_] != '\t' && text_[at_] != '\r') break;
    }
    const std::size_t start = at_;
    while (!at_end() && !is_blank(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  /// Goes to the start of the next line.
  void skip_line() {
    while (!at_end() && text_[at_] != '\n') ++at_;
    if (!at_end()) ++at_, ++line_;
  }

  /// The next word on this line or a later one; empty at the end of the file.
  std::string_view next() {
    for (std::string_view word = in_line();; word = in_line()) {
      if (!word.empty() || at_end()) return word;
      skip_line();
    }
  }

  /// What is left of this line, without blanks around it.
  std::string_view rest() {
    const std::size_t start = at_;
    while (!at_end() && text_[at_] != '\n') ++at_;
    std::string_view left = text_.substr(start, at_ - start);
    while (!left.empty() && is_blank(left.front())) left.remove_prefix(1);
    while (!left.empty() && is_blank(left.back())) left.remove_suffix(1);
    return left;
  }

  long long integer(std::string_view word) const {
    if (word.empty()) file_.refuse_line(line_, "a number is missing");
    long long value = 0;
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (fault != std::errc{} || end != word.data() + word.size())
      file_.refuse_line(line_, fmt::format("'{}' is not a whole number", mesh_word(word)));
    return value;
  }

  double number(std::string_view word) const {
    if (word.empty()) file_.refuse_line(line_, "a number is missing");
    const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
    double value = 0;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (fault == std::errc::invalid_argument || end != digits.data() + digits.size())
      file_.refuse_line(line_, fmt::format("'{}' is not a number", mesh_word(word)));
    if (fault != std::errc{} || !std::isfinite(value))
      file_.refuse_line(line_, fmt::format("the coordinate '{}' is not finite", mesh_word(word)));
    return value;
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  /// At a backslash: steps onto the end of the line if only that follows.
  bool continues() {
    std::size_t end = at_ + 1;
    if (end < text_.size() && text_[end] == '\r') ++end;
    if (end >= text_.size() || text_[end] != '\n') return false;
    at_ = end, ++line_;
    return true;
  }

  const MeshFile& file_;
  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace sarrus
