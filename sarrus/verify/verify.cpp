#include "sarrus/verify/verify.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sarrus/verify/judgement.hpp"
#include "sarrus/verify/jumps.hpp"

namespace sarrus {
namespace {

/// Digits of the discretisation stand beside those of the equations, and never change the verdict:
/// that one is about the model as it was given.
void add_discretisation(Verification& v, const ValidModel& model, const Comparison& comparison) {
  v.discretisation = discretisation_of(model, comparison);
  if (!v.discretisation) return;
  const Discretisation& d = *v.discretisation;
  for (Agreement& g : v.quantities)
    for (const ResolvedQuantity& q : d.quantities)
      if (q.name == g.name && q.unit == g.unit) g.resolved_digits = q.digits;
  if (!d.lacks.empty()) {
    v.sentence +=
        fmt::format("; how far its elastic bodies are resolved is not known: {}", d.lacks);
    return;
  }
  const int digits = static_cast<int>(std::floor(d.digits));
  v.sentence += fmt::format("; its elastic bodies are resolved to {} digit{}{}", digits,
                            digits == 1 ? "" : "s", d.worst.empty() ? "" : ", least in " + d.worst);
}

}  // namespace

Verification verify(const Mechanism& mechanism, const SimulateSpec& settings,
                    const VerifyOptions& options) {
  return verify(mechanism, settings, options, contenders(mechanism, settings));
}

Verification verify(const Mechanism& mechanism, const SimulateSpec& settings,
                    const VerifyOptions& options, std::vector<Contender> contenders) {
  RunPlan plan;
  plan.start = settings.start, plan.until = settings.until;
  plan.rows = options.rows, plan.budget = options.budget;
  if (const Trajectory* run = options.run; run && run->rows() > 1) {
    plan.rows = run->rows() - 1;
    plan.start = run->row(0)[0], plan.until = run->row(plan.rows)[0];
  }
  plan.jumps = jump_times(mechanism, plan.start, plan.until);
  for (Contender& c : contenders)
    if (c.family == "discrete" && !options.discrete && c.lacks.empty()) c.lacks = "left out";
  Comparison comparison(mechanism, plan, options.digits, std::move(contenders));
  comparison.run();
  Verification v = judge(comparison, options);
  if (options.model) add_discretisation(v, *options.model, comparison);
  return v;
}

const char* to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees: return "agrees";
    case Verdict::disagrees: return "disagrees";
    case Verdict::undecided: return "undecided";
  }
  return "";
}

}  // namespace sarrus
