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

namespace {

/// u̇ of a joint between two bodies, at q and u. With spatial accelerations A at the origin of M:
///
///   A_M − A_F = S u̇ + S̊ u + V_M × S u                          (1)
///
/// S̊ is the rate of the columns as seen in the child.
void read_rates(JointKind kind, const JointNumbers<double>& n, JointPose pose,
                const Twist<double>& A, const Twist<double>& V_M, const double* q, const double* u,
                double* udot) {
  with_joint(kind, [&](auto joint) {
    using J = decltype(joint);
    if constexpr (J::nu > 0) {
      Twist<double> S[J::nu], rates[J::nu] = {};
      J::columns(n, q, pose.R_F, pose.R_M, S);
      if constexpr (BiasedJoint<J>) J::column_rates(n, pose.R_F, pose.R_M, u, rates);
      Twist<double> rest = A;
      for (int i = 0; i < J::nu; ++i) {
        const Twist<double> turned = cross_motion(V_M, S[i]);
        rest.w -= (rates[i].w + turned.w) * u[i];  // (1)
        rest.v -= (rates[i].v + turned.v) * u[i];
      }
      pose.w = rest.w, pose.v = rest.v;
      read_velocities(kind, n, pose, q, udot);
    }
  });
}

/// A_b − A_a at a point of the world.
Twist<double> relative_acceleration(const Snapshot& now, int a, int b, const Vec3& at) {
  const Twist<double> A_a = shifted_out(now.acceleration[a], at - now.body[a].o),
                      A_b = shifted_out(now.acceleration[b], at - now.body[b].o);
  return {A_b.w - A_a.w, A_b.v - A_a.v};
}

}  // namespace

std::vector<double> measured_acceleration(const Snapshot& now, const JointInfo& joint) {
  const JointPose pose = pose_of(now.body, joint);
  const MeasuredJoint measured = measure(now.body, joint);
  const BodyMotion<double>& child = now.body[joint.child];
  std::vector<double> udot(measured.u.size());
  read_rates(joint.kind, joint.numbers, pose,
             relative_acceleration(now, joint.parent, joint.child, pose.o_M),
             shifted_out(child.V, pose.o_M - child.o), measured.q.data(), measured.u.data(),
             udot.data());
  return udot;
}

void read_accelerations(Snapshot& now) {
  const Mechanism& m = *now.mechanism;
  for (int i = 1; i < m.nb; ++i) {
    const int a = m.parent[i];
    const BodyNumbers<double>& n = m.numbers.body[i];
    const BodyMotion<double>&A = now.body[a], &B = now.body[i];
    JointPose pose;
    pose.R_F = A.R * n.X_PF.R, pose.R_M = B.R;
    pose.o_F = A.o + A.R * n.X_PF.p, pose.o_M = B.o;
    read_rates(m.kind[i], n.joint, pose, relative_acceleration(now, a, i, B.o), B.V,
               now.q.data() + m.q0[i], now.u.data() + m.u0[i], now.udot.data() + m.u0[i]);
  }
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
