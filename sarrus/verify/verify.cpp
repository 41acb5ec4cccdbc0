#include "sarrus/verify/verify.hpp"

#include "sarrus/verify/judgement.hpp"

namespace sarrus {

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
  for (Contender& c : contenders)
    if (c.family == "discrete" && !options.discrete && c.lacks.empty()) c.lacks = "left out";
  Comparison comparison(mechanism, plan, options.digits, std::move(contenders));
  return judge(comparison, options);
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
