// Spring and damper between two points, P on body a and Q on body b.
//
//   d = x_Q − x_P,  L = |d|,  e = d/L,  L̇ = e·(v_Q − v_P)
//   tension F = k (L − L₀) + c L̇ + F₀, positive pulls together: +F e on a at P, −F e on b at Q
//   V = ½ k (L − L₀)² + F₀ L
//
// Where the points meet (L < 1e-9 m) the direction is not defined and the force is zero.
#pragma once

#include "sarrus/forces/context.hpp"

namespace sarrus {

template <class T>
struct PointSpring {
  int a = 0, b = 0;
  Vector3<T> at_a, at_b;
  T k{}, length{}, damping{}, preload{};

  template <class U>
  PointSpring<U> as() const {
    return {a, b, cast<U>(at_a), cast<U>(at_b), U(k), U(length), U(damping), U(preload)};
  }

  template <class F>
  void each_number(F&& f) {
    visit_numbers(at_a, f), visit_numbers(at_b, f), f(k), f(length), f(damping), f(preload);
  }

  /// L, and the tension F.
  static constexpr ElementQuantity quantities[] = {{"length", "m"}, {"force", "N"}};
  T read(const ForceContext<T>& c, int quantity) const {
    const Pull pull = pull_of(c);
    return quantity == 0 ? pull.stretch + length : pull.tension;
  }

  void apply(ForceContext<T>& c) const {
    const Pull p = pull_of(c);
    push(c.wrench[a], p.lever_a, p.e * p.tension);
    push(c.wrench[b], p.lever_b, p.e * -p.tension);
    c.flow->potential += T(0.5) * k * p.stretch * p.stretch + preload * (p.stretch + length);
    c.flow->dissipated += damping * p.rate * p.rate;
  }

 private:
  struct Pull {
    Vector3<T> lever_a, lever_b, e;
    T stretch, rate, tension;
  };
  SARRUS_INLINE Pull pull_of(const ForceContext<T>& c) const {
    const PointMotion<T> P = point_motion(c.body[a], at_a), Q = point_motion(c.body[b], at_b);
    const Vector3<T> d = Q.position - P.position;
    const T squared = dot(d, d);
    const auto apart = less(T(1e-18), squared);
    const T L = sqrt(select(apart, squared, T(1.0)));
    const Vector3<T> e = d * select(apart, T(1.0) / L, T(0.0));
    const T stretch = select(apart, L, T(0.0)) - length;
    const T rate = dot(e, Q.velocity - P.velocity);
    return {P.lever, Q.lever, e, stretch, rate, k * stretch + damping * rate + preload};
  }
};

}  // namespace sarrus
