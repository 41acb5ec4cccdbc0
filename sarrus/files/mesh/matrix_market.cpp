#include "sarrus/files/mesh/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "sarrus/core/ascii.hpp"
#include "sarrus/files/text/document.hpp"
#include "sarrus/files/text/file.hpp"
#include "sarrus/files/text/paths.hpp"

namespace sarrus {
namespace {

constexpr size_t most_bytes = size_t{2} << 30;
constexpr long long most_side = 50'000'000;
constexpr long long most_entries = 200'000'000;
constexpr long long most_empty = 100'000;  // rows or columns for which the file has no entry

enum class Symmetry { general, symmetric, skew };

/// MatrixText of a text, one line after the other, with their places.
class MatrixText {
 public:
  MatrixText(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  const std::string& file() const { return file_; }
  Place place() const { return {file_, line_, column_}; }

  [[noreturn]] void refuse(const char* code, const std::string& message,
                           const std::string& hint = "") const {
    throw Error(Fault::model,
                Diagnostic{.code = code, .where = place(), .message = message, .hint = hint});
  }

  /// The next line, without its end; false at the end of the text.
  bool next_line(std::string_view& line) {
    if (at_ >= text_.size()) return false;
    const size_t end = std::min(text_.find('\n', at_), text_.size());
    line = text_.substr(at_, end - at_);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    at_ = end + 1;
    ++line_, column_ = 1;
    return true;
  }

  /// The next line that is neither blank nor a comment, cut into words.
  bool next_row(std::vector<std::string_view>& words) {
    std::string_view line;
    while (next_line(line)) {
      cut(line, words);
      if (!words.empty() && words.front().front() != '%') return true;
    }
    column_ = 1;
    return false;
  }

  void cut(std::string_view line, std::vector<std::string_view>& words) {
    words.clear();
    line_text_ = line;
    for (size_t i = 0; i < line.size();) {
      while (i < line.size() && (line[i] == ' ' || line[i] == '\t')) ++i;
      const size_t begin = i;
      while (i < line.size() && line[i] != ' ' && line[i] != '\t') ++i;
      if (i > begin) words.push_back(line.substr(begin, i - begin));
    }
  }
  /// Makes `word` of this line the place that refuse() names.
  void at(std::string_view word) {
    column_ = static_cast<int>(word.data() - line_text_.data()) + 1;
  }

 private:
  std::string_view text_, line_text_;
  std::string file_;
  size_t at_ = 0;
  int line_ = 0, column_ = 0;
};

long long whole(MatrixText& words, std::string_view word, long long low, long long high,
                const char* what) {
  long long value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  words.at(word);
  if (problem != std::errc() || end != word.data() + word.size())
    words.refuse("bad-number", fmt::format("'{}' is not a whole number ({})", shown(word), what));
  if (value < low || value > high)
    words.refuse("out-of-range", fmt::format("{} {} lies outside {} … {}", what, value, low, high));
  return value;
}

double number(MatrixText& words, std::string_view word) {
  if (word.size() > 1 && word.front() == '+') word.remove_prefix(1);
  double value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem == std::errc() && end == word.data() + word.size() && std::isfinite(value))
    return value;
  words.at(word);
  if (problem == std::errc::result_out_of_range ||
      (problem == std::errc() && !std::isfinite(value)))
    words.refuse("not-finite", fmt::format("'{}' is not a finite number", shown(word)));
  words.refuse("bad-number", fmt::format("'{}' is not a number", shown(word)));
}

struct Head {
  bool array = false;
  Symmetry symmetry = Symmetry::general;
};

Head read_head(MatrixText& words) {
  std::string_view line;
  std::vector<std::string_view> word;
  if (!words.next_line(line)) words.refuse("empty-file", "no matrix in this file");
  words.cut(line, word);
  if (const std::string kind = looks_like(line); !kind.empty())
    words.refuse("not-a-matrix", "looks like " + kind + ", not a matrix");
  if (word.empty() || lower(word[0]) != "%%matrixmarket")
    words.refuse("not-a-matrix", "the first line does not begin with %%MatrixMarket",
                 "%%MatrixMarket matrix coordinate real general");
  if (word.size() != 5)
    words.refuse("bad-head", fmt::format("the first line has {} words; expected 5", word.size()),
                 "%%MatrixMarket matrix coordinate real general");
  Head head;
  const auto due = [&](size_t i, std::initializer_list<const char*> allowed) {
    const std::string found = lower(word[i]);
    std::string list;
    for (const char* a : allowed) {
      if (found == a) return found;
      list += (list.empty() ? "" : ", ") + std::string(a);
    }
    words.at(word[i]);
    words.refuse("bad-head", fmt::format("'{}' is not supported", shown(word[i])),
                 "one of: " + list);
  };
  due(1, {"matrix"});
  head.array = due(2, {"coordinate", "array"}) == "array";
  due(3, {"real", "integer", "double"});
  const std::string symmetry = due(4, {"general", "symmetric", "skew-symmetric"});
  head.symmetry = symmetry == "symmetric" ? Symmetry::symmetric
                  : symmetry == "general" ? Symmetry::general
                                          : Symmetry::skew;
  return head;
}

void add(std::vector<Entry>& entries, int row, int col, double value, Symmetry symmetry) {
  entries.push_back({row, col, value});
  if (symmetry != Symmetry::general && row != col)
    entries.push_back({col, row, symmetry == Symmetry::skew ? -value : value});
}

void read_coordinates(MatrixText& words, int rows, int cols, long long count, Symmetry symmetry,
                      std::vector<Entry>& entries) {
  std::vector<std::string_view> word;
  for (long long k = 0; k < count; ++k) {
    if (!words.next_row(word))
      words.refuse("cut-short", fmt::format("the file ends after {} of {} entries", k, count));
    if (word.size() != 3)
      words.refuse("bad-entry",
                   fmt::format("{} words; expected row, column and value", word.size()));
    const int i = static_cast<int>(whole(words, word[0], 1, rows, "row")) - 1;
    const int j = static_cast<int>(whole(words, word[1], 1, cols, "column")) - 1;
    const double value = number(words, word[2]);
    words.at(word[0]);
    if (symmetry != Symmetry::general && i < j)
      words.refuse(
          "upper-half",
          fmt::format("entry ({}, {}) of a symmetric file lies above the diagonal", i + 1, j + 1),
          "only the lower half is written");
    if (symmetry == Symmetry::skew && i == j)
      words.refuse(
          "bad-entry",
          fmt::format("({}, {}) of a skew-symmetric file lies on the diagonal", i + 1, j + 1));
    add(entries, i, j, value, symmetry);
  }
}

/// Memory is asked for by the sizes that a file states, which cost it nothing.
void refuse_emptiness(MatrixText& words, const std::vector<std::string_view>& word,
                      std::array<int, 2> sides, long long entries) {
  for (size_t i = 0; i < 2; ++i) {
    if (sides[i] - entries <= most_empty) continue;
    words.at(word[i]);
    words.refuse("bad-sizes",
                 fmt::format("{} {} and {} entries: at least {} {} are empty, more than {}",
                             sides[i], i == 0 ? "rows" : "columns", entries, sides[i] - entries,
                             i == 0 ? "rows" : "columns", most_empty),
                 "leave out what is empty");
  }
}

void read_array(MatrixText& words, int rows, int cols, Symmetry symmetry,
                std::vector<Entry>& entries) {
  std::vector<std::string_view> word;
  for (int j = 0; j < cols; ++j) {
    const int first = symmetry == Symmetry::general ? 0 : symmetry == Symmetry::skew ? j + 1 : j;
    for (int i = first; i < rows; ++i) {
      if (!words.next_row(word))
        words.refuse("cut-short", fmt::format("the file ends before entry ({}, {})", i + 1, j + 1));
      if (word.size() != 1)
        words.refuse("bad-entry", fmt::format("{} words; expected one value", word.size()));
      if (const double value = number(words, word[0]); value != 0)
        add(entries, i, j, value, symmetry);
    }
  }
}

}  // namespace

SparseMatrix parse_matrix_market(std::string_view text, const std::string& file,
                                 std::vector<Diagnostic>* notes) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  MatrixText words(text, file);
  const Head head = read_head(words);
  std::vector<std::string_view> word;
  if (!words.next_row(word)) words.refuse("cut-short", "the file ends before its sizes");
  const size_t due = head.array ? 2 : 3;
  if (word.size() != due)
    words.refuse("bad-sizes", fmt::format("{} words; expected {}: rows, columns{}", word.size(),
                                          due, head.array ? "" : ", entries"));
  const int rows = static_cast<int>(whole(words, word[0], 0, most_side, "number of rows"));
  const int cols = static_cast<int>(whole(words, word[1], 0, most_side, "number of columns"));
  words.at(word[0]);
  if (head.symmetry != Symmetry::general && rows != cols)
    words.refuse("bad-sizes", fmt::format("a symmetric matrix of {} × {}", rows, cols));
  std::vector<Entry> entries;
  size_t given = 0;
  if (head.array) {
    if (static_cast<long long>(rows) * cols > most_entries)
      words.refuse("bad-sizes",
                   fmt::format("{} × {} values, more than {}", rows, cols, most_entries));
    refuse_emptiness(words, word, {rows, cols}, static_cast<long long>(rows) * cols);
    read_array(words, rows, cols, head.symmetry, entries);
  } else {
    const long long count = whole(words, word[2], 0, most_entries, "number of entries");
    refuse_emptiness(words, word, {rows, cols}, count);
    // an entry takes at least six bytes: a count that the file cannot contain costs no memory
    entries.reserve(std::min<size_t>(static_cast<size_t>(count) * 2, text.size() / 3));
    read_coordinates(words, rows, cols, count, head.symmetry, entries);
  }
  given = entries.size();
  if (words.next_row(word)) {
    words.at(word[0]);
    words.refuse("too-much", fmt::format("'{}' follows after the last entry", shown(word[0])));
  }
  SparseMatrix A = to_sparse(rows, cols, entries);
  if (notes && !head.array && static_cast<size_t>(A.nonzeros()) < given)
    notes->push_back({.severity = Severity::note,
                      .code = "added-entries",
                      .where = {file, 0, 0},
                      .message = fmt::format("{} entries repeat a position and were added up",
                                             given - static_cast<size_t>(A.nonzeros()))});
  return A;
}

SparseMatrix read_matrix_market(const std::string& path, std::vector<Diagnostic>* notes) {
  return parse_matrix_market(read_input_text(path, most_bytes), path, notes);
}

std::string to_matrix_market(const SparseMatrix& A, const std::string& comment, bool symmetric) {
  fmt::memory_buffer out;
  const auto to = std::back_inserter(out);
  size_t count = 0;
  for (int j = 0; j < A.cols; ++j)
    for (int k = A.start[j]; k < A.start[j + 1]; ++k) count += !symmetric || A.index[k] >= j;
  fmt::format_to(to, "%%MatrixMarket matrix coordinate real {}\n",
                 symmetric ? "symmetric" : "general");
  if (!comment.empty()) fmt::format_to(to, "% {}\n", comment);
  fmt::format_to(to, "{} {} {}\n", A.rows, A.cols, count);
  for (int j = 0; j < A.cols; ++j)
    for (int k = A.start[j]; k < A.start[j + 1]; ++k) {
      const int i = A.index[k];
      if (!symmetric || i >= j) fmt::format_to(to, "{} {} {}\n", i + 1, j + 1, A.value[k]);
    }
  return fmt::to_string(out);
}

std::string to_matrix_market(const Matrix& A, const std::string& comment) {
  fmt::memory_buffer out;
  const auto to = std::back_inserter(out);
  fmt::format_to(to, "%%MatrixMarket matrix array real general\n");
  if (!comment.empty()) fmt::format_to(to, "% {}\n", comment);
  fmt::format_to(to, "{} {}\n", A.rows, A.cols);
  for (const double x : A.values) fmt::format_to(to, "{}\n", x);
  return fmt::to_string(out);
}

}  // namespace sarrus
