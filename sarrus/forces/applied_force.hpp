// A force and a moment at a point of a body, each component a formula, in world or body axes.
#pragma once

#include <array>

#include "sarrus/forces/context.hpp"

namespace sarrus {

template <class T>
struct AppliedForce {
  int body = 0;
  bool body_axes = false;
  Vector3<T> at;
  Matrix3<T> R_BC = Matrix3<T>::identity();  // the user's body axes C in B
  std::array<int, 3> force{-1, -1, -1};      // formulas; −1: zero
  std::array<int, 3> moment{-1, -1, -1};

  template <class U>
  AppliedForce<U> as() const {
    return {body, body_axes, cast<U>(at), cast<U>(R_BC), force, moment};
  }

  template <class F>
  void each_number(F&& f) {
    visit_numbers(at, f), visit_numbers(R_BC, f);
  }

  void apply(ForceContext<T>& c) const {
    const BodyMotion<T>& b = c.body[body];
    const PointMotion<T> P = point_motion(b, at);
    Vector3<T> F = value(c, force), M = value(c, moment);
    if (body_axes) F = b.R * (R_BC * F), M = b.R * (R_BC * M);
    push(c.wrench[body], P.lever, F);
    c.wrench[body].n += M;
    c.flow->external += dot(F, P.velocity) + dot(M, b.V.w);
  }

 private:
  static Vector3<T> value(const ForceContext<T>& c, const std::array<int, 3>& f) {
    const auto one = [&](int i) { return i < 0 ? T(0.0) : c.formula[i]; };
    return {one(f[0]), one(f[1]), one(f[2])};
  }
};

}  // namespace sarrus
