#include "sarrus/results/result_format.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <stdexcept>

#include "sarrus/core/checksum.hpp"
#include "sarrus/core/version.hpp"
#include "sarrus/results/result_json.hpp"

namespace sarrus {
namespace {

static_assert(std::endian::native == std::endian::little,
              "rows are stored as the machine has them");

void put_u64(char* at, std::uint64_t value) { std::memcpy(at, &value, 8); }

std::uint64_t get_u64(const char* at) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, 8);
  return value;
}

}  // namespace

std::string to_text(ResultStatus status) {
  switch (status) {
    case ResultStatus::unfinished: return "unfinished";
    case ResultStatus::done: return "done";
    case ResultStatus::interrupted: return "interrupted";
    case ResultStatus::diverged: return "diverged";
    case ResultStatus::budget: return "budget";
  }
  return "unfinished";
}

void seal_frame(std::string& frame, std::string_view type, std::uint64_t& chain) {
  const std::uint64_t length = frame.size() - frame_head_bytes;
  if (length > frame_limit)
    throw std::invalid_argument(
        fmt::format("a frame of {} bytes, more than the {} allowed", length, frame_limit));
  std::memcpy(frame.data(), type.data(), 4);
  put_u64(frame.data() + 4, length);
  chain = crc64(frame, chain);
  frame.resize(frame.size() + frame_tail_bytes);
  put_u64(frame.data() + frame.size() - frame_tail_bytes, chain);
}

std::string make_frame(std::string_view type, std::string_view payload, std::uint64_t& chain) {
  std::string frame(frame_head_bytes, '\0');
  frame += payload;
  seal_frame(frame, type, chain);
  return frame;
}

void append_doubles(std::string& bytes, std::span<const double> values) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

void read_doubles(std::string_view bytes, std::vector<double>& into) {
  into.resize(bytes.size() / sizeof(double));
  if (into.empty()) return;  // its data() may be null, which memcpy does not take
  std::memcpy(into.data(), bytes.data(), into.size() * sizeof(double));
}

std::string header_json(const ResultHeader& header) {
  Json columns = Json::array();
  for (const Column& c : header.columns)
    columns.push_back({{"name", c.name},
                       {"unit", c.unit},
                       {"kind", facts_of(c.kind).word},
                       {"owner", c.owner},
                       {"component", c.component}});
  return dump(Json{{"format", header.format},
                   {"sarrus", header.sarrus_version},
                   {"model", header.model_name},
                   {"model_hash", header.model_hash},
                   {"columns", std::move(columns)},
                   {"settings", parse_argument(header.settings_json, "settings")}});
}

ResultHeader parse_header(const std::string& path, const std::string& json) try {
  const Json object = parse_json(json);
  ResultHeader header;
  header.format = object.at("format").get<int>();
  header.sarrus_version = object.at("sarrus").get<std::string>();
  if (header.format > result_format)
    throw io_error(path, "newer-format",
                   fmt::format("result format {}, written by Sarrus {}; this is Sarrus {}, which "
                               "reads formats up to {}",
                               header.format, header.sarrus_version, version, result_format),
                   "read it with the newer Sarrus");
  header.model_name = object.at("model").get<std::string>();
  header.model_hash = object.at("model_hash").get<std::string>();
  for (const Json& c : object.at("columns"))
    header.columns.push_back({c.at("name").get<std::string>(), c.at("unit").get<std::string>(),
                              column_kind(c.value("kind", "")), c.value("owner", ""),
                              c.value("component", "")});
  header.settings_json = dump(object.at("settings"));
  if (header.columns.empty()) throw io_error(path, "bad-header", "the header names no columns");
  return header;
} catch (const Json::exception& e) {
  throw io_error(path, "bad-header", fmt::format("the header is not understood: {}", e.what()));
}

FrameReader::FrameReader(const std::string& path, std::string_view magic, const std::string& what)
    : file_(path, File::Mode::read) {
  char start[8] = {};
  const size_t got = file_.read_at(0, start, sizeof start);
  const std::string_view found(start, got);
  const std::string_view family = magic.substr(0, 7);
  if (found.size() == 8 && found.substr(0, 7) == family && found[7] > magic[7])
    throw io_error(path, "newer-format",
                   fmt::format("{} of layout {}; this is Sarrus {}, which reads layout {}", what,
                               printable(found.substr(7)), version, magic[7]),
                   "read it with the newer Sarrus");
  if (found != magic) {
    const std::string kind = got == 0 ? "an empty file" : looks_like(found);
    throw io_error(path, "not-this-file",
                   kind.empty() ? fmt::format("this is not {}", what)
                                : fmt::format("looks like {}, not {}", kind, what));
  }
  size_ = file_.size();
  position_ = magic.size();
  chain_ = crc64(magic);
}

FrameReader::Found FrameReader::next() {
  if (position_ == size_) return Found::end_of_file;
  const std::uint64_t left = size_ - position_;
  if (left < frame_head_bytes + frame_tail_bytes) return Found::cut;

  char head[frame_head_bytes];
  if (file_.read_at(position_, head, sizeof head) < sizeof head) return Found::cut;
  const std::uint64_t length = get_u64(head + 4);
  if (length > left - frame_head_bytes - frame_tail_bytes) return Found::cut;
  if (length > frame_limit) return Found::damaged;

  next_payload_.resize(static_cast<size_t>(length) + frame_tail_bytes);
  if (file_.read_at(position_ + sizeof head, next_payload_.data(), next_payload_.size()) <
      next_payload_.size())
    return Found::cut;
  const std::uint64_t stored = get_u64(next_payload_.data() + length);
  next_payload_.resize(length);
  const std::uint64_t computed = crc64(next_payload_, crc64({head, sizeof head}, chain_));
  if (computed != stored) return Found::damaged;

  type_.assign(head, 4);
  std::swap(payload_, next_payload_);
  position_ += frame_head_bytes + length + frame_tail_bytes;
  chain_ = computed;
  return Found::frame;
}

}  // namespace sarrus
