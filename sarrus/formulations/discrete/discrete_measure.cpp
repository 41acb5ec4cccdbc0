#include "sarrus/formulations/discrete/discrete_measure.hpp"

#include <cmath>
#include <numbers>

#include "sarrus/joints/joint.hpp"

namespace sarrus {
namespace {

/// The branch of an angle nearest to the last reading.
double continued(double angle, double last) {
  constexpr double turn = 2 * std::numbers::pi;
  return angle + turn * std::round((last - angle) / turn);
}

/// The angle of a turn about z.
double angle_about_z(const Mat3& R) { return std::atan2(R.x.y - R.y.x, R.x.x + R.y.y); }

void read_rotation(const Mat3& R, double* q) {
  Quat p = quaternion(R);
  // q and −q are the same rotation: the one nearer to the last reading
  const double same = p.w * q[0] + p.x * q[1] + p.y * q[2] + p.z * q[3];
  const double sign = same < 0 ? -1 : 1;
  q[0] = sign * p.w, q[1] = sign * p.x, q[2] = sign * p.y, q[3] = sign * p.z;
}

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

void read_coordinates(const GraphJoint& j, const JointPose& pose, double* q) {
  const Mat3 R = transpose(pose.R_F) * pose.R_M;
  const Vec3 p = transposed_times(pose.R_F, pose.o_M - pose.o_F);
  switch (j.kind) {
    case JointKind::fixed:
    case JointKind::elastic:
    case JointKind::seat: return;
    case JointKind::revolute:
    case JointKind::screw: q[0] = continued(angle_about_z(R), q[0]); return;
    case JointKind::prismatic: q[0] = p.z; return;
    case JointKind::cylindrical:
      q[0] = continued(angle_about_z(R), q[0]);
      q[1] = p.z;
      return;
    case JointKind::universal: {
      // y turned by rot(a₁, q₁), and a₁ seen from the child, turned by rot_y(−q₂)
      const Vec3 a1 = j.numbers.axis, y{0, 1, 0}, b2 = R.y, b1 = transposed_times(R, a1);
      q[0] = continued(std::atan2(dot(a1, cross(y, b2)), dot(y, b2)), q[0]);
      q[1] = continued(std::atan2(-dot(y, cross(a1, b1)), dot(a1, b1)), q[1]);
      return;
    }
    case JointKind::spherical: read_rotation(R, q); return;
    case JointKind::planar:
    case JointKind::knife_edge:
      q[0] = continued(angle_about_z(R), q[0]);
      q[1] = p.x, q[2] = p.y;
      return;
    case JointKind::free:
    case JointKind::rolling_disk:
      read_rotation(R, q);
      q[4] = p.x, q[5] = p.y, q[6] = p.z;
      return;
  }
}

void read_velocities(const GraphJoint& j, const JointPose& pose, const double* q, double* u) {
  Twist<double> S[most_freedoms];
  with_joint(j.kind, [&](auto joint) {
    if constexpr (joint.nu > 0) joint.columns(j.numbers, q, pose.R_F, pose.R_M, S);
  });
  for (int k = 0; k < joint_nu(j.kind); ++k)
    u[k] = is_turning(S[k]) ? dot(S[k].w, pose.w) : dot(S[k].v, pose.v);
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
  if (j.kind == JointKind::planar || j.kind == JointKind::knife_edge) return std::fabs(d.z);
  return j.slides() ? std::hypot(d.x, d.y) : norm(d);
}

double joint_misalignment(const GraphJoint& j, const JointPose& pose) {
  const Mat3 &F = pose.R_F, &M = pose.R_M;
  switch (j.kind) {
    case JointKind::fixed:
    case JointKind::prismatic: return norm(cross(F.x, M.x) + cross(F.y, M.y) + cross(F.z, M.z)) / 2;
    case JointKind::universal: return std::fabs(dot(F * j.numbers.axis, M.y));
    case JointKind::spherical:
    case JointKind::rolling_disk:
    case JointKind::free: return 0;
    default: return norm(cross(F.z, M.z));
  }
}

}  // namespace sarrus
