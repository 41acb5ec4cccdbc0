// Delay: the input of n samples ago, y_k = x_k−n.
#pragma once

#include <cmath>

#include "sarrus/control/block_spec.hpp"

namespace sarrus {

struct Delay {
  static constexpr BlockFacts facts{
      .word = "delay", .help = "The input some samples ago.", .needs_clock = true};
  double time = 0;  // [s]
  double start = 0;
  static constexpr double most = 1000;  // samples

  // clang-format off
  static std::vector<BlockKey<Delay>> keys() {
    return {
        {.name = "time", .member = &Delay::time, .dimension = dimensions::time, .range = BlockRange::positive, .required = true, .help = "How long ago: a whole number of samples, at most 1000.", .example = "\"5 ms\""},
        {.name = "start", .member = &Delay::start, .fallback = "0", .help = "Output until the first sample comes through.", .example = "0"},
    };
  }
  // clang-format on
  double samples(double every) const { return std::round(time / every); }
  void check(BlockFaults& faults) const {
    if (!faults.is_sampled() || !(time > 0)) return;
    const double n = samples(faults.every());
    if (n < 1 || std::fabs(n * faults.every() - time) > 1e-9 * time)
      faults.refuse("time", "bad-delay",
                    text_of(time, " s is not a whole number of samples of ", faults.every(), " s"),
                    "a multiple of every");
    if (n > most)
      faults.refuse(
          "time", "bad-delay",
          text_of(time, " s are ", n, " samples of ", faults.every(), " s; the limit is ", most),
          "a longer every");
  }
  void expand(BlockMaker& make) const {
    const int n = static_cast<int>(samples(make.every()));
    const auto at = [](int k) { return "x" + std::to_string(k); };  // of k samples ago
    for (int k = 1; k <= n; ++k)
      make.state(at(k), start, k == 1 ? make.in() : make.part(at(k - 1)));
    make.output(make.part(at(n)), start);
  }
};

}  // namespace sarrus
