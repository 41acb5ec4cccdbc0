// What the tests of result files share: a folder that goes away, rows with a pattern, whole files.
#pragma once

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "sarrus/results/result_reader.hpp"
#include "sarrus/results/result_writer.hpp"

namespace sarrus::test {

/// A folder of its own for one test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "sarrus-test-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  int entries() const {
    return static_cast<int>(std::distance(std::filesystem::directory_iterator(path_),
                                          std::filesystem::directory_iterator()));
  }

 private:
  std::string path_;
};

inline std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void put_bytes(const std::string& path, const std::string& bytes) {
  std::filesystem::remove(path);  // quicker than to overwrite: some disks wait for the old bytes
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::vector<Column> three_columns() {
  return {{"time", "s"}, {"slider.q", "m"}, {"count", "1"}};
}

/// Row i of every test: each number follows from i, so a wrong row cannot hide.
inline std::vector<double> pattern_row(std::int64_t i) {
  const auto x = static_cast<double>(i);
  return {x / 64, std::sin(x), 3 * x + 1};
}

inline bool is_pattern(const Trajectory& rows) {
  for (int i = 0; i < rows.rows(); ++i) {
    const std::vector<double> wanted = pattern_row(i);
    for (size_t c = 0; c < wanted.size(); ++c)
      if (rows.row(i)[c] != wanted[c]) return false;
  }
  return true;
}

inline ResultHeader pendulum_header() {
  ResultHeader header;
  header.model_name = "pendulum";
  header.model_hash = "0123456789abcdef";
  header.settings_json = R"({"until":10,"integrator":"dop853"})";
  return header;
}

/// A finished result of `rows` rows in frames of `per_frame`.
inline void write_pattern(const std::string& path, int rows, int per_frame = 1000) {
  ResultWriterOptions options;
  options.commit_rows = per_frame;
  ResultWriter writer(path, pendulum_header(), options);
  writer.begin(three_columns());
  for (int i = 0; i < rows; ++i) writer.row(pattern_row(i));
  writer.finish(ResultStatus::done, R"({"steps":12})");
}

/// The code of the first diagnostic of the Error that a call throws; "" where it throws none.
inline std::string code_of(const std::function<void()>& call, Fault fault = Fault::io) {
  try {
    call();
  } catch (const Error& e) {
    CHECK(e.fault() == fault);
    return e.diagnostics().front().code;
  }
  return "";
}

inline std::string words_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Runs a body in a process of its own and gives what waitpid says of it.
inline pid_t start_child(const std::function<int()>& body) {
  std::cout.flush();  // else both processes print what waits
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    int code = 99;
    try {
      code = body();
    } catch (...) {
    }
    ::_exit(code);
  }
  return child;
}

inline int exit_code(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace sarrus::test
