#include "sarrus/results/kept_model.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>

#include "sarrus/core/checksum.hpp"
#include "sarrus/files/read_valid_model.hpp"
#include "sarrus/results/result_json.hpp"

namespace sarrus {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view frame_file = "FILE";
constexpr std::uint64_t model_limit = 1u << 30;  // [bytes]

/// A folder that goes with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "sarrus-model-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
      throw system_error(pattern, "cannot-open", "create a folder", errno);
    path_ = fs::canonical(pattern);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

struct Part {
  fs::path path;  // relative to the model
  std::string bytes;
};

std::vector<Part> read_parts(const std::string& path) {
  std::vector<Part> parts;
  FrameReader frames(path, parts_magic, "the parts of a model");
  while (frames.next() == FrameReader::Found::frame) {
    if (frames.type() != frame_file) continue;
    const size_t zero = frames.payload().find('\0');
    if (zero == std::string::npos) continue;
    parts.push_back({frames.payload().substr(0, zero), frames.payload().substr(zero + 1)});
  }
  return parts;
}

/// A file beside a result that is a link to somewhere else: it would show what nobody named.
bool leads_out(const std::string& folder, const std::string& path) {
  return fs::canonical(path).parent_path() != fs::canonical(folder);
}

/// How many folders a path climbs before it descends.
int climbs(const fs::path& path) {
  int n = 0;
  for (const fs::path& step : path) {
    if (step != "..") break;
    ++n;
  }
  return n;
}

/// Lays the files out as they lay around the model, deep enough that all stay inside `root`.
fs::path lay_out(const std::vector<Part>& parts, const std::string& text, const fs::path& root) {
  int deepest = 0;
  for (const Part& p : parts) deepest = std::max(deepest, climbs(p.path.lexically_normal()));
  fs::path folder = root;
  for (int i = 0; i < deepest; ++i) folder /= "m";
  const auto put = [](const fs::path& path, const std::string& bytes) {
    fs::create_directories(path.parent_path());
    write_file(path.string(), path.string() + ".partial", bytes);
  };
  for (const Part& p : parts) {
    const fs::path target = (folder / p.path).lexically_normal();
    const fs::path inside = target.lexically_relative(root);
    if (p.path.is_absolute() || inside.empty() || *inside.begin() == "..")
      throw io_error(p.path.string(), "bad-path", "a part of the model leads out of its folder");
    put(target, p.bytes);
  }
  put(folder / "model.toml", text);
  return folder / "model.toml";
}

ReadOptions options_of(const ResultHeader& header) {
  ReadOptions options;
  const Json settings = parse_json_if_any(header.settings_json);
  if (settings.is_object() && settings.contains("set"))
    for (const auto& [name, value] : settings["set"].items())
      if (value.is_number()) options.parameters[name] = value.get<double>();
  return options;
}

}  // namespace

std::string pack_parts(const Model& model) {
  if (model.files.size() < 2) return "";
  const fs::path home = fs::absolute(model.files[0]).parent_path();
  std::string packed;
  std::uint64_t chain = 0;
  std::vector<std::string> done = {model.files[0]};
  for (const std::string& file : model.files) {
    if (std::find(done.begin(), done.end(), file) != done.end()) continue;
    done.push_back(file);
    const fs::path relative = fs::absolute(file).lexically_relative(home).lexically_normal();
    if (relative.empty()) continue;
    const std::uint64_t size = File(file, File::Mode::read).size();
    if (size + packed.size() > parts_limit) continue;
    if (packed.empty()) {
      packed = parts_magic;
      chain = crc64(parts_magic);
    }
    packed +=
        make_frame(frame_file, relative.string() + '\0' + read_file(file, parts_limit), chain);
  }
  return packed;
}

KeptModel read_kept_model(const std::string& result_path, const ResultHeader& header) {
  KeptModel kept;
  const std::string folder = folder_of(result_path);
  const std::string main = join_path(folder, "model.toml");
  const std::string parts = join_path(folder, "model.parts");
  if (!is_file(main)) {
    kept.problem = "the copy of the model, model.toml, is not beside the result";
    return kept;
  }
  try {
    for (const std::string& file : {main, parts}) {
      if (!is_file(file)) continue;
      if (leads_out(folder, file))
        kept.problem = fmt::format("{} is a link to a place outside the result's folder", file);
      else if (!fs::is_regular_file(file))  // a pipe would be waited for
        kept.problem = fmt::format("{} is no plain file", file);
      if (!kept.problem.empty()) return kept;
    }
    kept.text = read_file(main, model_limit);
    ReadOptions options = options_of(header);
    if (is_file(parts)) {
      const TemporaryFolder root;
      options.allowed_roots = {root.path().string()};
      kept.model =
          read_valid_model(lay_out(read_parts(parts), kept.text, root.path()).string(), options);
    } else {
      kept.model = read_valid_model(main, options);
    }
  } catch (const Error& e) {
    kept.problem = fmt::format("the model beside the result cannot be read: {}", e.what());
  } catch (const fs::filesystem_error& e) {
    kept.problem = fmt::format("the model beside the result cannot be compiled: {}", e.what());
  }
  return kept;
}

}  // namespace sarrus
