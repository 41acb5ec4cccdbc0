#include "shell/desktop.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace sarrus::app {

bool has_desktop() {
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

bool open_on_desktop(const std::string& file) {
  if (!has_desktop()) return false;
  const pid_t opener = ::fork();
  if (opener < 0) return false;
  if (opener == 0) {
    // output of the browser is discarded
    const int nothing = ::open("/dev/null", O_RDWR);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, stream);
    ::execlp("xdg-open", "xdg-open", file.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  int status = 0;  // xdg-open itself ends once it has handed the file on
  return ::waitpid(opener, &status, 0) == opener && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace sarrus::app
