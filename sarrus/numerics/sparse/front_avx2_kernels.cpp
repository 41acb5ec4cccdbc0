// The fronts' dense work for machines with AVX2 and FMA; compiled with these switched on.
#include "sarrus/numerics/sparse/front_kernels.hpp"

#if defined(__AVX2__)
#define Eigen EigenForAvx2
#define SARRUS_FRONT_KERNELS front_avx2
#include "sarrus/numerics/sparse/front_kernels.inl"
#endif
