// Viscous damper and regularised Coulomb friction on one velocity.
//
//   damper     τ = −d u                         dissipates d u²
//   friction   τ = −(T₀ + μ r N) tanh(u/u_s)    dissipates |τ u|;  N: size of the joint's reaction
//
// N depends on the accelerations, which depend on τ: the formulation repeats until both agree.
#pragma once

#include "sarrus/forces/context.hpp"

namespace sarrus {

template <class T>
struct JointDamper {
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

  void apply(ForceContext<T>& c) const {
    c.tau[u] -= d * c.u[u];
    c.flow->dissipated += d * c.u[u] * c.u[u];
  }
};

template <class T>
struct JointFriction {
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

  void apply(ForceContext<T>& c) const {
    const T size = force + coefficient * c.normal[body];
    const T tau = size * tanh(c.u[u] / speed);
    c.tau[u] -= tau;
    c.flow->dissipated += tau * c.u[u];
  }
};

}  // namespace sarrus
