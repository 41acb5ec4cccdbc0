#include "sarrus/motion/switches.hpp"

#include <algorithm>
#include <cmath>

namespace sarrus {
namespace {

constexpr int samples = 8;              // of a step that comes near a switch
constexpr int halvings = 52;            // of a step, to the last bit
constexpr double start_of_step = 1e-6;  // of a step: what a formula does there was done before
constexpr double farther = 4;           // the next step may change a quantity as many times more
constexpr int highest_order = 1;        // derivative that jumps: of the value or the slope
enum StopSide : std::uint64_t { free_of, pressing, leaving };

}  // namespace

Switches::Switches(const Mechanism& m) : m_(&m), limits_(&m.numbers.forces.limits) {
  ranges_.resize(static_cast<size_t>(m.slots()));
  std::fill(ranges_.begin(), ranges_.end(), Course(-Course::infinity, Course::infinity));
  for (int i = 0; i < m.early_signals; ++i) {
    const bool derived = m.signals[i].kind == Signal::Kind::formula;
    (derived ? derived_ : sensed_).push_back(i);
    ranges_[m.slot_of_signal(i)] =
        derived ? m.formulas[m.signals[i].index].evaluate<Course>(ranges_) : Course::state();
  }
  for (const std::vector<int>* list : {&m.force_formulas, &m.reference_formulas})
    for (const int f : *list)
      if (m.formulas[f].evaluate<Course>(ranges_).by_state <= highest_order) formulas_.push_back(f);
  if (!formulas_.empty()) values_.resize(ranges_.size()), slots_begin_.resize(ranges_.size());
  begin_.resize(2 * limits_->size() + formulas_.size());
  end_ = seen_ = begin_;
}

void Switches::read(const Snapshot& now, Sides& out) {
  const auto touch = [](double depth, double rate, const JointLimit<double>& l) {
    if (!(depth > 0)) return free_of;
    return l.k * depth + l.d * rate > 0 ? pressing : leaving;
  };
  size_t k = 0;
  for (const JointLimit<double>& l : *limits_) {
    const double q = now.q[l.q], u = now.u[l.u];
    out[k++] = touch(q - l.high, u, l);
    out[k++] = touch(l.low - q, -u, l);
  }
  if (formulas_.empty()) return;
  for (size_t i = 0; i < values_.size(); ++i) values_[i] = Sided(now.slots[i]);
  for (const int i : derived_)
    values_[m_->slot_of_signal(i)] = m_->formulas[m_->signals[i].index].evaluate<Sided>(values_);
  for (const int f : formulas_) out[k++] = m_->formulas[f].evaluate<Sided>(values_).sides;
}

bool Switches::are_near(const Snapshot& now, double h) {
  return is_stop_near(now, h) || (!formulas_.empty() && is_formula_near(now, h));
}

/// Whether one of them could be reached within a time h, by twice the speed here.
bool Switches::is_stop_near(const Snapshot& now, double h) const {
  for (const JointLimit<double>& l : *limits_) {
    const double q = now.q[l.q], way = 2 * std::fabs(now.u[l.u]) * h;
    if (q + way > l.high || q - way < l.low) return true;
  }
  return false;
}

bool Switches::is_formula_near(const Snapshot& now, double h) {
  const auto first_signal = static_cast<size_t>(m_->slot_of_signal(0));
  ranges_[0] = Course(now.slots[0], now.slots[0] + farther * h);
  for (size_t i = 1; i < first_signal; ++i) ranges_[i] = Course(now.slots[i]);
  for (const int i : sensed_) {
    const auto slot = static_cast<size_t>(m_->slot_of_signal(i));
    const double x = now.slots[slot], way = farther * std::fabs(x - slots_begin_[slot]);
    ranges_[slot] = Course(x - way, x + way);
    ranges_[slot].has_state = true;
  }
  for (const int i : derived_)
    ranges_[m_->slot_of_signal(i)] = m_->formulas[m_->signals[i].index].evaluate<Course>(ranges_);
  return std::any_of(formulas_.begin(), formulas_.end(), [&](int f) {
    return m_->formulas[f].evaluate<Course>(ranges_).by_state <= highest_order;
  });
}

/// Sides where the step begins. A force that turns back at once holds the motion at its jump, where
/// there is no instant to be found: what it does in the first millionth of a step was done before.
double Switches::read_start(double low, const Inside& inside) {
  const Snapshot& start = inside(low);
  read(start, begin_);
  if (formulas_.empty()) return low;
  slots_begin_ = start.slots;
  if (begin_ != turned_to_) return low;
  read(inside(std::max(low, start_of_step)), seen_);
  if (seen_ == begin_) return low;
  begin_ = seen_;
  return std::max(low, start_of_step);
}

double Switches::first_change(double h, double rounding, const Inside& inside) {
  const bool was_near = is_near_ || !is_known_;
  double low = is_known_ ? 0 : rounding / h, high = 1;
  if (low >= 1) return 1;
  if (!is_known_) low = read_start(low, inside);
  const Snapshot& end = inside(1);
  read(end, end_);
  is_near_ = are_near(end, h);
  is_known_ = true;
  if (!formulas_.empty()) slots_begin_ = end.slots;
  if (end_ == begin_ && !is_near_ && !was_near) return 1;

  bool changes = false;
  for (int k = 1; k <= samples && !changes; ++k) {
    high = std::max(low, static_cast<double>(k) / samples);
    read(inside(high), seen_);
    changes = seen_ != begin_;
    if (!changes) low = high;
  }
  turned_to_.clear();
  if (!changes) return 1;
  forget();
  for (int i = 0; i < halvings; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    read(inside(middle), seen_);
    (seen_ == begin_ ? low : high) = middle;
  }
  read(inside(high), turned_to_ = begin_);
  return high;
}

}  // namespace sarrus
