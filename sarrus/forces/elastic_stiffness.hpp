// Stiffness and damping of an elastic body's coordinates, for which q̇ = u.
//
//   τ = −K q − D u          V = ½ qᵀ K q          dissipated: uᵀ D u
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "sarrus/forces/force_facts.hpp"

namespace sarrus {

template <class T>
struct ElasticStiffness {
  static constexpr ForceFacts facts{
      .word = "stiffness", .damping = "the damping", .follows_positions = true};
  int q = 0, u = 0, n = 0;
  std::shared_ptr<const std::vector<double>> K, D;  // n × n; D may be all zero

  template <class U>
  ElasticStiffness<U> as() const {
    return {q, u, n, K, D};
  }
  template <class F>
  void each_number(F&&) {}

  bool dissipates() const {
    return std::any_of(D->begin(), D->end(), [](double d) { return d != 0; });
  }
  void vary(Random&) {}  // its matrices belong to its mass
  template <class F>
  void resistances(F&&) const {}  // elastic frequencies are those of the body's own modes
  template <class F>
  void inputs(F&&) const {}

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
