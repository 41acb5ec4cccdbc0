#include "sarrus/results/run_folder.hpp"

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <stdexcept>
#include <utility>

#include "sarrus/results/result_json.hpp"

namespace sarrus {
namespace {

constexpr const char* lock_name = "sarrus.lock";
constexpr const char* result_names[] = {"result.sarrus", "checkpoint", "checkpoint.previous"};
constexpr const char* other_names[] = {
    "model.toml",          "model.toml.partial",    "model.parts",
    "model.parts.partial", "result.sarrus.partial", "checkpoint.partial"};

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::string lock_text() {
  char host[256] = "";
  ::gethostname(host, sizeof host - 1);
  return dump(Json{{"process", ::getpid()}, {"since", utc_now()}, {"host", host}}) + "\n";
}

/// "process 812 since 2024-05-01T09:30:00Z on lab3"; the holder may not have written it yet.
std::string holder(const File& lock) {
  std::string text(4096, '\0');
  text.resize(lock.read_at(0, text.data(), text.size()));
  try {
    const Json json = parse_json(text);
    return fmt::format("process {} since {} on {}", json.at("process").get<long>(),
                       json.at("since").get<std::string>(), json.at("host").get<std::string>());
  } catch (const Json::exception&) {
    return "another process that has just begun";
  }
}

/// The lock counts only while the file still has its name: its last holder may have removed it.
bool is_in_place(const File& lock) {
  struct stat held {
  }, named{};
  return ::fstat(lock.descriptor(), &held) == 0 && ::stat(lock.path().c_str(), &named) == 0 &&
         held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

/// Every file of `from` that is there becomes the file of the same name in `to`. The rows, which
/// come first in these lists, are moved last: whoever ends the program before finds them in `from`.
void move_files(const std::vector<std::string>& from, const std::vector<std::string>& to) {
  for (size_t i = from.size(); i-- > 0;)
    if (is_file(from[i])) rename_file(from[i], to[i]);
}

std::string without_end_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

}  // namespace

std::vector<std::string> files_of_run(const std::string& file_or_folder) {
  std::vector<std::string> files;
  const bool is_one = is_file(file_or_folder);
  if (is_one) files.push_back(file_or_folder);
  const std::string folder = is_one ? folder_of(file_or_folder) : file_or_folder;
  for (const char* name : result_names) files.push_back(join_path(folder, name));
  for (const char* name : {"model.toml", "model.parts", "verify.json", lock_name})
    files.push_back(join_path(folder, name));
  return files;
}

RunFolder::RunFolder(std::string path, FolderUse use)
    : path_(without_end_slashes(std::move(path))), use_(use) {
  for (const char* name : result_names) own_.push_back(join_path(path_, name));
  for (const char* name : other_names) own_.push_back(join_path(path_, name));
  bool lock_left_behind = false;
  try {
    make_folders();
    lock_left_behind = is_file(join_path(path_, lock_name));
    lock();
    refuse_contents(lock_left_behind);
  } catch (...) {
    if (lock_left_behind)
      lock_ = File();  // still the sign that the files beside it are a run's
    else
      unlock();
    remove_made_folders();
    throw;
  }
}

RunFolder::~RunFolder() {
  unlock();
  if (!started_) remove_made_folders();
}

void RunFolder::make_folders() {
  if (path_.empty()) throw io_error(path_, "bad-folder", "the output folder has no name");
  if (use_ == FolderUse::continued && !is_folder(path_))
    throw io_error(path_, "no-results", "there is no such folder to continue a run in");

  std::vector<std::string> missing;
  for (std::string at = path_; !is_folder(at); at = folder_of(at)) {
    if (is_file(at))
      throw io_error(path_, "bad-folder",
                     fmt::format("'{}' is a file, not a folder", printable(at)),
                     "choose another output folder");
    missing.push_back(at);
    if (at == folder_of(at)) break;
  }
  made_.reserve(missing.size());
  for (; !missing.empty(); missing.pop_back()) {
    if (::mkdir(missing.back().c_str(), 0777) == 0)
      made_.push_back(std::move(missing.back()));
    else if (errno != EEXIST)
      throw system_error(missing.back(), "bad-folder", "create the folder", errno);
  }
}

void RunFolder::refuse_contents(bool lock_left_behind) {
  bool results = false;
  for (const char* name : result_names) results = results || is_file(join_path(path_, name));
  if (use_ == FolderUse::fresh && results)
    throw io_error(path_, "holds-results", "holds the results of an earlier run",
                   "choose another folder, or replace them with --replace");
  if (use_ == FolderUse::continued && !results)
    throw io_error(path_, "no-results", "holds no results to continue");

  holds_results_ = results;
  // the verdict on rows goes where they go; without rows it may be somebody else's
  if (results) own_.push_back(join_path(path_, "verify.json"));

  // without results or a lock left behind, a file of our name is somebody else's
  const bool ours = results || lock_left_behind;
  for (const char* name : other_names)
    if (!ours && is_file(join_path(path_, name)))
      throw io_error(path_, "foreign-file",
                     fmt::format("holds a file '{}' that no run wrote", name),
                     "choose another output folder");
}

void RunFolder::lock() {
  const std::string name = join_path(path_, lock_name), text = lock_text();
  for (;;) {
    File file(name, File::Mode::create_or_update);
    if (::flock(file.descriptor(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK)
        throw io_error(path_, "in-use", fmt::format("in use by {}", holder(file)),
                       "wait for it, or choose another output folder");
      throw system_error(path_, "cannot-lock", "lock the folder", errno);
    }
    if (!is_in_place(file)) continue;
    lock_ = std::move(file);  // and is removed, should writing fail
    lock_.truncate(0);
    lock_.write(text);
    return;
  }
}

void RunFolder::unlock() noexcept {
  if (!lock_.is_open()) return;
  ::unlink(lock_.path().c_str());
  lock_ = File();
}

void RunFolder::start(const std::string& model_text, const std::string& model_parts) {
  if (use_ == FolderUse::continued)
    throw std::logic_error("RunFolder::start: a continued run keeps what is there");
  if (keeps_earlier()) keep_earlier();
  started_ = true;
  remove_own_files();
  write_file(model_path(), model_path() + ".partial", model_text);
  const std::string parts = join_path(path_, "model.parts");
  if (!model_parts.empty()) write_file(parts, parts + ".partial", model_parts);
}

void RunFolder::discard() {
  if (started_) remove_own_files();
  if (started_ && keeps_earlier()) bring_back_earlier();
  unlock();
  remove_made_folders();
}

void RunFolder::remove_own_files() {
  for (const std::string& file : own_) remove_file(file);
}

void RunFolder::keep_earlier() {
  RunFolder kept(previous_path(), FolderUse::replace);
  // rows that stand in previous/ are whole; other files without them are from a move that was cut
  // off, whose rows are still here
  if (is_file(kept.result_path())) kept.remove_own_files();
  kept.started_ = true;  // it stays when the lock goes
  kept.own_.resize(own_.size());
  kept.own_.back() = join_path(kept.path_, "verify.json");
  try {
    move_files(own_, kept.own_);
  } catch (...) {
    move_files(kept.own_, own_);
    throw;
  }
}

void RunFolder::bring_back_earlier() {
  {
    const RunFolder kept(previous_path(), FolderUse::continued);
    move_files(kept.own_, own_);
  }
  ::rmdir(previous_path().c_str());  // only where empty
}

void RunFolder::remove_made_folders() noexcept {
  for (; !made_.empty(); made_.pop_back()) ::rmdir(made_.back().c_str());  // only where empty
}

}  // namespace sarrus
