#include "sarrus/results/checkpoint_file.hpp"

#include <fmt/format.h>

#include <array>

#include "sarrus/core/checksum.hpp"
#include "sarrus/core/version.hpp"
#include "sarrus/results/result_json.hpp"

namespace sarrus {
namespace {

// 1 had no memory of the formulation; up to 2 that of discrete was in another order; up to 3 there
// were no parameters
constexpr int checkpoint_format = 4;
constexpr size_t first_format_vectors = 4;

std::string newest(const std::string& folder) { return join_path(folder, "checkpoint"); }
std::string previous(const std::string& folder) { return join_path(folder, "checkpoint.previous"); }

/// Of the vectors in the data, in their order; those of later formats stand at the end.
template <class State>  // const or not
auto vectors_of(State& c) {
  return std::array{&c.q, &c.rest, &c.memory, &c.counters, &c.formulation_memory, &c.parameters};
}

std::vector<size_t> sizes_of(const Checkpoint& c) {
  std::vector<size_t> sizes;
  for (const std::vector<double>* v : vectors_of(c)) sizes.push_back(v->size());
  return sizes;
}

std::string head_json(const Checkpoint& c, const ResultMark& mark) {
  return dump(Json{{"format", checkpoint_format},
                   {"sarrus", version},
                   {"model_hash", c.model_hash},
                   {"formulation", c.formulation},
                   {"integrator", c.integrator},
                   {"steps", c.steps},
                   {"rejected", c.rejected},
                   {"evaluations", c.evaluations},
                   {"rows", c.rows},
                   {"sizes", sizes_of(c)},
                   {"counted_from", c.counted_from.value_or(c.t)},
                   {"counted", c.counted},
                   {"result_rows", mark.rows},
                   {"result_bytes", mark.bytes},
                   {"result_checksum", mark.checksum}});
}

std::string encode(const Checkpoint& c, const ResultMark& mark) {
  std::uint64_t chain = crc64(checkpoint_magic);
  std::string bytes(checkpoint_magic);
  bytes += make_frame(frame_header, head_json(c, mark), chain);
  std::string data;
  append_doubles(data, {&c.t, 1});
  for (const std::vector<double>* v : vectors_of(c)) append_doubles(data, *v);
  bytes += make_frame(frame_data, data, chain);
  bytes += make_frame(frame_end, "", chain);
  return bytes;
}

Error damaged(const std::string& path, const std::string& what) {
  return io_error(path, "checkpoint-damaged", what);
}

/// The payload of the next frame, which must be of this type.
std::string expect(FrameReader& frames, std::string_view type) {
  if (frames.next() != FrameReader::Found::frame || frames.type() != type)
    throw damaged(frames.path(), fmt::format("cut or damaged after byte {}", frames.position()));
  return frames.payload();
}

void refuse_other(const std::string& path, const Json& head, const std::string& model_hash) {
  const int format = head.at("format").get<int>();
  if (format > checkpoint_format)
    throw io_error(
        path, "newer-format",
        fmt::format("checkpoint format {}, written by Sarrus {}; this is Sarrus {}, which "
                    "reads formats up to {}",
                    format, head.at("sarrus").get<std::string>(), version, checkpoint_format),
        "continue the run with the newer Sarrus");
  if (format < 3 && head.at("formulation").get<std::string>() == "discrete")
    throw io_error(path, "older-format",
                   fmt::format("checkpoint format {}, written by Sarrus {}: what the discrete "
                               "formulation remembers is now kept in another order",
                               format, head.at("sarrus").get<std::string>()),
                   "start the run anew, without --resume");
  const auto found = head.at("model_hash").get<std::string>();
  if (!model_hash.empty() && found != model_hash)
    throw io_error(path, "other-model",
                   fmt::format("belongs to another model or other settings ({}, this is {})", found,
                               model_hash),
                   "continue with the model and settings that the run was started with");
}

StoredCheckpoint decode_head(const Json& head) {
  StoredCheckpoint stored;
  Checkpoint& c = stored.state;
  c.model_hash = head.at("model_hash").get<std::string>();
  c.formulation = head.at("formulation").get<std::string>();
  c.integrator = head.at("integrator").get<std::string>();
  c.steps = head.at("steps").get<std::int64_t>();
  c.rejected = head.at("rejected").get<std::int64_t>();
  c.evaluations = head.at("evaluations").get<std::int64_t>();
  c.rows = head.at("rows").get<std::int64_t>();
  if (head.contains("counted_from")) {
    c.counted_from = head.at("counted_from").get<double>();
    c.counted = head.at("counted").get<std::int64_t>();
  }
  stored.result = {head.at("result_rows").get<std::int64_t>(),
                   head.at("result_bytes").get<std::uint64_t>(),
                   head.at("result_checksum").get<std::uint64_t>()};
  return stored;
}

/// t, then the vectors, whose sizes must fill the data exactly.
void decode_data(const std::string& path, const std::vector<size_t>& sizes, const std::string& data,
                 Checkpoint& c) {
  std::vector<double> all;
  read_doubles(data, all);
  size_t at = 1;
  const auto vectors = vectors_of(c);
  if (sizes.size() < first_format_vectors || sizes.size() > vectors.size())
    throw damaged(path, fmt::format("holds {} vectors", sizes.size()));
  for (size_t k = 0; k < sizes.size(); ++k) {
    if (at > all.size() || sizes[k] > all.size() - at)
      throw damaged(path, "holds fewer numbers than it says");
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(at);
    vectors[k]->assign(from, from + static_cast<std::ptrdiff_t>(sizes[k]));
    at += sizes[k];
  }
  if (at != all.size()) throw damaged(path, "holds more numbers than it says");
  c.t = all.front();
}

bool is_damage(const Error& e) {
  const std::string& code = e.diagnostics().front().code;
  return code == "checkpoint-damaged" || code == "not-this-file" || code == "cannot-open";
}

}  // namespace

void write_checkpoint(const std::string& folder, const Checkpoint& state,
                      const ResultMark& result) {
  const std::string current = newest(folder), partial = join_path(folder, "checkpoint.partial");
  PendingFile pending(current, partial);
  pending.file().write(encode(state, result));
  pending.file().sync();
  if (is_file(current)) rename_file(current, previous(folder));
  pending.put_in_place();
  pending.file().close();
}

StoredCheckpoint read_checkpoint_file(const std::string& path, const std::string& model_hash) try {
  FrameReader frames(path, checkpoint_magic, "a Sarrus checkpoint");
  const Json head = parse_json(expect(frames, frame_header));
  refuse_other(path, head, model_hash);
  StoredCheckpoint stored = decode_head(head);
  const auto sizes = head.at("sizes").get<std::vector<size_t>>();
  decode_data(path, sizes, expect(frames, frame_data), stored.state);
  expect(frames, frame_end);
  if (frames.position() != frames.size()) throw damaged(path, "goes on after its end");
  return stored;
} catch (const Json::exception& e) {
  throw damaged(path, fmt::format("its head is not understood: {}", e.what()));
}

StoredCheckpoint read_checkpoint(const std::string& folder, const std::string& model_hash) {
  const std::string current = newest(folder), older = previous(folder);
  if (!is_file(current) && !is_file(older))
    throw io_error(folder, "no-checkpoint", "holds no checkpoint to continue from");
  try {
    return read_checkpoint_file(current, model_hash);
  } catch (const Error& e) {
    if (!is_damage(e) || !is_file(older)) throw;
    StoredCheckpoint stored = read_checkpoint_file(older, model_hash);
    stored.notes.push_back(e.diagnostics().front());
    stored.notes.back().severity = Severity::warning;
    stored.notes.push_back(
        {.severity = Severity::note,
         .code = "older-checkpoint",
         .where = {printable(older)},
         .message =
             fmt::format("continuing from the checkpoint before, at t = {} s", stored.state.t)});
    return stored;
  }
}

}  // namespace sarrus
