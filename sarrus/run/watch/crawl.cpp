#include "sarrus/run/watch/crawl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/core/course.hpp"
#include "sarrus/numerics/tolerance.hpp"
#include "sarrus/run/watch/failure.hpp"

namespace sarrus {
namespace {

constexpr std::int64_t window = 10000;  // steps between two looks
constexpr double many_steps = 1e8;      // left: an hour or a day
constexpr double endless = 1e10;        // left: weeks
constexpr int patience = 4;             // looks in a row before a run is given up
constexpr size_t most_named = 3;

/// The formulas of forces that jump where a quantity of the state passes a value.
std::vector<int> jumping_formulas(const Mechanism& m) {
  std::vector<Course> slots(static_cast<size_t>(m.slots()));
  slots[0] = Course(-Course::infinity, Course::infinity);
  for (size_t i = 0; i < m.numbers.parameters.size(); ++i)
    slots[1 + i] = Course(m.numbers.parameters[i]);
  for (int i = 0; i < static_cast<int>(m.signals.size()); ++i)
    slots[m.slot_of_signal(i)] = m.signals[i].kind == Signal::Kind::formula
                                     ? m.formulas[m.signals[i].index].evaluate<Course>(slots)
                                     : Course::state();
  std::vector<int> found;
  for (const int i : m.force_formulas)
    if (m.formulas[i].evaluate<Course>(slots).by_state == 0) found.push_back(i);
  return found;
}

/// The joint whose drive a formula is, or "".
std::string driven_joint(const Mechanism& m, int formula) {
  for (const auto& source : m.numbers.forces.sources)
    if (source.formula == formula)
      if (const JointInfo* joint = m.joint_of_body(m.body_of_velocity(source.u)))
        return joint->name;
  return "";
}

std::string named(const Mechanism& m, int formula) {
  const Formula& source = m.formula_sources[formula];
  const std::string joint = driven_joint(m, formula);
  return fmt::format("\"{}\"{}{}", source.expression.text(),
                     joint.empty() ? "" : fmt::format(" of joint '{}'", joint),
                     source.where.line > 0 ? fmt::format(" (line {})", source.where.line) : "");
}

/// What makes the steps short, as far as it can be named.
void name_cause(Motion& motion, Diagnostic& d) {
  const Mechanism& m = motion.mechanism();
  if (const std::vector<int> jumps = jumping_formulas(m); !jumps.empty()) {
    std::string names;
    for (size_t i = 0; i < std::min(jumps.size(), most_named); ++i)
      names += (i ? ", " : "") + named(m, jumps[i]);
    d.where = m.formula_sources[jumps[0]].where;
    d.message += fmt::format(
        "; the force {} jumps where a quantity of the state passes a value, and the motion stays "
        "there: each step goes over the jump and back",
        names);
    d.hint =
        "for friction give the joint `friction = { force = …, speed = … }`; or let the force "
        "change "
        "over a range: tanh(u/0.01) in the place of sign(u), ramp() in the place of if()";
    return;
  }
  Snapshot now(m);
  motion.look(motion.time(), now);
  if (!std::isfinite(now.energy())) return;
  const Stiffness stiff = stiffest_element(now);
  if (stiff.rate > 0) {
    d.message +=
        fmt::format("; the stiffest element is the {} ({:.2g} 1/s)", stiff.element, stiff.rate);
    d.hint =
        "integrator = \"auto\" or \"radau\" takes long steps where stiff parts are at rest; "
        "or soften it";
    return;
  }
  int fastest = -1;
  for (int u = 0; u < m.nu; ++u)
    if (fastest < 0 || std::fabs(now.u[u]) > std::fabs(now.u[fastest])) fastest = u;
  if (fastest >= 0)
    d.message += fmt::format("; the fastest velocity is {} = {:.3g}, the kinetic energy {:.3g} J",
                             m.velocity_name(fastest), now.u[fastest], now.kinetic);
  d.hint = "look for a force that feeds the motion (a wrong sign), or for wrong units";
}

}  // namespace

std::optional<Diagnostic> CrawlWatch::look(Motion& motion, std::int64_t steps, double until) {
  if (steps - steps_ < window) return {};
  const double gained = motion.time() - t_, taken = static_cast<double>(steps - steps_);
  const double left = (until - motion.time()) * taken / divisor(gained);  // (1)
  t_ = motion.time(), steps_ = steps;
  hopeless_ = left > endless ? hopeless_ + 1 : 0;
  const bool gives_up = hopeless_ >= patience;
  if (!gives_up && (has_warned_ || left < many_steps)) return {};
  has_warned_ = true;
  Diagnostic d{.severity = gives_up ? Severity::error : Severity::warning,
               .code = "crawling",
               .element = "simulate",
               .message = fmt::format("the run crawls: its last {} steps took it {:.2g} s further, "
                                      "to t = {} s; at this pace {:.0e} steps are left",
                                      taken, gained, motion.time(), left),
               .value = fmt::format("{}", left),
               .limit = fmt::format("{:.0e}", gives_up ? endless : many_steps)};
  name_cause(motion, d);
  return d;
}

}  // namespace sarrus
