// Drives on one velocity: force source, servo, DC motor with gear.
//
//   source  τ = F(t, …)
//   servo   τ = kp e + kd (q̇_ref − u) + ki s, within ±τ_max;  e = q_ref − q
//           ṡ = e − (what the limit takes from τ)/kp        anti-windup by back-calculation
//   motor   i = (U − Ke G u)/R,  or  L di/dt = U − R i − Ke G u          τ = η G Kt i
//
// The rotor's inertia G² J is added to the joint's diagonal by compile (armature).
#pragma once

#include "sarrus/forces/force_facts.hpp"

namespace sarrus {

template <class T>
struct JointSource {
  static constexpr ForceFacts facts{
      .word = "force", .drive = "the force", .follows_positions = true, .is_given = true};
  int u = 0, formula = 0;

  template <class U>
  JointSource<U> as() const {
    return {u, formula};
  }
  template <class F>
  void each_number(F&&) {}

  bool dissipates() const { return false; }
  void vary(Random&) {}
  template <class F>
  void resistances(F&&) const {}
  template <class F>
  void inputs(F&& f) const {
    f(FormulaInput{formula, "force"});
  }

  T force(const ForceContext<T>& c) const { return c.formula[formula]; }
  void apply(ForceContext<T>& c) const {
    c.tau[u] += c.formula[formula];
    c.flow->drive += c.formula[formula] * c.u[u];
  }
};

template <class T>
struct Servo {
  static constexpr ForceFacts facts{
      .word = "servo", .damping = "the servo", .drive = "the servo", .follows_positions = true};
  int q = 0, u = 0, formula = 0;
  T kp{}, kd{}, limit{};
  int state = -1;  // index of the integral; −1: none
  T ki{};

  template <class U>
  Servo<U> as() const {
    return {q, u, formula, U(kp), U(kd), U(limit), state, U(ki)};
  }
  template <class F>
  void each_number(F&& f) {
    f(kp), f(kd), f(limit), f(ki);
  }

  bool dissipates() const { return kd != 0; }
  void vary(Random& r) { randomise(r, kp), randomise(r, kd), limit = 1e6; }
  template <class F>
  void resistances(F&& f) const {
    f(Resistance{.k = kp, .damping = kd, .u = u});
  }
  template <class F>
  void inputs(F&& f) const {
    f(FormulaInput{formula, "servo", "servo_rate", kd != 0});
  }

  T wanted(const ForceContext<T>& c) const {
    const T tau = kp * (c.formula[formula] - c.q[q]) + kd * (c.formula_rate[formula] - c.u[u]);
    return state < 0 ? tau : tau + ki * c.state[state];
  }
  T force(const ForceContext<T>& c) const { return clamped(wanted(c), -limit, limit); }
  void apply(ForceContext<T>& c) const {
    const T tau = force(c);
    c.tau[u] += tau;
    c.flow->drive += tau * c.u[u];
    if (state >= 0) c.state_rate[state] = c.formula[formula] - c.q[q] - (wanted(c) - tau) / kp;
  }
};

template <class T>
struct Motor {
  static constexpr ForceFacts facts{.word = "motor", .damping = "the motor", .drive = "the motor"};
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

  bool dissipates() const { return true; }
  void vary(Random&) {}
  template <class F>
  void resistances(F&& f) const {
    f(Resistance{.damping = efficiency * gear * gear * torque_constant * back_emf / resistance,
                 .u = u});
  }
  template <class F>
  void inputs(F&& f) const {
    f(FormulaInput{formula, "voltage"});
  }

  static constexpr ElementQuantity quantities[] = {{"current", "A"}};
  T read(const ForceContext<T>& c, int) const { return current(c); }

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
