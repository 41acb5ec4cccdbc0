// Coordinates of joints whose bodies move one by one: measured between them.
#pragma once

#include "sarrus/formulations/graph/discrete_gains.hpp"

namespace sarrus {

class DiscreteCoordinates {
 public:
  DiscreteCoordinates(const Mechanism& m, const DiscreteGraph& graph, const DiscreteGains& gains);

  std::vector<double> q, u;

  const double* q_of(const GraphJoint& j) const { return q.data() + m_->q0[j.body]; }
  const double* u_of(const GraphJoint& j) const { return u.data() + m_->u0[j.body]; }
  /// Joints of which something in a step depends on q or u.
  const std::vector<int>& measured() const { return measured_; }
  void read_measured(const std::vector<MotionRecord>& motion) { read(motion, measured_); }
  /// Angles are continued from the last reading: none may turn by half a turn in between.
  void read_all(const std::vector<MotionRecord>& motion) { read(motion, all_); }

  template <class Self, class Memory>
  static void keep(Self& self, Memory& memory) {
    memory(self.q, self.u);
  }

 private:
  void read(const std::vector<MotionRecord>& motion, const std::vector<int>& joints);

  const Mechanism* m_;
  const DiscreteGraph* g_;
  std::vector<int> measured_, all_;  // joints of the graph
};

}  // namespace sarrus
