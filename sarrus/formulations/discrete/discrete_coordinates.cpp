#include "sarrus/formulations/discrete/discrete_coordinates.hpp"

#include "sarrus/formulations/assembly/measured_joint.hpp"
#include "sarrus/formulations/graph/discrete_measure.hpp"

namespace sarrus {
namespace {

/// Joints that elements, rows, conditions and formulas ask about.
std::vector<char> asked_joints(const Mechanism& m, const DiscreteGraph& g,
                               const DiscreteGains& gains) {
  std::vector<char> asked(g.joints.size(), 0);
  const auto own = [&](int u) { return owner_of_velocity(m, g, u).joint; };
  ForceSet<double>::each(m.numbers.forces, [&](const auto& list) {
    for (const auto& element : list)
      if constexpr (requires { element.u; }) asked[own(element.u)] = 1;
  });
  for (const RowBlock& r : gains.rows()) asked[r.joint] = 1;
  for (const GraphCondition& c : g.conditions) {
    if (c.joint >= 0) asked[c.joint] = 1;
    for (const CoupledCoordinate& k : c.closure.of) asked[own(k.u)] = 1;
  }
  if (m.force_formulas.empty()) return asked;
  for (int i = 0; i < m.early_signals; ++i) {
    const Signal& s = m.signals[i];
    const bool q = s.kind == Signal::Kind::coordinate, u = s.kind == Signal::Kind::velocity;
    if (!q && !u) continue;
    const int body = q ? m.body_of_coordinate(s.index) : m.body_of_velocity(s.index);
    for (size_t j = 0; j < g.joints.size(); ++j)
      if (g.joints[j].body == body) asked[j] = 1;
  }
  return asked;
}

}  // namespace

DiscreteCoordinates::DiscreteCoordinates(const Mechanism& m, const DiscreteGraph& graph,
                                         const DiscreteGains& gains)
    : q(m.start.q), u(m.start.u), m_(&m), g_(&graph) {
  const std::vector<char> asked = asked_joints(m, graph, gains);
  for (size_t j = 0; j < graph.joints.size(); ++j) {
    if (graph.joints[j].body > 0) all_.push_back(static_cast<int>(j));
    if (asked[j]) measured_.push_back(static_cast<int>(j));
  }
}

void DiscreteCoordinates::read(const std::vector<MotionRecord>& motion,
                               const std::vector<int>& joints) {
  for (const int index : joints) {
    const GraphJoint& j = g_->joints[index];
    if (j.body < 0) continue;
    const JointPose pose = joint_pose(j, motion[j.a], motion[j.b]);
    double* at = q.data() + m_->q0[j.body];
    read_coordinates(j.kind, j.numbers, pose, at);
    read_velocities(j.kind, j.numbers, pose, at, u.data() + m_->u0[j.body]);
  }
}

}  // namespace sarrus
