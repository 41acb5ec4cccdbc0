// Joint coordinates measured between two bodies that were moved one by one.
//
//   X_FM = X_F⁻¹ X_M,   V = (ω_B − ω_A; velocity of M's origin as seen from A)
//   q from X_FM, angles continued from the last reading;   u_k = S_k · V
//
// and back: joint forces τ_k become a force and a torque on B at M's origin, and their opposites on
// A at the same point.
#pragma once

#include "sarrus/formulations/graph/discrete_graph.hpp"

namespace sarrus {

JointPose joint_pose(const GraphJoint& joint, const MotionRecord& A, const MotionRecord& B);

/// What τ exerts on B at o_M, in world axes.
Wrench<double> joint_force(const GraphJoint& joint, const JointPose& pose, const double* q,
                           const double* tau);

/// How far the joint has come apart: the part of the displacement that it constrains [m].
double joint_gap(const GraphJoint& joint, const JointPose& pose);
/// The same for the rotation: sine of the angle that it should not have [rad].
double joint_misalignment(const GraphJoint& joint, const JointPose& pose);

}  // namespace sarrus
