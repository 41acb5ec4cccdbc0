// All stages of one instant, for tests that ask for several of them.
#pragma once

#include "sarrus/formulations/formulation.hpp"

namespace sarrus::testing {

template <class T = double>
struct Instant {
  explicit Instant(const Mechanism& m) : w(m) {}
  /// At (t, q, u, states of elements).
  Instant(const Mechanism& m, const T& t, const T* q, const T* u, const T* state) : w(m) {
    set(t, q, u, state);
  }
  void set(const T& t, const T* q, const T* u, const T* state) {
    k_ = &move(w, t, q, u, state);
    f_ = &load<T>(w, *k_);
  }

  const Kinematics<T>& k() const { return *k_; }
  const Forces<T>& f() const { return *f_; }
  const Accelerations<T>& a() { return sarrus::accelerate(w, *k_, *f_); }
  const std::vector<T>& udot() { return a().udot; }

  T kinetic_energy() const { return sarrus::kinetic_energy<T>(w, *k_); }
  T potential_energy() const { return sarrus::potential_energy<T>(w, *k_, *f_); }
  Wrench<T> momentum() const { return sarrus::momentum<T>(w, *k_); }
  void joint_momenta(T* p) { sarrus::joint_momenta<T>(w, *k_, p); }
  void mass_matrix(T* M) { sarrus::mass_matrix<T>(w, *k_, M); }
  void inverse_dynamics(const T* udot, T* tau) { sarrus::inverse_dynamics(w, *k_, *f_, udot, tau); }
  void solve(const T* b, T* x) { sarrus::solve(w, factor(w, *k_), b, x); }

  Workspace<T> w;

 private:
  const Kinematics<T>* k_ = nullptr;
  const Forces<T>* f_ = nullptr;
};

/// The mechanism at its own start.
inline Snapshot started(const Mechanism& m, double t = 0) {
  return snapshot_at(m, {t, m.start.q, m.start.u, m.start_state});
}

inline Snapshot observed(Formulation& f, double t, std::span<const double> y) {
  Snapshot now(f.mechanism());
  f.observe(t, y, now);
  return now;
}

/// Of all bodies, rigid ones: linear, and angular about the world's origin.
inline Wrench<double> momentum_of(const Snapshot& now) {
  Wrench<double> sum{};
  for (size_t i = 1; i < now.body.size(); ++i) {
    const BodyMotion<double>& B = now.body[i];
    const Twist<double> V{transposed_times(B.R, B.V.w), transposed_times(B.R, B.V.v)};
    sum += shifted_in(rotated(B.R, now.mechanism->numbers.body[i].inertia * V), B.o);
  }
  return sum;
}

}  // namespace sarrus::testing
