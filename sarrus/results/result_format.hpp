// The bytes of result files and checkpoints, shared by their writers and readers.
//
//   file  = magic frame frame …
//   frame = type (4 bytes)  length (8)  payload (length bytes)  checksum (8)
//
// Numbers are little-endian. A frame's checksum is the CRC-64/XZ of everything before it in the
// file with the earlier checksums left out: it is chained, so that a frame removed, doubled or
// swapped is noticed as surely as a flipped bit. A file is only ever appended to; whatever stops a
// writer leaves whole frames and at most one cut one at the end.
//
// docs/reference/results.md states the same for readers in other languages.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sarrus/files/text/file.hpp"
#include "sarrus/run/trajectory.hpp"

namespace sarrus {

inline constexpr std::string_view result_magic = "SARRUSR1", checkpoint_magic = "SARRUSC1";

inline constexpr std::string_view frame_header = "HEAD";  // JSON
inline constexpr std::string_view frame_rows = "ROWS";    // doubles, row after row
inline constexpr std::string_view frame_note = "NOTE";    // JSON, a diagnostic
inline constexpr std::string_view frame_data = "DATA";    // doubles of a checkpoint
inline constexpr std::string_view frame_end = "END ";     // JSON; nothing follows

inline constexpr size_t frame_head_bytes = 12, frame_tail_bytes = 8;
inline constexpr std::uint64_t frame_limit = 256u << 20;  // longest payload [bytes]

/// How a run ended. A result without an end frame is unfinished: still running, or killed.
enum class ResultStatus { unfinished, done, interrupted, diverged, budget };
std::string to_text(ResultStatus status);

/// What a result file says about itself.
struct ResultHeader {
  int format = 1;
  std::string sarrus_version;
  std::string model_name;
  std::string model_hash;            // of the model and the settings, as the caller makes it
  std::vector<Column> columns;       // the first is time
  std::string settings_json = "{}";  // as given by the caller
};

/// A place in a result file: after so many rows it has so many bytes with that checksum.
struct ResultMark {
  std::int64_t rows = 0;
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};

/// Fills in type, length and checksum around a payload that starts at frame_head_bytes in `frame`;
/// `chain` is the checksum of the frame before and becomes that of this one.
void seal_frame(std::string& frame, std::string_view type, std::uint64_t& chain);
std::string make_frame(std::string_view type, std::string_view payload, std::uint64_t& chain);

void append_doubles(std::string& bytes, std::span<const double> values);
/// The doubles in `bytes`, whose length is a multiple of 8.
void read_doubles(std::string_view bytes, std::vector<double>& into);

std::string header_json(const ResultHeader& header);
/// Throws Error(Fault::io) where the text is no header or of a newer format.
ResultHeader parse_header(const std::string& path, const std::string& json);

/// Walks through the frames of a file as long as it is whole.
class FrameReader {
 public:
  enum class Found { frame, end_of_file, cut, damaged };

  /// Opens the file and checks the magic; `what` names the kind of file in the refusal. Bytes that
  /// are appended later are left to look_again().
  FrameReader(const std::string& path, std::string_view magic, const std::string& what);

  /// Reads the frame at position(); type() and payload() are those of the last whole frame.
  Found next();
  /// Takes in what was appended since the file was opened.
  void look_again() { size_ = std::max(size_, file_.size()); }
  const std::string& type() const { return type_; }
  const std::string& payload() const { return payload_; }

  std::uint64_t position() const { return position_; }  // first byte after the last whole frame
  std::uint64_t checksum() const { return chain_; }     // of the last whole frame
  std::uint64_t size() const { return size_; }
  const std::string& path() const { return file_.path(); }

 private:
  File file_;
  std::uint64_t size_ = 0, position_ = 0, chain_ = 0;
  std::string type_, payload_, next_payload_;
};

}  // namespace sarrus
