// Stiffness and damping of an elastic body's coordinates, which q̇ = u.
//
//   τ = −K q − D u          V = ½ qᵀ K q          dissipated: uᵀ D u
#pragma once

#include <memory>
#include <vector>

#include "sarrus/forces/context.hpp"

namespace sarrus {

template <class T>
struct ElasticStiffness {
  int q = 0, u = 0, n = 0;
  std::shared_ptr<const std::vector<double>> K, D;  // n × n; D may be all zero

  template <class U>
  ElasticStiffness<U> as() const {
    return {q, u, n, K, D};
  }
  template <class F>
  void each_number(F&&) {}

  void apply(ForceContext<T>& c) const {
    const double *k = K->data(), *d = D->data();
    for (int i = 0; i < n; ++i, k += n, d += n) {
      T elastic(0.0), viscous(0.0);
      for (int j = 0; j < n; ++j) {
        elastic += T(k[j]) * c.q[q + j];
        viscous += T(d[j]) * c.u[u + j];
      }
      c.tau[u + i] -= elastic + viscous;
      c.flow->potential += T(0.5) * elastic * c.q[q + i];
      c.flow->dissipated += viscous * c.u[u + i];
    }
  }
};

}  // namespace sarrus
