// The tree kernels for derivatives. They serve analyses, not runs: compiled like the rest of the
// library.
#include "sarrus/formulations/tree/tree_view.hpp"

#include "sarrus/formulations/tree/tree_kernels.inl"

namespace sarrus {

template <>
const TreeKernels<Dual<double>>& tree_kernels<Dual<double>>() {
  return table<Dual<double>>;
}
template <>
const TreeKernels<std::complex<double>>& tree_kernels<std::complex<double>>() {
  return table<std::complex<double>>;
}

}  // namespace sarrus
