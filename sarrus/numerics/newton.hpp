// Newton's method with damped steps: the one loop for everything that solves r(x) = 0.
//
//   r'(x) dx = −r(x)                                                                       (1)
//   x ← x + s dx,   s = s₀, s₀/2, s₀/4, …  the first that reduces r                         (2)
//
// The caller keeps x, r and dx, and so owns all memory: `judge` evaluates r at x and returns its
// size and tolerance, `step` solves (1) and goes as far as (2) allows (`halved`). Where convergence
// is judged by dx, `judge` solves (1) and the caller takes the last step itself.
//
// docs/decisions/0026-one-newton.md says which iterations are not this one, and why.
#pragma once

#include <cmath>
#include <limits>
#include <string_view>

namespace sarrus {

struct NewtonLimits {
  int most_steps = 50;
  double nearly = 0;  // a residual that is accepted where rounding stops the iteration, and
  double slow = std::numeric_limits<double>::infinity();  // by what factor it falls at best then
};

/// How far an iteration has come.
struct NewtonResidual {
  double size = 0, tolerance = 0;
};

enum class NewtonStep { taken, uphill, not_finite };

enum class NewtonStatus { converged, rounded, stalled, exhausted, not_finite };

struct NewtonResult {
  NewtonStatus status = NewtonStatus::exhausted;
  int steps = 0;
  double residual = 0;  // of the last look

  bool is_solved() const {
    return status == NewtonStatus::converged || status == NewtonStatus::rounded;
  }
};

/// For messages: how it ended.
constexpr std::string_view words(NewtonStatus status) {
  switch (status) {
    case NewtonStatus::converged: return "it converges";
    case NewtonStatus::rounded: return "it converges as far as rounding lets it";
    case NewtonStatus::stalled: return "no step lessens the residual";
    case NewtonStatus::exhausted: return "the residual falls too slowly";
    case NewtonStatus::not_finite: return "a residual or a step is not finite";
  }
  return "";
}

/// judge: NewtonResidual() at x;  step: NewtonStep(), from the x that was judged last. Every point
/// that a step leads to is judged, also the last.
template <class Judge, class Step>
NewtonResult newton(const NewtonLimits& limits, Judge&& judge, Step&& step) {
  double before = std::numeric_limits<double>::infinity();
  for (int taken = 0;; ++taken) {
    const NewtonResidual r = judge();
    const auto ended = [&](NewtonStatus status) { return NewtonResult{status, taken, r.size}; };
    if (!std::isfinite(r.size)) return ended(NewtonStatus::not_finite);
    if (r.size <= r.tolerance) return ended(NewtonStatus::converged);
    const bool is_near = r.size <= limits.nearly;
    if (is_near && r.size > limits.slow * before) return ended(NewtonStatus::rounded);
    if (taken == limits.most_steps) return ended(NewtonStatus::exhausted);
    before = r.size;
    const NewtonStep done = step();
    if (done == NewtonStep::not_finite) return ended(NewtonStatus::not_finite);
    if (done == NewtonStep::uphill)
      return ended(is_near ? NewtonStatus::rounded : NewtonStatus::stalled);
  }
}

/// (2): the first of s, s/2, s/4, … above least · s that is accepted; 0 where none is.
///   accepts   bool(double share): moves x by that share of the step, and looks at r
template <class Accepts>
double halved(double s, double least, Accepts&& accepts) {
  for (double share = s; share > least * s; share /= 2)
    if (accepts(share)) return share;
  return 0;
}

}  // namespace sarrus
