// What of a result is exported, and where to: shared by every export.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/results/result_reader.hpp"
#include "sarrus/run/trajectory.hpp"

namespace sarrus {

/// Columns and rows to export. The default is everything.
struct ExportSelection {
  std::vector<std::string> columns = {};  // names, with or without [unit]; time is always the first
  double from = -std::numeric_limits<double>::infinity();  // [s]
  double to = std::numeric_limits<double>::infinity();     // [s], included
  std::int64_t every = 1;  // of the rows within, the first and then each every-th
};

struct ExportReport {
  std::int64_t rows = 0;
  std::vector<Diagnostic> notes;  // of reading the result
};

/// Applies a selection to rows in their order.
class RowPicker {
 public:
  /// Throws Error(Fault::usage) where a column does not exist or `every` is not positive.
  RowPicker(const std::vector<Column>& columns, const ExportSelection& selection);

  const std::vector<Column>& columns() const { return picked_; }
  /// The chosen values of a row; empty where the row is not wanted. Valid until the next call.
  std::span<const double> pick(std::span<const double> row);

 private:
  ExportSelection selection_;
  std::vector<size_t> index_;
  std::vector<Column> picked_;
  std::vector<double> values_;
  std::int64_t within_ = 0;  // rows between from and to so far
};

/// Hands the chosen values of every row of a result to `take`, reading block by block.
ExportReport visit_rows(ResultReader& reader, RowPicker& picker,
                        const std::function<void(std::span<const double>)>& take);

/// True for a device or pipe, which is written as it is; a regular file is replaced as a whole.
/// Throws Error(Fault::io) for a file that exists, unless it may be replaced, and for one of the
/// `sources` in any case: what an export reads it leaves as it is.
bool is_stream_target(const std::string& path, bool replace,
                      const std::vector<std::string>& sources);
/// The file that a path leads to, so that replacing it keeps a link.
std::string final_path(const std::string& path);
/// A name beside the target that no other export uses.
std::string partial_path(const std::string& path);
/// Bytes made in memory, as a file that appears complete or not at all.
void write_export(const std::string& path, std::string_view bytes, bool replace,
                  const std::vector<std::string>& sources);

}  // namespace sarrus
