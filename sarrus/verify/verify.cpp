#include "sarrus/verify/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sarrus/verify/judgement.hpp"
#include "sarrus/verify/jumps.hpp"

namespace sarrus {
namespace {

/// All budgets less what has been spent.
auto told_with_what_is_left(const std::vector<Contender>& contenders, const VerifyOptions& o) {
  double budget = 0;
  for (const Contender& c : contenders)
    if (c.lacks.empty()) budget += c.family == "discrete" ? o.budget / 2 : o.budget;
  return [&o, budget, spent = std::map<std::string, double>()](
             const Contender& c, const std::string& method, double used) mutable {
    spent[c.name] = std::max(spent[c.name], used);
    double left = budget;
    for (const auto& [name, seconds] : spent) left -= seconds;
    o.working(method.empty() ? c.name : c.name + ", " + method, std::max(0.0, left));
  };
}

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
  if (options.working) plan.working = told_with_what_is_left(contenders, options);
  Comparison comparison(mechanism, plan, options.digits, std::move(contenders));
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
