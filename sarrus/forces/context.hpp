// What a force element sees and where it puts its force.
//
// Wrenches are in world axes at the body's origin, so that a force at a point needs only its lever,
// no transformation. Every element keeps its account: potential energy, power dissipated, power of
// drives, power of external forces. Sign rule: a force does positive work where the potential falls.
#pragma once

#include "sarrus/core/expression.hpp"
#include "sarrus/spatial/spatial.hpp"

namespace sarrus {

/// Place and motion of a body, in world axes: rotation, origin, twist at the origin.
template <class T>
struct BodyMotion {
  Matrix3<T> R;
  Vector3<T> o;
  Twist<T> V;
};

template <class T>
struct EnergyFlow {
  T potential{};   // [J] of springs and gravity
  T dissipated{};  // [W] taken out by dampers and friction, never negative
  T drive{};       // [W] put in by drives, servos, motors, prescribed motion
  T external{};    // [W] put in by applied forces and moments
};

template <class T>
struct ForceContext {
  const BodyMotion<T>* body = nullptr;
  const T* q = nullptr;
  const T* u = nullptr;
  const T* state = nullptr;         // states of elements: motor currents
  const T* formula = nullptr;       // values of the mechanism's formulas at this instant
  const T* formula_rate = nullptr;  // their time derivatives, for servo references
  const T* normal = nullptr;        // per body: size of the reaction that friction rubs on
  T* tau = nullptr;                 // joint forces, one per velocity
  Wrench<T>* wrench = nullptr;      // per body
  T* state_rate = nullptr;
  EnergyFlow<T>* flow = nullptr;
};

/// A body point: its lever from the body's origin, its position and its velocity, in world axes.
template <class T>
struct PointMotion {
  Vector3<T> lever, position, velocity;
};
template <class T>
SARRUS_INLINE PointMotion<T> point_motion(const BodyMotion<T>& b, const Vector3<T>& at) {
  const Vector3<T> lever = b.R * at;
  return {lever, b.o + lever, b.V.v + cross(b.V.w, lever)};
}
/// Puts a force at a point that is `lever` away from the body's origin.
template <class T>
SARRUS_INLINE void push(Wrench<T>& wrench, const Vector3<T>& lever, const Vector3<T>& force) {
  wrench.n += cross(lever, force);
  wrench.f += force;
}

template <class To, class From>
SARRUS_INLINE Vector3<To> cast(const Vector3<From>& v) {
  return {To(v.x), To(v.y), To(v.z)};
}
template <class To, class From>
SARRUS_INLINE Matrix3<To> cast(const Matrix3<From>& m) {
  return {cast<To>(m.x), cast<To>(m.y), cast<To>(m.z)};
}
template <class To, class From>
SARRUS_INLINE Symmetric3<To> cast(const Symmetric3<From>& s) {
  return {To(s.xx), To(s.yy), To(s.zz), To(s.xy), To(s.xz), To(s.yz)};
}
template <class To, class From>
SARRUS_INLINE Pose<To> cast(const Pose<From>& X) {
  return {cast<To>(X.R), cast<To>(X.p)};
}

/// Calls f with every scalar of a value, in a fixed order: f(T&). Elements do the same in
/// each_number(), so that the lanes of a pack can be set one by one.
template <class T, class F>
void visit_numbers(Vector3<T>& v, F&& f) {
  f(v.x), f(v.y), f(v.z);
}
template <class T, class F>
void visit_numbers(Matrix3<T>& m, F&& f) {
  visit_numbers(m.x, f), visit_numbers(m.y, f), visit_numbers(m.z, f);
}
template <class T, class F>
void visit_numbers(Symmetric3<T>& s, F&& f) {
  f(s.xx), f(s.yy), f(s.zz), f(s.xy), f(s.xz), f(s.yz);
}
template <class T, class F>
void visit_numbers(Pose<T>& X, F&& f) {
  visit_numbers(X.R, f), visit_numbers(X.p, f);
}

}  // namespace sarrus
