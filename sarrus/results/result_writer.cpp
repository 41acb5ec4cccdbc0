#include "sarrus/results/result_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "sarrus/core/checksum.hpp"
#include "sarrus/core/version.hpp"
#include "sarrus/results/result_json.hpp"

namespace sarrus {
namespace {

constexpr size_t block_bytes = 4 << 20;  // wide rows are committed before a thousand of them wait

double seconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double>(d).count();
}

Error differs(const std::string& path, const std::string& found) {
  return io_error(path, "result-changed", found + ", so the run cannot be continued into it",
                  "restore the file as the run left it, or start the run again");
}

}  // namespace

ResultWriter::ResultWriter(std::string path, ResultHeader header, ResultWriterOptions options)
    : path_(std::move(path)), header_(std::move(header)), options_(options) {
  header_.format = result_format;
  header_.sarrus_version = version;
}

ResultWriter::ResultWriter(std::string path, const ResultMark& mark, ResultWriterOptions options)
    : path_(std::move(path)), options_(options), committed_(mark), continued_(true) {
  FrameReader frames(path_, result_magic, "a Sarrus result");
  if (frames.size() < mark.bytes)
    throw differs(path_, fmt::format("{} bytes long, shorter than the {} of the checkpoint",
                                     frames.size(), mark.bytes));

  // every byte up to the mark must be the one that was written
  std::int64_t rows = 0;
  while (frames.position() < mark.bytes && frames.next() == FrameReader::Found::frame) {
    if (frames.type() == frame_header) header_ = parse_header(path_, frames.payload());
    if (frames.type() == frame_note) notes_bytes_ += frames.payload().size();
    if (frames.type() == frame_rows && !header_.columns.empty())
      rows += static_cast<std::int64_t>(frames.payload().size() / 8 / header_.columns.size());
  }
  if (frames.position() != mark.bytes || frames.checksum() != mark.checksum || rows != mark.rows)
    throw differs(path_, fmt::format("changed after the checkpoint was written, near byte {}",
                                     frames.position()));

  file_ = File(path_, File::Mode::update);
  file_.truncate(mark.bytes);
}

ResultWriter::~ResultWriter() {
  if (!begun_ || broken_ || finished_) return;
  try {
    commit();
  } catch (const std::exception&) {
    // the frames before are whole, and a destructor has nobody to tell
  }
}

void ResultWriter::begin(const std::vector<Column>& columns) {
  if (begun_) throw std::logic_error("ResultWriter::begin: called twice");
  if (columns.empty())
    throw std::invalid_argument("ResultWriter::begin: no columns, expected time");
  if (continued_) {
    const auto same = [](const Column& a, const Column& b) {
      return a.name == b.name && a.unit == b.unit;
    };
    if (!std::equal(columns.begin(), columns.end(), header_.columns.begin(), header_.columns.end(),
                    same))
      throw differs(path_, "has other columns than this run");
  } else {
    header_.columns = columns;
    create_file();
  }
  begun_ = true;
  block_.assign(frame_head_bytes, '\0');
  last_commit_ = last_row_ = last_sync_ = Clock::now();
}

void ResultWriter::create_file() {
  ResultMark start{0, 0, crc64(result_magic)};
  const std::string bytes =
      std::string(result_magic) + make_frame(frame_header, header_json(header_), start.checksum);
  start.bytes = bytes.size();
  PendingFile pending(path_, path_ + ".partial");
  pending.file().write(bytes);
  pending.put_in_place();
  file_ = std::move(pending.file());
  committed_ = start;
}

void ResultWriter::row(std::span<const double> values) {
  check_open("row");
  if (values.size() != header_.columns.size())
    throw std::invalid_argument(fmt::format("ResultWriter::row: {} values for {} columns",
                                            values.size(), header_.columns.size()));
  append_doubles(block_, values);
  ++waiting_;
  const Clock::time_point now = Clock::now();
  if (is_due(now)) commit();
  last_row_ = now;
}

bool ResultWriter::is_due(Clock::time_point now) const {
  if (waiting_ >= options_.commit_rows || block_.size() >= block_bytes) return true;
  // the next row is expected after as long as this one took
  return seconds(now - last_commit_) + seconds(now - last_row_) >= options_.commit_seconds;
}

void ResultWriter::commit() {
  check_open("commit");
  if (waiting_ > 0) {
    std::uint64_t chain = committed_.checksum;
    seal_frame(block_, frame_rows, chain);
    write_sealed(block_, chain, waiting_);
    block_.resize(frame_head_bytes);
    waiting_ = 0;
  }
  last_commit_ = Clock::now();
  sync_if_due(last_commit_);
}

void ResultWriter::sync_if_due(Clock::time_point now) {
  if (seconds(now - last_sync_) < options_.sync_seconds) return;
  sync();
}

void ResultWriter::sync() {
  try {
    file_.sync();
  } catch (const Error&) {
    broken_ = true;  // after a failed sync nobody knows which bytes the medium has
    throw;
  }
  last_sync_ = Clock::now();
}

void ResultWriter::write_frame(std::string_view type, std::string_view payload) {
  std::uint64_t chain = committed_.checksum;
  const std::string frame = make_frame(type, payload, chain);
  write_sealed(frame, chain, 0);
}

void ResultWriter::write_sealed(const std::string& frame, std::uint64_t chain, std::int64_t rows) {
  try {
    file_.write(frame);
  } catch (const Error&) {
    broken_ = true;
    try {
      file_.truncate(committed_.bytes);
    } catch (const Error&) {
      // readers drop a cut frame themselves; the failed write is what the caller must hear of
    }
    throw;
  }
  committed_ = {committed_.rows + rows, committed_.bytes + frame.size(), chain};
}

void ResultWriter::add_note(const Diagnostic& note) {
  check_open("add_note");
  const std::string json = notes_left_out_ == 0 ? to_json(note) : "";
  if (notes_left_out_ > 0 || notes_bytes_ + json.size() > options_.notes_bytes) {
    ++notes_left_out_;
    return;
  }
  commit();
  write_frame(frame_note, json);
  notes_bytes_ += json.size();
}

ResultMark ResultWriter::mark() {
  commit();
  sync();
  return committed_;
}

void ResultWriter::finish(ResultStatus status, const std::string& summary_json) {
  if (status == ResultStatus::unfinished)
    throw std::invalid_argument("ResultWriter::finish: a finished run is done, interrupted, …");
  const Json summary = parse_argument(summary_json, "summary");
  commit();
  write_frame(frame_end, dump(Json{{"status", to_text(status)},
                                   {"rows", committed_.rows},
                                   {"notes_left_out", notes_left_out_},
                                   {"summary", summary}}));
  sync();
  file_.close();
  finished_ = true;
}

void ResultWriter::check_open(const char* call) const {
  if (!begun_ || finished_)
    throw std::logic_error(
        fmt::format("ResultWriter::{}: {}", call, finished_ ? "after finish" : "before begin"));
  if (broken_)
    throw io_error(path_, "write-failed", "an earlier write failed; nothing more is written");
}

SpaceForecast forecast_space(const std::string& path, std::int64_t rows, std::int64_t columns) {
  if (rows < 0 || columns < 0)
    throw std::invalid_argument("forecast_space: rows and columns must not be negative");
  const double frames = static_cast<double>(rows) / ResultWriterOptions{}.commit_rows + 2;
  const double needed = 8.0 * static_cast<double>(rows) * static_cast<double>(columns) +
                        frames * (frame_head_bytes + frame_tail_bytes) +
                        64.0 * static_cast<double>(columns);  // their names in the header
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  const bool countable = needed < static_cast<double>(most);
  return {countable ? static_cast<std::uint64_t>(needed) : most, free_bytes(path)};
}

Diagnostic space_warning(const std::string& path, const SpaceForecast& forecast) {
  return {.severity = Severity::warning,
          .code = "little-space",
          .where = {printable(path)},
          .message = fmt::format("the result will need about {} bytes, {} bytes are free",
                                 forecast.needed, forecast.free),
          .hint = "choose a larger output_step, or another folder",
          .value = std::to_string(forecast.needed),
          .limit = std::to_string(forecast.free)};
}

}  // namespace sarrus
