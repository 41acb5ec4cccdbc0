// Noise: normally distributed numbers, one for each sample, added to the input.
//
// Number k depends on the seed and on k alone, so that a run has the same noise with steps of any
// size, and after a resume.
#pragma once

#include "sarrus/control/block_spec.hpp"

namespace sarrus {

struct Noise {
  static constexpr BlockFacts facts{
      .word = "noise",
      .help = "Its input, if it has one, with normally distributed noise; the same in every run.",
      .needs_input = false,
      .needs_clock = true};
  double deviation = 1;
  long long seed = 1;

  // clang-format off
  static std::vector<BlockKey<Noise>> keys() {
    return {
        {.name = "deviation", .member = &Noise::deviation, .range = BlockRange::not_negative, .required = true, .help = "Standard deviation of each sample. Its power is flat up to 1/(2 every).", .example = "0.01"},
        {.name = "seed", .member = &Noise::seed, .fallback = "1", .help = "Another seed, another sequence.", .example = "7"},
    };
  }
  // clang-format on
  void check(BlockFaults&) const {}
  void expand(BlockMaker& make) const {
    make.output(make.in(), 0, {deviation, static_cast<std::uint64_t>(seed)});
  }
};

}  // namespace sarrus
