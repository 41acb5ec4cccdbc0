#include "sarrus/results/result_reader.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "sarrus/core/version.hpp"
#include "sarrus/results/result_json.hpp"

namespace sarrus {
namespace {

ResultStatus parse_status(const std::string& text) {
  for (const ResultStatus s : {ResultStatus::done, ResultStatus::interrupted,
                               ResultStatus::diverged, ResultStatus::budget})
    if (text == to_text(s)) return s;
  return ResultStatus::unfinished;
}

}  // namespace

std::string result_path(const std::string& file_or_folder) {
  if (!is_folder(file_or_folder)) return file_or_folder;
  std::string path = join_path(file_or_folder, "result.sarrus");
  std::error_code none;
  if (!std::filesystem::exists(path, none) &&
      std::filesystem::exists(join_path(file_or_folder, "modes.csv"), none))
    throw io_error(file_or_folder, "no-result", "these are modes of vibration, not a run",
                   "sarrus modes --animate 3 adds motions mode_1 to mode_3, each with a result; "
                   "report and view show them together");
  return path;
}

ResultReader::ResultReader(const std::string& file_or_folder)
    : frames_(result_path(file_or_folder), result_magic, "a Sarrus result") {
  if (frames_.next() != FrameReader::Found::frame || frames_.type() != frame_header)
    throw io_error(path(), "bad-header",
                   "the header is cut or damaged, so no row can be understood");
  header_ = parse_header(path(), frames_.payload());
}

std::span<const double> ResultReader::next_block() {
  const size_t row_bytes = 8 * header_.columns.size();
  while (!stopped_) {
    const FrameReader::Found found = frames_.next();
    if (found != FrameReader::Found::frame) {
      stop(found);
    } else if (frames_.type() == frame_note) {
      take_note(frames_.payload());
    } else if (frames_.type() == frame_end) {
      take_end(frames_.payload());
    } else if (frames_.type() == frame_rows && !frames_.payload().empty()) {
      if (frames_.payload().size() % row_bytes != 0) {
        leave_out("rows of another width begin");
        break;
      }
      read_doubles(frames_.payload(), block_);
      rows_ += static_cast<std::int64_t>(block_.size() / header_.columns.size());
      return block_;
    }
  }
  return {};
}

void ResultReader::take_note(const std::string& json) try {
  notes_.push_back(parse_diagnostic(json));
} catch (const Json::exception&) {
  notes_.push_back({.severity = Severity::note,
                    .code = "unknown-note",
                    .where = {printable(path())},
                    .message = json});
}

void ResultReader::take_end(const std::string& json) {
  stopped_ = true;
  try {
    const Json end = parse_json(json);
    status_ = parse_status(end.at("status").get<std::string>());
    summary_json_ = dump(end.at("summary"));
    const auto left_out = end.at("notes_left_out").get<std::int64_t>();
    if (left_out > 0)
      notes_.push_back(
          {.severity = Severity::note,
           .code = "notes-left-out",
           .where = {printable(path())},
           .message = fmt::format("{} further notes of the run were only counted", left_out)});
  } catch (const Json::exception& e) {
    notes_.push_back(
        {.severity = Severity::warning,
         .code = "bad-end",
         .where = {printable(path())},
         .message = fmt::format("the end of the run is not understood: {}", e.what())});
  }
  if (frames_.position() < frames_.size()) leave_out("the run has ended, but the file goes on");
}

void ResultReader::stop(FrameReader::Found found) {
  stopped_ = true;
  if (found == FrameReader::Found::cut) leave_out("the file ends within a frame");
  if (found == FrameReader::Found::damaged) leave_out("a checksum does not match");
}

void ResultReader::leave_out(const std::string& why) {
  stopped_ = true;
  notes_.push_back(
      {.severity = Severity::warning,
       .code = "result-cut",
       .where = {printable(path())},
       .message = fmt::format(
           "{} at byte {}: the last {} bytes are ignored, the {} rows before them are intact", why,
           frames_.position(), frames_.size() - frames_.position(), rows_)});
}

ResultFile read_result(const std::string& file_or_folder) {
  ResultReader reader(file_or_folder);
  ResultFile result;
  result.path = reader.path();
  result.header = reader.header();
  result.rows.columns = reader.header().columns;
  result.rows.values.reserve(reader.size() / sizeof(double));
  for (auto block = reader.next_block(); !block.empty(); block = reader.next_block())
    result.rows.values.insert(result.rows.values.end(), block.begin(), block.end());
  result.status = reader.status();
  result.summary_json = reader.summary_json();
  result.notes = reader.notes();
  return result;
}

}  // namespace sarrus
