// The folder that a run writes: created, locked against a second run, and left without remains.
//
//   result.sarrus                      the rows
//   checkpoint, checkpoint.previous    to go on from
//   model.toml                         the model as it was read
//   model.parts                        the files that the model names (kept_model.hpp)
//   verify.json                        the verdict of sarrus verify, where it was asked for
//   sarrus.lock                        while a run is at work: its process and since when
//   previous/                          the run that was here before, as a folder of the same kind
//
// A run replaces and removes its own of these (and their .partial forms) and no others; an export
// writes over none of them.
#pragma once

#include <string>
#include <vector>

#include "sarrus/files/text/file.hpp"

namespace sarrus {

enum class FolderUse {
  fresh,      // refuse a folder that holds results
  keep_last,  // let start() move earlier results to previous/, in place of those there
  replace,    // let start() remove earlier results
  continued   // the folder must hold results; they stay
};

/// Every file of the run that has this folder or result file, whether it is there or not.
std::vector<std::string> files_of_run(const std::string& file_or_folder);

/// One run's hold on a folder, until destroyed.
class RunFolder {
 public:
  /// Creates the folder, parents too, and locks it. Changes nothing that was there. Throws
  /// Error(Fault::io): cannot be made, holds results, holds files that could be taken for ours, in
  /// use. To be called once the model has compiled.
  explicit RunFolder(std::string path, FolderUse use = FolderUse::fresh);
  /// Gives up the lock. A folder made here in which start() was never called goes, too.
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  /// Removes earlier results, or keeps them in previous/, and places the copy of the model. From
  /// here on the folder is this run's.
  void start(const std::string& model_text, const std::string& model_parts = "");
  /// Removes what this run has put there, and the folders that were made for it where they are
  /// empty: for a failure before the first row. Results that start() moved away come back. A
  /// continued run only gives up the lock.
  void discard();

  const std::string& path() const { return path_; }
  std::string result_path() const { return join_path(path_, "result.sarrus"); }
  std::string model_path() const { return join_path(path_, "model.toml"); }
  std::string previous_path() const { return join_path(path_, "previous"); }
  /// Whether earlier results were here that start() moves to previous_path().
  bool keeps_earlier() const { return use_ == FolderUse::keep_last && holds_results_; }

 private:
  void make_folders();
  void refuse_contents(bool lock_left_behind);
  void lock();
  void unlock() noexcept;
  void remove_own_files();
  void keep_earlier();
  void bring_back_earlier();
  void remove_made_folders() noexcept;

  std::string path_;
  FolderUse use_;
  File lock_;
  std::vector<std::string> own_;   // files to be removed; known beforehand: memory may run out
  std::vector<std::string> made_;  // folders created here, outermost first
  bool holds_results_ = false;     // when it was opened
  bool started_ = false;
};

}  // namespace sarrus
