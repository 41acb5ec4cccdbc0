#include "sarrus/run/watch/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/core/random.hpp"
#include "sarrus/formulations/assembly/assembly.hpp"
#include "sarrus/motion/singular_watch.hpp"

namespace sarrus {
namespace {

/// √(k λ) or d λ with λ the largest inverse inertia that the element meets.
double rate_of(const Resistance& r, double inverse) {
  return std::max(std::sqrt(std::max(0.0, r.k) * inverse), r.damping * inverse);
}

/// The mechanism at an instant, with its mass matrix.
struct Massive {
  explicit Massive(const Snapshot& now)
      : w(*now.mechanism),
        k(move(w, now.t, now.q.data(), now.u.data(), now.state.data())),
        factors(factor(w, k)) {}
  Workspace<double> w;
  const Kinematics<double>& k;
  const Factors<double>& factors;
};

/// Trace of the 3 × 3 block of J M⁻¹ Jᵀ at a body point: a bound of its largest eigenvalue.
double mobility_of(Massive& d, int body, const Vec3& at) {
  if (body == 0) return 0;
  double V[36];
  operational_inertia(d.w, d.factors, body, body, V);
  // under a unit force f at the point: moment r × f, response v + ω × r
  const Vec3 r = d.k.body[body].R * at;
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    Vec3 f{};
    f[i] = 1;
    const Vec3 n = cross(r, f);
    double twist[6] = {};
    for (int row = 0; row < 6; ++row)
      for (int c = 0; c < 3; ++c) twist[row] += V[c * 6 + row] * n[c] + V[(3 + c) * 6 + row] * f[c];
    const Vec3 w{twist[0], twist[1], twist[2]}, v{twist[3], twist[4], twist[5]};
    sum += dot(f, v + cross(w, r));
  }
  return sum;
}
double turning_mobility_of(Massive& d, int body) {
  if (body == 0) return 0;
  double V[36];
  operational_inertia(d.w, d.factors, body, body, V);
  return V[0] + V[7] + V[14];
}

constexpr size_t looked_at = 50;  // each costs one pass over the tree

/// A resistance, and which element of its list it belongs to.
struct Resisting {
  Resistance r;
  size_t element;
};

/// Those with the largest stiffness and those with the largest damping.
std::vector<Resisting> hardest(std::vector<Resisting> all) {
  std::vector<Resisting> chosen;
  const size_t count = std::min(looked_at, all.size());
  for (const auto size : {&Resistance::k, &Resistance::damping}) {
    std::partial_sort(
        all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), all.end(),
        [&](const Resisting& a, const Resisting& b) { return a.r.*size > b.r.*size; });
    chosen.insert(chosen.end(), all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return chosen;
}

/// (M⁻¹)_uu, with all other velocities free.
double velocity_mobility_of(Massive& d, int u) {
  std::vector<double> e(d.w.mechanism().nu, 0.0), x = e;
  e[u] = 1;
  solve(d.w, d.factors, e.data(), x.data());
  return x[u];
}

double mobility_of(Massive& d, const Resistance& r) {
  switch (r.along) {
    case Resistance::Along::velocity: return velocity_mobility_of(d, r.u);
    case Resistance::Along::points:
      return mobility_of(d, r.a, r.at_a) + mobility_of(d, r.b, r.at_b);
    case Resistance::Along::turn: return turning_mobility_of(d, r.a) + turning_mobility_of(d, r.b);
  }
  return 0;
}

}  // namespace

Stiffness stiffest_element(const Snapshot& now) {
  if (now.is_measured) return {};  // no mass matrix: the motion names it in failure()
  Massive d(now);
  const Mechanism& m = *now.mechanism;
  Stiffness worst;
  ForceSet<double>::each(m.numbers.forces, [&](const auto& list) {
    for (const auto along : {Resistance::Along::velocity, Resistance::Along::points,
                             Resistance::Along::turn}) {  // of one unit each
      std::vector<Resisting> all;
      for (size_t i = 0; i < list.size(); ++i)
        list[i].resistances([&](const Resistance& r) {
          if (r.along == along) all.push_back({r, i});
        });
      for (const Resisting& one : hardest(std::move(all)))
        if (const double rate = rate_of(one.r, mobility_of(d, one.r)); rate > worst.rate)
          worst = {m.describe(list[one.element], one.element), rate};
    }
  });
  return worst;
}

namespace {

constexpr double near_singular = 1e-2;  // independence of loops
constexpr double aside = 0.05;          // [rad] or lengths: where the usual rank is looked for
constexpr int looks = 3;

/// Closures with rows that are left out here and needed beside this position.
std::string lost_closures(const Snapshot& here) {
  const Mechanism& m = *here.mechanism;
  if (here.rank() == static_cast<int>(here.kept.size())) return {};
  Random random(13);
  Workspace<double> w(m);
  for (int i = 0; i < looks; ++i) {
    const std::vector<double> near = beside(m, here.t, here.q, aside, random);
    if (near.empty()) continue;
    const Kinematics<double>& k = move(w, here.t, near.data(), here.u.data(), m.start_state.data());
    const LoopFactors<double>& there = *factor_loops(w, k, true).factors;
    if (there.rank() <= here.rank()) continue;
    std::vector<double> lost(here.kept.size(), 0);
    for (size_t r = 0; r < lost.size(); ++r) lost[r] = there.kept()[r] && !here.kept[r];
    return closures_in(m, lost);
  }
  return {};
}

/// "a = −1.5708 rad, s = 0.2 m": joints with one coordinate, the first few.
std::string positions(const Snapshot& now) {
  std::string text;
  for (const JointInfo& joint : now.mechanism->joints) {
    if (joint.cut || joint.nq != 1) continue;
    if (text.size() > 200) return text + ", …";
    text += fmt::format("{}{} = {:.6g} {}", text.empty() ? "" : ", ", joint.name, now.q[joint.q0],
                        units_of(now.mechanism->freedom(joint.u0)).q);
  }
  return text;
}

/// Where the loops are about to lose independence, or have lost it: a fold, a dead centre that a
/// drive cannot pass.
void name_singular_position(const Snapshot& now, Diagnostic& d) {
  const Mechanism& m = *now.mechanism;
  if (!m.has_loops()) return;
  Workspace<double> w(m);
  const Kinematics<double>& k = move(w, now.t, now.q.data(), now.u.data(), now.state.data());
  const LoopFactors<double>& factors = *factor_loops(w, k, true).factors;
  const std::string closures =
      factors.independence() <= near_singular ? weak_closures(m, factors) : lost_closures(now);
  if (closures.empty()) return;
  std::string drives;
  for (const JointInfo& joint : m.joints)
    if (joint.prescribed) drives += (drives.empty() ? "'" : ", '") + joint.name + "'";
  const std::string at = positions(now);
  d.message += fmt::format(
      "; the mechanism{} is at a singular position, where the loops closed by {} lose "
      "independence{}{}",
      m.name.empty() ? "" : " '" + m.name + "'", closures, at.empty() ? "" : ": ", at);
  d.hint =
      drives.empty()
          ? "integrator = \"dop853\" with rtol above 1e-12 passes singular positions from which "
            "the motion can continue; or change the initial state or a length slightly, so that it "
            "does not get there"
          : fmt::format("the prescribed motion of {} leads beyond the mechanism's reach", drives);
}

}  // namespace

Diagnostic describe_failure(Motion& motion, const StepResult& step) {
  Diagnostic d;
  const double t = motion.time();
  d.element = "simulate";
  d.value = fmt::format("{}", t);
  const std::string reason = motion.failure();
  const std::string entry = step.worst >= 0 ? motion.entry(step.worst) : "";
  switch (step.status) {
    case StepStatus::step_too_small:
      d.code = "step-too-small";
      d.message = fmt::format("the step fell to {:.1e} s at t = {} s", step.smallest_h, t);
      if (!entry.empty()) d.message += "; the largest error is in " + entry;
      break;
    case StepStatus::not_converged:
      d.code = "not-converged";
      d.message = fmt::format(
          "the implicit step did not converge at t = {} s after {} iterations "
          "(residual {:.1e})",
          t, step.iterations, step.residual);
      if (!entry.empty()) d.message += "; the worst equation is that of " + entry;
      for (size_t i = 1; i < step.worst_few.size() && step.worst_few[i] >= 0; ++i)
        d.message += ", " + motion.entry(step.worst_few[i]);
      break;
    case StepStatus::motion_jumps:
      d.code = "motion-jumps";
      d.message = fmt::format("the motion cannot continue after t = {} s; {}", t, step.message);
      d.hint = "give it a velocity: step(t, t0, q0, t1, q1), or a table through its points";
      return d;
    default:
      d.code = "not-finite";
      d.message = fmt::format("the state is no longer finite after t = {} s", t);
      if (!entry.empty()) d.message += "; the first such entry is " + entry;
  }
  if (!reason.empty()) d.message += "; " + reason;
  if (!step.message.empty() && step.message != reason) d.message += "; " + step.message;

  // look for what is stiff at the last good state
  Snapshot now(motion.mechanism());
  motion.look(t, now);
  if (std::isfinite(now.energy())) {
    name_singular_position(now, d);
    const Stiffness stiff = stiffest_element(now);
    if (stiff.rate > 0) {
      d.message +=
          fmt::format("; the stiffest element is the {} ({:.2g} 1/s)", stiff.element, stiff.rate);
      if (d.hint.empty())
        d.hint = fmt::format(
            "a fixed explicit step must stay below {:.1e} s for it, or use integrator = "
            "\"cvode\" or \"midpoint\", or soften it",
            2 / stiff.rate);
    }
  }
  if (d.hint.empty())
    d.hint = "shorten the step or tighten rtol, and check the forces near that time";
  return d;
}

}  // namespace sarrus
