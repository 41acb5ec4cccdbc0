// The kernels of derivatives for any machine, and the choice between them and those for AVX2.
#include "sarrus/formulations/tree/derivative_view.hpp"

#include "sarrus/formulations/tree/derivative_kernels.inl"

namespace sarrus {

#if defined(__x86_64__)
const DerivativeKernels& derivative_kernels_avx2();

const DerivativeKernels& derivative_kernels() {
  static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return wide ? derivative_kernels_avx2() : derivative_table;
}
#else
const DerivativeKernels& derivative_kernels() { return derivative_table; }
#endif

}  // namespace sarrus
