// The lines of a TOML text, for what toml++ does not keep: scalars as written, and, when a text is
// refused, the words that were found and the first place of a repeated key.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sarrus {

class TomlLines {
 public:
  explicit TomlLines(std::string_view text);

  /// The number, date or word that starts at this place (columns count characters from 1).
  std::string token(int line, int column);
  /// What stands after the `=` of a line, or the whole line, without comment.
  std::string value_text(int line) const;

  struct Doubled {
    std::string key;
    int first_line = 0;
  };
  /// For a line that gives a key or table once more: that key, and the line where it stood first.
  Doubled first_of_doubled(int line) const;

 private:
  std::string_view line(int number) const;
  size_t byte_of(int line, int column);

  std::string_view text_;
  std::vector<size_t> start_;    // of each line
  int indexed_line_ = 0;         // the line that columns_ belongs to
  bool ascii_ = true;            // that line is plain: column = byte
  std::vector<size_t> columns_;  // byte of each of its characters
};

/// What to do about a value that TOML cannot read: quotes around units, points in decimals, …
std::string value_hint(std::string_view found);

}  // namespace sarrus
