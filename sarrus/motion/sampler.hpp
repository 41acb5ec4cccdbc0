// Values of controllers that are sampled: when the next sample is due, and what it gives.
//
// Instants are offset + k every, computed and not summed. At one of them each signal takes its value
// from the motion and from the signals before it, then the states take their next values together
// (control/control_spec.hpp). All of them are parameters of the mechanism, so that a motion that
// keeps its parameters keeps them.
#pragma once

#include <span>
#include <vector>

#include "sarrus/formulations/snapshot.hpp"

namespace sarrus {

class Sampler {
 public:
  explicit Sampler(const Mechanism& mechanism);

  bool empty() const { return clocks_.empty(); }
  /// The first instant beyond t; infinite where there is none.
  double next(double t) const;
  /// Whether one is at t.
  bool is_due(double t) const;
  /// The parameters after the sample at t, where the motion is as `now` shows it.
  void sample(double t, const Snapshot& now, std::vector<double>& parameters);

 private:
  void follow_signals();

  const Mechanism* m_;
  std::vector<SampleClock> clocks_;  // each once
  std::vector<int> derived_;         // signals that are formulas, in their order
  std::vector<double> slots_, next_;
};

/// Sample k of normally distributed noise.
double normal_noise(std::uint64_t seed, std::int64_t k);

}  // namespace sarrus
