// Spring on one coordinate with q̇ = u, and on a spherical joint.
//
//   τ = −k (q − q₀) + τ₀          V = ½ k (q − q₀)² − τ₀ (q − q₀)
//   τ = −k log R_FM               V = ½ k |log R_FM|²,  |angle| < π, conjugate to ω in B
#pragma once

#include "sarrus/forces/force_facts.hpp"

namespace sarrus {

template <class T>
struct JointSpring {
  static constexpr ForceFacts facts{.word = "spring", .follows_positions = true};
  int q = 0, u = 0;
  T k{}, rest{}, preload{};

  template <class U>
  JointSpring<U> as() const {
    return {q, u, U(k), U(rest), U(preload)};
  }
  template <class F>
  void each_number(F&& f) {
    f(k), f(rest), f(preload);
  }

  bool dissipates() const { return false; }
  void vary(Random& r) { randomise(r, k), randomise(r, preload); }
  template <class F>
  void resistances(F&& f) const {
    f(Resistance{.k = k, .u = u});
  }
  template <class F>
  void inputs(F&&) const {}

  void apply(ForceContext<T>& c) const {
    const T x = c.q[q] - rest;
    c.tau[u] += preload - k * x;
    c.flow->potential += T(0.5) * k * x * x - preload * x;
  }
};

template <class T>
struct SphericalSpring {
  static constexpr ForceFacts facts{.word = "spring", .follows_positions = true};
  int q = 0, u = 0;
  T k{};

  template <class U>
  SphericalSpring<U> as() const {
    return {q, u, U(k)};
  }
  template <class F>
  void each_number(F&& f) {
    f(k);
  }

  bool dissipates() const { return false; }
  void vary(Random& r) { randomise(r, k); }
  template <class F>
  void resistances(F&& f) const {
    f(Resistance{.k = k, .u = u});
  }
  template <class F>
  void inputs(F&&) const {}

  void apply(ForceContext<T>& c) const {
    const Vector3<T> x = rotation_log(Quaternion<T>{c.q[q], c.q[q + 1], c.q[q + 2], c.q[q + 3]});
    for (int i = 0; i < 3; ++i) c.tau[u + i] -= k * x[i];
    c.flow->potential += T(0.5) * k * dot(x, x);
  }
};

}  // namespace sarrus
