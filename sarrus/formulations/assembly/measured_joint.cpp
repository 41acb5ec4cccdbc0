#include "sarrus/formulations/assembly/measured_joint.hpp"

#include "sarrus/joints/joint.hpp"

namespace sarrus {
namespace {

JointPose pose_of(const std::vector<BodyMotion<double>>& body, const JointInfo& joint) {
  const BodyMotion<double>&a = body[joint.parent], &b = body[joint.child];
  const Pose<double> F = joint.X_parent * Pose<double>{joint.R_axes, {}},
                     M = joint.X_child * Pose<double>{joint.R_axes, {}};
  JointPose pose;
  pose.R_F = a.R * F.R, pose.R_M = b.R * M.R;
  pose.o_F = a.o + a.R * F.p, pose.o_M = b.o + b.R * M.p;
  pose.w = b.V.w - a.V.w;
  pose.v = b.V.v + cross(b.V.w, pose.o_M - b.o) - a.V.v - cross(a.V.w, pose.o_M - a.o);
  return pose;
}

}  // namespace

MeasuredJoint measure(const std::vector<BodyMotion<double>>& body, const JointInfo& joint) {
  const JointPose pose = pose_of(body, joint);
  MeasuredJoint found{std::vector<double>(joint_nq(joint.kind), 0.0),
                      std::vector<double>(joint_nu(joint.kind), 0.0)};
  read_coordinates(joint.kind, joint.numbers, pose, found.q.data());
  read_velocities(joint.kind, joint.numbers, pose, found.q.data(), found.u.data());
  return found;
}

std::vector<Twist<double>> motions_of(const std::vector<BodyMotion<double>>& body,
                                      const JointInfo& joint) {
  const JointPose pose = pose_of(body, joint);
  const std::vector<double> q = measure(body, joint).q;
  return with_joint(joint.kind, [&](auto kernel) {
    std::vector<Twist<double>> S(kernel.nu);
    kernel.columns(joint.numbers, q.data(), pose.R_F, pose.R_M, S.data());
    return S;
  });
}

}  // namespace sarrus
