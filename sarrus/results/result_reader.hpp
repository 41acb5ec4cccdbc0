// Reads result files: whole into memory, or block by block where they are large.
//
// A file is read up to its first damaged or cut frame; what follows is not trusted, because the
// checksums are chained. The notes then say how many bytes were left out.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/results/result_format.hpp"
#include "sarrus/run/trajectory.hpp"

namespace sarrus {

/// A result in memory.
struct ResultFile {
  std::string path;
  ResultHeader header;
  Trajectory rows;
  ResultStatus status = ResultStatus::unfinished;
  std::string summary_json = "{}";
  std::vector<Diagnostic> notes;  // of the run, then of reading
};

/// Reads a result file, or the one in a run folder. Throws Error(Fault::io) where there is none,
/// where the file is something else, or of a newer format.
ResultFile read_result(const std::string& file_or_folder);

/// The path of the result file meant by a file or run folder.
std::string result_path(const std::string& file_or_folder);

/// Reads a result as it was when it was opened, one block of rows after the other.
class ResultReader {
 public:
  explicit ResultReader(const std::string& file_or_folder);

  const std::string& path() const { return frames_.path(); }
  const ResultHeader& header() const { return header_; }
  std::uint64_t size() const { return frames_.size(); }  // [bytes]

  /// Whole rows one after the other, valid until the next call; empty at the end.
  std::span<const double> next_block();

  // known once next_block() was empty
  ResultStatus status() const { return status_; }
  const std::string& summary_json() const { return summary_json_; }
  const std::vector<Diagnostic>& notes() const { return notes_; }

 private:
  void take_note(const std::string& json);
  void take_end(const std::string& json);
  void stop(FrameReader::Found found);
  void leave_out(const std::string& why);

  FrameReader frames_;
  ResultHeader header_;
  std::vector<double> block_;
  ResultStatus status_ = ResultStatus::unfinished;
  std::string summary_json_ = "{}";
  std::vector<Diagnostic> notes_;
  std::int64_t rows_ = 0;
  bool stopped_ = false;
};

}  // namespace sarrus
