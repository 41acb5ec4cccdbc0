// Where the forces and prescribed motions of a mechanism have a kink or a jump in time: the ends of
// pulses, steps and ramps, the points of tables, the zeros inside abs(), the turns of conditions.
//
// Formulas are evaluated over intervals of time (core/course.hpp): an interval over which every
// switch is decided has no breakpoint; any other is halved, the earlier half first, down to two
// neighbouring doubles. Switches on the state are not breakpoints; switches on time always are.
//
// docs/theory/breakpoints.md
#pragma once

#include <span>
#include <vector>

#include "sarrus/core/course.hpp"
#include "sarrus/mechanism/mechanism.hpp"

namespace sarrus {

/// Time jumps from `before` to `after`: what is evaluated up to `before` belongs to the course that
/// ends, from `after` on to the one that begins.
struct Breakpoint {
  double before = Course::infinity, after = Course::infinity;  // [s]; equal: only a stop
  bool restarts = false;                                       // accelerations jump
  bool moves = false;  // prescribed motions may change their velocity

  bool exists() const { return before < Course::infinity; }
};

class Breakpoints {
 public:
  explicit Breakpoints(const Mechanism& mechanism);

  /// Whether no formula can have one.
  bool empty() const { return watched_.empty(); }
  /// The first beyond t, not after `until`.
  const Breakpoint& next(double t, double until, std::span<const double> parameters);
  /// Parameters have changed.
  void forget() { known_from_ = Course::infinity; }

 private:
  /// A formula, and how many of its derivatives accelerations depend on.
  struct Watched {
    int formula = 0, derivatives = 0;
    bool moves = false;  // it is a prescribed motion
  };
  struct Broken {
    bool restarts = false, moves = false, at_all = false;
  };

  void watch(int formula, int derivatives, bool moves = false);
  void set_signals();
  Broken over(double from, double to);
  Breakpoint search(double t, double until);
  double end_of_zone(double from);

  const Mechanism* m_;
  std::vector<Watched> watched_;
  std::vector<int> signals_;   // that are formulas, in their order
  std::vector<Course> slots_;  // [t, parameters …, signals …]
  int looks_ = 0;

  Breakpoint found_;
  double known_from_ = Course::infinity, known_until_ = 0;  // where found_ is the next one
};

}  // namespace sarrus
