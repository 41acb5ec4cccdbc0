#include "sarrus/motion/ode_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sarrus {
namespace {

constexpr double out_of_range = 1e100;  // of any entry of the state: its square must be a number

}  // namespace

OdeMotion::OdeMotion(std::unique_ptr<Formulation> formulation,
                     std::unique_ptr<Integrator> integrator)
    : f_(std::move(formulation)),
      method_(std::move(integrator)),
      watch_(f_->mechanism()),
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

const std::vector<double>& OdeMotion::elastic() {
  each_elastic([&](size_t i, int, int x) { elastic_[i] = elastic_base_[i] + y_[x]; });
  return elastic_;
}

void OdeMotion::begin(const StartState& start) {
  t_ = from_ = start.t;
  h_ = 0, steps_ = 0;
  count_anew();
  in_step_ = rebased_ = false;
  f_->begin(start, y_);
  each_elastic([&](size_t i, int q, int) { elastic_base_[i] = start.q[q]; });
  method_->start(*f_, t_, y_);
}

/// The base of the chart moves to the end of the last step.
void OdeMotion::leave_step() {
  if (!in_step_) return;
  in_step_ = false;
  rebased_ = method_->wants_rebase(y_);
  if (!rebased_) return;
  each_elastic([&](size_t i, int, int x) { elastic_base_[i] += y_[x]; });
  f_->rebase(t_, y_, method_->end_derivative());
}

/// A fixed step counts its steps; an adaptive one adds what it took.
StepResult OdeMotion::step(double until) {
  leave_step();
  StepResult step = method_->step(*f_, t_, until, y_);
  if (step.status != StepStatus::accepted) return step;
  from_ = t_, h_ = step.h;
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
  if (h_ == until - from_) {
    t_ = until;
    count_anew();
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
  if (!in_step_) {
    if (t != t_ && can_move())
      throw std::invalid_argument(
          fmt::format("the motion is at {} s and cannot be looked at at {} s any more", t_, t));
    return f_->observe(t, y_, out);
  }
  method_->interpolate(t == t_ ? 1.0 : (t - from_) / h_, inside_);
  f_->observe(t, inside_, out);
}

void OdeMotion::set_parameter(int parameter, double value) {
  leave_step();
  f_->set_parameter(parameter, value);
  // what the method remembers of the past no longer holds
  method_->start(*f_, t_, y_);
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
  in_step_ = false, rebased_ = true;
  method_->start(*f_, t_, y_);
  method_->set_memory(s.memory);
  f_->set_memory(s.formulation_memory);  // after start(), which may have asked for a derivative
}

std::vector<Diagnostic> OdeMotion::notes() const {
  std::vector<Diagnostic> all = watch_.notes();
  for (Diagnostic& d : method_->remarks(*f_)) all.push_back(std::move(d));
  for (Diagnostic& d : f_->notes()) all.push_back(std::move(d));
  return all;
}

}  // namespace sarrus
