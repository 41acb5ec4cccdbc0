#include "sarrus/run/event_locator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sarrus {
namespace {

constexpr int halvings = 60;         // of a passage, to the last bit
constexpr int deepest = 18;          // halvings of a cell that may touch zero
constexpr int most_looks = 1000;     // at the motion in one step
constexpr int most_values = 100000;  // of formulas of time in one step

bool crosses(double before, double after, int direction) {
  if (direction >= 0 && before < 0 && after >= 0) return true;
  return direction <= 0 && before > 0 && after <= 0;
}

}  // namespace

EventLocator::EventLocator(const Mechanism& m)
    : m_(&m),
      events_(&m.events),
      ranges_(m.events.empty() ? 0 : static_cast<size_t>(m.slots())),
      seen_(m),
      before_(m.events.size()) {
  timed_.most_looks = most_values, timed_.one_way = 1 + 1e-9;
  sensed_.most_looks = most_looks, sensed_.one_way = 2;  // (2)
  sensed_.sees_motion = true;
  std::vector<char> read(static_cast<size_t>(m.slots()), 0), of_state = read;
  const auto mark = [&](int formula) {
    for (const int slot : m.formulas[formula].slots()) read[slot] = 1;
  };
  for (const Event& e : m.events) mark(e.formula);
  for (int i = static_cast<int>(m.signals.size()); i-- > 0;)  // each after those it depends on
    if (read[m.slot_of_signal(i)] && m.signals[i].kind == Signal::Kind::formula)
      mark(m.signals[i].index);
  const auto depends = [&](int formula) {
    const std::vector<int>& slots = m.formulas[formula].slots();
    return std::any_of(slots.begin(), slots.end(), [&](int slot) { return of_state[slot]; });
  };
  for (int i = 0; i < static_cast<int>(m.signals.size()); ++i) {
    const int slot = m.slot_of_signal(i);
    if (!read[slot]) continue;
    const bool formula = m.signals[i].kind == Signal::Kind::formula;
    (formula ? formulas_ : sampled_).push_back(i);
    of_state[slot] = formula ? depends(m.signals[i].index) : 1;
  }
  for (size_t e = 0; e < m.events.size(); ++e)
    (depends(m.events[e].formula) ? sensed_ : timed_).events.push_back(e);
}

void EventLocator::begin(const Snapshot& now) {
  for (size_t e = 0; e < before_.size(); ++e) before_[e] = now.formula_value((*events_)[e].formula);
}

/// The values of a group's events at t.
void EventLocator::see(Search& s, double t, Point& out) {
  ++s.looks;
  if (s.group.sees_motion) {
    s.motion.look(t, seen_);
  } else {
    seen_.slots[0] = t;
    for (const int i : formulas_)
      seen_.slots[m_->slot_of_signal(i)] =
          m_->formulas[m_->signals[i].index].evaluate<double>(seen_.slots);
  }
  out.t = t;
  out.slots = seen_.slots;
  out.value.resize(before_.size());
  for (const size_t e : s.group.events) {
    out.value[e] = m_->formulas[(*events_)[e].formula].evaluate<double>(seen_.slots);
    if (!std::isfinite(out.value[e])) warn(e, t, out.value[e], s.notes);
  }
}

/// Bounds of an event's formula over a cell, with those of the state by (1).
Course EventLocator::bounds(size_t event, const Point& a, const Point& middle, const Point& b) {
  const int first_signal = m_->slot_of_signal(0);
  ranges_[0] = Course(a.t, b.t);
  for (int i = 1; i < first_signal; ++i) ranges_[i] = Course(a.slots[i]);
  for (const int i : sampled_) {
    const int slot = m_->slot_of_signal(i);
    const auto [least, most] = std::minmax({a.slots[slot], middle.slots[slot], b.slots[slot]});
    const double d = std::fabs(a.slots[slot] - 2 * middle.slots[slot] + b.slots[slot]);
    ranges_[slot] = Course(least - d, most + d);  // (1)
  }
  for (const int i : formulas_)
    ranges_[m_->slot_of_signal(i)] = m_->formulas[m_->signals[i].index].evaluate<Course>(ranges_);
  return m_->formulas[(*events_)[event].formula].evaluate<Course>(ranges_);
}

void EventLocator::look_at(Search& s, const Point& a, const Point& middle, const Point& b,
                           std::span<const size_t> events, int depth) {
  std::vector<size_t> open;
  for (const size_t e : events) {
    const Course range = bounds(e, a, middle, b);
    if (range.lo > 0 || range.hi < 0) continue;
    const double way = std::fabs(b.value[e] - a.value[e]), width = range.hi - range.lo;
    const bool passes_once = crosses(a.value[e], b.value[e], 0) && range.breaks == Course::smooth &&
                             width <= s.group.one_way * way;
    const bool spent = s.looks > s.group.most_looks;
    if (!spent && !passes_once && depth < deepest) {
      open.push_back(e);
      continue;
    }
    if (spent) warn_of_missed(e, a.t, s.notes);
    if (crosses(a.value[e], b.value[e], (*events_)[e].direction))
      s.passed.push_back({e, root(s, e, a.t, b.t, a.value[e])});
  }
  if (open.empty()) return;
  Point between;
  see(s, a.t + (middle.t - a.t) / 2, between);
  look_at(s, a, between, middle, open, depth + 1);
  see(s, middle.t + (b.t - middle.t) / 2, between);
  look_at(s, middle, between, b, open, depth + 1);
}

/// The step in two cells.
void EventLocator::look_at(Search& s, double from, double end) {
  const double h = end - from;
  Point point[5];
  for (int k = 0; k < 5; ++k) see(s, k == 4 ? end : from + k * h / 4, point[k]);
  for (const size_t e : s.group.events) point[0].value[e] = before_[e];
  look_at(s, point[0], point[1], point[2], s.group.events, 0);
  look_at(s, point[2], point[3], point[4], s.group.events, 0);
  for (const size_t e : s.group.events) before_[e] = point[4].value[e];
}

bool EventLocator::look(Motion& motion, double from, std::vector<Diagnostic>& notes) {
  std::vector<Passage> passed;
  if (sensed_.events.empty()) motion.look(motion.time(), seen_);  // its parameters
  for (const Group* group : {&sensed_, &timed_}) {
    if (group->events.empty()) continue;
    Search search{motion, *group, notes, {}};
    look_at(search, from, motion.time());
    passed.insert(passed.end(), search.passed.begin(), search.passed.end());
  }
  return keep(passed);
}

/// In the order of time, up to the first that ends the run or acts on it.
bool EventLocator::keep(std::vector<Passage>& passed) {
  const std::vector<Event>& events = *events_;
  std::sort(passed.begin(), passed.end(), [](const Passage& a, const Passage& b) {
    return a.t != b.t ? a.t < b.t : a.event < b.event;
  });
  const auto stop = std::find_if(passed.begin(), passed.end(), [&](const Passage& p) {
    const Event& e = events[p.event];
    return e.stop || !e.actions.empty();
  });
  const bool stops = stop != passed.end();
  happening_.clear();
  if (stops) stop_ = stop->t;
  for (const Passage& p : passed)
    if (!stops || p.t <= stop_) {
      found_.push_back({events[p.event].name, p.t});
      found_index_.push_back(static_cast<int>(p.event));
      if (stops && p.t == stop_) happening_.push_back(static_cast<int>(p.event));
    }
  return stops;
}

double EventLocator::root(Search& s, size_t event, double low, double high, double before) {
  for (int i = 0; i < halvings; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    see(s, middle, trial_);
    const double g = trial_.value[event];
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
  const Formula& source = m_->formula_sources[event.formula];
  notes.push_back(
      {.severity = Severity::warning,
       .code = "event-not-finite",
       .where = source.where,
       .element = element,
       .message = fmt::format("\"{}\" gives {} at t = {} s: no zero crossing can be found there",
                              source.expression.text(), value, t),
       .value = fmt::format("{}", value)});
}

/// Once per event: it passes zero more often than a step can be searched for.
void EventLocator::warn_of_missed(size_t e, double t, std::vector<Diagnostic>& notes) const {
  const Event& event = (*events_)[e];
  const std::string element = "event/" + event.name;
  for (const Diagnostic& d : notes)
    if (d.code == "events-missed" && d.element == element) return;
  const Formula& source = m_->formula_sources[event.formula];
  notes.push_back(
      {.severity = Severity::warning,
       .code = "events-missed",
       .where = source.where,
       .element = element,
       .message = fmt::format("\"{}\" is near zero or passes it too often in the step from t = {} "
                              "s: from there on zero crossings may be missed",
                              source.expression.text(), t),
       .hint = "set max_step to a tenth of its shortest period, or write a formula that crosses "
               "zero less often"});
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
