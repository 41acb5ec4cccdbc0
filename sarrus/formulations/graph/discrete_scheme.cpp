// The step of the discrete formulation: chosen from what joints may open by and what elements
// allow, or given and checked. docs/theory/discrete.md, (6) and (7)
#include "sarrus/formulations/graph/discrete_scheme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/formulations/stages/workspace.hpp"
#include "sarrus/numerics/tolerance.hpp"

namespace sarrus {
namespace {

constexpr double longest_step = 1e-3;   // [s] where nothing else asks for less
constexpr double shortest_step = 1e-8;  // [s]
constexpr double element_share = 1e-3;  // h² Σ k λ of the elements: keeps them accurate
constexpr double damper_weight = 0.02;  // so that h Σ c λ stays below 0.05
constexpr double turn_per_step = 0.01;  // [rad]
constexpr double lag_limit = 0.2;       // h Σ c λ up to which dampers may be extrapolated

Rotation rotation_named(const std::string& name) {
  if (name == "lie2") return Rotation::lie2;
  if (name == "exp") return Rotation::exp;
  if (name == "paper") return Rotation::paper;
  return Rotation::dlm;
}

/// A step, and what asks for it in words.
struct Wanted {
  double h = 0;
  std::string by, hint;
  void shorten(double step, const std::string& cause, const std::string& remedy) {
    if (step < h) h = step, by = cause, hint = remedy;
  }
};

/// The longest step with which joints open by no more than the settings allow:
/// h = √(gap β²/(F n λ)), with F the weight of everything and what turning bodies pull.
class HeldGaps {
 public:
  HeldGaps(const Mechanism& m, const DiscreteGraph& graph, const DiscreteGains& gains, double gap,
           const Kinematics<double>& at_start)
      : g_(graph), gains_(gains), k_(at_start), gap_(gap) {
    const double gravity = norm(m.numbers.gravity);
    for (size_t s = 1; s < g_.bodies.size(); ++s) {
      const GraphBody& b = g_.bodies[s];
      const Vec3 w = k_.body[b.inside].V.w;
      force_ += (gravity + dot(w, w) * norm(b.X_BC.p)) / b.inverse_mass;
    }
  }

  void shorten(Wanted& wanted) const {
    if (!(force_ > 0)) return;
    for (size_t j = 0; j < g_.joints.size(); ++j) {
      const int i = static_cast<int>(j);
      if (g_.joints[j].holds())
        hold(wanted, "joint '" + g_.joints[j].name + "'", gains_.count(i), gains_.lambda(i));
    }
    for (size_t i = 0; i < g_.conditions.size(); ++i) {
      const GraphCondition& c = g_.conditions[i];
      if (c.closure.of.empty())
        hold(wanted, c.closure.element, gains_.condition_count(static_cast<int>(i)), mobility(c));
    }
  }

 private:
  void hold(Wanted& wanted, const std::string& what, int n, double lambda) const {
    wanted.shorten(std::sqrt(gap_ * gains_.stiffness() / (force_ * n * lambda)),
                   fmt::format("{} may open by no more than {:.2g} m under {:.2g} N, and its "
                               "bodies are light ({:.2g} kg at its point)",
                               what, gap_, force_, 1 / lambda),
                   "allow a larger joint_gap, give the step, or put more mass and inertia there");
  }

  /// λ of a point of B on both bodies, where the start has it.
  double mobility(const GraphCondition& c) const {
    const Vec3 p = place(c.b) * c.closure.X_B.p;
    double lambda = 0;
    for (const int s : c.slots) {
      const GraphBody& b = g_.bodies[s];
      const Vec3 lever = p - place(s).p;
      lambda += b.inverse_mass + dot(lever, lever) * b.largest_inverse_I();
    }
    return lambda;
  }

  Pose<double> place(int slot) const {
    const GraphBody& b = g_.bodies[slot];
    const BodyMotion<double>& B = k_.body[b.inside];
    return Pose<double>{B.R, B.o} * b.X_BC;
  }

  const DiscreteGraph& g_;
  const DiscreteGains& gains_;
  const Kinematics<double>& k_;
  double gap_, force_ = 0;
};

/// From the gap that the joints may have, from the elements, from the turning of bodies.
Wanted wanted_step(const Mechanism& m, const DiscreteGraph& g, const DiscreteGains& gains,
                   const SimulateSpec& settings) {
  Workspace<double> tree(m);
  const Kinematics<double>& at_start =
      move(tree, settings.start, m.start.q.data(), m.start.u.data(), m.start_state.data());
  Wanted wanted{longest_step, "", ""};
  HeldGaps(m, g, gains, settings.joint_gap, at_start).shorten(wanted);
  if (const DiscreteGains::Limit limit = gains.limit(element_share, damper_weight); limit.h > 0)
    wanted.shorten(limit.h,
                   fmt::format("body '{}' and the {} are too stiff together",
                               g.bodies[limit.body].name, limit.element),
                   "soften that element, or use formulation = \"recursive\" with integrator = "
                   "\"cvode\"");
  double fastest = 0;
  for (size_t s = 1; s < g.bodies.size(); ++s)
    fastest = std::max(fastest, norm(at_start.body[g.bodies[s].inside].V.w));
  if (fastest > 0)
    wanted.shorten(turn_per_step / fastest, fmt::format("a body turns at {:.2g} rad/s", fastest),
                   "lower the speeds at the start, or give the step");
  for (const Motor<double>& motor : m.numbers.forces.motors)
    if (motor.state >= 0)
      wanted.shorten(0.02 * motor.inductance / motor.resistance,
                     fmt::format("the current of a motor settles within {:.2g} s",
                                 motor.inductance / motor.resistance),
                     "leave out the inductance");
  return wanted;
}

[[noreturn]] void refuse_short_step(const Wanted& wanted) {
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

[[noreturn]] void refuse_step(double h, const DiscreteGains::Limit& limit,
                              const std::string& body) {
  throw Error(
      Fault::numerics,
      Diagnostic{.code = "step-too-large",
                 .element = "simulate/step",
                 .message = fmt::format(
                     "{} s is too large: body '{}' would become unstable, above all by the {}; "
                     "the largest stable step is {:.3g} s",
                     h, body, limit.element, limit.h),
                 .hint = "leave the step to be chosen, or soften that element",
                 .value = fmt::format("{}", h),
                 .limit = fmt::format("{:.3g}", limit.h)});
}

/// The longest time of which all samples are multiples; 0 where nothing is sampled. By Euclid's
/// rule, remainders of rounding taken for 0.
double sampling_time(const Mechanism& m, double start) {
  double common = 0;
  const auto take = [&](double x) {
    double a = std::max(common, x), b = std::min(common, x);
    while (b > 1e-9 * a) {
      const double rest = std::fabs(a - std::round(a / b) * b);
      a = b, b = rest;
    }
    common = a;
  };
  for (const SampledValue& s : m.sampled)
    take(s.clock.every), take(std::fabs(s.clock.offset - start));
  return common;
}

}  // namespace

DiscreteScheme discrete_scheme(const Mechanism& m, const DiscreteGraph& graph,
                               const DiscreteGains& gains, const SimulateSpec& settings) {
  DiscreteScheme scheme;
  scheme.leapfrog = settings.scheme != "paper";
  scheme.rotation = scheme.leapfrog ? rotation_named(settings.rotation) : Rotation::paper;
  const double span = settings.until - settings.start;
  double h = settings.step.value_or(0);
  if (!settings.step) {
    const Wanted wanted = wanted_step(m, graph, gains, settings);
    h = wanted.h;
    if (!(h >= shortest_step)) refuse_short_step(wanted);
    // rows fall on steps
    const double rows = settings.spacing();
    if (rows > 0 && std::isfinite(rows)) h = rows / steps_over(rows, h);
  }
  if (span > 0) h = std::min(h, span);
  // samples do, whoever chose the step
  if (const double samples = sampling_time(m, settings.start); samples > 0)
    h = samples / steps_over(samples, h);
  scheme.second_order_damping = gains.damping_rate() * h < lag_limit;
  const DiscreteGains::Limit limit = gains.limit(gains.room(), scheme.second_order_damping ? 4 : 2);
  if (limit.h > 0 && !(h < limit.h)) refuse_step(h, limit, graph.bodies[limit.body].name);
  scheme.h = h;
  return scheme;
}

}  // namespace sarrus
