// How a point of a body moves with every velocity, in world axes:
//
//   ṗ = J_v u + what motions prescribe,   ω = J_w u + …
//
// Column j is what the joint of velocity j adds: S_w × (p − o) + S_v and S_w, with the twist S of the
// joint's own body at its origin o.
#pragma once

#include <vector>

#include "sarrus/formulations/stages/workspace.hpp"

namespace sarrus {

template <class T>
struct PointJacobian {
  Vector3<T> p;                  // [m] in the world
  Matrix3<T> R;                  // the body's axes in the world
  std::vector<Vector3<T>> v, w;  // J_v, J_w by columns
};

/// Of the point `at`, given in the axes of the body (an index inside) from its origin.
template <class T>
PointJacobian<T> point_jacobian(const Places<T>& k, int body, const Vector3<T>& at);

/// J and J̇, the rate of every entry as the mechanism moves with u at time t, by dual numbers.
struct JacobianRate {
  PointJacobian<Dual<double>> J;  // d: rates
};
JacobianRate point_jacobian_rate(const Mechanism& mechanism, double t, const double* q,
                                 const double* u, int body, const Vec3& at);

}  // namespace sarrus
