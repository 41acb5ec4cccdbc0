// Saturation: y = low below low, high above high, the input between them.
#pragma once

#include "sarrus/control/block_spec.hpp"

namespace sarrus {

struct Saturation {
  static constexpr BlockFacts facts{.word = "saturation", .help = "The input, kept within limits."};
  ValueLimits limits;

  // clang-format off
  static std::vector<BlockKey<Saturation>> keys() {
    return {
        {.name = "limits", .member = &Saturation::limits, .required = true, .help = "Lowest and highest value of the output.", .example = "[-10, 10]"},
    };
  }
  // clang-format on
  void check(BlockFaults&) const {}
  void expand(BlockMaker& make) const {
    make.output(text_of("clamp(", make.in(), ", ", limits.low, ", ", limits.high, ")"));
  }
};

}  // namespace sarrus
