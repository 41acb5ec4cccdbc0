// Stops of joints between free, touching and pressing: where in a step one of them changes.
//
//   free      depth ≤ 0
//   pressing  depth > 0 and k depth + d rate > 0
//   leaving   depth > 0, where the damper would pull: no force
//
// The force of a stop has a kink at each change, and a jump at touch if the stop is damped.
#pragma once

#include <functional>
#include <vector>

#include "sarrus/formulations/snapshot.hpp"

namespace sarrus {

class Stops {
 public:
  explicit Stops(const Mechanism& mechanism);

  bool empty() const { return limits_->empty(); }
  /// Whether one of them may change in the next step.
  bool may_change() const { return is_near_; }
  /// The next step does not go on from where the last one ended.
  void forget() { is_known_ = false, is_near_ = true; }

  /// The instant at a part of the last step, from 0 to 1.
  using Inside = std::function<const Snapshot&(double part)>;
  /// The part of a step of length h at which the first of them has changed; 1 where none has before
  /// its end. A change in the first `rounding` [s] was made before the step.
  double first_change(double h, double rounding, const Inside& inside);

 private:
  enum class Touch : char { free, pressing, leaving };
  void read(const Snapshot& now, std::vector<Touch>& out) const;
  bool are_near(const Snapshot& now, double h) const;

  const std::vector<JointLimit<double>>* limits_;
  std::vector<Touch> begin_, end_, seen_;
  bool is_known_ = false;  // begin_ is how they are where the next step begins
  bool is_near_ = true;
};

}  // namespace sarrus
