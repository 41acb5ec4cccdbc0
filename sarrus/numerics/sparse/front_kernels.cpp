// The fronts' dense work for every machine, and the choice between this and AVX2.
#include "sarrus/numerics/sparse/front_kernels.hpp"

#define SARRUS_FRONT_KERNELS front_plain
#include "sarrus/numerics/sparse/front_kernels.inl"

namespace sarrus {

#if defined(SARRUS_FRONTS_AVX2)
namespace front_avx2 {
extern const FrontKernels kernels;
}
#endif

const FrontKernels& front_kernels() {
#if defined(SARRUS_FRONTS_AVX2)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return front_avx2::kernels;
#endif
  return front_plain::kernels;
}

}  // namespace sarrus
