#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "fuzz/target.hpp"

namespace sarrus::fuzz {
namespace {

struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("sarrus-fuzz-" + std::to_string(::getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

}  // namespace

std::string as_file(std::string_view bytes, const char* name) {
  static const Folder folder;
  const std::string path = (folder.path / name).string();
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

}  // namespace sarrus::fuzz
