// Which parts of the forces switch with the state, and where in a step the first of them does:
// stops of joints, and abs, if, min, clamp, sign … of quantities of the state in formulas.
//
// A stop is on one of three sides:
//
//   free      depth ≤ 0
//   pressing  depth > 0 and k depth + d rate > 0
//   leaving   depth > 0, where the damper would pull: no force
//
// Its force has a kink at each change, and a jump at touch if it is damped. A formula has one side
// for all of its switches (core/course.hpp).
//
// Whether a formula can change soon is asked of its bounds (core/course.hpp) over four times the
// change that its quantities had in the last step.
//
// docs/theory/breakpoints.md
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sarrus/core/course.hpp"
#include "sarrus/formulations/snapshot.hpp"

namespace sarrus {

class Switches {
 public:
  explicit Switches(const Mechanism& mechanism);

  bool empty() const { return limits_->empty() && formulas_.empty(); }
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
  using Sides = std::vector<std::uint64_t>;  // two per stop, one per formula
  void read(const Snapshot& now, Sides& out);
  double read_start(double low, const Inside& inside);
  bool are_near(const Snapshot& now, double h);
  bool is_stop_near(const Snapshot& now, double h) const;
  bool is_formula_near(const Snapshot& now, double h);

  const Mechanism* m_;
  const std::vector<JointLimit<double>>* limits_;
  std::vector<int> formulas_;          // of forces and references, with a switch on the state
  std::vector<int> sensed_, derived_;  // signals: of the motion, and formulas in their order
  std::vector<Sided> values_;          // of all slots
  std::vector<Course> ranges_;         // of all slots, over what lies ahead
  std::vector<double> slots_begin_;
  Sides begin_, end_, seen_;
  Sides turned_to_;        // by the change at the end of the last step, if there was one
  bool is_known_ = false;  // begin_ is how they are where the next step begins
  bool is_near_ = true;
};

}  // namespace sarrus
