// Writes the rows of a run to a result file, so that a kill at any moment loses at most the last
// second.
//
// Rows wait in memory and are committed as one frame with one write: after 1,000 rows, or 1 s after
// the last commit, whichever is first. Where the next row is not expected within that second, this
// one is not kept waiting. The medium is asked to keep the bytes at most once a second.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/files/text/file.hpp"
#include "sarrus/results/result_format.hpp"
#include "sarrus/run/trajectory.hpp"

namespace sarrus {

struct ResultWriterOptions {
  int commit_rows = 1000;          // rows that may wait
  double commit_seconds = 1;       // how long a row may wait [s]
  double sync_seconds = 1;         // between two requests to the medium [s]
  size_t notes_bytes = 256 << 10;  // notes kept; further ones are only counted
};

/// One result file being written. Not to be shared between threads.
///
/// A write that fails throws Error(Fault::io) with path, bytes wanted and bytes free; the file is
/// cut back to the last whole frame and the writer refuses further rows. A writer destroyed without
/// finish() commits what it holds and leaves an unfinished result.
class ResultWriter : public RowSink {
 public:
  /// A new result. The file appears in begin(), header and all, in place of an earlier one; the
  /// columns, format and version in `header` are filled in here.
  ResultWriter(std::string path, ResultHeader header, ResultWriterOptions options = {});
  /// Goes on with a result after the given place; what lies beyond is dropped. Throws
  /// Error(Fault::io) where the file is shorter or differs from what was written up to there.
  ResultWriter(std::string path, const ResultMark& mark, ResultWriterOptions options = {});
  ~ResultWriter() override;
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;

  /// For a continued result, checks that the columns are the file's.
  void begin(const std::vector<Column>& columns) override;
  void row(std::span<const double> values) override;
  /// Kept in the file after the rows so far. Notes beyond the limit are counted in the end frame.
  void add_note(const Diagnostic& note);
  /// Rows so far are in the file when this returns.
  void commit();
  /// Commits, waits for the medium and says where the file stands, for a checkpoint.
  ResultMark mark();
  /// The end frame, and close. `summary_json` is an object.
  void finish(ResultStatus status, const std::string& summary_json);

  std::int64_t rows() const { return committed_.rows + waiting_; }
  std::int64_t committed_rows() const { return committed_.rows; }
  std::uint64_t committed_bytes() const { return committed_.bytes; }
  std::int64_t notes_left_out() const { return notes_left_out_; }
  const std::string& path() const { return path_; }

 private:
  using Clock = std::chrono::steady_clock;

  void check_open(const char* call) const;
  void create_file();
  void write_frame(std::string_view type, std::string_view payload);
  void write_sealed(const std::string& frame, std::uint64_t chain, std::int64_t rows);
  void sync_if_due(Clock::time_point now);
  void sync();
  bool is_due(Clock::time_point now) const;

  std::string path_;
  ResultHeader header_;
  ResultWriterOptions options_;
  File file_;
  ResultMark committed_;
  std::string block_;  // the frame of the waiting rows, room for its head in front
  int waiting_ = 0;    // rows in block_
  size_t notes_bytes_ = 0;
  std::int64_t notes_left_out_ = 0;
  bool begun_ = false, continued_ = false, broken_ = false, finished_ = false;
  Clock::time_point last_commit_{}, last_row_{}, last_sync_{};
};

/// What a run of so many rows will need and what the disk has, to warn before the first step.
struct SpaceForecast {
  std::uint64_t needed = 0, free = 0;  // [bytes]
  bool fits() const { return needed <= free; }
};

SpaceForecast forecast_space(const std::string& path, std::int64_t rows, std::int64_t columns);
/// The warning with both numbers, for a forecast that does not fit.
Diagnostic space_warning(const std::string& path, const SpaceForecast& forecast);

}  // namespace sarrus
