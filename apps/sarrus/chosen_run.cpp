#include "chosen_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "options.hpp"
#include "sarrus/core/json.hpp"
#include "sarrus/files/read_model.hpp"
#include "sarrus/files/text/file.hpp"

namespace sarrus::app {
namespace {

namespace fs = std::filesystem;

constexpr int deepest = 3;  // folders below the one that is searched: results/four_bar/model

bool holds_run(const fs::path& folder) {
  std::error_code unreadable;
  return fs::exists(folder / "result.sarrus", unreadable);
}

bool is_of_modes(const std::string& folder) { return is_file(join_path(folder, "modes.csv")); }

/// The newest run below a folder, itself included. Runs kept by a re-run are ignored.
std::optional<fs::path> newest_run(const fs::path& below) {
  std::optional<fs::path> newest;
  fs::file_time_type when;
  std::error_code unreadable;
  const auto look = [&](const fs::path& folder) {
    if (!holds_run(folder)) return;
    const fs::file_time_type written = fs::last_write_time(folder / "result.sarrus", unreadable);
    if (unreadable || (newest && written <= when)) return;
    newest = folder;
    when = written;
  };
  look(below);
  fs::recursive_directory_iterator at(below, fs::directory_options::skip_permission_denied,
                                      unreadable);
  for (; !unreadable && at != fs::recursive_directory_iterator(); at.increment(unreadable)) {
    const std::string name = at->path().filename().string();
    std::error_code unknown;
    if (!at->is_directory(unknown)) continue;
    if (name == "previous" || name.starts_with(".") || at.depth() + 1 >= deepest)
      at.disable_recursion_pending();
    if (name != "previous" && !name.starts_with(".")) look(at->path());
  }
  return newest;
}

std::string newest_or_refused(const std::string& below, Output& out) {
  const std::optional<fs::path> found = newest_run(below.empty() ? "." : below);
  if (!found)
    throw usage_error("no-run", below.empty() ? "RESULT" : printable(below),
                      below.empty() ? "no run is named, and none is in this folder or below it"
                                    : "no run is in this folder or below it",
                      "sarrus run MODEL makes one");
  const std::string folder = found->lexically_normal().string();
  if (folder != ".") out.line(fmt::format("the last run: {}", printable(folder)));
  out.facts()["run"] = folder;
  return folder;
}

/// The run of a model, with a note if the model has changed since.
std::string run_of_model(const std::string& model, Output& out) {
  const std::string folder = folder_beside(model);
  if (!holds_run(folder))
    throw usage_error("no-run", printable(model),
                      fmt::format("there is no run of it in {}", printable(folder)),
                      fmt::format("sarrus run {} makes one; where it went elsewhere, name that "
                                  "folder",
                                  shell_word(model)));
  const std::string kept = join_path(folder, "model.toml");
  constexpr std::uint64_t largest = 64ull << 20;
  if (is_file(kept) && read_file(kept, largest) != sarrus::model_text(model))
    out.note(
        {.severity = Severity::warning,
         .code = "model-changed",
         .where = {printable(model)},
         .message = fmt::format("changed since the run in {}, which is shown", printable(folder)),
         .hint = fmt::format("sarrus run {} runs it as it is now", shell_word(model))});
  return folder;
}

bool means_run(const std::string& word) {
  return is_folder(word) || word.ends_with(".sarrus") || names_model(word) ||
         word.find('/') != std::string::npos;
}

}  // namespace

bool names_model(const std::string& word) {
  return (word.ends_with(".toml") || word.ends_with(".json")) && is_file(word);
}

std::string folder_beside(const std::string& model) {
  const fs::path path(model);
  return (path.parent_path() / path.stem()).string();
}

std::string chosen_run(const std::string& word, Output& out) {
  if (word.empty()) return newest_or_refused("", out);
  if (names_model(word)) return run_of_model(word, out);
  if (is_folder(word) && !holds_run(word) && !is_of_modes(word))
    return newest_or_refused(word, out);
  return word;
}

std::vector<std::string> chosen_runs(std::vector<std::string>& words, Output& out) {
  const auto end = std::find_if_not(words.begin(), words.end(), means_run);
  std::vector<std::string> runs;
  for (auto word = words.begin(); word != end; ++word) runs.push_back(chosen_run(*word, out));
  words.erase(words.begin(), end);
  if (runs.empty()) runs.push_back(chosen_run("", out));
  return runs;
}

}  // namespace sarrus::app
