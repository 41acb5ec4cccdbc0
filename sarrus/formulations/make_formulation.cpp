#include <fmt/format.h>

#include "sarrus/core/near_match.hpp"
#include "sarrus/formulations/formulation.hpp"
#include "sarrus/formulations/hamiltonian.hpp"
#include "sarrus/formulations/recursive.hpp"

namespace sarrus {
namespace {

constexpr double massless = 1e-12;  // relative pivot below which a freedom moves no inertia

/// A freedom that moves no inertia has no acceleration: named before the run, not met in it.
void check_inertia(const Mechanism& m) {
  if (m.nu == 0) return;
  Dynamics<double> d(m);
  d.set(0, m.start.q.data(), m.start.u.data(), m.start_state.data());
  d.accelerate();
  const Dynamics<double>::Pivot smallest = d.smallest_pivot();
  if (smallest.u < 0 || smallest.relative > massless) return;

  const std::string freedom = m.velocity_name(smallest.u);
  Diagnostic fault{Severity::error, "no-inertia", {}, "", "", "", "", ""};
  for (const JointInfo& j : m.joints)
    if (!j.cut && smallest.u >= j.u0 && smallest.u < j.u0 + j.nu) {
      fault.where = j.where;
      fault.element = "joint/" + j.name;
      std::string body = "a massless link";
      for (const BodyInfo& b : m.bodies)
        if (b.body == j.body) body = "body '" + b.name + "'";
      fault.message = fmt::format(
          "nothing that it moves has inertia along {}: {} and all it carries weigh nothing in this "
          "direction (pivot {:.1e} of the joint's inertia, at least {:.0e} is needed)",
          freedom, body, smallest.relative, massless);
    }
  fault.hint = "give the body a mass and an inertia about the joint's axis, or fix the joint";
  throw Error(Fault::physics, fault);
}

void refuse_loops(const Mechanism& m, const std::string& formulation) {
  if (!m.has_loops()) return;
  std::string names;
  Place where;
  for (const JointInfo& j : m.joints)
    if (j.cut) {
      names += (names.empty() ? "" : ", ") + j.name;
      if (where.line == 0) where = j.where;
    }
  throw Error(Fault::physics,
              Diagnostic{Severity::error, "closed-loop", where, "joint",
                         fmt::format("the formulation {} runs trees only, and these joints close "
                                     "loops: {}",
                                     formulation, names),
                         "replace a closing joint by a stiff bushing", "", ""});
}

}  // namespace

std::vector<std::string> formulation_names() { return {"recursive", "hamiltonian"}; }

std::unique_ptr<Formulation> make_formulation(const std::string& name, const Mechanism& mechanism) {
  if (name != "recursive" && name != "hamiltonian")
    throw Error(Fault::usage, Diagnostic{Severity::error,
                                         "unknown-formulation",
                                         {},
                                         "formulation",
                                         fmt::format("no formulation is called '{}'", name),
                                         did_you_mean(name, formulation_names()),
                                         name,
                                         ""});
  refuse_loops(mechanism, name);
  check_inertia(mechanism);
  if (name == "hamiltonian") return std::make_unique<Hamiltonian>(mechanism);
  return std::make_unique<Recursive>(mechanism);
}

}  // namespace sarrus
