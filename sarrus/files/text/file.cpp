#include "sarrus/files/text/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "sarrus/files/text/utf8.hpp"

namespace sarrus {
namespace {

int open_flags(File::Mode mode) {
  switch (mode) {
    case File::Mode::read: return O_RDONLY | O_NONBLOCK;  // a pipe must not block
    case File::Mode::create: return O_RDWR | O_CREAT | O_EXCL;
    case File::Mode::update: return O_RDWR;
    case File::Mode::create_or_update: return O_RDWR | O_CREAT;
    case File::Mode::append: return O_WRONLY | O_APPEND;
  }
  return O_RDONLY;
}

std::string reason(int number) { return std::generic_category().message(number); }

/// Room is a question only for files: a pipe or device has no free bytes to tell.
std::string room_at(const File& file, std::string* free) {
  struct stat info {};
  struct statvfs room {};
  if (::fstat(file.descriptor(), &info) != 0 || !S_ISREG(info.st_mode)) return "";
  if (::fstatvfs(file.descriptor(), &room) != 0) return "";
  *free = std::to_string(static_cast<std::uint64_t>(room.f_bavail) * room.f_frsize);
  return fmt::format(", {} bytes free", *free);
}

Error write_error(const File& file, size_t wanted, int number) {
  std::string free;
  const std::string room = room_at(file, &free);
  const bool full = number == ENOSPC || number == EDQUOT || number == EFBIG;
  const char* hint = full              ? "free some space, or write to another disk"
                     : number == EPIPE ? "the reader closed the pipe"
                                       : "";
  return {Fault::io, Diagnostic{.code = full ? "disk-full" : "write-failed",
                                .where = {printable(file.shown_path())},
                                .message = fmt::format("cannot write: {} ({} bytes wanted{})",
                                                       reason(number), wanted, room),
                                .hint = hint,
                                .value = std::to_string(wanted),
                                .limit = free}};
}

void refuse_zero_byte(const std::string& path) {
  if (path.find('\0') != std::string::npos)
    throw Error(Fault::usage, Diagnostic{.code = "bad-path",
                                         .where = {printable(path)},
                                         .message = "a path cannot hold a zero byte"});
}

bool stat_of(const std::string& path, struct stat* info) {
  refuse_zero_byte(path);
  return ::stat(path.c_str(), info) == 0;
}

}  // namespace

Error io_error(const std::string& path, const std::string& code, const std::string& message,
               const std::string& hint) {
  return {Fault::io,
          Diagnostic{.code = code, .where = {printable(path)}, .message = message, .hint = hint}};
}

Error system_error(const std::string& path, const std::string& code, const std::string& action,
                   int number) {
  const Fault fault = number == ENAMETOOLONG ? Fault::usage : Fault::io;
  return {fault, Diagnostic{.code = code,
                            .where = {printable(path)},
                            .message = fmt::format("cannot {}: {}", action, reason(number))}};
}

File::File(const std::string& path, Mode mode, const std::string& shown)
    : path_(path), shown_(shown.empty() ? path : shown) {
  refuse_zero_byte(path);
  do {
    descriptor_ = ::open(path.c_str(), open_flags(mode) | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && errno == EINTR);
  const char* action = mode == Mode::create ? "create" : "open";
  if (descriptor_ < 0) throw system_error(shown_, "cannot-open", action, errno);
}

File::File(File&& other) noexcept
    : path_(std::move(other.path_)),
      shown_(std::move(other.shown_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

File& File::operator=(File&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(shown_, other.shown_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void File::write(std::string_view bytes) {
  const size_t wanted = bytes.size();
  while (!bytes.empty()) {
    const ssize_t n = ::write(descriptor_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw write_error(*this, wanted, n < 0 ? errno : ENOSPC);
    bytes.remove_prefix(static_cast<size_t>(n));
  }
}

size_t File::read_at(std::uint64_t offset, char* into, size_t count) const {
  size_t got = 0;
  while (got < count) {
    const ssize_t n =
        ::pread(descriptor_, into + got, count - got, static_cast<off_t>(offset + got));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw system_error(shown_, "read-failed", "read", errno);
    if (n == 0) break;
    got += static_cast<size_t>(n);
  }
  return got;
}

std::uint64_t File::size() const {
  struct stat info {};
  if (::fstat(descriptor_, &info) != 0)
    throw system_error(shown_, "read-failed", "ask size", errno);
  return static_cast<std::uint64_t>(info.st_size);
}

void File::truncate(std::uint64_t bytes) {
  const auto length = static_cast<off_t>(bytes);
  if (::ftruncate(descriptor_, length) != 0 || ::lseek(descriptor_, length, SEEK_SET) != length)
    throw system_error(shown_, "write-failed", "shorten", errno);
}

void File::reserve(std::uint64_t bytes) {
  rlimit allowed{};
  if (::getrlimit(RLIMIT_FSIZE, &allowed) == 0 && allowed.rlim_cur < bytes)
    throw write_error(*this, bytes, EFBIG);
  int status = 0;
  do {
    status = ::fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes));
  } while (status != 0 && errno == EINTR);
  if (status == 0) return;
  if (errno != EOPNOTSUPP) throw write_error(*this, bytes, errno);
  if (free_bytes(path_) < bytes) throw write_error(*this, bytes, ENOSPC);
}

void File::sync() {
  // what cannot be synchronised (a pipe, some network file systems) says EINVAL or EROFS
  if (::fdatasync(descriptor_) != 0 && errno != EINVAL && errno != EROFS)
    throw write_error(*this, 0, errno);
}

void File::close() {
  const int descriptor = std::exchange(descriptor_, -1);
  if (descriptor >= 0 && ::close(descriptor) != 0 && errno != EINTR)
    throw system_error(shown_, "write-failed", "close", errno);
}

PendingFile::PendingFile(std::string path, std::string temporary)
    : path_(std::move(path)), temporary_(std::move(temporary)) {
  remove_file(temporary_);
  file_ = File(temporary_, File::Mode::create, path_);
}

PendingFile::~PendingFile() {
  if (!placed_) ::unlink(temporary_.c_str());
}

void PendingFile::put_in_place() {
  file_.sync();
  rename_file(temporary_, path_);
  placed_ = true;
  sync_folder(folder_of(path_));
}

void write_file(const std::string& path, const std::string& temporary, std::string_view bytes) {
  PendingFile pending(path, temporary);
  pending.file().write(bytes);
  pending.put_in_place();
  pending.file().close();
}

std::string read_file(const std::string& path, std::uint64_t limit) {
  const File file(path, File::Mode::read);
  const std::uint64_t size = file.size();
  if (size > limit)
    throw io_error(path, "too-long",
                   fmt::format("{} bytes, more than the {} allowed", size, limit));
  std::string bytes(static_cast<size_t>(size), '\0');
  bytes.resize(file.read_at(0, bytes.data(), bytes.size()));
  return bytes;
}

bool is_file(const std::string& path) {
  struct stat info {};
  return stat_of(path, &info) && !S_ISDIR(info.st_mode);
}

bool is_folder(const std::string& path) {
  struct stat info {};
  return stat_of(path, &info) && S_ISDIR(info.st_mode);
}

bool is_same_file(const std::string& a, const std::string& b) {
  struct stat one {
  }, other{};
  const bool has_one = stat_of(a, &one), has_other = stat_of(b, &other);
  if (has_one && has_other) return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
  if (has_one || has_other) return false;
  std::error_code none;
  const auto place = std::filesystem::weakly_canonical(a, none);
  return !none && place == std::filesystem::weakly_canonical(b, none) && !none;
}

void refuse_to_overwrite(const std::string& path, const std::vector<std::string>& sources) {
  for (const std::string& source : sources)
    if (is_same_file(path, source))
      throw io_error(
          path, "would-overwrite",
          fmt::format("this would write over '{}', which is being read", printable(source)),
          "choose another name");
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string join_path(const std::string& folder, const std::string& name) {
  return folder.empty() || folder.back() == '/' ? folder + name : folder + "/" + name;
}

void rename_file(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0)
    throw system_error(to, "write-failed", "put in place", errno);
}

bool remove_file(const std::string& path) {
  refuse_zero_byte(path);
  if (::unlink(path.c_str()) == 0) return true;
  if (errno != ENOENT) throw system_error(path, "write-failed", "remove", errno);
  return false;
}

void sync_folder(const std::string& path) { File(path, File::Mode::read).sync(); }

std::uint64_t free_bytes(const std::string& path) {
  struct statvfs room {};
  std::string place = path;
  while (::statvfs(place.c_str(), &room) != 0) {
    if (errno != ENOENT || place == "." || place == "/")
      throw system_error(path, "read-failed", "ask for free space", errno);
    place = folder_of(place);
  }
  return static_cast<std::uint64_t>(room.f_bavail) * room.f_frsize;
}

std::string printable(std::string_view path) { return visible_line(path); }

std::string looks_like(std::string_view first_bytes) {
  using namespace std::string_view_literals;
  static constexpr std::pair<std::string_view, std::string_view> known[] = {
      {"SARRUSR"sv, "a Sarrus result"},
      {"SARRUSC"sv, "a Sarrus checkpoint"},
      {"\x89PNG"sv, "a PNG picture"},
      {"\xff\xd8\xff"sv, "a JPEG picture"},
      {"\x7f"
       "ELF"sv,
       "a program"},
      {"PK\x03\x04"sv, "a ZIP archive"},
      {"\x1f\x8b"sv, "a gzip archive"},
      {"\xfd"
       "7zXZ"sv,
       "an xz archive"},
      {"%PDF"sv, "a PDF document"},
      {"\x89HDF"sv, "an HDF5 file"},
      {"solid "sv, "an STL surface"},
      {"glTF"sv, "a glTF scene"},
      {"<?xml"sv, "an XML document"},
  };
  for (const auto& [start, words] : known)
    if (first_bytes.substr(0, start.size()) == start) return std::string(words);
  return "";
}

}  // namespace sarrus
