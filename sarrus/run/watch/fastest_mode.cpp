#include "sarrus/run/watch/fastest_mode.hpp"

#include <fmt/format.h>

#include <numbers>

namespace sarrus {
namespace {

/// h ω from which the method's stability function |R(i h ω)| makes an undamped vibration grow by a
/// thousandth in each step, R(z) = 1 + z bᵀ (1 − z A)⁻¹ 1 of its tableau; 0: no explicit adaptive
/// method.
double stable_product(std::string_view integrator) {
  if (integrator == "dop853") return 5.965;
  if (integrator == "dopri5") return 1.335;
  return 0;
}

constexpr double near = 0.75;  // of it: steps that are tried and refused take the rest

}  // namespace

FastestMode fastest_mode(const Mechanism& m) {
  FastestMode found;
  for (const ElasticInfo& e : m.elastic)
    if (const ElasticMode here = elastic_modes(*e.numbers).back();
        here.frequency > found.mode.frequency)
      found = {&e, here};
  return found;
}

void tell_fastest_mode(const Mechanism& m, std::string_view integrator, double mean_step,
                       std::vector<Diagnostic>& notes) {
  const double stable = stable_product(integrator);
  if (stable == 0) return;
  const auto [body, fastest] = fastest_mode(m);
  if (!body || !(mean_step * fastest.frequency > near * stable)) return;
  const std::string& says = body->numbers->says[fastest.coordinate];
  notes.push_back(
      {.severity = Severity::note,
       .code = "step-dictated",
       .element = "body/" + body->name + "/elastic",
       .message = fmt::format(
           "the step, {:.2g} s on average, is dictated by its fastest vibration ({}, {:.4g} "
           "Hz) and not by accuracy: {} becomes unstable with longer ones",
           mean_step, says, fastest.frequency / (2 * std::numbers::pi), integrator),
       .hint = "integrator = \"generalized_alpha\" with a step for the motions of interest damps "
               "it away; "
               "or leave it out: fewer modes or elements, or its direction not in 'deforms'"});
}

}  // namespace sarrus
