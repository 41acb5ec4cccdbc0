// What a joint's numbers are: how many, and which are angles and which lengths (theory: joint
// table).
//
//   spherical q = (w, x, y, z); free, rolling disk q = (w, x, y, z, px, py, pz)
//   cylindrical q = (angle, slide); planar, knife edge q = (angle, x, y)
#pragma once

#include <vector>

#include "sarrus/model/model.hpp"

namespace sarrus {

/// One entry for each velocity: true where it slides [m], false where it turns [rad].
std::vector<bool> sliding_freedoms(const JointSpec& joint);

/// Number of positions q.
int position_count(const JointSpec& joint);

/// Whether q starts with a quaternion.
bool has_quaternion(JointType type);

}  // namespace sarrus
