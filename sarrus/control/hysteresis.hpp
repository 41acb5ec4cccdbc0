// Hysteresis: a relay that goes on above `upper` and off below `lower`, and stays as it is between.
#pragma once

#include "sarrus/control/block_spec.hpp"

namespace sarrus {

struct Hysteresis {
  static constexpr BlockFacts facts{
      .word = "hysteresis",
      .help =
          "A relay with two thresholds: on above `upper`, off below `lower`, between them "
          "as it was.",
      .needs_clock = true};
  double upper = 0, lower = 0, on = 1, off = 0;
  double start = 0;  // above 0: on

  // clang-format off
  static std::vector<BlockKey<Hysteresis>> keys() {
    using S = Hysteresis;
    return {
        {.name = "upper", .member = &S::upper, .required = true, .help = "Above it the output is on.", .example = "0.2"},
        {.name = "lower", .member = &S::lower, .required = true, .help = "Below it the output is off.", .example = "0.1"},
        {.name = "on", .member = &S::on, .fallback = "1", .help = "Output when on.", .example = "12"},
        {.name = "off", .member = &S::off, .fallback = "0", .help = "Output when off.", .example = "-12"},
        {.name = "start", .member = &S::start, .fallback = "0", .help = "Above 0: on at the start.", .example = "1"},
    };
  }
  // clang-format on
  void check(BlockFaults& faults) const {
    if (!(lower <= upper))
      faults.refuse("lower", "bad-limits",
                    text_of("the lower threshold ", lower, " is above the upper one ", upper),
                    "lower at most upper");
  }
  void expand(BlockMaker& make) const {
    const double first = start > 0 ? on : off;
    make.output(text_of("if(", make.in(), " > ", upper, ", ", on, ", if(", make.in(), " < ", lower,
                        ", ", off, ", ", make.part("last"), "))"),
                first);
    make.state("last", first, make.name());
  }
};

}  // namespace sarrus
