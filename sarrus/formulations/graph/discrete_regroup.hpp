// Inertia moved across joints, so that every body has enough to be moved by itself.
//
// Two bodies share a part of their motion at their joint. Inertia that lies in this part may belong
// to either of them: with S the freedoms of the joint, a tensor E in the frame that both have there
// changes no motion when it goes from A to B, if
//
//   E S = 0   and E does not change as the joint moves                                      (1)
//
//   fixed                       all ten numbers of an inertia
//   revolute                    masses on the axis a: m, m c along a, d (1 − a aᵀ)
//   prismatic                   any inertia of rotation
//   cylindrical, screw, planar  d (1 − a aᵀ)
//   spherical, universal        a mass at the point
//
// (these are the relations that leave the base parameters of a robot, [Khalil, Dombre 2002, ch.
// 9]). Energy, momentum and weight of the whole stay as they were; the reaction of the joint
// changes by what E needs for its motion. The world has as much to give as is needed.
//
// The amounts x are those of the analytic centre,
//
//   maximise Σ log det(M_b + Σ ± x E)                                                       (2)
//
// over the bodies at the joints concerned and a stock of the world at each joint with it: no body
// is light in any direction if that can be avoided. Newton's method; a start is found with s D
// added to every M, s → 0. docs/theory/discrete.md
#pragma once

#include <span>
#include <vector>

#include "sarrus/joints/joint.hpp"
#include "sarrus/spatial/spatial.hpp"

namespace sarrus {

/// A joint of two slots (0: the world), with its frames F and M in the frames B of both.
struct SharingJoint {
  int a = 0, b = 0;
  JointKind kind = JointKind::fixed;
  Pose<double> X_a, X_b;
  bool may_share = true;      // not where it comes and goes
  bool may_move_mass = true;  // not where friction rubs on its reaction
};

struct Regrouped {
  std::vector<BodyInertia<double>> bodies;  // as they are to be moved, in their B
  std::vector<BodyInertia<double>> given;   // joint by joint: from A to B, in M about its origin
  std::vector<int> lacking;                 // slots for which nothing could be found
};

/// Moves inertia so that the slots `poor` have some in every direction. `normals`: in a plane, its
/// normal in every B; bodies need no inertia against leaving it. Empty: space.
Regrouped regroup(std::vector<BodyInertia<double>> bodies, const std::vector<int>& poor,
                  std::span<const SharingJoint> joints, std::span<const Vec3> normals);

/// The inertia seen from another frame: X places its own frame in that one.
BodyInertia<double> moved(const BodyInertia<double>& E, const Pose<double>& X);
BodyInertia<double> operator+(const BodyInertia<double>& A, const BodyInertia<double>& B);
BodyInertia<double> operator*(const BodyInertia<double>& A, double x);

}  // namespace sarrus
