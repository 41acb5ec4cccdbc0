// The step of the discrete formulation: chosen from what joints may open by and what elements
// allow, or given and checked. docs/theory/discrete.md, (6) and (7)
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/formulations/discrete/discrete.hpp"
#include "sarrus/numerics/tolerance.hpp"

namespace sarrus {
namespace {

constexpr double longest_step = 1e-3;   // [s] where nothing else asks for less
constexpr double shortest_step = 1e-8;  // [s]
constexpr double element_share = 1e-3;  // h² Σ k λ of the elements: keeps them accurate
constexpr double damper_weight = 0.02;  // so that h Σ c λ stays below 0.05
constexpr double turn_per_step = 0.01;  // [rad]
constexpr double lag_limit = 0.2;       // h Σ c λ up to which dampers may be extrapolated

}  // namespace

void Discrete::Wanted::shorten(double step, const std::string& cause, const std::string& remedy) {
  if (step < h) h = step, by = cause, hint = remedy;
}

/// From the gap that the joints may have: h = √(gap β²/(F n λ)), with F the weight of everything
/// and what turning bodies pull; from the elements; from the turning itself.
Discrete::Wanted Discrete::wanted_step(const SimulateSpec& settings) const {
  Workspace<double> tree(*m_);
  const Kinematics<double>& at_start =
      move(tree, settings.start, m_->start.q.data(), m_->start.u.data(), m_->start_state.data());
  double force = 0, fastest = 0;
  Wanted wanted{longest_step, "", ""};
  const auto hold = [&](const std::string& what, int n, double lambda) {
    if (force > 0)
      wanted.shorten(std::sqrt(settings.joint_gap * gains_.stiffness() / (force * n * lambda)),
                     fmt::format("{} may open by no more than {:.2g} m under {:.2g} N, and its "
                                 "bodies are light ({:.2g} kg at its point)",
                                 what, settings.joint_gap, force, 1 / lambda),
                     "allow a larger joint_gap, give the step, or put more mass and inertia there");
  };
  const double g = norm(m_->numbers.gravity);
  for (size_t s = 1; s < g_.bodies.size(); ++s) {
    const GraphBody& b = g_.bodies[s];
    const Vec3 w = at_start.body[b.inside].V.w;
    force += (g + dot(w, w) * norm(b.X_BC.p)) / b.inverse_mass;
    fastest = std::max(fastest, norm(w));
  }
  for (size_t j = 0; j < g_.joints.size(); ++j) {
    const int i = static_cast<int>(j);
    if (g_.joints[j].holds())
      hold("joint '" + g_.joints[j].name + "'", gains_.count(i), gains_.lambda(i));
  }
  for (size_t i = 0; i < g_.conditions.size(); ++i) {
    const GraphCondition& c = g_.conditions[i];
    double lambda = 0;  // of a point of B on both bodies, where the start has it
    const auto place = [&](int slot) {
      const GraphBody& b = g_.bodies[slot];
      const BodyMotion<double>& B = at_start.body[b.inside];
      return Pose<double>{B.R, B.o} * b.X_BC;
    };
    const Vec3 p = place(c.b) * c.closure.X_B.p;
    for (const int s : c.slots) {
      const GraphBody& b = g_.bodies[s];
      const Vec3 lever = p - place(s).p;
      lambda += b.inverse_mass + dot(lever, lever) * b.largest_inverse_I();
    }
    if (c.closure.of.empty())
      hold(c.closure.element, gains_.condition_count(static_cast<int>(i)), lambda);
  }
  if (const DiscreteGains::Limit limit = gains_.limit(element_share, damper_weight); limit.h > 0)
    wanted.shorten(limit.h,
                   fmt::format("body '{}' and the {} are too stiff together",
                               g_.bodies[limit.body].name, limit.element),
                   "soften that element, or use formulation = \"recursive\" with integrator = "
                   "\"cvode\"");
  if (fastest > 0)
    wanted.shorten(turn_per_step / fastest, fmt::format("a body turns at {:.2g} rad/s", fastest),
                   "lower the speeds at the start, or give the step");
  for (const Motor<double>& motor : m_->numbers.forces.motors)
    if (motor.state >= 0)
      wanted.shorten(0.02 * motor.inductance / motor.resistance,
                     fmt::format("the current of a motor settles within {:.2g} s",
                                 motor.inductance / motor.resistance),
                     "leave out the inductance");
  return wanted;
}

void Discrete::choose_step(const SimulateSpec& settings) {
  const double span = settings.until - settings.start;
  double h = settings.step.value_or(0);
  if (!settings.step) {
    const Wanted wanted = wanted_step(settings);
    h = wanted.h;
    if (!(h >= shortest_step)) refuse_short_step(wanted);
    // rows fall on steps
    const double rows = settings.spacing();
    if (rows > 0 && std::isfinite(rows)) h = rows / steps_over(rows, h);
  }
  if (span > 0) h = std::min(h, span);
  second_order_damping_ = gains_.damping_rate() * h < lag_limit;
  const DiscreteGains::Limit limit = gains_.limit(gains_.room(), second_order_damping_ ? 4 : 2);
  if (limit.h > 0 && !(h < limit.h)) refuse_step(h, limit);
  h_ = h;
  gains_.set_step(h);
}

void Discrete::refuse_short_step(const Wanted& wanted) const {
  throw Error(Fault::numerics,
              Diagnostic{.code = "step-too-small",
                         .element = "simulate/step",
                         .message = fmt::format(
                             "a step of {:.2g} s would be needed, less than {:.0e} s: {}", wanted.h,
                             shortest_step, wanted.by),
                         .hint = wanted.hint,
                         .value = fmt::format("{:.3g}", wanted.h),
                         .limit = fmt::format("{:.0e}", shortest_step)});
}

void Discrete::refuse_step(double h, const DiscreteGains::Limit& limit) const {
  throw Error(
      Fault::numerics,
      Diagnostic{.code = "step-too-large",
                 .element = "simulate/step",
                 .message = fmt::format(
                     "{} s is too large: body '{}' would become unstable, above all by the {}; "
                     "the largest stable step is {:.3g} s",
                     h, g_.bodies[limit.body].name, limit.element, limit.h),
                 .hint = "leave the step to be chosen, or soften that element",
                 .value = fmt::format("{}", h),
                 .limit = fmt::format("{:.3g}", limit.h)});
}

}  // namespace sarrus
