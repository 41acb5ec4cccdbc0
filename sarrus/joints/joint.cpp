#include "sarrus/joints/joint.hpp"

namespace sarrus {
namespace {

constexpr int most_freedoms = 6;

bool is_turning(const Twist<double>& S) { return dot(S.w, S.w) > 0; }

}  // namespace

const char* coordinate_unit(JointKind k, int i) {
  const JointFacts& facts = facts_of(k);
  const char* length = units_of(Freedom::slides).q;
  switch (facts.chart) {
    case ChartKind::additive: break;
    case ChartKind::rotation: return "1";
    case ChartKind::pose: return i < 4 ? "1" : length;
    case ChartKind::plane: return i < 1 ? units_of(Freedom::turns).q : length;
  }
  return units_of(facts.freedoms[i]).q;
}

bool is_chart_length(JointKind k, int i) {
  switch (facts_of(k).chart) {
    case ChartKind::additive: return slides(k, i);
    case ChartKind::rotation: return false;
    case ChartKind::pose: return i > 2;
    case ChartKind::plane: return i > 0;
  }
  return false;
}

JointNumbers<double> numbers_of(JointKind k, const JointShape& shape, const Mat3& axes) {
  return with_joint(k, [&](auto joint) -> JointNumbers<double> {
    using J = decltype(joint);
    if constexpr (NumberedJoint<J>)
      return J::numbers(shape, axes);
    else
      return {};
  });
}

void read_coordinates(JointKind k, const JointNumbers<double>& n, const JointPose& pose,
                      double* q) {
  const Mat3 R = transpose(pose.R_F) * pose.R_M;
  const Vec3 p = transposed_times(pose.R_F, pose.o_M - pose.o_F);
  with_joint(k, [&](auto joint) {
    using J = decltype(joint);
    if constexpr (ReadJoint<J>) J::read(n, R, p, q);
  });
}

/// Columns are unit and square to each other, but for the two axes of a cross: those are resolved
/// by their angle, w = u₁ a + u₂ b.
void read_velocities(JointKind k, const JointNumbers<double>& n, const JointPose& pose,
                     const double* q, double* u) {
  Twist<double> S[most_freedoms];
  with_joint(k, [&](auto joint) {
    if constexpr (joint.nu > 0) joint.columns(n, q, pose.R_F, pose.R_M, S);
  });
  for (int i = 0; i < joint_nu(k); ++i)
    u[i] = is_turning(S[i]) ? dot(S[i].w, pose.w) : dot(S[i].v, pose.v);
  if (facts_of(k).axes != JointAxes::cross) return;
  const double c = dot(S[0].w, S[1].w), det = 1 - c * c, a = u[0], b = u[1];
  u[0] = (a - c * b) / det, u[1] = (b - c * a) / det;
}

}  // namespace sarrus
