// Relay: y = on above the threshold, off below it.
#pragma once

#include "sarrus/control/block_spec.hpp"

namespace sarrus {

struct Relay {
  static constexpr BlockFacts facts{
      .word = "relay", .help = "`on` while the input is above a threshold, else `off`."};
  double threshold = 0, on = 1, off = 0;

  // clang-format off
  static std::vector<BlockKey<Relay>> keys() {
    return {
        {.name = "threshold", .member = &Relay::threshold, .fallback = "0", .help = "Above it the relay is on.", .example = "0.2"},
        {.name = "on", .member = &Relay::on, .fallback = "1", .help = "Output when on.", .example = "12"},
        {.name = "off", .member = &Relay::off, .fallback = "0", .help = "Output when off.", .example = "-12"},
    };
  }
  // clang-format on
  void check(BlockFaults&) const {}
  void expand(BlockMaker& make) const {
    make.output(text_of("if(", make.in(), " > ", threshold, ", ", on, ", ", off, ")"), off);
  }
};

}  // namespace sarrus
