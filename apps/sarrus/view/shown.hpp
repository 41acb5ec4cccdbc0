// What `sarrus view` shows: a result, as it grows, or a model, at its start and then as it runs.
//
// Rows are numbered as in the result. A page knows how many it has and asks for more; where the
// result is replaced by another one, the `edition` changes and pages load themselves anew.
#pragma once

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "options.hpp"
#include "sarrus/files/text/file.hpp"
#include "sarrus/results/result_tail.hpp"
#include "sarrus/show/scene.hpp"

namespace sarrus::app {

/// What is new for a page.
struct News {
  int edition = 0;
  std::int64_t to = 0;               // rows that the page has with this
  std::string rows;                  // JSON, empty where there are none
  std::optional<std::string> end;    // how the run ended, once all rows are told
  std::optional<std::string> fault;  // why a run or a changed model failed
  int fault_number = 0;
};

class Shown {
 public:
  virtual ~Shown();

  /// Looks for new rows and changed files; called again and again from one thread.
  void look();
  /// Waits a while for something that a page with so many rows does not have.
  News wait(std::int64_t from, int edition, int faults_known, bool end_known,
            std::chrono::milliseconds most);
  /// Wakes all that wait.
  void wake();

  /// The page as it is now, and its edition.
  std::shared_ptr<const std::string> page();
  int edition();
  /// The result file and how much of it is whole [bytes]; none where there is none yet, or where
  /// another file has just taken its name.
  struct Snapshot {
    std::shared_ptr<const File> file;
    std::uint64_t bytes = 0;
  };
  Snapshot snapshot();

  /// Starts or stops a run. False where this is not a model, or a run is (not) at work.
  virtual bool start_run() { return false; }
  virtual bool stop_run() { return false; }

 protected:
  virtual void look_locked() = 0;
  virtual std::string live_json() const = 0;
  virtual std::string scene_json() const { return scene_->json({{"live", live_json()}}); }
  /// Takes in what the tail has; begins again where the file was replaced.
  void follow(const std::string& folder);
  void begin(std::unique_ptr<ResultTail> tail, bool same_page);
  void show(Scene scene, bool same_page);
  void say_fault(const std::string& words);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::unique_ptr<Scene> scene_;
  std::unique_ptr<ResultTail> tail_;
  int edition_ = 1, fault_number_ = 0;
  std::string fault_;

 private:
  bool ended_told_ = false;
  std::shared_ptr<const std::string> page_;
  std::pair<std::int64_t, int> page_of_{-1, 0};  // rows and edition of page_
};

/// A result, finished or not.
class ShownResult : public Shown {
 public:
  explicit ShownResult(std::string folder);

 private:
  void look_locked() override;
  std::string live_json() const override;
  std::string folder_;
};

/// Modes of vibration, as they were written.
class ShownModes : public Shown {
 public:
  ShownModes(std::string folder, const std::vector<std::string>& modes);

 private:
  void look_locked() override {}
  std::string live_json() const override;
  std::string scene_json() const override;
  std::string folder_;
  Scene::Parts modes_;
};

/// A model; it can be run into a folder, and is read anew when its file changes.
class ShownModel : public Shown {
 public:
  /// Without a folder, runs go to a temporary one.
  ShownModel(ModelOptions options, const std::string& folder);
  ~ShownModel() override;
  bool start_run() override;
  bool stop_run() override;

 private:
  void look_locked() override;
  std::string live_json() const override;
  void load(bool same_page);
  bool files_changed() const;
  std::string missing_file() const;
  void find_run();
  void run();

  ModelOptions options_;
  std::string folder_;
  bool temporary_ = false;
  std::vector<std::pair<std::string, std::filesystem::file_time_type>> files_;
  std::thread worker_;
  std::atomic<bool> running_ = false, stop_ = false;
  bool awaited_ = false;  // a run was started and its first rows are not here yet
};

}  // namespace sarrus::app
