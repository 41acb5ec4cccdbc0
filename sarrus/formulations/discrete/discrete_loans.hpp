// Inertia on loan: a body that has none in some direction, and cannot get any across its joints,
// is moved together with a fictitious ball.
//
// The ball needs the wrench d = ṗ − m g for its motion, with p its momentum. This wrench is given
// back to the body, so that only what remains of it acts,
//
//   d_k−1 = (p_k−½ − p_k−3/2)/h                                                           (1)
//   y_k = y_k−1 + α (d_k−1 − y_k−1),   z_k = z_k−1 + α (y_k−1 − z_k−1)                    (2)
//   w_k = 2 y_k − z_k − m g                                                               (3)
//
// y lags behind d by h/α, and z by twice that: in (3) the lag cancels, and what is left of the ball
// is of the order of (h/α)², also in the motion that follows a jump. Without (2) the body would
// have no inertia at all from one step to the next; with it, motions faster than h/α feel the ball
// and slower ones do not. docs/theory/discrete.md
#pragma once

#include <functional>

#include "sarrus/formulations/discrete/discrete_bodies.hpp"
#include "sarrus/formulations/discrete/discrete_clock.hpp"
#include "sarrus/formulations/snapshot.hpp"

namespace sarrus {

class DiscreteLoans {
 public:
  explicit DiscreteLoans(const DiscreteGraph& graph);

  bool empty() const { return loans_.empty(); }
  /// A slot with inertia on loan that its joints have left free; 0: none.
  int unled() const { return unled_; }

  /// What the balls need at the start, from the accelerations of the tree: nothing has to settle.
  void open(const Mechanism& m, const StartState& start);
  /// The first momenta, of half a step before the start.
  void begin(const DiscreteBodies& bodies);
  /// Whether it is time to look at the blocks again.
  bool are_due(const DiscreteClock& clock) const;
  /// α of every loan from the stiffness of the blocks; `hold` makes all blocks act on the bodies at
  /// the speeds that they have.
  void pace(const DiscreteClock& clock, double stiffness_per_damping, DiscreteBodies& bodies,
            const std::function<void()>& hold);
  void follow(const DiscreteBodies& bodies, double h);
  void give_back(DiscreteBodies& bodies) const;

  template <class Self, class Memory>
  static void keep(Self& self, Memory& memory) {
    for (auto& l : self.loans_) memory(l.alpha, l.kappa, l.R, l.momentum, l.once, l.twice);
  }

 private:
  /// The momentum of the ball at the half step before, and its rate smoothed once and twice.
  struct Loan {
    int slot = 0, group = 0;    // lent bodies that joints tie together are a group
    double alpha = 0;           // how fast the smoothing is
    double kappa = 0;           // how well its group is led at the start
    Mat3 R = Mat3::identity();  // one step ago
    Wrench<double> momentum{}, once{}, twice{};
  };

  double least_stiffness(const std::vector<int>& slots, double stiffness_per_damping, double h,
                         DiscreteBodies& bodies, const std::function<void()>& hold) const;
  Wrench<double> momentum(const Loan& loan, const DiscreteBodies& bodies) const;

  const DiscreteGraph* g_;
  std::vector<Loan> loans_;
  int unled_ = 0;
};

}  // namespace sarrus
