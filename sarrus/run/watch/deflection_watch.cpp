#include "sarrus/run/watch/deflection_watch.hpp"

#include <fmt/format.h>

namespace sarrus {
namespace {

// of the length; errors against geometrically exact beams are then about 1.5e-3 and 5e-4 of it
constexpr double far_for_samples = 0.15, far_for_invariants = 0.05;

double limit_of(const ElasticBody& body) {
  return body.form == ElasticForm::samples ? far_for_samples : far_for_invariants;
}

}  // namespace

void DeflectionWatch::look(const Snapshot& now) {
  const Mechanism& m = *now.mechanism;
  largest_.resize(m.elastic.size());
  for (size_t i = 0; i < largest_.size(); ++i) {
    const double here = largest_deflection(*m.elastic[i].numbers, now.q.data() + m.elastic[i].q0);
    if (here > largest_[i].deflection) largest_[i] = {here, now.t};
  }
}

void DeflectionWatch::tell(const Mechanism& m, std::vector<Diagnostic>& notes) const {
  for (size_t i = 0; i < largest_.size(); ++i) {
    const ElasticBody& body = *m.elastic[i].numbers;
    const double share = largest_[i].deflection / body.span;
    if (!(share > limit_of(body))) continue;
    notes.push_back(
        {Severity::warning,
         "large-deflection",
         {},
         "body/" + m.elastic[i].name + "/elastic",
         fmt::format("it bends by {:.3g} m at t = {:.6g} s, {:.2g} of its length: beyond {} its "
                     "equations, right to second order, are no longer accurate",
                     largest_[i].deflection, largest_[i].t, share, limit_of(body)),
         body.form == ElasticForm::invariants ? "use form = \"Q\""
                                              : "divide it into several bodies",
         "",
         ""});
  }
}

}  // namespace sarrus
