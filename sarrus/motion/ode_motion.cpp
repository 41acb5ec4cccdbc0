#include "sarrus/motion/ode_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sarrus {
namespace {

constexpr double rounding_of_time = 0x1p-50;  // four roundings of t + h
constexpr int most_retakes = 3;               // of a step that ends at a switch
constexpr double out_of_range = 1e100;  // of any entry of the state: its square must be a number

}  // namespace

OdeMotion::OdeMotion(std::unique_ptr<Formulation> formulation,
                     std::unique_ptr<Integrator> integrator)
    : f_(std::move(formulation)),
      method_(std::move(integrator)),
      watch_(f_->mechanism()),
      breakpoints_(f_->mechanism()),
      switches_(f_->mechanism()),
      y_(f_->size()),
      inside_(y_),
      seen_(f_->mechanism()) {
  int n = 0;
  for (const ElasticInfo& e : f_->mechanism().elastic) n += e.n;
  elastic_base_.resize(n), elastic_.resize(n);
}

/// Calls f(i, q, x) for elastic coordinate i, which is entry q of the configuration and x of the
/// chart.
template <class F>
void OdeMotion::each_elastic(F&& f) const {
  const Mechanism& m = f_->mechanism();
  size_t i = 0;
  for (const ElasticInfo& e : m.elastic)
    for (int k = 0; k < e.n; ++k) f(i++, e.q0 + k, m.x0[e.first] + k);
}

std::span<const double> OdeMotion::elastic() {
  each_elastic([&](size_t i, int, int x) { elastic_[i] = elastic_base_[i] + y_[x]; });
  return elastic_;
}

void OdeMotion::begin(const StartState& start) {
  t_ = from_ = start.t;
  h_ = 0, steps_ = 0;
  count_anew();
  in_step_ = rebased_ = crossed_ = switched_ = false;
  breakpoints_.forget(), switches_.forget();
  f_->begin(start, y_);
  each_elastic([&](size_t i, int q, int) { elastic_base_[i] = start.q[q]; });
  method_->start(*f_, t_, y_);
}

/// The base of the chart moves to the end of the last step, or to the other side of a breakpoint.
void OdeMotion::leave_step() {
  if (in_step_) {
    in_step_ = false;
    rebased_ = method_->wants_rebase(y_);
    if (rebased_) {
      each_elastic([&](size_t i, int, int x) { elastic_base_[i] += y_[x]; });
      f_->rebase(t_, y_, method_->end_derivative());
    }
  }
  if (switched_) pass_switch();
  if ((crossed_ && ahead_.restarts) || switched_) method_->restart(*f_, t_, y_);
  crossed_ = switched_ = false;
}

/// `until`, or the breakpoint before it: short of it by the rounding of t + h, so that no stage sees
/// what comes after.
double OdeMotion::end_of_step(double until) {
  ahead_ = {};
  if (breakpoints_.empty()) return until;
  const Breakpoint& next = breakpoints_.next(t_, until, f_->parameters());
  if (!(next.before < until)) return until;
  ahead_ = next;
  if (next.before == next.after) return next.before;
  return next.before - rounding_of_time * std::max(std::fabs(t_), std::fabs(next.before));
}

/// To the other side of the breakpoint ahead.
bool OdeMotion::cross(double until, StepResult& step) {
  if (ahead_.moves && !f_->jump(ahead_.before, ahead_.after, y_)) {
    step.status = StepStatus::motion_jumps;
    step.message = f_->failure();
    return false;
  }
  t_ = std::min(ahead_.after, until);
  crossed_ = true;
  switches_.forget();
  count_anew();
  return true;
}

/// Takes the last step again, up to just before the instant at which the first switch turns: no
/// stage sees the other side. Once more where that step, being smooth, knows the instant better.
void OdeMotion::end_at_switch(double end, StepResult& step) {
  const double rounding = 2 * rounding_of_time * std::fabs(from_);
  switched_ = false;
  for (int i = 0; i < most_retakes; ++i) {
    const double change = switches_.first_change(h_, rounding, [&](double part) -> const Snapshot& {
      method_->interpolate(part, inside_);
      f_->observe(from_ + part * h_, inside_, seen_);
      return seen_;
    });
    if (!(change < 1)) return;
    const double after = change * h_;
    const double at = from_ + (after > 3 * rounding ? after - rounding : after + rounding);
    if (at >= end) return;
    y_ = before_step_;
    method_->start(*f_, from_, y_);
    if (method_->resumes_exactly()) method_->set_memory(memory_);
    const StepResult first = step;
    step = method_->step(*f_, from_, at, y_);
    step.evaluations += first.evaluations, step.rejected += first.rejected + 1;
    if (step.status != StepStatus::accepted) return;
    h_ = step.h;
    switched_ = h_ == at - from_;
    if (!switched_) return;
    end = at;
  }
}

/// Along the tangent to the other side of a switch, by the rounding of time.
void OdeMotion::pass_switch() {
  if (!f_->derivative(t_, y_, inside_)) return;
  const double rounding = 4 * rounding_of_time * std::fabs(t_);
  for (size_t i = 0; i < y_.size(); ++i) y_[i] += rounding * inside_[i];
}

void OdeMotion::expect_look(double t) {
  const bool looks = !switches_.empty() && switches_.may_change() && method_->is_adaptive();
  method_->expect_output(looks ? t_ : t);  // for the instant of a turn
}

/// A fixed step counts its steps; an adaptive one adds what it took.
StepResult OdeMotion::step(double until) {
  leave_step();
  StepResult step;
  from_ = t_;
  double end = end_of_step(until);
  while (end <= t_) {  // nothing but rounding lies between here and the breakpoint
    if (!cross(until, step)) return step;
    leave_step();
    step.h = t_ - from_;
    if (t_ == until) return step;
    end = end_of_step(until);
  }
  const bool may_switch = !switches_.empty() && method_->is_adaptive();
  if (may_switch) before_step_ = y_, memory_ = method_->memory();
  step = method_->step(*f_, t_, end, y_);
  if (step.status != StepStatus::accepted) return step;
  from_ = t_, h_ = step.h;
  if (may_switch) end_at_switch(end, step);
  if (step.status != StepStatus::accepted) return step;
  if (const int entry = first_out_of_range(); entry >= 0) {
    step.status = StepStatus::not_finite;
    step.worst = entry;
    step.smallest_h = h_;
    step.message = fmt::format("it reached {:.1e}", y_[entry]);
    undo();
    return step;
  }
  if (!project(step)) return step;
  in_step_ = true;
  steps_ += step.steps, counted_ += step.steps;
  if (h_ == end - from_) {
    t_ = end;
    count_anew();
    StepResult refused;  // is met again, and reported, by the step that would begin here
    if (end < until && ahead_.before < ahead_.after) cross(until, refused);
  } else if (method_->is_adaptive()) {
    t_ = from_ + h_;
  } else {
    t_ = counted_from_ + static_cast<double>(counted_) * h_;
  }
  return step;
}

void OdeMotion::count_anew() { counted_from_ = t_, counted_ = 0; }

int OdeMotion::first_out_of_range() const {
  for (size_t i = 0; i < y_.size(); ++i)
    if (!(std::fabs(y_[i]) < out_of_range)) return static_cast<int>(i);
  return -1;
}

/// Back to where loops are closed; a multistep method has done so itself.
bool OdeMotion::project(StepResult& step) {
  if (!f_->is_constrained()) return true;
  if (!method_->wants_rebase(y_) || f_->project(from_ + h_, y_)) {
    watch_.look(f_->independence(), [&](double part) -> const Snapshot& {
      method_->interpolate(part, inside_);
      f_->observe(from_ + part * h_, part == 1 ? y_ : inside_, seen_);
      return seen_;
    });
    return true;
  }
  step.status = StepStatus::not_converged;
  step.smallest_h = h_;
  step.message = f_->failure();
  undo();
  return false;
}

/// Back to the start of the step, the last good state.
void OdeMotion::undo() {
  method_->interpolate(0, inside_);
  y_ = inside_;
  h_ = 0;
}

void OdeMotion::look(double t, Snapshot& out) {
  if (!in_step_ || (crossed_ && t == t_)) {
    if (t != t_ && can_move())
      throw std::invalid_argument(fmt::format(
          "the motion has reached {} s; its state at {} s is no longer available", t_, t));
    return f_->observe(t, y_, out);
  }
  method_->interpolate(t == t_ ? 1.0 : (t - from_) / h_, inside_);
  f_->observe(t, inside_, out);
}

void OdeMotion::set_parameter(int parameter, double value) {
  leave_step();
  breakpoints_.forget(), switches_.forget();
  f_->set_parameter(parameter, value);
  // what the method remembers of the past no longer holds
  method_->restart(*f_, t_, y_);
  count_anew();
}

MotionState OdeMotion::save() {
  leave_step();
  MotionState s;
  s.t = t_;
  s.steps = steps_;
  s.q = rebased_ ? f_->base() : f_->configuration(t_, y_);
  s.rest = y_;
  if (!rebased_) std::fill_n(s.rest.begin(), f_->split(), 0.0);  // q holds all of it
  s.memory = method_->memory();
  s.formulation_memory = f_->memory();
  s.counted_from = counted_from_, s.counted = counted_;
  s.parameters = f_->parameters();
  return s;
}

void OdeMotion::restore(const StartState& start, const MotionState& s) {
  for (size_t i = 0; i < s.parameters.size(); ++i)
    f_->set_parameter(static_cast<int>(i), s.parameters[i]);
  f_->begin(start, y_);
  f_->set_configuration(s.q);
  std::copy(s.rest.begin(), s.rest.end(), y_.begin());
  each_elastic([&](size_t i, int q, int) { elastic_base_[i] = s.q[q]; });
  t_ = from_ = s.t, h_ = 0;
  steps_ = s.steps;
  counted_from_ = s.counted_from.value_or(start.t);
  counted_ = s.counted_from ? s.counted : s.steps;
  in_step_ = crossed_ = switched_ = false, rebased_ = true;
  breakpoints_.forget(), switches_.forget();
  method_->start(*f_, t_, y_);
  method_->set_memory(s.memory);
  // last: a method that starts may ask for a derivative, and the formulation remembers it
  f_->set_memory(s.formulation_memory);
}

std::vector<Diagnostic> OdeMotion::notes() const {
  std::vector<Diagnostic> all = watch_.notes();
  for (Diagnostic& d : method_->remarks(*f_)) all.push_back(std::move(d));
  for (Diagnostic& d : f_->notes()) all.push_back(std::move(d));
  return all;
}

}  // namespace sarrus
