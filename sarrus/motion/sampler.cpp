#include "sarrus/motion/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sarrus/core/random.hpp"

namespace sarrus {
namespace {

double instant(const SampleClock& c, double k) { return c.offset + k * c.every; }

/// The last k ≥ 0 with an instant not after t; −1 where there is none.
double last_sample(const SampleClock& c, double t) {
  double k = std::max(std::floor((t - c.offset) / c.every), -1.0);
  while (k >= 0 && instant(c, k) > t) --k;
  while (instant(c, k + 1) <= t) ++k;
  return k;
}

bool is_instant(const SampleClock& c, double t) {
  const double k = last_sample(c, t);
  return k >= 0 && instant(c, k) == t;
}

}  // namespace

/// Box and Muller's transformation of two uniform numbers.
double normal_noise(std::uint64_t seed, std::int64_t k) {
  Random mix(seed);
  Random own(mix.next() ^ (static_cast<std::uint64_t>(k) * 0xd1342543de82ef95u));
  const double a = 1 - own.uniform(), b = own.uniform();
  return std::sqrt(-2 * std::log(a)) * std::cos(2 * 3.141592653589793 * b);
}

Sampler::Sampler(const Mechanism& m) : m_(&m) {
  for (const SampledValue& s : m.sampled)
    if (std::find(clocks_.begin(), clocks_.end(), s.clock) == clocks_.end())
      clocks_.push_back(s.clock);
  if (clocks_.empty()) return;
  for (size_t i = 0; i < m.signals.size(); ++i)
    if (m.signals[i].kind == Signal::Kind::formula) derived_.push_back(static_cast<int>(i));
  slots_.resize(static_cast<size_t>(m.slots()));
  next_.resize(m.sampled.size());
}

double Sampler::next(double t) const {
  double first = std::numeric_limits<double>::infinity();
  for (const SampleClock& c : clocks_) first = std::min(first, instant(c, last_sample(c, t) + 1));
  return first;
}

bool Sampler::is_due(double t) const {
  return std::any_of(clocks_.begin(), clocks_.end(),
                     [&](const SampleClock& c) { return is_instant(c, t); });
}

/// Signals that are formulas may read what has just been sampled.
void Sampler::follow_signals() {
  for (const int i : derived_)
    slots_[m_->slot_of_signal(i)] =
        m_->formulas[m_->signals[i].index].evaluate<double>({slots_.data(), slots_.size()});
}

void Sampler::sample(double t, const Snapshot& now, std::vector<double>& parameters) {
  slots_ = now.slots;
  std::copy(parameters.begin(), parameters.end(), slots_.begin() + 1);
  const auto value_of = [&](const SampledValue& s) {
    double x = m_->formulas[s.formula].evaluate<double>({slots_.data(), slots_.size()});
    if (s.noise.deviation > 0)
      x += s.noise.deviation *
           normal_noise(s.noise.seed, static_cast<std::int64_t>(last_sample(s.clock, t)));
    return s.limits.nearest(x);
  };
  const std::vector<SampledValue>& all = m_->sampled;
  size_t i = 0;
  bool changed = true;
  for (; i < all.size() && !all[i].is_state; ++i) {
    if (!is_instant(all[i].clock, t)) continue;
    if (changed) follow_signals();
    const double x = value_of(all[i]);
    changed = x != slots_[1 + all[i].parameter];
    slots_[1 + all[i].parameter] = x;
  }
  if (changed) follow_signals();
  for (size_t k = i; k < all.size(); ++k)
    next_[k] = is_instant(all[k].clock, t) ? value_of(all[k]) : slots_[1 + all[k].parameter];
  for (size_t k = i; k < all.size(); ++k) slots_[1 + all[k].parameter] = next_[k];
  for (const SampledValue& s : all) parameters[s.parameter] = slots_[1 + s.parameter];
}

}  // namespace sarrus
