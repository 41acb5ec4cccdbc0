// From joints that close loops, and from written constraints, to rows (closure.hpp).
#pragma once

#include "sarrus/mechanism/closure.hpp"
#include "sarrus/model/model.hpp"

namespace sarrus {

inline Vec3 unit(const Vec3& v) { return v * (1 / norm(v)); }

/// Turns the joint's frame so that its axis is where kernels and rows expect it: at z, and the
/// second axis of a universal joint at y.
Mat3 aligned(const JointSpec& joint, bool reversed);

/// The rows of a joint, with the axis at z of both frames; empty for a joint that holds nothing
/// (free) or that rows cannot express (knife edge, rolling disk, sequence).
std::vector<ClosureRow> rows_of(const JointSpec& joint);
bool has_rows(JointType type);
/// Whether the tree may run from the joint's child to its parent.
bool reverses(JointType type);

/// Frames of a closing joint from its frames on both bodies.
void place_closing_joint(const JointSpec& joint, const Pose<double>& on_parent,
                         const Pose<double>& on_child, Closure& closure);

/// The rows of a constraint; a coupling has one.
std::vector<ClosureRow> rows_of(const ConstraintSpec& constraint);

}  // namespace sarrus
