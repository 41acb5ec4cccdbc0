// Rate limit: the output follows the input no faster than a given rate.
//
//   sampled      y_k = y_k−1 + clamp(x_k − y_k−1, −r₋ h, r₊ h)                              (1)
//   continuous   ẏ = clamp((x − y)/T, −r₋, r₊)          T: how fast it follows slow inputs    (2)
#pragma once

#include "sarrus/control/block_spec.hpp"

namespace sarrus {

struct RateLimit {
  static constexpr BlockFacts facts{.word = "rate_limit",
                                    .help = "Follows its input no faster than a given rate."};
  double rate = 0, falling = 0;  // [1/s] of the output's unit; falling 0: as rate
  double time_constant = 0;      // T [s]
  double start = 0;

  // clang-format off
  static std::vector<BlockKey<RateLimit>> keys() {
    using S = RateLimit;
    return {
        {.name = "rate", .member = &S::rate, .range = BlockRange::positive, .required = true, .help = "Largest rise per second.", .example = "3"},
        {.name = "falling", .member = &S::falling, .range = BlockRange::not_negative, .fallback = "as `rate`", .help = "Largest fall per second.", .example = "1"},
        {.name = "time_constant", .member = &S::time_constant, .dimension = dimensions::time, .range = BlockRange::positive, .help = "Continuous: how fast it follows an input that is slower than the limit.", .example = "\"1 ms\""},
        {.name = "start", .member = &S::start, .fallback = "0", .help = "Output at the start.", .example = "0.5"},
    };
  }
  // clang-format on
  void check(BlockFaults& faults) const {
    if (!faults.is_sampled() && !(time_constant > 0))
      faults.refuse("time_constant", "missing-key",
                    "a rate limit in continuous time follows its input with a time constant",
                    "set time_constant, or every to sample");
  }
  void expand(BlockMaker& make) const {
    const double fall = falling > 0 ? falling : rate, h = make.every();
    if (make.is_sampled()) {
      const std::string last = make.part("last");
      make.output(
          text_of(last, " + clamp(", make.in(), " - ", last, ", ", -fall * h, ", ", rate * h, ")"),
          start);  // (1)
      make.state("last", start, make.name());
    } else {
      const std::string x = make.part("x");
      make.state(
          "x", start,
          text_of("clamp((", make.in(), " - ", x, ")/", time_constant, ", ", -fall, ", ", rate,
                  ")"));  // (2)
      make.output(x, start);
    }
  }
};

}  // namespace sarrus
