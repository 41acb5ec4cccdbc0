// The discrete kernels for any machine, and the choice between them and those for AVX2.
#include "sarrus/formulations/graph/discrete_lanes.hpp"

#include "sarrus/formulations/graph/discrete_kernels.inl"

namespace sarrus {

#if defined(__x86_64__)
const DiscreteKernels& discrete_kernels_avx2();

const DiscreteKernels& discrete_kernels() {
  static const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return avx2 ? discrete_kernels_avx2() : discrete_table;
}
#else
const DiscreteKernels& discrete_kernels() { return discrete_table; }
#endif

}  // namespace sarrus
