// The kernels of derivatives compiled for AVX2 and FMA.
#include "sarrus/formulations/tree/derivative_view.hpp"

#include "sarrus/formulations/tree/derivative_kernels.inl"

#if defined(__x86_64__)
namespace sarrus {

const DerivativeKernels& derivative_kernels_avx2() { return derivative_table; }

}  // namespace sarrus
#endif
