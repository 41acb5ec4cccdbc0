// Results as comma-separated text: one header line, one line per row.
//
//   time[s],shoulder.q[rad],shoulder.u[rad/s]
//   0,0.5235987755982988,0
//
// A number is the shortest decimal that reads back to the same double, with a point whatever the
// locale; not-a-number and infinities are nan, inf, -inf. Lines end in one line feed. A name with a
// comma, a quotation mark or a line break is quoted as in [RFC 4180, 2].
#pragma once

#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sarrus/results/export_selection.hpp"
#include "sarrus/run/trajectory.hpp"

namespace sarrus {

/// Receives the text; what it throws reaches the caller of the export.
using TextSink = std::function<void(std::string_view)>;

/// Rows as CSV text into a sink, while they are produced or afterwards.
class CsvWriter : public RowSink {
 public:
  explicit CsvWriter(TextSink sink) : sink_(std::move(sink)) {}
  void begin(const std::vector<Column>& columns) override;
  void row(std::span<const double> values) override;
  /// Passes on what is still buffered.
  void finish();

 private:
  TextSink sink_;
  std::string text_;
};

/// Exports a result file, or the one in a run folder, to a file. The file appears complete or not
/// at all; a device or pipe is written as it comes. Throws Error(Fault::io) where writing fails or,
/// unless `replace`, the file exists.
ExportReport export_csv(const std::string& result, const std::string& path,
                        const ExportSelection& selection = {}, bool replace = false);

/// The same to a stream, for example standard output. Throws Error(Fault::io) once the stream
/// fails: a full disk, a pipe closed by its reader.
ExportReport export_csv(const std::string& result, std::ostream& out,
                        const ExportSelection& selection = {});

/// Rows in memory to a stream.
void export_csv(const Trajectory& rows, std::ostream& out);

}  // namespace sarrus
