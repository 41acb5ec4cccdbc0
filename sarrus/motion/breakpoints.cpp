#include "sarrus/motion/breakpoints.hpp"

#include <algorithm>
#include <cmath>

namespace sarrus {
namespace {

constexpr double first_window = 0x1p-20;  // of the time that is left; doubled while it is smooth
constexpr double smallest = 1e-30;        // [s] near t = 0, where doubles lie closer than this
constexpr double zone_limit = 1e-12;      // of the time: a wider zone of doubt is no breakpoint
constexpr int most_looks = 20000;         // in one search; then the step ends where it has come

}  // namespace

Breakpoints::Breakpoints(const Mechanism& m) : m_(&m), slots_(static_cast<size_t>(m.slots())) {
  for (int i = 0; i < static_cast<int>(m.signals.size()); ++i) {
    slots_[m.slot_of_signal(i)] = Course::state();
    if (m.signals[i].kind == Signal::Kind::formula && i < m.early_signals) signals_.push_back(i);
  }
  for (size_t i = 0; i < m.numbers.parameters.size(); ++i)
    slots_[1 + i] = Course(-Course::infinity, Course::infinity);
  slots_[0] = Course(-Course::infinity, Course::infinity);
  set_signals();
  for (const int formula : m.force_formulas) watch(formula, 0);
  for (const int formula : m.reference_formulas) watch(formula, 1);
  for (const PrescribedMotion& motion : m.motions)
    watch(motion.formula, motion.is_speed ? 1 : 2, true);
  if (watched_.empty()) signals_.clear();
}

/// A formula without a switch on time at any time is of no concern.
void Breakpoints::watch(int formula, int derivatives, bool moves) {
  if (m_->formulas[formula].evaluate<Course>(slots_).breaks < Course::smooth)
    watched_.push_back({formula, derivatives, moves});
}

void Breakpoints::set_signals() {
  for (const int i : signals_)
    slots_[m_->slot_of_signal(i)] = m_->formulas[m_->signals[i].index].evaluate<Course>(slots_);
}

Breakpoints::Broken Breakpoints::over(double from, double to) {
  ++looks_;
  slots_[0] = Course(from, to);
  set_signals();
  Broken broken;
  for (const Watched& w : watched_) {
    const int order = m_->formulas[w.formula].evaluate<Course>(slots_).breaks;
    if (order == Course::smooth) continue;
    broken.at_all = true;
    broken.restarts = broken.restarts || order <= w.derivatives;
    broken.moves = broken.moves || (w.moves && order < w.derivatives);
  }
  return broken;
}

/// The first time from which on every switch is decided again.
double Breakpoints::end_of_zone(double from) {
  double width = 4 * std::max(std::nextafter(std::fabs(from), Course::infinity) - std::fabs(from),
                              smallest / 4);
  double end = from;
  while (over(end, end + width).at_all && looks_ < most_looks) end += width, width *= 2;
  return end;
}

Breakpoint Breakpoints::search(double t, double until) {
  looks_ = 0;
  double a = t, window = (until - t) * first_window;
  while (a < until) {
    if (looks_ >= most_looks && a > t) return {.before = a, .after = a};
    double low = a, high = std::min(std::max(a + window, std::nextafter(a, until)), until);
    if (!over(low, high).at_all) {
      a = high, window *= 2;
      continue;
    }
    // halve, the earlier part first
    bool found = true;
    while (found) {
      const double middle = low + (high - low) / 2;
      if (middle <= low || middle >= high || high - low < smallest) break;
      if (over(low, middle).at_all)
        high = middle;
      else if (over(middle, high).at_all)
        low = middle;
      else
        found = false;
    }
    a = high;
    if (!found) continue;
    const Broken broken = over(low, high);
    a = end_of_zone(high);
    window = std::max(window / 2, a - low);
    if (low <= t) continue;  // what t itself stands on is behind
    if (a - low > zone_limit * std::max(std::fabs(low), smallest))
      return {.before = low, .after = low};
    return {low, a, broken.restarts, broken.moves};
  }
  return {};
}

const Breakpoint& Breakpoints::next(double t, double until, std::span<const double> parameters) {
  const bool known =
      known_from_ <= t && t < found_.before && (until <= known_until_ || found_.exists());
  if (!known) {
    for (size_t i = 0; i < parameters.size(); ++i) slots_[1 + i] = Course(parameters[i]);
    found_ = search(t, until);
    known_from_ = t, known_until_ = until;
  }
  return found_;
}

}  // namespace sarrus
