#include "watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <thread>

#include "sarrus/core/diagnostic.hpp"
#include "signals.hpp"

namespace sarrus::app {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto look_every = 200ms;

/// Files that a model may be made of, with the time of their last change.
std::map<std::string, fs::file_time_type> saved(const fs::path& folder, const fs::path& written) {
  constexpr const char* parts[] = {".toml", ".json", ".csv", ".stl", ".obj", ".msh", ".mtx"};
  std::map<std::string, fs::file_time_type> found;
  std::error_code failed;
  for (fs::directory_iterator file(folder, failed), end; !failed && file != end;
       file.increment(failed)) {
    const fs::path& path = file->path();
    const bool is_part =
        std::find(std::begin(parts), std::end(parts), path.extension().string()) != std::end(parts);
    // what the run writes, and what it keeps of the file before
    const bool is_own = !written.empty() && path.extension() == written.extension() &&
                        path.filename().string().starts_with(written.stem().string() + ".");
    if (!is_part || is_own) continue;
    std::error_code gone;  // an editor may be replacing it
    const fs::file_time_type time = fs::last_write_time(path, gone);
    if (!gone) found[path.string()] = time;
  }
  return found;
}

}  // namespace

int repeat_on_save(const std::string& model, const std::string& written, Output& out,
                   const std::function<int()>& once) {
  const fs::path folder = fs::path(model).has_parent_path() ? fs::path(model).parent_path() : ".";
  for (;;) {
    const auto before = saved(folder, written);
    int code = 0;
    try {
      code = once();
      out.finish_notes();
    } catch (const Error& e) {
      out.errors(e.diagnostics());
    }
    if (stop_signal() != 0) return code;
    out.line();
    out.line(fmt::format("waiting for a change in {} (Ctrl-C ends)", folder.string()));
    out.line();
    while (saved(folder, written) == before) std::this_thread::sleep_for(look_every);
    std::this_thread::sleep_for(look_every / 2);  // until the editor has written all of it
  }
}

}  // namespace sarrus::app
