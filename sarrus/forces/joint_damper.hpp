// Viscous damper and regularised Coulomb friction on one velocity.
//
//   damper     τ = −d u                         dissipates d u²
//   friction   τ = −(T₀ + μ r N) tanh(u/u_s)    dissipates |τ u|;  N: size of the joint's reaction
//
// N depends on the accelerations, which depend on τ: the formulation repeats until both agree.
#pragma once

#include "sarrus/forces/force_facts.hpp"

namespace sarrus {

template <class T>
struct JointDamper {
  static constexpr ForceFacts facts{.word = "damper", .damping = "the damper"};
  int u = 0;
  T d{};

  template <class U>
  JointDamper<U> as() const {
    return {u, U(d)};
  }
  template <class F>
  void each_number(F&& f) {
    f(d);
  }

  bool dissipates() const { return d != 0; }
  void vary(Random& r) { randomise(r, d); }
  template <class F>
  void resistances(F&& f) const {
    f(Resistance{.damping = d, .u = u});
  }
  template <class F>
  void inputs(F&&) const {}

  void apply(ForceContext<T>& c) const {
    c.tau[u] -= d * c.u[u];
    c.flow->dissipated += d * c.u[u] * c.u[u];
  }
};

template <class T>
struct JointFriction {
  static constexpr ForceFacts facts{.word = "friction", .damping = "the friction"};
  int body = 0, u = 0;
  T force{}, coefficient{}, speed{};  // coefficient: μ r for turning joints, μ for sliding ones

  template <class U>
  JointFriction<U> as() const {
    return {body, u, U(force), U(coefficient), U(speed)};
  }
  template <class F>
  void each_number(F&& f) {
    f(force), f(coefficient), f(speed);
  }

  bool dissipates() const { return force > 0 || coefficient > 0; }
  /// Always rubs, whatever the reaction.
  void vary(Random&) { force = dissipates() ? 1 : 0, coefficient = 0, speed = 1; }
  template <class F>
  void resistances(F&& f) const {
    f(Resistance{.damping = force / speed, .u = u});
  }
  template <class F>
  void inputs(F&&) const {}

  void apply(ForceContext<T>& c) const {
    const T size = force + coefficient * c.normal[body];
    const T tau = size * tanh(c.u[u] / speed);
    c.tau[u] -= tau;
    c.flow->dissipated += tau * c.u[u];
  }
};

}  // namespace sarrus
