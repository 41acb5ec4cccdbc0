#include "sarrus/run/watch/deflection_watch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sarrus/elastic/elastic_range.hpp"

namespace sarrus {
namespace {

std::string bends(const ElasticBody& body, double share, double t) {
  return fmt::format("it bends by {:.3g} m at t = {:.6g} s, {:.2g} of its length",
                     share * body.span, t, share);
}
std::string twists(double angle, double t) {
  return fmt::format("it twists by {:.3g} rad at t = {:.6g} s", angle, t);
}

Diagnostic large(Severity severity, const ElasticInfo& e, const std::string& what, double value,
                 double limit) {
  const bool cut = e.numbers->form == ElasticForm::invariants;
  return {.severity = severity,
          .code = "large-deflection",
          .element = "body/" + e.name + "/elastic",
          .message = fmt::format(
              "{}: beyond {} its equations, accurate to second order, {}", what, limit,
              severity == Severity::error ? "have no answer" : "are no longer accurate"),
          .hint = cut ? "use form = \"Q\", or divide it into several bodies"
                      : "divide it into several bodies, each of which bends and twists less: "
                        "segments = 16 does so with a beam, or twice as many as it has",
          .value = fmt::format("{:.3g}", value),
          .limit = fmt::format("{:g}", limit)};
}

}  // namespace

DeflectionWatch::DeflectionWatch(const Mechanism& mechanism)
    : m_(&mechanism), largest_(mechanism.elastic.size()) {
  int n = 0;
  for (const ElasticInfo& e : m_->elastic) n += e.n;
  elastic_.resize(n);
}

bool DeflectionWatch::look(double t, std::span<const double> elastic) {
  const double* q = elastic.data();
  for (size_t i = 0; i < largest_.size(); ++i) {
    const ElasticInfo& e = m_->elastic[i];
    const Deformation here = deformation_of(*e.numbers, q), most = valid_within(*e.numbers);
    q += e.n;
    Largest& so_far = largest_[i];
    if (here.deflection > so_far.deflection)
      so_far.deflection = here.deflection, so_far.deflected_at = t;
    if (here.twist > so_far.twist) so_far.twist = here.twist, so_far.twisted_at = t;
    if (here.deflection > most.deflection)
      refusal_ = large(Severity::error, e, bends(*e.numbers, here.deflection, t), here.deflection,
                       most.deflection);
    else if (here.twist > most.twist)
      refusal_ = large(Severity::error, e, twists(here.twist, t), here.twist, most.twist);
    if (refusal_) return false;
  }
  return true;
}

bool DeflectionWatch::look_at(double t, const std::vector<double>& q) {
  auto to = elastic_.begin();
  for (const ElasticInfo& e : m_->elastic) to = std::copy_n(q.begin() + e.q0, e.n, to);
  return look(t, elastic_);
}

void DeflectionWatch::tell(std::vector<Diagnostic>& notes) const {
  for (size_t i = 0; i < largest_.size(); ++i) {
    const ElasticInfo& e = m_->elastic[i];
    const Deformation accurate = accurate_within(*e.numbers);
    const Largest& so_far = largest_[i];
    if (so_far.deflection > accurate.deflection)
      notes.push_back(large(Severity::warning, e,
                            bends(*e.numbers, so_far.deflection, so_far.deflected_at),
                            so_far.deflection, accurate.deflection));
    if (so_far.twist > accurate.twist)
      notes.push_back(large(Severity::warning, e, twists(so_far.twist, so_far.twisted_at),
                            so_far.twist, accurate.twist));
  }
}

std::vector<Diagnostic> check_deformation(const Mechanism& m, double t,
                                          const std::vector<double>& q) {
  DeflectionWatch watch(m);
  if (!watch.look_at(t, q)) throw Error(Fault::physics, watch.refusal());
  std::vector<Diagnostic> notes;
  watch.tell(notes);
  return notes;
}

}  // namespace sarrus
