// Reads a result while it is written: each call gives the rows that were committed since the last.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sarrus/results/result_format.hpp"

namespace sarrus {

class ResultTail {
 public:
  /// Throws Error(Fault::io) where there is no result, or not even its header yet.
  explicit ResultTail(const std::string& file_or_folder);

  const std::string& path() const { return path_; }
  const ResultHeader& header() const { return header_; }

  /// Whole rows, one after the other; empty where there is nothing new. Valid until the next call.
  std::span<const double> next();
  /// This is the file that is read, and not another that has its name by now.
  bool is_same(const File& file) const;
  /// The file was replaced or cut by another run: what was read belongs to the past.
  bool is_replaced() const;

  bool has_ended() const { return ended_; }
  ResultStatus status() const { return status_; }
  const std::string& summary_json() const { return summary_json_; }
  const std::vector<Diagnostic>& notes() const { return notes_; }
  /// Up to here the file is whole and was read [bytes].
  std::uint64_t position() const { return frames_.position(); }

 private:
  std::string path_;
  FrameReader frames_;
  std::uint64_t device_ = 0, inode_ = 0;
  ResultHeader header_;
  std::vector<double> rows_;
  bool ended_ = false;
  ResultStatus status_ = ResultStatus::unfinished;
  std::string summary_json_ = "{}";
  std::vector<Diagnostic> notes_;
};

}  // namespace sarrus
