#include "sarrus/files/text/paths.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "sarrus/core/near_match.hpp"
#include "sarrus/files/text/document.hpp"

namespace sarrus {
namespace {

namespace fs = std::filesystem;

bool has_scheme(const std::string& path) {
  const size_t colon = path.find(':');
  return colon != std::string::npos && colon < path.find('/');
}

/// Whether `path` (canonical) is `root` or lies below it.
bool is_inside(const fs::path& path, const std::string& root) {
  std::error_code problem;
  const fs::path base = fs::canonical(root.empty() ? "." : root, problem);
  if (problem) return false;
  auto p = path.begin();
  for (const fs::path& part : base) {
    if (part.empty()) continue;
    if (p == path.end() || *p != part) return false;
    ++p;
  }
  return true;
}

bool is_inside(const fs::path& path, const AllowedRoots& roots) {
  if (is_inside(path, roots.model_folder)) return true;
  for (const std::string& root : roots.others)
    if (is_inside(path, root)) return true;
  return false;
}

/// The nearest existing name in the folder of `path`, as a hint.
std::string nearest_existing(const fs::path& path) {
  constexpr int looked_at = 2000;
  std::error_code problem;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::vector<std::string> names;
  for (fs::directory_iterator it(folder, problem), end;
       !problem && it != end && names.size() < looked_at; it.increment(problem))
    names.push_back(it->path().filename().string());
  const std::string near = near_match(path.filename().string(), names);
  if (near.empty()) return "";
  return "did you mean '" +
         shown((path.has_parent_path() ? path.parent_path() / near : fs::path(near)).string(),
               300) +
         "'?";
}

std::string form_problem(const std::string& written) {
  if (written.empty()) return "an empty path";
  if (written.size() > 4096) return "a path longer than 4096 bytes";
  if (written.front() == '~') return "'~' is not expanded";
  if (has_scheme(written)) return "schemes such as file: and http: are not followed";
  for (const char c : {'$', '`', '\\', '\n', '\0'})
    if (written.find(c) != std::string::npos)
      return fmt::format("'{}' is not allowed in a path", shown({&c, 1}));
  return "";
}

}  // namespace

ResolvedPath resolve_path(const std::string& written, const std::string& folder,
                          const AllowedRoots& roots) {
  const std::string quoted = "'" + shown(written, 200) + "'";
  if (const std::string problem = form_problem(written); !problem.empty())
    return {"", fmt::format("{}: {}", quoted, problem),
            "write a path inside the model's folder, with /"};
  const fs::path asked = fs::path(folder.empty() ? "." : folder) / written;
  const std::string outside =
      "name files inside the model's folder, or allow their folder on the command line";

  // where it leads without asking the disk, so that nothing outside is touched
  std::error_code problem;
  const fs::path lexical = fs::absolute(asked, problem).lexically_normal();
  const fs::path parent = fs::weakly_canonical(lexical.parent_path(), problem);
  if (problem || !is_inside(parent, roots))
    return {"", fmt::format("{} is outside the model's folder", quoted), outside};
  const fs::path real = fs::canonical(asked, problem);
  if (problem) {
    const std::string near = nearest_existing(asked);
    return {"", fmt::format("{}: {}", quoted, problem.message()),
            near.empty() ? "a path is taken from the folder of the file that names it" : near};
  }
  if (!is_inside(real, roots))
    return {"", fmt::format("{} is a link to a place outside the model's folder", quoted), outside};
  if (!fs::is_regular_file(real, problem))
    return {"",
            fmt::format("{} is not a file{}", quoted,
                        fs::is_directory(real, problem) ? " but a folder" : ""),
            ""};
  return {asked.string(), "", ""};
}

namespace {

std::string read_text(const std::string& path, const Place& asked_at, size_t limit,
                      const char* folder_hint) {
  const auto refuse = [&](std::string reason, std::string hint) {
    throw Error(Fault::model, {.code = "cannot-read",
                               .where = asked_at.line ? asked_at : Place{shown(path, 300), 0, 0},
                               .message = std::move(reason),
                               .hint = std::move(hint)});
  };
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  if (!fs::exists(status))
    refuse(path.empty() ? "no file name given" : "no such file",
           path.empty() ? "" : nearest_existing(path));
  if (fs::is_directory(status)) refuse("is a folder, not a file", folder_hint);
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in && errno == ENOMEM) throw std::bad_alloc();
  if (!in) refuse(std::string("cannot be opened: ") + std::strerror(errno), "");
  std::string text;
  std::string block(1 << 16, '\0');
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0) {
    text.append(block.data(), static_cast<size_t>(in.gcount()));
    if (text.size() > limit) refuse(fmt::format("longer than the limit of {} MB", limit >> 20), "");
  }
  if (in.bad()) refuse("reading failed", "");
  return text;
}

}  // namespace

std::string read_model_text(const std::string& path, const Place& asked_at) {
  return read_text(path, asked_at, TextLimits::file_bytes, "name the .toml file inside it");
}

std::string read_input_text(const std::string& path, size_t limit) {
  return read_text(path, {}, limit, "name a file inside it");
}

}  // namespace sarrus
