// Position, speed and reaction of a joint that closes a loop: it has no coordinates of its own, and
// they are read from the frames on its two bodies, in the layout that the joint would have in the
// tree. Angles lie between −π and π.
#pragma once

#include <vector>

#include "sarrus/formulations/stages/dynamics.hpp"

namespace sarrus {

struct MeasuredJoint {
  std::vector<double> q, u;
};

/// Units of q and u as columns show them; empty for joints without freedoms.
struct MeasuredUnits {
  std::vector<const char*> q, u;
};
MeasuredUnits measured_units(JointType type);

/// Whether velocity k of a joint of the tree slides, [m/s], or turns, [rad/s].
bool slides(JointKind kind, int k);

MeasuredJoint measure(const Dynamics<double>& d, const Closure& closure, JointType type);

/// Wrench of the parent on the child at the joint's frame on the child, in world axes.
Wrench<double> closing_wrench(const Dynamics<double>& d, const Closure& closure);

}  // namespace sarrus
