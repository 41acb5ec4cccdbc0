// The tree kernels compiled for AVX2 and FMA.
#include "sarrus/formulations/tree/tree_view.hpp"

#include "sarrus/formulations/tree/tree_kernels.inl"

#if defined(__x86_64__)
namespace sarrus {

const TreeKernels<double>& tree_kernels_avx2(double) { return table<double>; }
const TreeKernels<Pack<4>>& tree_kernels_avx2(Pack<4>*) { return table<Pack<4>>; }

}  // namespace sarrus
#endif
