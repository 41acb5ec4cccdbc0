// Checkpoints. The checksums keep nearly all changes out, so the frames are made anew around the
// bytes: head and data, divided at the first line end.
#include "sarrus/results/checkpoint_file.hpp"

#include "fuzz/target.hpp"
#include "sarrus/core/checksum.hpp"

void sarrus::fuzz::take(std::string_view bytes) {
  may_refuse([&] { read_checkpoint_file(as_file(bytes, "checkpoint"), ""); });
  const size_t end = bytes.find('\n');
  if (end == std::string_view::npos) return;
  std::uint64_t chain = crc64(checkpoint_magic);
  std::string whole(checkpoint_magic);
  whole += make_frame(frame_header, bytes.substr(0, end), chain);
  whole += make_frame(frame_data, bytes.substr(end + 1), chain);
  whole += make_frame(frame_end, "", chain);
  may_refuse([&] { read_checkpoint_file(as_file(whole, "checkpoint"), ""); });
}
