// What a model says of its controllers: inputs, states and signals. Blocks are made of the last two
// (control/block_spec.hpp), so that everything that follows knows only these.
//
//   continuous   state: ẋ = rate               signal: y = value(t) at every instant
//   sampled      state: x_k+1 = rate           signal: y = value(t_k) from t_k to t_k+1
//
// t_k = offset + k every. At an instant of sampling all signals take their new values first, each
// after those it reads, then all states together.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sarrus/forces/element_spec.hpp"

namespace sarrus {

/// The instants offset + k every; every = 0: all of them.
struct SampleClock {
  double every = 0, offset = 0;  // [s]
  bool is_continuous() const { return every == 0; }
  friend bool operator==(const SampleClock&, const SampleClock&) = default;
};

/// A range that a value stays in.
struct ValueLimits {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool exist() const { return *this != ValueLimits{}; }
  bool contain(double x) const { return low <= x && x <= high; }
  double nearest(double x) const { return x < low ? low : x > high ? high : x; }
  friend bool operator==(const ValueLimits&, const ValueLimits&) = default;
};

struct StateSpec {
  std::string name;
  Place where;
  Formula rate;  // sampled: the next value
  double start = 0;
  ValueLimits limits = {};
  std::string unit = "1";
  SampleClock clock = {};
  bool shown = true;  // as a column
};

/// Noise that is added to a signal at each of its samples.
struct NoiseSpec {
  double deviation = 0;
  std::uint64_t seed = 0;
};

struct SignalSpec {
  std::string name;
  Place where;
  Formula value;
  std::string unit = "1";
  SampleClock clock = {};
  double start = 0;  // sampled: before the first sample
  NoiseSpec noise = {};
  bool shown = true;
};

/// What a model is given from outside.
struct InputSpec {
  std::string name;
  Place where;
  double value = 0;               // where nobody says another
  std::optional<Formula> course;  // of time: nobody else sets it then
  ValueLimits limits = {};
  std::string unit = "1";
};

/// What controllers are made of.
struct ControlParts {
  std::vector<StateSpec> states;
  std::vector<SignalSpec> signals;
};

}  // namespace sarrus
