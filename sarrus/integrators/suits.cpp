// What a method keeps on an equation and what it loses there, in words.
#include <fmt/format.h>

#include "sarrus/integrators/methods.hpp"

namespace sarrus {
namespace {

Diagnostic remark(Severity severity, const Integrator& method, const char* code,
                  std::string message, std::string hint) {
  return {.severity = severity,
          .code = code,
          .element = fmt::format("integrator/{}", method.name()),
          .message = std::move(message),
          .hint = std::move(hint)};
}

Diagnostic note(const Integrator& method, std::string message, std::string hint = "") {
  return remark(Severity::note, method, "integrator-keeps-less", std::move(message),
                std::move(hint));
}
Diagnostic refusal(const Integrator& method, std::string message, std::string hint) {
  return remark(Severity::error, method, "integrator-does-not-fit", std::move(message),
                std::move(hint));
}

/// For methods that move positions and momenta apart from each other.
std::vector<Diagnostic> refuses_loops(const Integrator& method, const Ode& ode) {
  if (!ode.is_constrained()) return {};
  return {refusal(method,
                  fmt::format("{} moves positions and momenta freely, and the closed loops of this "
                              "model tie them together",
                              method.name()),
                  "use integrator = \"dop853\", or \"gauss4\" with a step")};
}

constexpr const char* use_momenta = "use formulation = \"hamiltonian\"";

/// "the damper of joint 'knee'", the first thing that changes the energy.
const std::string& disturbance(const OdeStructure& s) {
  return s.dissipation.empty() ? s.drive : s.dissipation;
}

std::vector<Diagnostic> needs_momenta(const Integrator& method, const OdeStructure& s,
                                      const char* why) {
  if (s.has_momenta) return {};
  return {refusal(method,
                  fmt::format("{} needs positions with their momenta, {}: this formulation does "
                              "not have them for every joint of the model",
                              method.name(), why),
                  fmt::format("{} and joints without knife edges or rolling, or integrator = "
                              "\"gauss6\"",
                              use_momenta))};
}

}  // namespace

std::vector<Diagnostic> symplectic_notes(const Integrator& method, const Ode& ode) {
  const OdeStructure s = ode.structure();
  const int order = method.order();
  if (ode.is_constrained())
    return {note(method, fmt::format("closed loops are brought back after every step, so {} is not "
                                     "symplectic here: its order {} and the account of the energy "
                                     "remain",
                                     method.name(), order))};
  if (!s.is_conservative())
    return {note(method, fmt::format("{} changes the energy, so {} is not symplectic here: its "
                                     "order {} and the account of the energy remain",
                                     disturbance(s), method.name(), order))};
  if (!s.has_momenta)
    return {note(method,
                 fmt::format("without momenta {} is not symplectic: its order {} remains, and the "
                             "energy may drift over long runs",
                             method.name(), order),
                 use_momenta)};
  if (!s.groups.empty())
    return {note(method,
                 fmt::format("{} is symplectic in plain coordinates only, not on {}: its order {} "
                             "remains, and the energy may drift over long runs",
                             method.name(), s.group, order),
                 "use integrator = \"lie_midpoint\" or \"discrete_gradient\"")};
  return {};
}

std::vector<Diagnostic> energy_notes(const Integrator& method, const Ode& ode) {
  if (auto found = refuses_loops(method, ode); !found.empty()) return found;
  const OdeStructure s = ode.structure();
  if (auto found = needs_momenta(method, s, "in whose phase space it corrects the energy");
      !found.empty())
    return found;
  if (s.is_conservative()) return {};
  return {note(method, fmt::format("{} changes the energy: {} keeps the account instead, energy = "
                                   "start + work done, to rounding in every step",
                                   disturbance(s), method.name()))};
}

std::vector<Diagnostic> group_notes(const Integrator& method, const Ode& ode) {
  if (auto found = refuses_loops(method, ode); !found.empty()) return found;
  const OdeStructure s = ode.structure();
  if (auto found = needs_momenta(method, s, "which it carries from axes to axes"); !found.empty())
    return found;
  if (s.is_conservative()) return {};
  return {note(method, fmt::format("{} changes the energy, so {} is not symplectic here: its order "
                                   "2, momenta that symmetry keeps and the account of the energy "
                                   "remain",
                                   disturbance(s), method.name()))};
}

std::vector<Diagnostic> copies_notes(const Integrator& method, const Ode& ode) {
  if (auto found = refuses_loops(method, ode); !found.empty()) return found;
  const OdeStructure s = ode.structure();
  if (!s.groups.empty())
    return {refusal(method,
                    fmt::format("{} turns positions into momenta and back, which {} does not allow",
                                method.name(), s.group),
                    "use integrator = \"lie_midpoint\", or rk4 for short times")};
  if (2 * ode.split() != ode.size() - ode.quadratures())
    return {refusal(
        method,
        fmt::format("{} pairs every position with one momentum or velocity, but there "
                    "are {} positions and {} others",
                    method.name(), ode.split(), ode.size() - ode.quadratures() - ode.split()),
        "leave out motors with inductance, knife edges and rolling, or use integrator "
        "= \"gauss4\"")};
  if (!s.dissipation.empty())
    return {refusal(method,
                    fmt::format("{} depends on velocities, which drives the two copies of {} apart",
                                s.dissipation, method.name()),
                    "use integrator = \"midpoint\" or \"dop853\"")};
  return {};
}

std::vector<Diagnostic> check_suits(const Integrator& integrator, const Ode& ode) {
  std::vector<Diagnostic> found = integrator.suits(ode);
  for (const Diagnostic& d : found)
    if (d.severity == Severity::error) throw Error(Fault::usage, d);
  return found;
}

}  // namespace sarrus
