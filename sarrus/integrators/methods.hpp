// The methods behind make_integrator(), and small checks that they share.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sarrus/integrators/integrator.hpp"
#include "sarrus/numerics/integrator_list.hpp"

namespace sarrus {

#define SARRUS_MAKER(name, steps, kind) \
  std::unique_ptr<Integrator> make_##name(const IntegratorOptions& options);
SARRUS_INTEGRATORS(SARRUS_MAKER)
#undef SARRUS_MAKER
/// Whether this build contains SUNDIALS.
bool has_cvode();

/// What Integrator::suits() says for methods of one kind: symplectic in plain coordinates, keeping
/// the energy, symplectic on groups, with two copies of the state.
std::vector<Diagnostic> symplectic_notes(const Integrator& method, const Ode& ode);
std::vector<Diagnostic> energy_notes(const Integrator& method, const Ode& ode);
std::vector<Diagnostic> group_notes(const Integrator& method, const Ode& ode);
std::vector<Diagnostic> copies_notes(const Integrator& method, const Ode& ode);

/// Index of the first entry that is not a finite number, −1 where all are.
inline int first_not_finite(std::span<const double> v) {
  for (size_t i = 0; i < v.size(); ++i)
    if (!std::isfinite(v[i])) return static_cast<int>(i);
  return -1;
}

/// The smallest step that still moves t with some digits to spare.
inline double smallest_step(double t) {
  return 16 * std::numeric_limits<double>::epsilon() * std::max(std::fabs(t), 1e-100);
}

/// [s], of a first step that the method chooses.
inline double longest_first_step(const IntegratorOptions& o) {
  double longest = std::numeric_limits<double>::infinity();
  for (const double limit : {o.max_step, o.row_distance})
    if (limit > 0) longest = std::min(longest, limit);
  return longest;
}

inline void require_forward(double t, double t_end) {
  if (!(t_end > t))
    throw std::invalid_argument("step: t_end must lie after t, but t = " + std::to_string(t) +
                                " and t_end = " + std::to_string(t_end));
}

inline void require_memory(std::string_view method, size_t expected, size_t given) {
  if (expected != given)
    throw std::invalid_argument(std::string(method) + ": a memory of " + std::to_string(expected) +
                                " numbers is expected, " + std::to_string(given) +
                                " are given; it belongs to another method or model");
}

}  // namespace sarrus
