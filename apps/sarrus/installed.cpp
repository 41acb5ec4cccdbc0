#include "installed.hpp"

#include <algorithm>
#include <fstream>

namespace sarrus::app {

namespace fs = std::filesystem;

namespace {

/// The first heading of a page; nothing where there is none.
std::string heading(const fs::path& page) {
  std::ifstream in(page);
  std::string line;
  while (std::getline(in, line))
    if (line.starts_with("# ")) return line.substr(2);
  return "";
}

}  // namespace

fs::path examples_folder() {
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
  if (unknown) return {};
  const fs::path folder = program.parent_path();
  // PREFIX/bin/sarrus, and build/PRESET/apps/sarrus/sarrus of a checkout
  for (const char* way : {"../share/sarrus/examples", "../../../../examples"}) {
    const fs::path found = (folder / way).lexically_normal();
    if (fs::is_regular_file(found / "double_pendulum" / "model.toml", unknown)) return found;
  }
  return {};
}

std::vector<Example> examples_in(const fs::path& folder) {
  std::vector<Example> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().filename() == "model.toml") {
      const fs::path home = entry.path().parent_path();
      found.push_back(
          {home.lexically_relative(folder).generic_string(), heading(home / "README.md")});
    }
  std::sort(found.begin(), found.end(),
            [](const Example& a, const Example& b) { return a.name < b.name; });
  return found;
}

}  // namespace sarrus::app
