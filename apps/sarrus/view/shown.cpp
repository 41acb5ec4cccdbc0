#include "view/shown.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <system_error>

#include "sarrus/core/json.hpp"
#include "sarrus/show/report.hpp"
#include "sarrus/show/scene_modes.hpp"
#include "view/run_elsewhere.hpp"

namespace sarrus::app {
namespace {

constexpr size_t numbers_at_once = 1 << 15;  // for one page in one piece
namespace fs = std::filesystem;

}  // namespace

Shown::~Shown() = default;

void Shown::look() {
  const std::lock_guard lock(mutex_);
  try {
    look_locked();
  } catch (const Error& e) {
    say_fault(e.what());
  }
}

void Shown::wake() { changed_.notify_all(); }

void Shown::say_fault(const std::string& words) {
  if (words == fault_) return;
  fault_ = words;
  ++fault_number_;
  changed_.notify_all();
}

void Shown::show(Scene scene, bool same_page) {
  scene_ = std::make_unique<Scene>(std::move(scene));
  ended_told_ = false;
  if (!same_page) ++edition_;
  page_of_ = {-1, 0};
  changed_.notify_all();
}

void Shown::begin(std::unique_ptr<ResultTail> tail, bool same_page) {
  KeptModel kept = read_kept_model(tail->path(), tail->header());
  show(Scene(tail->header(), std::move(kept)), same_page);
  tail_ = std::move(tail);
}

void Shown::follow(const std::string& folder) {
  if (tail_ && tail_->is_replaced()) begin(std::make_unique<ResultTail>(folder), false);
  if (!tail_) return;
  if (!is_file(tail_->path()))
    say_fault(fmt::format("{} is gone; what was read of it is shown", printable(tail_->path())));
  const size_t width = tail_->header().columns.size();
  bool news = false;
  for (auto rows = tail_->next(); !rows.empty(); rows = tail_->next()) {
    for (size_t at = 0; at < rows.size(); at += width) scene_->add_row(rows.subspan(at, width));
    news = true;
  }
  if (tail_->has_ended() && !ended_told_) {
    scene_->finish(tail_->status(), with_verification(tail_->summary_json(), tail_->path()),
                   tail_->notes());
    ended_told_ = news = true;
    page_of_ = {-1, 0};
  }
  if (news) changed_.notify_all();
}

News Shown::wait(std::int64_t from, int edition, int faults_known, bool end_known,
                 std::chrono::milliseconds most) {
  std::unique_lock lock(mutex_);
  const auto is_new = [&] {
    return edition != edition_ || scene_->rows_seen() > from || fault_number_ != faults_known ||
           (ended_told_ && !end_known);
  };
  if (!is_new()) changed_.wait_for(lock, most);
  News news;
  news.edition = edition_;
  news.to = from;
  news.fault_number = fault_number_;
  if (fault_number_ != faults_known && !fault_.empty()) news.fault = fault_;
  if (edition != edition_) return news;
  if (scene_->rows_seen() > from) {
    const size_t width = scene_->header().columns.size() + 7 * scene_->frames().size();
    Scene::RowsJson rows = scene_->rows_json(from, std::max<size_t>(1, numbers_at_once / width));
    news.rows = std::move(rows.text);
    news.to = rows.to;
  }
  if (ended_told_ && !end_known && news.to >= scene_->rows_seen())
    news.end = to_text(tail_->status());
  return news;
}

std::shared_ptr<const std::string> Shown::page() {
  const std::lock_guard lock(mutex_);
  const std::pair now{scene_->rows_seen(), edition_};
  if (!page_ || page_of_ != now) {
    page_ =
        std::make_shared<std::string>(page_with(scene_->header().model_name, scene_json(), true));
    page_of_ = now;
  }
  return page_;
}

int Shown::edition() {
  const std::lock_guard lock(mutex_);
  return edition_;
}

Shown::Snapshot Shown::snapshot() try {
  const std::lock_guard lock(mutex_);
  if (!tail_) return {};
  auto file = std::make_shared<const File>(tail_->path(), File::Mode::read);
  if (!tail_->is_same(*file)) return {};
  return {std::move(file), tail_->position()};
} catch (const Error&) {  // it was taken away
  return {};
}

// ── a result ──

ShownResult::ShownResult(std::string folder) : folder_(std::move(folder)) {
  begin(std::make_unique<ResultTail>(folder_), true);
  follow(folder_);
}

void ShownResult::look_locked() { follow(folder_); }

std::string ShownResult::live_json() const {
  return Json{{"kind", "result"}, {"running", !tail_->has_ended()}, {"folder", folder_}}.dump();
}

// ── modes ──

ShownModes::ShownModes(std::string folder, const std::vector<std::string>& modes)
    : folder_(std::move(folder)) {
  ModesScene all = read_modes(modes);
  modes_ = std::move(all.modes);
  show(std::move(all.first), true);
}

std::string ShownModes::live_json() const {
  return Json{{"kind", "result"}, {"running", false}, {"folder", folder_}}.dump();
}

std::string ShownModes::scene_json() const {
  Scene::Parts parts = modes_;
  parts.emplace_back("live", live_json());
  return scene_->json(parts);
}

// ── a model ──

ShownModel::ShownModel(ModelOptions options, const std::string& folder)
    : options_(std::move(options)), folder_(folder) {
  load(true);
  if (!folder_.empty()) return;
  std::error_code none;
  const fs::path place = fs::temp_directory_path(none);
  std::string pattern = (place / "sarrus-view-XXXXXX").string();
  if (none || ::mkdtemp(pattern.data()) == nullptr)
    throw io_error(none ? "TMPDIR" : pattern, "no-temporary-folder",
                   fmt::format("no folder for runs can be made: {}",
                               none ? none.message() : std::generic_category().message(errno)),
                   "set TMPDIR to a folder that exists, or name one with -o");
  temporary_ = true;
  folder_ = pattern;
}

ShownModel::~ShownModel() {
  stop_ = true;
  if (worker_.joinable()) worker_.join();
  std::error_code ignored;
  if (temporary_) fs::remove_all(folder_, ignored);
}

/// Reads the model and shows its start. Remembers the files, to notice when they change; those of a
/// model that cannot be read stay as they were known.
void ShownModel::load(bool same_page) {
  for (auto& [file, time] : files_) {
    std::error_code none;
    time = fs::last_write_time(file, none);
  }
  ValidModel model = read_model(options_);
  files_.clear();
  for (const std::string& file : model->files) {
    std::error_code none;
    files_.emplace_back(file, fs::last_write_time(file, none));
  }
  const std::string text = model_text(options_);
  Scene scene = scene_of_model(std::move(model), text);
  tail_.reset();
  show(std::move(scene), same_page);
  fault_.clear();
}

void ShownModel::look_locked() {
  if (awaited_) find_run();
  if (!running_ && !awaited_ && files_changed()) load(false);
  if (const std::string gone = missing_file(); !gone.empty())
    say_fault(fmt::format("{} is gone; what is shown is the model as it was", printable(gone)));
  follow(folder_);
}

/// Turns to the result of the run that was started, once it is there.
void ShownModel::find_run() {
  try {
    auto tail = std::make_unique<ResultTail>(join_path(folder_, "result.sarrus"));
    if (tail_ && !tail_->is_replaced()) return;  // still the run before
    const bool same_columns = tail->header().columns.size() == scene_->header().columns.size();
    begin(std::move(tail), !tail_ && same_columns);
    awaited_ = false;
  } catch (const Error&) {  // not written yet
  }
}

bool ShownModel::files_changed() const {
  for (const auto& [file, time] : files_) {
    std::error_code none;
    if (fs::last_write_time(file, none) != time && !none) return true;
  }
  return false;
}

/// The first of the model's files that is no longer there, or "".
std::string ShownModel::missing_file() const {
  for (const auto& [file, time] : files_)
    if (!is_file(file)) return file;
  return "";
}

bool ShownModel::start_run() {
  if (running_.exchange(true)) return false;
  if (worker_.joinable()) worker_.join();
  stop_ = false;
  {
    const std::lock_guard lock(mutex_);
    awaited_ = true;
    fault_.clear();
  }
  try {
    worker_ = std::thread([this] {
      try {
        run();
      } catch (const std::exception&) {  // no memory even to say so
        running_ = false;
      }
    });
  } catch (const std::system_error&) {  // the machine gives no more threads
    return running_ = false;
  }
  return true;
}

bool ShownModel::stop_run() {
  if (!running_) return false;
  stop_ = true;
  return true;
}

void ShownModel::run() {
  Output out;
  out.quiet = true;
  std::string fault;
  try {
    run_elsewhere(
        options_, folder_, [this] { return stop_ ? 1 : 0; }, out);
  } catch (const Error& e) {
    fault = e.what();
  } catch (const std::exception& e) {
    fault = fmt::format("internal error, a bug of ours: {}", e.what());
  }
  const std::lock_guard lock(mutex_);
  if (awaited_) find_run();  // it may have ended before anyone looked
  awaited_ = running_ = false;
  if (!fault.empty()) say_fault(fault);
}

std::string ShownModel::live_json() const {
  return Json{{"kind", "model"},
              {"running", running_.load()},
              {"folder", temporary_ ? std::string() : folder_}}
      .dump();
}

}  // namespace sarrus::app
