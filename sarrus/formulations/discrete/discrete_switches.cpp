#include "sarrus/formulations/discrete/discrete_switches.hpp"

#include <algorithm>

namespace sarrus {
namespace {

constexpr double closing_speed = 0.1;  // [m/s]
constexpr double closing_turn = 1;     // [rad/s]
constexpr double shut = 1e-6;          // [m], [rad]: such a joint need not be captured

/// `from` moved towards `to`, by no more than that.
Pose<double> towards(const Pose<double>& from, const Pose<double>& to, double way, double turn) {
  Pose<double> next = to;
  const Vec3 d = to.p - from.p;
  if (const double n = norm(d); n > way) next.p = from.p + d * (way / n);
  const Vec3 xi = rotation_log(quaternion(transpose(from.R) * to.R));
  if (const double n = norm(xi); n > turn) next.R = from.R * rotation_exp(xi * (turn / n));
  return next;
}

bool same(const Pose<double>& a, const Pose<double>& b) {
  const Mat3 D = a.R - b.R;
  return norm(a.p - b.p) == 0 && dot(D.x, D.x) + dot(D.y, D.y) + dot(D.z, D.z) == 0;
}

}  // namespace

DiscreteSwitches::DiscreteSwitches(const Mechanism& m, DiscreteGraph& graph) : m_(&m), g_(&graph) {
  for (size_t j = 0; j < graph.joints.size(); ++j)
    if (const int joint = graph.joints[j].joint; joint >= 0 && m.joints[joint].active >= 0)
      switches_.push_back({static_cast<int>(j), true, graph.joints[j].X_a});
  grips_.resize(switches_.size());
}

bool DiscreteSwitches::are_open(int joint) const {
  return std::any_of(switches_.begin(), switches_.end(),
                     [&](const Switch& s) { return s.joint == joint && !s.holds; });
}

/// On engaging, the frame on A is put where B is, so that the joint is not open; one that closes
/// then carries it to its own place.
void DiscreteSwitches::work(const std::vector<double>& formula, double h, DiscreteBodies& bodies) {
  for (Switch& s : switches_) {
    GraphJoint& j = g_->joints[s.joint];
    const JointInfo& info = m_->joints[j.joint];
    const bool wanted = formula[info.active] > 0;
    if (wanted && !s.holds) {
      const MotionRecord &A = bodies[j.a], &B = bodies[j.b];
      j.X_a = inverse(Pose<double>{A.R, A.P}) * Pose<double>{B.R, B.P} * j.X_b;
    } else if (wanted == s.holds && (!s.holds || info.captures || same(j.X_a, s.X_a))) {
      continue;
    } else if (wanted) {
      j.X_a = towards(j.X_a, s.X_a, closing_speed * h, closing_turn * h);
    }
    s.holds = wanted;
    bodies.engage(s.joint, wanted);
  }
}

void DiscreteSwitches::begin(const std::vector<double>& formula, double h, DiscreteBodies& bodies) {
  for (Switch& s : switches_) {
    GraphJoint& j = g_->joints[s.joint];
    j.X_a = s.X_a;
    const JointPose pose = joint_pose(j, bodies[j.a], bodies[j.b]);
    s.holds = joint_gap(j, pose) < shut && joint_misalignment(j, pose) < shut;
    bodies.engage(s.joint, s.holds);
  }
  work(formula, h, bodies);
}

void DiscreteSwitches::grip(const DiscreteBodies& bodies) {
  for (size_t i = 0; i < switches_.size(); ++i) {
    const int joint = switches_[i].joint;
    const GraphJoint& j = g_->joints[joint];
    const MotionRecord &A = bodies[j.a], &B = bodies[j.b];
    grips_[i] = {bodies.on_a(joint), bodies.on_b(joint), A.V, A.w, B.V, B.w};
  }
}

void DiscreteSwitches::book_grips(const DiscreteBodies& bodies, double h,
                                  double& dissipated) const {
  for (size_t i = 0; i < switches_.size(); ++i) {
    const GraphJoint& j = g_->joints[switches_[i].joint];
    const MotionRecord &A = bodies[j.a], &B = bodies[j.b];
    const Grip& g = grips_[i];
    dissipated -= h / 2 *
                  (dot(g.on_a.f, g.V_a + A.V) + dot(g.on_a.n, g.w_a + A.w) +
                   dot(g.on_b.f, g.V_b + B.V) + dot(g.on_b.n, g.w_b + B.w));
  }
}

void DiscreteSwitches::engage(DiscreteBodies& bodies) const {
  for (const Switch& s : switches_) bodies.engage(s.joint, s.holds);
}

}  // namespace sarrus
