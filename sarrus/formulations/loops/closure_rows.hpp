// One scalar row of a closure at one instant, over any scalar.
//
// A row is the force f and the couple n on body b at the point p, and their opposites on a at the
// same point. With Δω, Δv the velocity of b against a at p:
//
//   φ̇ = n · Δω + f · Δv                                                              (1)
//   φ̈ = n · Δα + f · Δa + ṅ · Δω + ḟ · Δv + f · (Δω × ṗ)                             (2)
//
// where Δα, Δa is the difference of the spatial accelerations at p. A multiplier λ on the row
// exerts (n, f) λ on b: power λ φ̇, so a row that holds does no work.
#pragma once

#include <cmath>

#include "sarrus/forces/context.hpp"
#include "sarrus/joints/joint_numbers.hpp"
#include "sarrus/mechanism/closure.hpp"

namespace sarrus {

template <class T>
struct RowForce {
  T residual{};                                    // φ where the row is holonomic
  Vector3<T> p = zero3<T>(), p_rate = zero3<T>();  // where it acts, in the world
  Vector3<T> n = zero3<T>(), n_rate = zero3<T>();
  Vector3<T> f = zero3<T>(), f_rate = zero3<T>();
};

/// The two frames of a closure, in the world.
template <class T>
struct ClosureFrames {
  Matrix3<T> A, B;
  Vector3<T> p_A, p_B, d;  // d from A to B
  Vector3<T> v_A, v_B;     // of the origins
  Vector3<T> w_a, w_b;
};

template <class T>
ClosureFrames<T> closure_frames(const Closure& c, const BodyMotion<T>& a, const BodyMotion<T>& b) {
  ClosureFrames<T> F;
  F.A = a.R * cast<T>(c.X_A.R);
  F.B = b.R * cast<T>(c.X_B.R);
  const Vector3<T> r_a = a.R * cast<T>(c.X_A.p), r_b = b.R * cast<T>(c.X_B.p);
  F.p_A = a.o + r_a, F.p_B = b.o + r_b, F.d = F.p_B - F.p_A;
  F.v_A = a.V.v + cross(a.V.w, r_a), F.v_B = b.V.v + cross(b.V.w, r_b);
  F.w_a = a.V.w, F.w_b = b.V.w;
  return F;
}

template <class T>
SARRUS_INLINE const Vector3<T>& column(const Matrix3<T>& M, int i) {
  return i == 0 ? M.x : i == 1 ? M.y : M.z;
}

namespace detail {

/// The turn of B against A about z of A, of all equivalent ones the one nearest to `near`.
template <class T>
T turn_about_z(const ClosureFrames<T>& F, double near) {
  const T angle = atan2(dot(F.A.y, F.B.x), dot(F.A.x, F.B.x));
  constexpr double round = 6.283185307179586;
  return angle + T(round * std::round((near - value(angle)) / round));
}

/// From the centre to the lowest point of a disk about z of B on the plane z of A, and its rate.
template <class T>
void lowest_point(const ClosureFrames<T>& F, double radius, Vector3<T>& r, Vector3<T>& r_rate) {
  const Vector3<T>&k = F.A.z, &axis = F.B.z;
  const Vector3<T> k_rate = cross(F.w_a, k), axis_rate = cross(F.w_b, axis);
  const T lean = dot(k, axis), lean_rate = dot(k_rate, axis) + dot(k, axis_rate);
  const Vector3<T> up = k - axis * lean;  // in the disk's plane
  const Vector3<T> up_rate = k_rate - axis_rate * lean - axis * lean_rate;
  const T size = sqrt(dot(up, up));
  const T s = T(-radius) / size;
  r = up * s;
  r_rate = up_rate * s - up * (s * dot(up, up_rate) / (size * size));
}

}  // namespace detail

template <class T>
RowForce<T> row_force(const ClosureRow& row, const Closure& c, const ClosureFrames<T>& F) {
  RowForce<T> r;
  r.p = F.p_B, r.p_rate = F.v_B;
  switch (row.kind) {
    case RowKind::screw:
    case RowKind::point:
      r.f = column(F.A, row.i);
      r.f_rate = cross(F.w_a, r.f);
      r.residual = dot(r.f, F.d) - T(row.offset);
      if (row.kind == RowKind::screw) {
        r.residual -= T(c.size) * detail::turn_about_z(F, value(r.residual) / c.size);
        r.n = F.A.z * T(-c.size);
        r.n_rate = cross(F.w_a, r.n);
      }
      break;
    case RowKind::direction: {
      const Vector3<T>&a = column(F.A, row.i), &b = column(F.B, row.j);
      r.residual = dot(a, b) - T(row.offset);
      r.n = cross(b, a);
      r.n_rate = cross(cross(F.w_b, b), a) + cross(b, cross(F.w_a, a));
      break;
    }
    case RowKind::distance: {
      const T length = sqrt(dot(F.d, F.d));
      const Vector3<T> rate = F.v_B - F.v_A;
      r.residual = length - T(c.size);
      r.f = F.d * (T(1.0) / length);
      r.f_rate = (rate - r.f * dot(r.f, rate)) * (T(1.0) / length);
      break;
    }
    case RowKind::edge:
      r.f = F.B.z;
      r.f_rate = cross(F.w_b, r.f);
      break;
    case RowKind::ball:
      r.p = F.p_B - F.A.z * T(c.size);
      r.p_rate = F.v_B - cross(F.w_a, F.A.z) * T(c.size);
      r.f = column(F.A, row.i);
      r.f_rate = cross(F.w_a, r.f);
      break;
    case RowKind::disk:
    case RowKind::height: {
      Vector3<T> to_contact, rate;
      detail::lowest_point(F, c.size, to_contact, rate);
      r.p = F.p_B + to_contact;
      r.p_rate = F.v_B + rate;
      r.f = column(F.A, row.i);
      r.f_rate = cross(F.w_a, r.f);
      if (row.kind == RowKind::height) r.residual = dot(r.f, r.p - F.p_A);
      break;
    }
    case RowKind::coupling: break;  // acts on coordinates, not on bodies
  }
  return r;
}

}  // namespace sarrus
