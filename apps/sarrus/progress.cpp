#include "progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "output.hpp"

namespace sarrus::app {
namespace {

constexpr int bar_cells = 24;

std::string bar(double part) {
  std::string text;
  for (int i = 0; i < bar_cells; ++i) text += i < part * bar_cells ? "█" : "░";
  return text;
}

std::string time_left(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

Progress::Progress(double start, double until, bool wanted)
    : start_(start),
      until_(until),
      shown_(wanted && error_is_terminal()),
      began_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  if (shown_ && begun_) write_error("\r\x1b[K");
}

void Progress::show(double t) {
  if (!shown_) return;
  if (!begun_) first_t_ = t;
  begun_ = true;
  const double wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  const double part = std::clamp((t - start_) / (until_ - start_), 0.0, 1.0);
  const double speed = wall > 0 ? (t - first_t_) / wall : 0;
  std::string text = fmt::format("\r{} {:3.0f} %  t = {:.4g} s", bar(part), 100 * part, t);
  if (speed > 0)
    text += fmt::format("  {:.3g} × real time  {} left", speed, time_left((until_ - t) / speed));
  write_error(text + "\x1b[K");
}

Working::Working(bool wanted)
    : shown_(wanted && error_is_terminal()), began_(std::chrono::steady_clock::now()) {}

void Working::clear() {
  if (shown_ && begun_) write_error("\r\x1b[K");
  begun_ = false;
}

void Working::show(const std::string& what, double left) {
  if (!shown_) return;
  const auto now = std::chrono::steady_clock::now();
  if (begun_ && now - last_ < std::chrono::milliseconds(200)) return;
  begun_ = true, last_ = now;
  const double passed = std::chrono::duration<double>(now - began_).count();
  write_error(fmt::format("\r{}  {} passed, at most {} left\x1b[K", what, time_left(passed),
                          time_left(left)));
}

}  // namespace sarrus::app
