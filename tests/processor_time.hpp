// How long something takes, on a busy machine too: the processor time of this program.
#pragma once

#include <ctime>

namespace sarrus::testing {

/// [s]
template <class Work>
double processor_seconds(Work work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

}  // namespace sarrus::testing
