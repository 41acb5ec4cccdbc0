#include "resume.hpp"

#include <fmt/format.h>

#include "reports/run_report.hpp"
#include "sarrus/core/checksum.hpp"
#include "sarrus/files/text/file.hpp"
#include "sarrus/results/result_json.hpp"
#include "sarrus/results/result_reader.hpp"

namespace sarrus::app {
namespace {

constexpr std::uint64_t largest_part = 4ull << 30;  // a mesh or table [bytes]

Json shaping_settings(const SimulateSpec& settings) {
  Json json = settings_json(settings);
  if (settings.output_step) json.erase("until");
  return json;
}

/// Why the hashes differ, as far as the result's header can tell.
std::string difference(const Json& before, const Json& now) {
  std::string names;
  for (const Json& all : {before, now})
    for (const auto& [key, value] : all.items()) {
      const bool same = before.contains(key) && now.contains(key) && before[key] == now[key];
      const bool free =
          key == "until" && before.contains("output_step") && now.contains("output_step");
      if (!same && !free && names.find(key) == std::string::npos)
        names += (names.empty() ? "" : ", ") + key;
    }
  return names;
}

}  // namespace

std::string run_hash(const Model& model, const ModelOptions& options) {
  std::uint64_t hash = 0;
  const auto add = [&](std::string_view text) {
    hash = crc64(text, crc64(fmt::format("{}:", text.size()), hash));
  };
  for (const std::string& file : model.files) add(read_file(file, largest_part));
  for (const std::string& text : options.set) add(text);
  for (const std::string& text : options.inputs) add(text);
  add(shaping_settings(model.simulate).dump());
  return checksum_text(hash);
}

Resume how_to_resume(const std::string& folder, const std::string& hash,
                     const SimulateSpec& settings) {
  const std::string path = result_path(folder);
  ResultReader result(path);
  const Json before = parse_json_if_any(result.header().settings_json);
  const Json now = settings_json(settings);
  if (result.header().model_hash != hash) {
    const std::string names = before.is_object() ? difference(before, now) : "";
    throw io_error(
        folder, "other-run",
        names.empty()
            ? std::string("holds a run of another model, or of this one before it was changed")
            : fmt::format("holds a run with other settings: {}", names),
        names == "until" ? "until may change on resume only where output_step is given; without "
                           "--resume it starts over"
                         : "without --resume it is kept, and a run from the start takes its place");
  }
  while (!result.next_block().empty()) {
  }
  if (result.status() == ResultStatus::done) {
    if (before.value("until", settings.until) == settings.until) return Resume::finished;
    throw io_error(folder, "run-finished",
                   fmt::format("its run is finished at {} s", before.value("until", 0.0)),
                   "without --resume it is kept, and a longer run from the start takes its place");
  }
  const bool saved =
      is_file(join_path(folder, "checkpoint")) || is_file(join_path(folder, "checkpoint.previous"));
  return saved ? Resume::from_checkpoint : Resume::from_start;
}

}  // namespace sarrus::app
