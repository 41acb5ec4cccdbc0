// Ctrl-C, a scheduler's request to end, a terminal that is closed, a budget of processor time.
//
//   outside a run     ends the program at once, exit 128 + signal
//   inside a run      the first asks the run to stop after its step and to save; a second one ends
//                     the program at once: what was committed stays readable
//
// A run that does not come to the end of its step within 9 s after the first signal is ended, too.
#pragma once

namespace sarrus::app {

/// Installs the handlers; a pipe closed by its reader becomes a failed write instead of a signal.
void handle_signals();

/// The signal that asked to stop, 0 while there is none.
int stop_signal();

/// While one exists, signals ask before they end the program.
class StopPolitely {
 public:
  StopPolitely();
  ~StopPolitely();
  StopPolitely(const StopPolitely&) = delete;
  StopPolitely& operator=(const StopPolitely&) = delete;
};

}  // namespace sarrus::app
