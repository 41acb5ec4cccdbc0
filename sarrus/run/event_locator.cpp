#include "sarrus/run/event_locator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sarrus {
namespace {

constexpr int pieces = 4;     // of a step, at whose ends events are looked for
constexpr int halvings = 60;  // to the last bit

bool crosses(double before, double after, int direction) {
  if (direction >= 0 && before < 0 && after >= 0) return true;
  return direction <= 0 && before > 0 && after <= 0;
}

}  // namespace

EventLocator::EventLocator(const Mechanism& m)
    : events_(&m.events),
      sources_(&m.formula_sources),
      seen_(m),
      before_(m.events.size()),
      after_(m.events.size()) {}

double EventLocator::value(const Snapshot& now, size_t event) const {
  return now.formula_value((*events_)[event].formula);
}

void EventLocator::begin(const Snapshot& now) {
  for (size_t e = 0; e < before_.size(); ++e) before_[e] = value(now, e);
}

bool EventLocator::look(Motion& motion, double from, std::vector<Diagnostic>& notes) {
  struct Passage {
    size_t event;
    double t;
  };
  const std::vector<Event>& events = *events_;
  const double end = motion.time(), h = end - from;
  std::vector<Passage> passed;
  bool stops = false;
  for (int k = 1; k <= pieces; ++k) {
    const double low = from + (k - 1) * h / pieces,
                 high = k == pieces ? end : from + k * h / pieces;
    motion.look(high, seen_);
    for (size_t e = 0; e < events.size(); ++e) {
      after_[e] = value(seen_, e);
      if (!std::isfinite(after_[e])) warn(e, high, after_[e], notes);
    }
    for (size_t e = 0; e < events.size(); ++e) {
      if (!crosses(before_[e], after_[e], events[e].direction)) continue;
      passed.push_back({e, root(motion, e, low, high, before_[e])});
      if (!events[e].stop || (stops && passed.back().t >= stop_)) continue;
      stops = true;
      stop_ = passed.back().t;
    }
    before_ = after_;
  }
  std::stable_sort(passed.begin(), passed.end(),
                   [](const Passage& a, const Passage& b) { return a.t < b.t; });
  for (const Passage& p : passed)
    if (!stops || p.t <= stop_) {
      found_.push_back({events[p.event].name, p.t});
      found_index_.push_back(static_cast<int>(p.event));
    }
  return stops;
}

double EventLocator::root(Motion& motion, size_t event, double low, double high, double before) {
  for (int i = 0; i < halvings; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    motion.look(middle, seen_);
    const double g = value(seen_, event);
    if ((g < 0) == (before < 0) && g != 0)
      low = middle;
    else
      high = middle;
  }
  return high;
}

/// Once per event: a formula that is no number can cross nothing.
void EventLocator::warn(size_t e, double t, double value, std::vector<Diagnostic>& notes) const {
  const Event& event = (*events_)[e];
  const std::string element = "event/" + event.name;
  for (const Diagnostic& d : notes)
    if (d.code == "event-not-finite" && d.element == element) return;
  const Formula& source = (*sources_)[event.formula];
  notes.push_back({.severity = Severity::warning,
                   .code = "event-not-finite",
                   .where = source.where,
                   .element = element,
                   .message = fmt::format("\"{}\" gives {} at t = {} s: no passage through zero is "
                                          "found there",
                                          source.expression.text(), value, t),
                   .value = fmt::format("{}", value)});
}

void EventLocator::store(std::vector<double>& into) const {
  into.insert(into.end(), before_.begin(), before_.end());
  for (size_t i = 0; i < found_.size(); ++i)
    into.insert(into.end(), {static_cast<double>(found_index_[i]), found_[i].t});
}

void EventLocator::restore(std::span<const double> from) {
  std::copy_n(from.begin(), before_.size(), before_.begin());
  for (size_t i = before_.size(); i + 1 < from.size(); i += 2) {
    const int e = static_cast<int>(from[i]);
    found_.push_back({events_->at(e).name, from[i + 1]});
    found_index_.push_back(e);
  }
}

}  // namespace sarrus
