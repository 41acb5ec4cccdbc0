// Position and speed of a joint that closes a loop: it has no coordinates of its own, and they are
// read from the frames on its two bodies, in the layout that the joint would have in the
// tree. Angles lie between −π and π.
#pragma once

#include <vector>

#include "sarrus/formulations/loops/closure_rows.hpp"
#include "sarrus/formulations/snapshot.hpp"
#include "sarrus/mechanism/mechanism.hpp"

namespace sarrus {

struct MeasuredJoint {
  std::vector<double> q, u;
};

/// From the motions of all bodies.
MeasuredJoint measure(const std::vector<BodyMotion<double>>& body, const JointInfo& joint);

/// u̇ from the accelerations of its bodies.
std::vector<double> measured_acceleration(const Snapshot& now, const JointInfo& joint);

/// u̇ of every joint of the tree, from the accelerations of its bodies, into the snapshot.
void read_accelerations(Snapshot& now);

/// The joint's motion subspace: columns at the origin of its frame on the child, in world axes.
std::vector<Twist<double>> motions_of(const std::vector<BodyMotion<double>>& body,
                                      const JointInfo& joint);

}  // namespace sarrus
