#include "sarrus/formulations/graph/discrete_measure.hpp"

#include <cmath>

#include "sarrus/joints/joint.hpp"

namespace sarrus {
namespace {

bool is_turning(const Twist<double>& S) { return dot(S.w, S.w) > 0; }

constexpr int most_freedoms = 6;

}  // namespace

JointPose joint_pose(const GraphJoint& j, const MotionRecord& A, const MotionRecord& B) {
  JointPose p;
  p.R_F = A.R * j.X_a.R;
  p.R_M = B.R * j.X_b.R;
  const Vec3 l_b = B.R * j.X_b.p;
  p.o_F = A.P + A.R * j.X_a.p;
  p.o_M = B.P + l_b;
  p.w = B.w - A.w;
  p.v = B.V + cross(B.w, l_b) - A.V - cross(A.w, p.o_M - A.P);
  return p;
}

Wrench<double> joint_force(const GraphJoint& j, const JointPose& pose, const double* q,
                           const double* tau) {
  Twist<double> S[most_freedoms];
  with_joint(j.kind, [&](auto joint) {
    if constexpr (joint.nu > 0) joint.columns(j.numbers, q, pose.R_F, pose.R_M, S);
  });
  Wrench<double> on_b{};
  for (int k = 0; k < joint_nu(j.kind); ++k)
    if (is_turning(S[k]))
      on_b.n += S[k].w * tau[k];
    else
      on_b.f += S[k].v * tau[k];
  return on_b;
}

double joint_gap(const GraphJoint& j, const JointPose& pose) {
  const Vec3 d = transposed_times(pose.R_F, pose.o_M - pose.o_F);
  if (!j.holds_translation()) return 0;
  switch (facts_of(j.kind).point) {
    case HeldPoint::nothing: return 0;
    case HeldPoint::along: return std::fabs(d.z);
    case HeldPoint::across:
    case HeldPoint::thread: return std::hypot(d.x, d.y);
    case HeldPoint::all: break;
  }
  return norm(d);
}

double joint_misalignment(const GraphJoint& j, const JointPose& pose) {
  const Mat3 &F = pose.R_F, &M = pose.R_M;
  switch (facts_of(j.kind).turn) {
    case HeldTurn::nothing: break;
    case HeldTurn::all: return norm(cross(F.x, M.x) + cross(F.y, M.y) + cross(F.z, M.z)) / 2;
    case HeldTurn::angle: return std::fabs(dot(F * j.numbers.axis, M.y));
    case HeldTurn::across: return norm(cross(F.z, M.z));
  }
  return 0;
}

}  // namespace sarrus
