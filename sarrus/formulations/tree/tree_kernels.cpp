// The tree kernels for any machine, and the choice between them and those for AVX2.
#include "sarrus/formulations/tree/tree_view.hpp"

#include "sarrus/formulations/tree/tree_kernels.inl"

namespace sarrus {

#if defined(__x86_64__)
const TreeKernels<double>& tree_kernels_avx2(double);
const TreeKernels<Pack<4>>& tree_kernels_avx2(Pack<4>*);

namespace {
bool has_avx2() {
  static const bool found = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return found;
}
}  // namespace

template <>
const TreeKernels<double>& tree_kernels<double>() {
  return has_avx2() ? tree_kernels_avx2(0.0) : table<double>;
}
template <>
const TreeKernels<Pack<4>>& tree_kernels<Pack<4>>() {
  return has_avx2() ? tree_kernels_avx2(static_cast<Pack<4>*>(nullptr)) : table<Pack<4>>;
}
#else
template <>
const TreeKernels<double>& tree_kernels<double>() {
  return table<double>;
}
template <>
const TreeKernels<Pack<4>>& tree_kernels<Pack<4>>() {
  return table<Pack<4>>;
}
#endif

}  // namespace sarrus
