// The closed set of joints: what each answers, and the step from a kind to its code.
//
// A new joint is one file, one word in JointKind and one line in with_joint().
#pragma once

#include <concepts>
#include <cstdlib>

#include "sarrus/joints/cylindrical.hpp"
#include "sarrus/joints/elastic_coordinate.hpp"
#include "sarrus/joints/fixed.hpp"
#include "sarrus/joints/free.hpp"
#include "sarrus/joints/knife_edge.hpp"
#include "sarrus/joints/planar.hpp"
#include "sarrus/joints/prismatic.hpp"
#include "sarrus/joints/revolute.hpp"
#include "sarrus/joints/rolling_disk.hpp"
#include "sarrus/joints/screw.hpp"
#include "sarrus/joints/spherical.hpp"
#include "sarrus/joints/universal.hpp"

namespace sarrus {

/// What every joint answers. Nothing else about a joint is known outside its file and chart.hpp.
///
///   place    R, d: rotation of B and the vector from F's origin to B's, from R_F and q
///   columns  S, so that the joint adds the twist S u at B's origin
///   column_rates  (only where they are not zero) the derivatives of the columns as seen in B
template <class J>
concept JointKernel = requires(const JointNumbers<double>& j, const double* q,
                               const Angles<double>& a, const Mat3& R_F, Mat3& R, Vec3& d,
                               Twist<double>* S) {
  { J::nq } -> std::convertible_to<int>;
  { J::nu } -> std::convertible_to<int>;
  { J::nx } -> std::convertible_to<int>;
  J::place(j, q, a, R_F, R, d);
  J::columns(j, q, R_F, R, S);
};

template <class J>
concept BiasedJoint = requires(const JointNumbers<double>& j, const double* u, const Mat3& R,
                               Twist<double>* rates) {
  J::column_rates(j, R, R, u, rates);
};

static_assert(JointKernel<Fixed> && JointKernel<Revolute> && JointKernel<Prismatic> &&
              JointKernel<Screw> && JointKernel<Cylindrical> && JointKernel<Universal> &&
              JointKernel<Spherical> && JointKernel<Planar> && JointKernel<Free> &&
              JointKernel<KnifeEdge> && JointKernel<RollingDisk> &&
              JointKernel<ElasticCoordinate> && JointKernel<ElasticSeat>);

/// Calls f with the joint's type: f(Revolute{}).
template <class F>
SARRUS_INLINE decltype(auto) with_joint(JointKind kind, F&& f) {
  switch (kind) {
    case JointKind::fixed: return f(Fixed{});
    case JointKind::revolute: return f(Revolute{});
    case JointKind::prismatic: return f(Prismatic{});
    case JointKind::screw: return f(Screw{});
    case JointKind::cylindrical: return f(Cylindrical{});
    case JointKind::universal: return f(Universal{});
    case JointKind::elastic: return f(ElasticCoordinate{});
    case JointKind::seat: return f(ElasticSeat{});
    case JointKind::spherical: return f(Spherical{});
    case JointKind::planar: return f(Planar{});
    case JointKind::free: return f(Free{});
    case JointKind::knife_edge: return f(KnifeEdge{});
    case JointKind::rolling_disk: return f(RollingDisk{});
  }
  __builtin_unreachable();
}

inline int joint_nq(JointKind k) {
  return with_joint(k, [](auto j) { return j.nq; });
}
inline int joint_nu(JointKind k) {
  return with_joint(k, [](auto j) { return j.nu; });
}
/// Dimension of the chart in which the joint's configuration moves during a step.
inline int joint_nx(JointKind k) {
  return with_joint(k, [](auto j) { return j.nx; });
}
/// Whether q̇ = u and q₀ ⊕ ξ = q₀ + ξ, entry by entry.
inline bool is_additive(JointKind k) { return k <= JointKind::seat; }

}  // namespace sarrus
