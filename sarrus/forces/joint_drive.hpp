// Drives on one velocity: force source, servo, DC motor with gear.
//
//   source  τ = F(t, …)
//   servo   τ = kp (q_ref − q) + kd (q̇_ref − u), within ±τ_max
//   motor   i = (U − Ke G u)/R,  or  L di/dt = U − R i − Ke G u          τ = η G Kt i
//
// The rotor's inertia G² J is added to the joint's diagonal by compile (armature).
#pragma once

#include "sarrus/forces/context.hpp"

namespace sarrus {

template <class T>
struct JointSource {
  int u = 0, formula = 0;

  template <class U>
  JointSource<U> as() const {
    return {u, formula};
  }
  template <class F>
  void each_number(F&&) {}

  void apply(ForceContext<T>& c) const {
    c.tau[u] += c.formula[formula];
    c.flow->drive += c.formula[formula] * c.u[u];
  }
};

template <class T>
struct Servo {
  int q = 0, u = 0, formula = 0;
  T kp{}, kd{}, limit{};

  template <class U>
  Servo<U> as() const {
    return {q, u, formula, U(kp), U(kd), U(limit)};
  }
  template <class F>
  void each_number(F&& f) {
    f(kp), f(kd), f(limit);
  }

  T force(const ForceContext<T>& c) const {
    return clamped(kp * (c.formula[formula] - c.q[q]) + kd * (c.formula_rate[formula] - c.u[u]),
                   -limit, limit);
  }
  void apply(ForceContext<T>& c) const {
    const T tau = force(c);
    c.tau[u] += tau;
    c.flow->drive += tau * c.u[u];
  }
};

template <class T>
struct Motor {
  int u = 0, formula = 0;
  int state = -1;  // index of the current; −1: no inductance
  T resistance{}, inductance{}, torque_constant{}, back_emf{}, gear{}, efficiency{};

  template <class U>
  Motor<U> as() const {
    return {u,           formula, state,        U(resistance), U(inductance), U(torque_constant),
            U(back_emf), U(gear), U(efficiency)};
  }

  template <class F>
  void each_number(F&& f) {
    f(resistance), f(inductance), f(torque_constant), f(back_emf), f(gear), f(efficiency);
  }

  T current(const ForceContext<T>& c) const {
    if (state >= 0) return c.state[state];
    return (c.formula[formula] - back_emf * gear * c.u[u]) / resistance;
  }
  T force(const ForceContext<T>& c) const {
    return efficiency * gear * torque_constant * current(c);
  }

  void apply(ForceContext<T>& c) const {
    const T tau = force(c);
    c.tau[u] += tau;
    c.flow->drive += tau * c.u[u];
    if (state >= 0)
      c.state_rate[state] =
          (c.formula[formula] - resistance * c.state[state] - back_emf * gear * c.u[u]) /
          inductance;
  }
};

}  // namespace sarrus
