// The closed set of joints: what each answers, and the step from a kind to its code.
//
// A new joint is one file, one line in joint_kinds.hpp, and its file included here.
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
#include "sarrus/joints/translational.hpp"
#include "sarrus/joints/universal.hpp"

namespace sarrus {

/// What every joint answers. Nothing else is known about one outside its file: all other code
/// goes by its facts (joint_facts.hpp) or calls these.
///
///   place    R, d: rotation of B and the vector from F's origin to B's, from R_F and q
///   columns  S, so that the joint adds the twist S u at B's origin
template <class J>
concept JointKernel = requires(const JointNumbers<double>& j, const double* q,
                               const Angles<double>& a, const Mat3& R_F, Mat3& R, Vec3& d,
                               Twist<double>* S) {
  { J::kind } -> std::convertible_to<JointKind>;
  { J::nq } -> std::convertible_to<int>;
  { J::nu } -> std::convertible_to<int>;
  { J::nx } -> std::convertible_to<int>;
  { J::facts } -> std::convertible_to<JointFacts>;
  J::place(j, q, a, R_F, R, d);
  J::columns(j, q, R_F, R, S);
};

/// Optional answers, where the default does not apply:
///
///   column_rates    derivatives of the columns as seen in B, where they are not zero
///   read            q from R, p, which place B in F; angles near their last reading
///   numbers         of its own, from the shape that a model gives and its axes in the frames
///   chart_velocity  of a joint with fewer velocities than its chart has directions
template <class J>
concept BiasedJoint = requires(const JointNumbers<double>& j, const double* u, const Mat3& R,
                               Twist<double>* rates) {
  J::column_rates(j, R, R, u, rates);
};
template <class J>
concept ReadJoint = requires(const JointNumbers<double>& j, const Mat3& R, const Vec3& p,
                             double* q) {
  J::read(j, R, p, q);
};
template <class J>
concept NumberedJoint = requires(const JointShape& shape, const Mat3& axes) {
  J::numbers(shape, axes);
};
template <class J>
concept NonholonomicJoint = requires(const JointNumbers<double>& j, const double* q, double* v) {
  J::chart_velocity(j, q, q, v);
};

#define SARRUS_CHECK(word, type)                                                   \
  static_assert(JointKernel<type> && type::kind == JointKind::word);               \
  static_assert(type::facts.chart != ChartKind::additive || type::nq == type::nu); \
  static_assert(NonholonomicJoint<type> == (type::nx > type::nu));
SARRUS_JOINTS(SARRUS_CHECK)
SARRUS_ELASTIC_JOINTS(SARRUS_CHECK)
#undef SARRUS_CHECK
#define SARRUS_CHECK(word, type) static_assert(type::nq == 0 || ReadJoint<type>);
SARRUS_JOINTS(SARRUS_CHECK)
#undef SARRUS_CHECK

/// Calls f with the joint's type: f(Revolute{}).
template <class F>
SARRUS_INLINE decltype(auto) with_joint(JointKind kind, F&& f) {
#define SARRUS_CASE(word, type) \
  case JointKind::word: return f(type{});
  switch (kind) {
    SARRUS_JOINTS(SARRUS_CASE)
    SARRUS_ELASTIC_JOINTS(SARRUS_CASE)
  }
#undef SARRUS_CASE
  __builtin_unreachable();
}

inline const JointFacts& facts_of(JointKind k) {
  return with_joint(k, [](auto j) -> const JointFacts& { return decltype(j)::facts; });
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
inline bool is_additive(JointKind k) { return facts_of(k).chart == ChartKind::additive; }
inline bool is_nonholonomic(JointKind k) { return joint_nx(k) > joint_nu(k); }
/// Whether velocity i is one of sliding.
inline bool slides(JointKind k, int i) { return facts_of(k).freedoms[i] == Freedom::slides; }
/// Of coordinate i: "1" within a quaternion.
const char* coordinate_unit(JointKind k, int i);
/// Whether entry i of the chart is a length.
bool is_chart_length(JointKind k, int i);
/// Of a joint of this shape, with `axes` in its frames.
JointNumbers<double> numbers_of(JointKind k, const JointShape& shape, const Mat3& axes);

/// The motion of M relative to F: o_F, o_M their origins; w the angular velocity of M, v the
/// velocity of its origin as seen from F, all in world axes.
struct JointPose {
  Mat3 R_F, R_M;
  Vec3 o_F, o_M, w, v;
};
/// q of the joint between two frames, near its last value in q, and u at q.
void read_coordinates(JointKind k, const JointNumbers<double>& n, const JointPose& pose, double* q);
void read_velocities(JointKind k, const JointNumbers<double>& n, const JointPose& pose,
                     const double* q, double* u);

}  // namespace sarrus
