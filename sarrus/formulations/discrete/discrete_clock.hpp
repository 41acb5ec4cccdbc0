// Time of the discrete formulation: steps are counted, t_k = start + k h. Between them lie the
// instants at which inputs break.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace sarrus {

struct DiscreteClock {
  double h = 0, start = 0;  // [s]
  std::int64_t count = 0;
  std::vector<double> breaks = {};  // of inputs, in steps since the start, in rising order

  /// So many steps after the start, whole or not.
  double at(double steps) const { return start + steps * h; }
  double time() const { return at(static_cast<double>(count)); }

  void expect_breaks(std::span<const double> times) {
    constexpr double parts = 0x1p24;  // of a step: the last bits of a time depend on its search
    breaks.clear();
    for (const double t : times) breaks.push_back(std::round((t - start) / h * parts) / parts);
  }
  /// In steps since the start.
  bool breaks_within(double from, double to) const {
    const auto first = std::upper_bound(breaks.begin(), breaks.end(), from);
    return first != breaks.end() && *first < to;
  }

  /// The step follows from the settings, the breaks from the inputs: neither is kept.
  template <class Self, class Memory>
  static void keep(Self& self, Memory& memory) {
    memory(self.count, self.start);
  }
};

}  // namespace sarrus
