#include "sarrus/show/scene_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sarrus/files/text/file.hpp"

namespace sarrus {

namespace {

bool belong_together(const Scene& a, const Scene& b) {
  const auto same = [](const Column& x, const Column& y) { return x.name == y.name; };
  const std::vector<Column>&c = a.header().columns, &d = b.header().columns;
  return a.text() == b.text() && std::equal(c.begin(), c.end(), d.begin(), d.end(), same);
}

}  // namespace

std::vector<std::string> mode_folders(const std::string& folder) {
  std::error_code none;
  const auto has_result = [&](const std::string& f) {
    return std::filesystem::exists(join_path(f, "result.sarrus"), none);
  };
  std::vector<std::string> found;
  if (!is_folder(folder) || has_result(folder)) return found;
  for (int i = 1;; ++i) {
    std::string next = join_path(folder, fmt::format("mode_{}", i));
    if (!has_result(next)) return found;
    found.push_back(std::move(next));
  }
}

ModesScene read_modes(const std::vector<std::string>& folders, const SceneOptions& options) {
  ModesScene all{read_scene(folders.at(0), options), {}};
  std::string list = "[";
  for (size_t i = 0; i < folders.size(); ++i) {
    const Scene scene = read_scene(folders[i], options);
    if (!belong_together(all.first, scene)) continue;
    all.rows += scene.rows_seen(), all.shown += scene.rows();
    list += (i == 0 ? "" : ",") + scene.motion_json();
  }
  all.modes.emplace_back("modes", list + "]");
  return all;
}

}  // namespace sarrus
