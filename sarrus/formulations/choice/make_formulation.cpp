#include <fmt/format.h>

#include <cmath>

#include "sarrus/core/near_match.hpp"
#include "sarrus/formulations/choice/formulation_options.hpp"
#include "sarrus/formulations/energy/energy_hamiltonian.hpp"
#include "sarrus/formulations/ode/hamiltonian.hpp"
#include "sarrus/formulations/ode/recursive.hpp"

namespace sarrus {
namespace {

constexpr double massless = 1e-12;    // relative pivot below which a freedom moves no inertia
constexpr int most_explained = 300;   // freedoms of a mechanism whose dense matrix is looked into
constexpr double taking_part = 1e-3;  // of the largest entry of a motion without inertia

/// The motion that meets no inertia: M x = 0 with x = 1 at `u`, by elimination of all others.
std::vector<double> motion_without_inertia(Workspace<double>& w, const Kinematics<double>& k,
                                           int u) {
  const auto n = k.u.size(), lost = static_cast<size_t>(u);
  std::vector<double> M(n * n), x(n, 0.0);
  mass_matrix(w, k, M.data());
  // M_rr x_r = −M_ru over the other freedoms r, Gauss with pivots; a lost pivot stays out
  std::vector<char> used(n, 0);
  used[lost] = 1;
  std::vector<size_t> order;
  for (size_t step = 1; step < n; ++step) {
    size_t best = lost;
    for (size_t i = 0; i < n; ++i)
      if (!used[i] && (best == lost || M[i + i * n] > M[best + best * n])) best = i;
    const double pivot = M[best + best * n];
    used[best] = 1;
    if (!(pivot > 0)) continue;
    order.push_back(best);
    for (size_t i = 0; i < n; ++i) {
      if (used[i] && i != lost) continue;
      const double f = M[i + best * n] / pivot;
      for (size_t j = 0; j < n; ++j) M[i + j * n] -= f * M[best + j * n];
    }
  }
  x[lost] = 1;
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    for (size_t j = 0; j < n; ++j)
      if (j != *i) x[*i] -= M[*i + j * n] * x[j] / M[*i + *i * n];
  }
  return x;
}

/// The other freedoms that take part in the motion, as "a, b"; empty where there are none.
std::string partners(const Mechanism& m, const std::vector<double>& x, int u) {
  std::string names;
  for (size_t i = 0; i < x.size(); ++i)
    if (static_cast<int>(i) != u && std::fabs(x[i]) > taking_part)
      names += (names.empty() ? "" : ", ") + m.velocity_name(static_cast<int>(i));
  return names;
}

/// A freedom that moves no inertia has no acceleration: refused by name before the run.
void check_inertia(const Mechanism& m) {
  if (m.nu == 0) return;
  Workspace<double> w(m);
  const Kinematics<double>& k =
      move(w, 0.0, m.start.q.data(), m.start.u.data(), m.start_state.data());
  // a motion that is not defined at t = 0, where the run need not start
  for (const PrescribedMotion& motion : m.motions)
    if (!std::isfinite(k.q[motion.q])) return;
  const SmallestPivot smallest = smallest_pivot(k, factor(w, k));
  if (smallest.u < 0 || smallest.relative > massless) return;

  const std::string freedom = m.velocity_name(smallest.u);
  Diagnostic fault{.code = "no-inertia"};
  for (const JointInfo& j : m.joints)
    if (!j.cut && smallest.u >= j.u0 && smallest.u < j.u0 + j.nu) {
      fault.where = j.where;
      fault.element = "joint/" + j.name;
      std::string body = "a massless link";
      for (const BodyInfo& b : m.bodies)
        if (b.body == j.body) body = "body '" + b.name + "'";
      fault.message = fmt::format(
          "nothing that it moves has inertia along {}: {} and everything it carries have no "
          "inertia in this direction (pivot {:.1e} of the joint's inertia, at least {:.0e} is "
          "needed)",
          freedom, body, smallest.relative, massless);
    }
  if (const ElasticInfo* e = m.elastic_of_velocity(smallest.u)) {
    fault.element = "body/" + e->name + "/elastic";
    fault.message = fmt::format("its mass matrix is not positive at the start (pivot {:.1e}, {})",
                                smallest.relative, freedom);
    fault.hint = "form = \"I\" holds for small deflections only; use form = \"Q\", or fewer modes";
    throw Error(Fault::physics, fault);
  }
  fault.hint = "give the body a mass and an inertia about the joint's axis, or fix the joint";
  const std::string others =
      m.nu > most_explained ? ""
                            : partners(m, motion_without_inertia(w, k, smallest.u), smallest.u);
  if (!others.empty()) {
    fault.code = "gimbal-lock";
    fault.message = fmt::format(
        "at the start {} and {} cancel each other and move no inertia: their axes do not span "
        "different directions there (pivot {:.1e} of the joint's inertia, at least {:.0e} is "
        "needed)",
        freedom, others, smallest.relative, massless);
    fault.hint = "use a spherical joint, another order of axes, or another start";
  }
  throw Error(Fault::physics, fault);
}

/// Switched joints and contact are supported by the discrete formulation alone.
void refuse_switches(const Mechanism& m, const std::string& formulation) {
  Diagnostics faults;
  const auto refuse = [&](const char* code, const Place& where, const std::string& element,
                          const char* what) {
    faults.error(code, where, element,
                 fmt::format("the formulation {} does not support {}", formulation, what),
                 "use formulation = \"discrete\"");
  };
  for (const JointInfo& j : m.joints)
    if (j.active >= 0)
      refuse("switched-joint", j.where, "joint/" + j.name + "/active", "joints with `active`");
  for (const ContactLaw& c : m.contact_laws)
    refuse("contact", c.where, "contact/" + c.name, "contact");
  faults.throw_if_errors(Fault::physics);
}

}  // namespace

void refuse_elastic(const Mechanism& m, const std::string& who) {
  if (m.elastic.empty()) return;
  Diagnostics faults;
  for (const ElasticInfo& e : m.elastic)
    faults.error("elastic-body", {}, "body/" + e.name + "/elastic",
                 fmt::format("{} supports rigid bodies only", who),
                 "use formulation = \"recursive\" or \"hamiltonian\"");
  faults.throw_if_errors(Fault::physics);
}

std::vector<std::string> formulation_names() { return {"recursive", "hamiltonian", "discrete"}; }

std::unique_ptr<Formulation> make_formulation(const std::string& name, const Mechanism& mechanism,
                                              const FormulationOptions& options) {
  if (name != "recursive" && name != "hamiltonian")
    throw Error(Fault::usage,
                Diagnostic{.code = "unknown-formulation",
                           .element = "formulation",
                           .message = fmt::format("no formulation is called '{}'", name),
                           .hint = did_you_mean(name, formulation_names()),
                           .value = name});
  const FormulationOptions chosen = resolved(name, mechanism, options);
  refuse_switches(mechanism, name);
  check_inertia(mechanism);
  if (name == "recursive")
    return std::make_unique<Recursive>(mechanism, chosen.loops == "nullspace");
  if (chosen.energy_matrix == "recursive" && chosen.energy_gradient == "recursive")
    return std::make_unique<Hamiltonian>(mechanism);
  refuse_elastic(mechanism, fmt::format("energy_matrix = \"{}\" with energy_gradient = \"{}\"",
                                        chosen.energy_matrix, chosen.energy_gradient));
  return std::make_unique<EnergyHamiltonian>(mechanism, chosen);
}

}  // namespace sarrus
