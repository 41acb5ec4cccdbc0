// The discrete kernels compiled for AVX2 and FMA.
#include "sarrus/formulations/graph/discrete_lanes.hpp"

#include "sarrus/formulations/graph/discrete_kernels.inl"

#if defined(__x86_64__)
namespace sarrus {

const DiscreteKernels& discrete_kernels_avx2();
const DiscreteKernels& discrete_kernels_avx2() { return discrete_table; }

}  // namespace sarrus
#endif
