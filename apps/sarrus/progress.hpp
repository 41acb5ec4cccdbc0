// How far a run is, on one line of the terminal that is written over and over.
#pragma once

#include <chrono>
#include <string>

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

/// What is being done, on one line of the terminal that is written over and over.
class Working {
 public:
  explicit Working(bool wanted);
  ~Working() { clear(); }
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;

  /// Shown at most five times a second; `left` [s] at most, in words.
  void show(const std::string& what, double left);
  void clear();

 private:
  bool shown_, begun_ = false;
  std::chrono::steady_clock::time_point began_, last_;
};

}  // namespace sarrus::app
