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

  void apply(ForceContext<T>& c) const {
    const PointMotion<T> P = point_motion(c.body[a], at_a), Q = point_motion(c.body[b], at_b);
    const Vector3<T> d = Q.position - P.position;
    const T squared = dot(d, d);
    const auto apart = less(T(1e-18), squared);
    const T L = sqrt(select(apart, squared, T(1.0)));
    const Vector3<T> e = d * select(apart, T(1.0) / L, T(0.0));
    const T stretch = select(apart, L, T(0.0)) - length;
    const T rate = dot(e, Q.velocity - P.velocity);
    const T tension = k * stretch + damping * rate + preload;

    push(c.wrench[a], P.lever, e * tension);
    push(c.wrench[b], Q.lever, e * -tension);
    c.flow->potential += T(0.5) * k * stretch * stretch + preload * (stretch + length);
    c.flow->dissipated += damping * rate * rate;
  }
};

}  // namespace sarrus
