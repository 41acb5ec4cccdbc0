// Position and speed of a joint that closes a loop: it has no coordinates of its own, and they are
// read from the frames on its two bodies, in the layout that the joint would have in the
// tree. Angles lie between −π and π.
#pragma once

#include <vector>

#include "sarrus/formulations/loops/closure_rows.hpp"
#include "sarrus/mechanism/mechanism.hpp"

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

/// From the motions of all bodies.
MeasuredJoint measure(const std::vector<BodyMotion<double>>& body, const Closure& closure,
                      JointType type);

}  // namespace sarrus
