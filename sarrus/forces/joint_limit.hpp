// Elastic stops at both ends of a joint's range.
//
//   δ = depth beyond the stop > 0:   F = max(0, k δ + d δ̇), pushing back       V = ½ k δ²
//
// The stop never pulls; the difference between F and k δ is dissipated.
#pragma once

#include "sarrus/forces/force_facts.hpp"

namespace sarrus {

template <class T>
struct JointLimit {
  static constexpr ForceFacts facts{
      .word = "limits", .damping = "the damping of the stops", .follows_positions = true};
  int q = 0, u = 0;
  T low{}, high{}, k{}, d{};

  template <class U>
  JointLimit<U> as() const {
    return {q, u, U(low), U(high), U(k), U(d)};
  }
  template <class F>
  void each_number(F&& f) {
    f(low), f(high), f(k), f(d);
  }

  bool dissipates() const { return d != 0; }
  /// Always in contact, with one stop, for coordinates of order one.
  void vary(Random& r) {
    k = r.uniform(0.5, 1.5), high = -r.uniform(2, 3), low = -1e6;
    d = 0;
  }
  template <class F>
  void resistances(F&& f) const {
    f(Resistance{.k = k, .damping = d, .u = u});
  }
  template <class F>
  void inputs(F&&) const {}

  void apply(ForceContext<T>& c) const {
    stop(c, c.q[q] - high, c.u[u], T(-1.0));
    stop(c, low - c.q[q], -c.u[u], T(1.0));
  }

 private:
  void stop(ForceContext<T>& c, const T& depth, const T& rate, const T& direction) const {
    const T zero(0.0);
    const auto touching = less(zero, depth);
    const T force = select(touching, maximum(zero, k * depth + d * rate), zero);
    const T elastic = select(touching, k * depth, zero);
    c.tau[u] += direction * force;
    c.flow->potential += T(0.5) * elastic * maximum(zero, depth);
    c.flow->dissipated += (force - elastic) * rate;
  }
};

}  // namespace sarrus
