// Rows at the pace of a clock: waits for each, and records how late they were.
//
//   due(t) = wall start + (t − start)/factor [+ what was given away by slowing down]
//
// Lateness goes into bins of a twentieth of a decade, so that a run of any length needs the same
// memory; percentiles are upper ends of bins.
#pragma once

#include <array>
#include <chrono>

#include "sarrus/run/simulate.hpp"

namespace sarrus {

class Pacer {
 public:
  Pacer(double start, double factor, Overrun overrun)
      : start_(start), factor_(factor), overrun_(overrun) {}

  /// Waits until t is due. False where the row is late and the policy lets it go.
  bool await(double t);
  Pace pace() const;

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int per_decade = 20, decades = 9;  // from 1 µs to 1000 s

  void count(double lateness);
  double percentile(double share) const;

  double start_, factor_;
  Overrun overrun_;
  bool begun_ = false;
  Clock::time_point wall_start_;
  double given_away_ = 0;  // [s]
  std::int64_t deadlines_ = 0, misses_ = 0;
  double worst_ = 0;
  std::array<std::int64_t, per_decade * decades + 1> bins_{};
};

}  // namespace sarrus
