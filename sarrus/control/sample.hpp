// Sample: the input at the last instant of sampling (zero-order hold).
#pragma once

#include "sarrus/control/block_spec.hpp"

namespace sarrus {

struct Sample {
  static constexpr BlockFacts facts{
      .word = "sample", .help = "The input, sampled and held.", .needs_clock = true};
  double start = 0;

  // clang-format off
  static std::vector<BlockKey<Sample>> keys() {
    return {
        {.name = "start", .member = &Sample::start, .fallback = "0", .help = "Output before the first sample.", .example = "0"},
    };
  }
  // clang-format on
  void check(BlockFaults&) const {}
  void expand(BlockMaker& make) const { make.output(make.in(), start); }
};

}  // namespace sarrus
