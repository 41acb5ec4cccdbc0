// Whether the states of the bodies in the discrete formulation are sound, and what the user should
// know about the start.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/formulations/discrete/discrete.hpp"

namespace sarrus {
namespace {

constexpr double far_away = 1e12;    // [m], [m/s]: no mechanism is there
constexpr double turn_limit = 0.3;   // [rad] beyond which the splitting means nothing
constexpr double open_joint = 1e-6;  // [m] at the start, beyond which the user is told
constexpr double wide_open = 1e-3;   // [m] beyond which a failure names the joint

/// The largest number of a motion, with angles turned in h.
double largest(const MotionRecord& m, double h) {
  return std::max({std::fabs(m.P.x), std::fabs(m.P.y), std::fabs(m.P.z), std::fabs(m.V.x),
                   std::fabs(m.V.y), std::fabs(m.V.z), std::fabs(m.w.x) * h, std::fabs(m.w.y) * h,
                   std::fabs(m.w.z) * h});
}

bool is_finite(const MotionRecord& m) {
  return std::isfinite(m.P.x + m.P.y + m.P.z + m.V.x + m.V.y + m.V.z + m.w.x + m.w.y + m.w.z);
}

}  // namespace

double Discrete::fastest_turn() const {
  double most = 0;
  for (int s = 1; s < bodies_.slots(); ++s) most = std::max(most, norm(bodies_[s].w));
  return most;
}

Discrete::Gap Discrete::largest_gap() const {
  Gap worst;
  for (size_t i = 0; i < g_.joints.size(); ++i) {
    const GraphJoint& j = g_.joints[i];
    if (switches_.are_open(static_cast<int>(i))) continue;
    const double size = joint_gap(j, joint_pose(j, bodies_[j.a], bodies_[j.b]));
    if (!(size <= worst.size)) worst = {size, static_cast<int>(i)};
  }
  return worst;
}

bool Discrete::is_sound() {
  if (loans_.unled() > 0) {
    failure_ = fmt::format(
        "'{}', which has no inertia of its own, is hardly guided by its joints any more (gimbal "
        "lock: three axes lie nearly in one plane); a spherical joint can pass this position, and "
        "so can the formulations recursive and hamiltonian",
        g_.bodies[loans_.unled()].name);
    return false;
  }
  for (int s = 1; s < bodies_.slots(); ++s) {
    const MotionRecord& m = bodies_[s];
    if (is_finite(m) && largest(m, clock_.h) < far_away && !(norm(m.w) * clock_.h > 1)) continue;
    failure_ = why_unsound(s);
    return false;
  }
  return true;
}

std::string Discrete::why_unsound(int slot) const {
  const MotionRecord& m = bodies_[slot];
  const double turn = norm(m.w) * clock_.h;
  std::string why =
      fmt::format("body '{}' {}", g_.bodies[slot].name,
                  !is_finite(m) ? "has no finite state"
                  : turn > 1    ? fmt::format("turns by {:.2g} rad in one step", turn)
                                : fmt::format("reached {:.1e} m or m/s", largest(m, clock_.h)));
  if (const Gap gap = largest_gap(); gap.joint >= 0 && gap.size > wide_open)
    why += fmt::format("; joint '{}' is open by {:.2g} m", g_.joints[gap.joint].name, gap.size);
  if (const DiscreteGains::Limit limit = gains_.limit(gains_.room(), 4); limit.h > 0)
    why += fmt::format("; the stiffest element is the {}, stable up to {:.2g} s at body '{}'",
                       limit.element, limit.h, g_.bodies[limit.body].name);
  return why;
}

void Discrete::warn() {
  notes_ = contacts_.overlaps(elements_.placed());
  const Gap gap = largest_gap();
  if (gap.joint >= 0 && gap.size > open_joint) {
    const GraphJoint& j = g_.joints[gap.joint];
    notes_.push_back(
        {.severity = Severity::warning,
         .code = "open-joint",
         .where = j.where,
         .element = "joint/" + j.name,
         .message = fmt::format(
             "it is open by {:.3g} m at the start: it will close at once, with an impact",
             gap.size),
         .hint = "give start positions q with which the loop closes",
         .value = fmt::format("{:.3g}", gap.size),
         .limit = fmt::format("{:.0e}", open_joint)});
  }
  const double turn = fastest_turn() * clock_.h;
  if (turn > turn_limit)
    notes_.push_back({.severity = Severity::warning,
                      .code = "fast-turn",
                      .element = "simulate/step",
                      .message = fmt::format(
                          "a body turns by {:.2g} rad in one step: beyond {} rad the rotation "
                          "has no accuracy",
                          turn, turn_limit),
                      .hint = "shorten the step",
                      .value = fmt::format("{:.3g}", turn),
                      .limit = fmt::format("{}", turn_limit)});
}

}  // namespace sarrus
