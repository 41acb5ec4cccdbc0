#include "signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <initializer_list>
#include <string_view>

namespace sarrus::app {
namespace {

constexpr unsigned last_resort = 9;  // [s] from the request to the end, whatever the step does

volatile std::sig_atomic_t asked = 0;  // the first signal
std::atomic<int> polite = 0;           // how many exist

/// What is left behind; a handler may do no more than write().
void say_what_is_kept(bool in_run) {
  constexpr std::string_view run =
      "\nsarrus: stopped at once; rows and checkpoints that were written are kept, --resume goes "
      "on\n";
  constexpr std::string_view other =
      "\nsarrus: stopped; finished files are kept, an unfinished one has not taken its place\n";
  const std::string_view text = in_run ? run : other;
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

void on_signal(int signal) {
  if (signal == SIGALRM || polite == 0 || asked != 0) {
    say_what_is_kept(polite != 0);
    ::_exit(128 + (signal == SIGALRM ? int{asked} : signal));
  }
  asked = signal;
  ::alarm(last_resort);
}

void install(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

/// A closed standard stream would give its number to the next file that is opened.
void fill_standard_streams() {
  for (int d = 0; d <= 2; ++d)
    if (::fcntl(d, F_GETFD) == -1 && ::open("/dev/null", O_RDWR) < 0) return;
}

}  // namespace

void handle_signals() {
  fill_standard_streams();
  install(SIGPIPE, SIG_IGN);
  install(SIGXFSZ, SIG_IGN);  // a quota becomes a failed write
  for (const int signal : {SIGINT, SIGTERM, SIGALRM, SIGXCPU}) install(signal, on_signal);
  struct sigaction hangup {};
  ::sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) install(SIGHUP, on_signal);  // nohup wants it ignored
}

int stop_signal() { return asked; }

StopPolitely::StopPolitely() { ++polite; }
StopPolitely::~StopPolitely() { --polite; }

}  // namespace sarrus::app
