// Runs the program as a user does, in a folder of its own, and keeps what it says.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "places.hpp"
#include "sarrus/core/json.hpp"

namespace sarrus::testing {

namespace fs = std::filesystem;

inline std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

inline void write_text(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// How a program ended and what it said.
struct Ended {
  int code = -1;  // exit code, −1 where a signal ended it
  int signal = 0;
  double processor_seconds = 0;
  std::string out, error;
};

/// A program at work. Ends it if nobody waited for it.
class Running {
 public:
  Running(const fs::path& folder, const std::vector<std::string>& words,
          const std::vector<std::pair<std::string, std::string>>& environment = {},
          const std::string& out_file = "") {
    out_ = out_file.empty() ? folder / (".out" + std::to_string(++count())) : fs::path(out_file);
    error_ = folder / (".error" + std::to_string(count()));
    std::vector<std::string> all = {sarrus_program};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> argv;
    for (std::string& word : all) argv.push_back(word.data());
    argv.push_back(nullptr);
    process_ = ::fork();
    REQUIRE(process_ >= 0);
    if (process_ > 0) return;
    if (::chdir(folder.c_str()) != 0) ::_exit(120);
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    redirect(out_, STDOUT_FILENO);
    redirect(error_, STDERR_FILENO);
    ::execv(argv[0], argv.data());
    ::_exit(121);
  }
  ~Running() {
    if (process_ > 0) send(SIGKILL), wait();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  int process() const { return process_; }
  void send(int signal) const { ::kill(process_, signal); }
  /// What it has used of the processor so far; waiting while the machine does other things is no
  /// part of that.
  double processor_seconds() const {
    const std::string stat = read_text("/proc/" + std::to_string(process_) + "/stat");
    std::istringstream words(stat.substr(stat.rfind(')') + 1));  // its name may hold blanks
    std::string skipped;
    for (int i = 3; i < 14; ++i) words >> skipped;
    double user = 0, system = 0;
    words >> user >> system;  // proc(5): fields 14 and 15, in ticks
    return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }
  Ended wait() {
    int status = 0;
    rusage used{};
    while (::wait4(process_, &status, 0, &used) < 0 && errno == EINTR) {
    }
    process_ = 0;
    Ended ended;
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    ended.processor_seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
    if (WIFEXITED(status)) ended.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
    if (fs::is_regular_file(out_)) ended.out = read_text(out_);
    ended.error = read_text(error_);
    return ended;
  }

 private:
  static int& count() {
    static int n = 0;
    return n;
  }
  static void redirect(const fs::path& path, int descriptor) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(122);
  }

  fs::path out_, error_;
  pid_t process_ = 0;
};

/// A folder that goes when the test ends.
class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "sarrus-test-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    fs::permissions(path_, fs::perms::owner_all, fs::perm_options::add, ignored);
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  fs::path operator/(const std::string& name) const { return path_ / name; }
  const fs::path& path() const { return path_; }

  Ended sarrus(const std::vector<std::string>& words,
               const std::vector<std::pair<std::string, std::string>>& environment = {}) const {
    return Running(path_, words, environment).wait();
  }
  void write(const std::string& name, const std::string& text) const {
    write_text(path_ / name, text);
  }
  std::string read(const std::string& name) const { return read_text(path_ / name); }

 private:
  fs::path path_;
};

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A double pendulum with a spring, a damper, a drive and an event: everything a checkpoint holds.
inline std::string busy_model(const std::string& simulate) {
  return R"toml(sarrus = 1
name = "busy"
[parameters]
load = 1.2
[[body]]
name = "upper"
mass = 1
com = [0.5, 0, 0]
inertia = [0.01, 0.1, 0.1]
[[body]]
name = "lower"
mass = "load"
com = [0.4, 0, 0.05]
inertia = [0.02, 0.1, 0.1]
[[joint]]
name = "ball"
type = "spherical"
child = "upper"
u = [0.3, 0.1, 2]
[[joint]]
name = "elbow"
type = "revolute"
parent = "upper"
child = "lower"
axis = "y"
on_parent = { at = [1, 0, 0] }
q = "40 deg"
spring = { k = 3 }
damper = 0.05
force = "0.5*sin(3*t)"
[[sensor]]
name = "tip"
body = "lower"
at = [1, 0, 0]
[[event]]
name = "straight"
when = "elbow.q"
[simulate]
)toml" + simulate;
}

/// A run that takes minutes unless it is stopped, with a row for every 100 steps.
inline std::string endless_model() {
  return busy_model("until = 1e6\noutput_step = 0.1\nintegrator = \"rk4\"\nstep = 1e-3\n");
}

/// Waits until a file of some size is there; false after ten minutes, which no busy machine needs.
inline bool appears(const fs::path& path, std::uintmax_t bytes = 1) {
  for (int i = 0; i < 120'000; ++i) {
    std::error_code none;
    if (fs::exists(path, none) && fs::file_size(path, none) >= bytes && !none) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

}  // namespace sarrus::testing
