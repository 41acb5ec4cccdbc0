#include "sarrus/results/result_tail.hpp"

#include <sys/stat.h>

#include "sarrus/results/result_json.hpp"
#include "sarrus/results/result_reader.hpp"

namespace sarrus {
namespace {

ResultStatus status_of(const std::string& text) {
  for (const ResultStatus s : {ResultStatus::done, ResultStatus::interrupted,
                               ResultStatus::diverged, ResultStatus::budget})
    if (to_text(s) == text) return s;
  return ResultStatus::unfinished;
}

}  // namespace

ResultTail::ResultTail(const std::string& file_or_folder)
    : path_(result_path(file_or_folder)), frames_(path_, result_magic, "a Sarrus result") {
  struct stat file {};
  if (::stat(path_.c_str(), &file) == 0) device_ = file.st_dev, inode_ = file.st_ino;
  if (frames_.next() != FrameReader::Found::frame || frames_.type() != frame_header)
    throw io_error(path_, "no-header", "has no header yet", "try again when the run has begun");
  header_ = parse_header(path_, frames_.payload());
}

std::span<const double> ResultTail::next() {
  rows_.clear();
  frames_.look_again();
  std::vector<double> block;
  while (!ended_ && rows_.size() < 1'000'000 && frames_.next() == FrameReader::Found::frame) {
    if (frames_.type() == frame_rows) {
      read_doubles(frames_.payload(), block);
      rows_.insert(rows_.end(), block.begin(), block.end());
    } else if (frames_.type() == frame_note) {
      try {
        notes_.push_back(parse_diagnostic(frames_.payload()));
      } catch (const Json::exception&) {  // of a later version: the whole result shows it
      }
    } else if (frames_.type() == frame_end) {
      const Json end = parse_json_if_any(frames_.payload());
      ended_ = true;
      if (!end.is_object()) break;
      status_ = status_of(end.value("status", ""));
      if (end.contains("summary")) summary_json_ = dump(end["summary"]);
    }
  }
  return rows_;
}

bool ResultTail::is_same(const File& file) const {
  struct stat s {};
  return ::fstat(file.descriptor(), &s) == 0 && s.st_dev == device_ && s.st_ino == inode_;
}

bool ResultTail::is_replaced() const {
  struct stat file {};
  if (::stat(path_.c_str(), &file) != 0) return false;  // gone; what was read still stands
  const auto size = static_cast<std::uint64_t>(file.st_size);
  const bool goes_on = ended_ && size > frames_.position();  // resumed behind its earlier end
  return file.st_dev != device_ || file.st_ino != inode_ || size < frames_.position() || goes_on;
}

}  // namespace sarrus
