// Integrators by name, and the ranges of their options.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/core/near_match.hpp"
#include "sarrus/integrators/methods.hpp"

namespace sarrus {
namespace {

constexpr double smallest_rtol = 1e-14;  // 45 units in the last place
constexpr double smallest_atol = 1e-16;
constexpr double smallest_tolerance = 1e-15;  // of implicit equations

struct Method {
  const char* name;
  bool is_adaptive, is_implicit;
  std::unique_ptr<Integrator> (*make)(const IntegratorOptions&);
};

constexpr bool fixed_step = false, adaptive = true, direct = false, implicit = true;
#define SARRUS_METHOD(name, steps, kind) {#name, steps, kind, make_##name},
constexpr Method methods[] = {SARRUS_INTEGRATORS(SARRUS_METHOD)};
#undef SARRUS_METHOD

const Method* find(const std::string& name) {
  const auto found = std::find_if(std::begin(methods), std::end(methods),
                                  [&](const Method& m) { return m.name == name; });
  return found == std::end(methods) ? nullptr : found;
}

Diagnostic fault(const char* option, double value, const char* limit, const char* hint) {
  return {.severity = Severity::error,
          .code = "bad-option",
          .element = fmt::format("integrator/{}", option),
          .message = fmt::format("{} = {} is not possible, it must be {}", option, value, limit),
          .hint = hint,
          .value = fmt::format("{}", value),
          .limit = limit};
}

/// Raises a tolerance to what double precision supports, with a note.
void raise(const char* option, double& value, double floor, std::vector<Diagnostic>& found) {
  if (!(value >= 0) || value >= floor) return;
  found.push_back({.severity = Severity::note,
                   .code = "raised-option",
                   .element = fmt::format("integrator/{}", option),
                   .message = fmt::format("{} = {} is raised to {}, below which rounding dominates",
                                          option, value, floor),
                   .value = fmt::format("{}", value),
                   .limit = fmt::format("{}", floor)});
  value = floor;
}

void check_tolerances(IntegratorOptions& o, std::vector<Diagnostic>& found) {
  if (!(o.rtol >= 0 && o.rtol < 1))
    found.push_back(fault("rtol", o.rtol, "at least 0 and below 1", "1e-9 keeps about 8 digits"));
  if (!(o.atol >= 0 && std::isfinite(o.atol)))
    found.push_back(fault("atol", o.atol, "finite and at least 0",
                          "the error that does not matter, in SI units, for example 1e-9"));
  raise("rtol", o.rtol, smallest_rtol, found);
  raise("atol", o.atol, smallest_atol, found);
}

Diagnostic unknown(const std::string& name) {
  return {.severity = Severity::error,
          .code = "unknown-integrator",
          .element = "integrator",
          .message = fmt::format("no integrator is called '{}'", name),
          .hint = did_you_mean(name, integrator_names()),
          .value = name};
}

}  // namespace

std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const Method& m : methods) names.emplace_back(m.name);
  return names;
}

bool is_adaptive(const std::string& name) {
  const Method* method = find(name);
  return method && method->is_adaptive;
}

std::vector<Diagnostic> check_options(const std::string& name, IntegratorOptions& o) {
  const Method* method = find(name);
  if (!method) return {unknown(name)};

  std::vector<Diagnostic> found;
  if (method->is_adaptive) {
    check_tolerances(o, found);
    if (!(o.step >= 0 && std::isfinite(o.step)))
      found.push_back(fault("step", o.step, "finite and at least 0", "0 lets the method choose"));
    if (!(o.max_step >= 0))
      found.push_back(fault("max_step", o.max_step, "at least 0", "0 means no limit"));
  } else if (!(o.step > 0 && std::isfinite(o.step))) {
    found.push_back(fault("step", o.step, "finite and above 0",
                          "give this method its step in seconds, for example 1e-3"));
  }
  if (method->is_implicit) {
    if (!(o.tolerance >= 0 && o.tolerance <= 1e-3))
      found.push_back(fault("tolerance", o.tolerance, "between 0 and 1e-3",
                            "0, until rounding stops the iteration, is usual"));
    if (o.tolerance > 0) raise("tolerance", o.tolerance, smallest_tolerance, found);
    if (o.max_iterations < 1)
      found.push_back(fault("max_iterations", o.max_iterations, "at least 1", "100 is usual"));
  }
  if (name == "tao" && !(o.binding > 0 && std::isfinite(o.binding)))
    found.push_back(fault("binding", o.binding, "finite and above 0",
                          "20 1/s is usual; 2 binding step should be well below 1"));
  if (name == "generalized_alpha" && !(o.rho_infinity >= 0 && o.rho_infinity <= 1))
    found.push_back(fault("rho_infinity", o.rho_infinity, "from 0 to 1",
                          "0.8 is usual; 1 damps nothing, 0 takes the fastest vibrations out at "
                          "once"));
  return found;
}

std::unique_ptr<Integrator> make_integrator(const std::string& name,
                                            const IntegratorOptions& options) {
  IntegratorOptions checked = options;
  std::vector<Diagnostic> found = check_options(name, checked);
  std::erase_if(found, [](const Diagnostic& d) { return d.severity != Severity::error; });
  if (!found.empty()) throw Error(Fault::usage, std::move(found));
  return find(name)->make(checked);
}

}  // namespace sarrus
