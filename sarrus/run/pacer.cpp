#include "sarrus/run/pacer.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

namespace sarrus {
namespace {

constexpr double smallest_bin = 1e-6;                  // [s]
constexpr auto spin = std::chrono::microseconds(200);  // before a deadline a sleep is too coarse

double seconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double>(d).count();
}

}  // namespace

Overrun overrun_named(const std::string& name) {
  if (name == "skip_output") return Overrun::skip_output;
  if (name == "stop") return Overrun::stop;
  return Overrun::slow_down;
}

bool Pacer::await(double t) {
  if (!begun_) {  // the clock starts with the first row that is waited for
    begun_ = true;
    wall_start_ = Clock::now();
    start_ = t;
  }
  const double after = (t - start_) / factor_ + given_away_;
  const auto due = wall_start_ + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(after));
  const bool late = Clock::now() > due;
  if (!late) {
    if (due - Clock::now() > spin) std::this_thread::sleep_until(due - spin);
    while (Clock::now() < due) {
    }
  }
  const double lateness = std::max(0.0, seconds(Clock::now() - due));
  ++deadlines_;
  count(lateness);
  if (!late || deadlines_ == 1) return true;
  ++misses_;
  if (overrun_ == Overrun::slow_down) given_away_ += lateness;
  return overrun_ == Overrun::slow_down;
}

void Pacer::count(double lateness) {
  worst_ = std::max(worst_, lateness);
  const double place =
      lateness <= smallest_bin ? 0 : std::ceil(per_decade * std::log10(lateness / smallest_bin));
  const auto bin = static_cast<size_t>(std::min(place, static_cast<double>(bins_.size() - 1)));
  bins_[bin] += 1;
}

double Pacer::percentile(double share) const {
  std::int64_t sum = 0;
  for (size_t i = 0; i < bins_.size(); ++i) {
    sum += bins_[i];
    if (static_cast<double>(sum) >= share * static_cast<double>(deadlines_))
      return std::min(worst_, smallest_bin * std::pow(10.0, static_cast<double>(i) / per_decade));
  }
  return worst_;
}

Pace Pacer::pace() const {
  if (deadlines_ == 0) return {};
  return {deadlines_, misses_, 0, percentile(0.5), percentile(0.99), worst_};
}

}  // namespace sarrus
