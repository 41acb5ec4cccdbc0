#include "sarrus/analysis/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sarrus {
namespace {

/// √(k λ) or d λ with λ the largest inverse inertia that the element meets.
void consider(Stiffness& worst, const std::string& element, double k, double d, double inverse) {
  const double rate = std::max(std::sqrt(std::max(0.0, k) * inverse), d * inverse);
  if (rate > worst.rate) worst = {element, rate};
}

/// Largest eigenvalue bound of the 3 × 3 translation block of J M⁻¹ Jᵀ at a body: its trace.
double mobility_of(const Dynamics<double>& d, int body, bool turning) {
  if (body == 0) return 0;
  double V[36];
  d.operational_inertia(body, body, V);
  const int o = turning ? 0 : 3;
  return V[o * 7] + V[(o + 1) * 7] + V[(o + 2) * 7];
}

}  // namespace

Stiffness stiffest_element(Dynamics<double>& d) {
  const Mechanism& m = d.mechanism();
  const ForceSet<double>& f = d.numbers().forces;
  Stiffness worst;
  std::vector<double> e(static_cast<size_t>(m.nu), 0.0), x = e;
  // 1/D of one coordinate with all others free: the diagonal of M⁻¹ bounds it from above
  const auto inverse = [&](int u) {
    std::fill(e.begin(), e.end(), 0.0);
    e[static_cast<size_t>(u)] = 1;
    d.solve(e.data(), x.data());
    return x[static_cast<size_t>(u)];
  };
  const auto joint = [&](int u) {
    const std::string name = m.velocity_name(u);
    return name.substr(0, name.rfind('.'));
  };
  for (const auto& s : f.joint_springs) consider(worst, "spring of joint " + joint(s.u), s.k, 0, inverse(s.u));
  for (const auto& s : f.spherical_springs) consider(worst, "spring of joint " + joint(s.u), s.k, 0, inverse(s.u));
  for (const auto& s : f.limits) consider(worst, "limits of joint " + joint(s.u), s.k, s.d, inverse(s.u));
  for (const auto& s : f.dampers) consider(worst, "damper of joint " + joint(s.u), 0, s.d, inverse(s.u));
  for (const auto& s : f.servos) consider(worst, "servo of joint " + joint(s.u), s.kp, s.kd, inverse(s.u));
  for (const auto& s : f.frictions)
    consider(worst, "friction of joint " + joint(s.u), 0, s.force / s.speed, inverse(s.u));
  for (size_t i = 0; i < f.point_springs.size(); ++i) {
    const auto& s = f.point_springs[i];
    consider(worst, fmt::format("spring number {}", i + 1), s.k, s.damping,
             mobility_of(d, s.a, false) + mobility_of(d, s.b, false));
  }
  for (size_t i = 0; i < f.bushings.size(); ++i) {
    const auto& s = f.bushings[i];
    const double lin = mobility_of(d, s.a, false) + mobility_of(d, s.b, false);
    const double ang = mobility_of(d, s.a, true) + mobility_of(d, s.b, true);
    const std::string name = fmt::format("bushing number {}", i + 1);
    consider(worst, name, std::max({s.k.x, s.k.y, s.k.z}), std::max({s.damping.x, s.damping.y, s.damping.z}), lin);
    consider(worst, name, std::max({s.angular_k.x, s.angular_k.y, s.angular_k.z}),
             std::max({s.angular_damping.x, s.angular_damping.y, s.angular_damping.z}), ang);
  }
  return worst;
}

Diagnostic describe_failure(Formulation& formulation, const StepResult& step, double t,
                            std::span<const double> y) {
  Diagnostic d;
  d.element = "simulate";
  d.value = fmt::format("{}", t);
  const std::string reason = formulation.failure();
  const std::string entry = step.worst >= 0 ? formulation.entry(step.worst) : "";
  switch (step.status) {
    case StepStatus::step_too_small:
      d.code = "step-too-small";
      d.message = fmt::format("the step fell to {:.1e} s at t = {} s", step.smallest_h, t);
      if (!entry.empty()) d.message += "; the largest error is in " + entry;
      break;
    case StepStatus::not_converged:
      d.code = "not-converged";
      d.message = fmt::format("the implicit step did not converge at t = {} s after {} iterations "
                              "(residual {:.1e})", t, step.iterations, step.residual);
      if (!entry.empty()) d.message += "; the worst equation is that of " + entry;
      break;
    default:
      d.code = "not-finite";
      d.message = fmt::format("the state is no longer finite after t = {} s", t);
      if (!entry.empty()) d.message += "; the first such entry is " + entry;
  }
  if (!reason.empty()) d.message += "; " + reason;
  if (!step.message.empty()) d.message += "; " + step.message;

  // look for what is stiff at the last good state
  if (std::all_of(y.begin(), y.end(), [](double x) { return std::isfinite(x); })) {
    const Stiffness stiff = stiffest_element(formulation.observe(t, y));
    if (stiff.rate > 0) {
      d.message += fmt::format("; the stiffest element is the {} ({:.2g} 1/s)", stiff.element, stiff.rate);
      d.hint = fmt::format("a fixed explicit step must stay below {:.1e} s for it, or use integrator = "
                           "\"cvode\" or \"midpoint\", or soften it", 2 / stiff.rate);
    }
  }
  if (d.hint.empty()) d.hint = "shorten the step or tighten rtol, and check the forces near that time";
  return d;
}

}  // namespace sarrus
