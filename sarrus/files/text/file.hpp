// Files whose every operation is checked: what fails throws Error(Fault::io) naming the path, and
// for writing the bytes wanted and the bytes free.
//
// A path is bytes, as the operating system has it: blanks, any letters, even line breaks are
// allowed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sarrus/core/diagnostic.hpp"

namespace sarrus {

/// An open file. Closes itself; only close() reports whether closing succeeded.
class File {
 public:
  enum class Mode {
    read,
    create,  // must not exist yet
    update,  // must exist; read and write
    create_or_update,
    append,  // a device, pipe or file that exists; written from where it stands
  };

  File() = default;
  /// Errors name `shown`, where the file stands in for another one; else its own path.
  File(const std::string& path, Mode mode, const std::string& shown = "");
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File();

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  const std::string& path() const { return path_; }
  const std::string& shown_path() const { return shown_; }

  /// All bytes, at the end of what was written so far.
  void write(std::string_view bytes);
  /// Bytes from `offset` on; fewer than asked only where the file ends.
  size_t read_at(std::uint64_t offset, char* into, size_t count) const;
  std::uint64_t size() const;
  /// Shortens the file to `bytes` and goes on writing there.
  void truncate(std::uint64_t bytes);
  /// Throws unless the disk has room for a file of so many bytes, and keeps that room where the
  /// file system can. The length does not change.
  void reserve(std::uint64_t bytes);
  /// Waits until the bytes are on the medium.
  void sync();
  void close();

 private:
  std::string path_, shown_;
  int descriptor_ = -1;
};

/// A file that appears under its name complete or not at all: written beside it, then renamed.
class PendingFile {
 public:
  /// `temporary` must be in the same folder; a leftover under that name is replaced.
  PendingFile(std::string path, std::string temporary);
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  ~PendingFile();  // removes what was not put in place

  File& file() { return file_; }
  /// On the medium, under its name. The file stays open.
  void put_in_place();

 private:
  std::string path_, temporary_;
  File file_;
  bool placed_ = false;
};

/// Writes a whole file so that a reader sees the old bytes or the new ones.
void write_file(const std::string& path, const std::string& temporary, std::string_view bytes);
/// The whole file, refused where it is longer than `limit`.
std::string read_file(const std::string& path, std::uint64_t limit);

bool is_file(const std::string& path);  // anything that exists and is no folder
bool is_folder(const std::string& path);
/// Whether both paths lead to the same file, by whatever names and links, even if it does not exist
/// yet.
bool is_same_file(const std::string& a, const std::string& b);
/// Throws Error(Fault::io) where writing `path` would write over one of the files that are read.
void refuse_to_overwrite(const std::string& path, const std::vector<std::string>& sources);
std::string folder_of(const std::string& path);  // "." where the path has none
std::string join_path(const std::string& folder, const std::string& name);

/// Renames within one file system; the target is replaced.
void rename_file(const std::string& from, const std::string& to);
/// True if there was one. Absence is no error.
bool remove_file(const std::string& path);
/// Makes renames in the folder survive a loss of power.
void sync_folder(const std::string& path);

/// Bytes that this user may still write where `path` is or will be.
std::uint64_t free_bytes(const std::string& path);

/// The path on one line: control characters as \n, \x07.
std::string printable(std::string_view path);

/// What the first bytes of a file say it is ("a PNG picture"), "" where they say nothing.
std::string looks_like(std::string_view first_bytes);

/// The error of this part: `code` and `message` at a path.
Error io_error(const std::string& path, const std::string& code, const std::string& message,
               const std::string& hint = "");
/// The same with the operating system's reason (`number` is errno); a name that is too long for it
/// is the caller's fault.
Error system_error(const std::string& path, const std::string& code, const std::string& action,
                   int number);

}  // namespace sarrus
