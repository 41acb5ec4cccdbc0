// A motion of bodies moved one by one: counts their steps, many at a time, stops at rows and at the
// end, and keeps the last two records for what lies between them.
//
// Time is start + n h. Where the end is no multiple of h, the last step is cut there.
#include <algorithm>
#include <cmath>

#include "sarrus/motion/discrete_motion.hpp"

#include "sarrus/numerics/tolerance.hpp"

namespace sarrus {
namespace {

constexpr std::int64_t most_steps = 256;  // between two looks at soundness and angles
constexpr double most_turn = 1.0;         // [rad] between two readings of an angle
constexpr double near = 1e-6;             // of a step: rounding of times

}  // namespace

DiscreteMotion::DiscreteMotion(const Mechanism& mechanism, const SimulateSpec& settings)
    : d_(mechanism, settings),
      breakpoints_(mechanism),
      sampler_(mechanism),
      sampled_from_(mechanism),
      begin_(d_.size()),
      before_(begin_),
      end_(begin_),
      trial_before_(begin_),
      seen_(begin_) {}

void DiscreteMotion::begin(const StartState& start) {
  search_from(start.t);
  d_.begin(start);
  search_breaks(start.t + d_.step(), start.t + d_.step());
  if (!breaks_.empty()) d_.begin(start);  // the first kick has them in it
  sampled_ = false;
  if (!sampler_.empty() && sampler_.is_due(start.t)) {
    d_.record(end_);
    sample(start.t);
    d_.begin(start);  // so is this
    sampled_ = false;
  }
  t_ = expected_ = start.t;
  h_ = beyond_ = 0;
  d_.record(end_);
  begin_ = before_ = end_;
}

StepResult DiscreteMotion::step(double until) {
  StepResult result;
  result.smallest_h = d_.step();
  look_inside(1, begin_);
  d_.save(memory_);
  sampled_ = false;
  bool between = true;
  std::int64_t n = steps_to(until, between);
  const double sample_at = sampler_.empty() ? 0 : next_sample();
  bool reaches_sample = false;
  if (!sampler_.empty()) {
    const auto left = static_cast<std::int64_t>(std::llround((sample_at - d_.time()) / d_.step()));
    reaches_sample = left <= n;
    if (reaches_sample) n = left, between = true;
  }
  search_breaks(d_.time() + static_cast<double>(n + 1) * d_.step(), until + d_.step());
  go(n, between);
  if (!d_.is_sound() && n > 1) {  // back, and one by one up to the last good one
    d_.set_memory(memory_);
    for (n = 0; go_one(); ++n) d_.save(kept_);
    if (n > 0) d_.set_memory(kept_), d_.record(end_);
  } else if (!d_.is_sound()) {
    n = 0;
  }
  result.evaluations = static_cast<int>(std::max<std::int64_t>(n, 1));
  if (n == 0) {
    result.status = StepStatus::not_finite;
    result.message = d_.failure();
    d_.set_memory(memory_);
    end_ = begin_, h_ = beyond_ = 0;
    return result;
  }
  result.steps = n;
  finish(until);
  if (reaches_sample && d_.time() > sample_at - d_.step() / 2) {
    sample(sample_at);
    d_.change_over(end_);
  }
  result.h = h_;
  return result;
}

/// The record at a part of the last step, from 0 to 1.
void DiscreteMotion::look_inside(double part, std::vector<double>& y) const {
  const double back = (1 - part) * h_ + beyond_;  // before the last record [s]
  const double inside = 1 - back / d_.step();
  if (inside < -near)
    y = begin_;  // only the start is still known
  else if (inside > 1 - near)
    y = end_;
  else
    d_.between(before_, end_, std::max(inside, 0.0), y);
}

void DiscreteMotion::look(double t, Snapshot& out) {
  look_inside(t == t_ || h_ == 0 ? 1 : (t - (t_ - h_)) / h_, seen_);
  const bool before = sampled_ && t < t_;
  if (before) use(held_);
  d_.observe(t, seen_, out);
  if (before) use(parameters_);
}

// ── samples of controllers ──────────────────────────────────────────────────────────────────────

/// The first after the present step; they are whole steps apart.
double DiscreteMotion::next_sample() const { return sampler_.next(d_.time() + d_.step() / 2); }

void DiscreteMotion::sample(double instant) {
  d_.observe(instant, end_, sampled_from_);
  held_ = parameters_ = d_.parameters();
  sampler_.sample(instant, sampled_from_, parameters_);
  use(parameters_);
  sampled_ = true;
  breakpoints_.forget();
}

void DiscreteMotion::use(const std::vector<double>& parameters) {
  for (size_t i = 0; i < parameters.size(); ++i)
    d_.set_parameter(static_cast<int>(i), parameters[i]);
}

MotionState DiscreteMotion::save() {
  MotionState s;
  s.t = t_;
  s.steps = d_.count();
  s.rest.resize(d_.size());
  look_inside(1, s.rest);
  s.memory = d_.memory();
  s.parameters = d_.parameters();
  return s;
}

void DiscreteMotion::restore(const StartState& start, const MotionState& s) {
  for (size_t i = 0; i < s.parameters.size(); ++i)
    d_.set_parameter(static_cast<int>(i), s.parameters[i]);
  d_.begin(start);
  d_.set_memory(s.memory);
  search_from(d_.time() - 2 * d_.step());
  t_ = expected_ = s.t;
  h_ = beyond_ = 0;
  sampled_ = false;
  begin_ = before_ = end_ = s.rest;
}

void DiscreteMotion::set_state(int state, double value) {
  d_.set_state(state, value);
  d_.record(end_);
  d_.change_over(end_);
}

void DiscreteMotion::set_parameter(int parameter, double value) {
  d_.set_parameter(parameter, value);
  breakpoints_.forget();
  search_from(d_.time());
}

// ── breakpoints of inputs ───────────────────────────────────────────────────────────────────────

void DiscreteMotion::search_from(double t) {
  breaks_.clear();
  d_.expect_breaks(breaks_);
  searched_ = t;
}

/// Those from the last step on up to `reach`; `until` is where the search may end.
void DiscreteMotion::search_breaks(double reach, double until) {
  if (breakpoints_.empty()) return;
  const size_t known = breaks_.size();
  std::erase_if(breaks_, [&](double t) { return t < d_.time() - 2 * d_.step(); });
  bool changed = breaks_.size() != known;
  while (searched_ < reach) {
    const Breakpoint& next = breakpoints_.next(searched_, until, d_.parameters());
    if (!(next.before <= reach)) break;
    if (next.before < next.after) breaks_.push_back(next.before), changed = true;
    searched_ = next.after;
  }
  if (changed) d_.expect_breaks(breaks_);
}

/// To the next row or the end, but not so many that an angle is lost.
std::int64_t DiscreteMotion::steps_to(double until, bool& between) const {
  const double target = expected_ > t_ ? std::min(expected_, until) : t_;
  const double wanted = std::ceil((target - d_.time()) / d_.step() - near);
  const double turns = most_turn / (d_.step() * divisor(d_.fastest_turn()));
  const double most = std::min({wanted, static_cast<double>(most_steps), turns});
  const auto n = static_cast<std::int64_t>(std::max(most, 1.0));
  // what lies between the last two steps is asked for by events, by rows beside the steps
  const double reached = d_.time() + static_cast<double>(n) * d_.step();
  between = n == 1 ||
            (static_cast<double>(n) >= wanted && std::fabs(reached - target) > near * d_.step());
  return n;
}

void DiscreteMotion::go(std::int64_t n, bool between) {
  if (between) {
    if (n > 1) d_.advance(n - 1);
    d_.record(before_);
    n = 1;
  }
  d_.advance(n);
  d_.record(end_);
}
bool DiscreteMotion::go_one() {
  d_.record(trial_before_);
  d_.advance(1);
  if (!d_.is_sound()) return false;
  before_ = trial_before_;
  return true;
}

/// The time reached, cut at the end where the last step goes beyond it.
void DiscreteMotion::finish(double until) {
  const double reached = d_.time(), tolerance = near * d_.step(), from = t_;
  beyond_ = 0;
  t_ = reached, h_ = reached - from;
  if (reached < until - tolerance) return;
  beyond_ = std::max(0.0, reached - until);
  if (beyond_ < tolerance) beyond_ = 0;
  t_ = until, h_ = until - from;
}

}  // namespace sarrus
