// The numbers that a joint needs beside its frames.
//
// Inside, every body frame B is its inboard joint's frame on the child, turned so that the joint's
// axis is z. F is the same frame on the parent. Vectors are in world axes unless stated otherwise.
#pragma once

#include "sarrus/joints/joint_facts.hpp"
#include "sarrus/joints/joint_kinds.hpp"
#include "sarrus/spatial/spatial.hpp"

namespace sarrus {

template <class T>
struct JointNumbers {
  Vector3<T> axis{};  // universal: first axis in F; rolling disk: axis of the disk in B
  T size{};           // screw: advance [m/rad]; rolling disk: radius [m]
};

/// Sine and cosine of each entry of q, computed for all joints in one sweep.
template <class T>
struct Angles {
  const T* sin;
  const T* cos;
};

/// R turned further about its own z: R rot_z(angle).
template <class T>
SARRUS_INLINE Matrix3<T> turned_about_z(const Matrix3<T>& R, const T& s, const T& c) {
  return {R.x * c + R.y * s, R.y * c - R.x * s, R.z};
}

template <class T>
SARRUS_INLINE Vector3<T> zero3() {
  return {T(0.0), T(0.0), T(0.0)};
}

}  // namespace sarrus
