// How far a run is, on one line of the terminal that is written over and over.
#pragma once

#include <chrono>

namespace sarrus::app {

/// Shows nothing where standard error is no terminal.
class Progress {
 public:
  Progress(double start, double until, bool wanted);
  ~Progress();  // clears the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(double t);

 private:
  double start_, until_;
  bool shown_;
  double first_t_ = 0;  // where this session began
  bool begun_ = false;
  std::chrono::steady_clock::time_point began_;
};

}  // namespace sarrus::app
