#include "sarrus/formulations/assembly/measured_joint.hpp"

#include <cmath>

namespace sarrus {
namespace {

/// From M = rot_z(q₁) M₀ rot_x(q₂), with M the axes of B in those of A.
std::vector<double> universal_angles(const Closure& c, const ClosureFrames<double>& F) {
  const Mat3 M = transpose(F.A) * F.B, &M0 = c.at_zero;
  const double q1 = std::remainder(std::atan2(M.x.y, M.x.x) - std::atan2(M0.x.y, M0.x.x),
                                   2 * 3.14159265358979324);
  const Mat3 N = transpose(rotation(Vec3{0, 0, 1}, q1) * M0) * M;
  return {q1, std::atan2(N.y.z, N.y.y)};
}

}  // namespace

MeasuredUnits measured_units(JointType type) {
  switch (type) {
    case JointType::revolute:
    case JointType::screw: return {{"rad"}, {"rad/s"}};
    case JointType::prismatic: return {{"m"}, {"m/s"}};
    case JointType::cylindrical: return {{"rad", "m"}, {"rad/s", "m/s"}};
    case JointType::universal: return {{"rad", "rad"}, {"rad/s", "rad/s"}};
    case JointType::spherical: return {{"1", "1", "1", "1"}, {"rad/s", "rad/s", "rad/s"}};
    case JointType::planar: return {{"rad", "m", "m"}, {"rad/s", "m/s", "m/s"}};
    default: return {};
  }
}

bool slides(JointKind kind, int k) {
  switch (kind) {
    case JointKind::prismatic: return true;
    case JointKind::cylindrical:
    case JointKind::planar:
    case JointKind::knife_edge: return k > 0;
    case JointKind::free: return k >= 3;
    default: return false;
  }
}

MeasuredJoint measure(const std::vector<BodyMotion<double>>& body, const Closure& closure,
                      JointType type) {
  const ClosureFrames<double> F = closure_frames(closure, body[closure.a], body[closure.b]);
  const Vec3 turning = F.w_b - F.w_a;                      // of B against A
  const Vec3 sliding = F.v_B - F.v_A - cross(F.w_a, F.d);  // of B's origin, seen from A
  const double angle = std::atan2(dot(F.A.y, F.B.x), dot(F.A.x, F.B.x));
  const double spin = dot(F.A.z, turning), slide = dot(F.A.z, F.d), speed = dot(F.A.z, sliding);
  switch (type) {
    case JointType::revolute:
    case JointType::screw: return {{angle}, {spin}};
    case JointType::prismatic: return {{slide}, {speed}};
    case JointType::cylindrical: return {{angle, slide}, {spin, speed}};
    case JointType::spherical: {
      const Quat q = quaternion(transpose(F.A) * F.B);
      const Vec3 w = transposed_times(F.B, turning);
      return {{q.w, q.x, q.y, q.z}, {w.x, w.y, w.z}};
    }
    case JointType::planar:
      return {{angle, dot(F.A.x, F.d), dot(F.A.y, F.d)},
              {spin, dot(F.B.x, sliding), dot(F.B.y, sliding)}};
    case JointType::universal: {
      // turning = q̇₁ a + q̇₂ b about the first axis a and the second b
      const Vec3 a = F.A.z, b = F.B.x;
      const double c = dot(a, b), det = 1 - c * c;
      const double ta = dot(turning, a), tb = dot(turning, b);
      return {universal_angles(closure, F), {(ta - c * tb) / det, (tb - c * ta) / det}};
    }
    default: return {};
  }
}

}  // namespace sarrus
