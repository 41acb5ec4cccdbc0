// Low-pass filter of first order.
//
//   continuous   T ẏ = x − y                                                               (1)
//   sampled      y_k+1 = a y_k + (1 − a) x_k,  a = exp(−h/T)       exact for x held between (2)
#pragma once

#include <cmath>

#include "sarrus/control/block_spec.hpp"

namespace sarrus {

struct Filter {
  static constexpr BlockFacts facts{.word = "filter", .help = "Low-pass filter of first order."};
  double time_constant = 0;  // T [s]
  double start = 0;

  // clang-format off
  static std::vector<BlockKey<Filter>> keys() {
    return {
        {.name = "time_constant", .member = &Filter::time_constant, .dimension = dimensions::time, .range = BlockRange::positive, .required = true, .help = "After a step of the input the output has done 63 % of it in this time.", .example = "\"10 ms\""},
        {.name = "start", .member = &Filter::start, .fallback = "0", .help = "Output at the start.", .example = "0.5"},
    };
  }
  // clang-format on
  void check(BlockFaults&) const {}
  void expand(BlockMaker& make) const {
    const std::string x = make.part("x");
    if (make.is_sampled()) {
      const double ratio = -make.every() / time_constant;
      make.state(
          "x", start,
          text_of(std::exp(ratio), "*", x, " + ", -std::expm1(ratio), "*", make.in()));  // (2)
    } else {
      make.state("x", start, text_of("(", make.in(), " - ", x, ")/", time_constant));  // (1)
    }
    make.output(x, start);
  }
};

}  // namespace sarrus
