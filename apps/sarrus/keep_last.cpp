#include "keep_last.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "sarrus/files/text/file.hpp"
#include "sarrus/results/export_selection.hpp"

namespace sarrus::app {
namespace {

namespace fs = std::filesystem;

/// A second name for the file, in one step, so that at no moment it has none. Where the file system
/// knows only one name for each file, a copy.
void also_call(const std::string& file, const std::string& name) {
  const std::string partial = partial_path(name);
  ::unlink(partial.c_str());
  if (::link(file.c_str(), partial.c_str()) != 0) {
    std::error_code failed;
    fs::copy_file(file, partial, failed);
    if (failed) throw system_error(name, "cannot-keep", "keep the file that was there", errno);
  }
  if (::rename(partial.c_str(), name.c_str()) != 0)
    throw system_error(name, "cannot-keep", "keep the file that was there", errno);
  ::unlink(partial.c_str());  // still there where both were names of one file already
}

}  // namespace

std::string previous_name(const std::string& path) {
  fs::path name(path);
  const std::string end = name.extension().string();
  return name.replace_extension(".previous" + end).string();
}

void keep_last(const std::string& path, bool replace, const std::vector<std::string>& sources,
               Output& out) {
  if (is_stream_target(path, true, sources) || replace || !is_file(path)) return;
  const std::string target = final_path(path), previous = previous_name(target);
  is_stream_target(previous, true, sources);  // refuses a folder, and what is read
  also_call(target, previous);
  out.note({.severity = Severity::note,
            .code = "kept",
            .where = {printable(path)},
            .message = fmt::format("the file that was there is kept as {}", printable(previous))});
}

}  // namespace sarrus::app
