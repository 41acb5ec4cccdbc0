#include "sarrus/integrators/fixed_step.hpp"

#include <algorithm>

#include "sarrus/integrators/methods.hpp"

namespace sarrus {

void FixedStep::start(Ode& ode, double, std::span<const double>) {
  const size_t n = static_cast<size_t>(ode.size());
  for (std::vector<double>* v : {&y0_, &y1_, &f0_, &end_, &delta_, &carry_, &new_carry_})
    v->assign(n, 0);
  dense_.resize(ode.size(), DenseOutput::hermite_rows);
  has_end_ = false;
}

bool FixedStep::evaluate(Ode& ode, double t, std::span<const double> y, std::span<double> ydot,
                         StepResult& result) {
  ++result.evaluations;
  const bool done = ode.derivative(t, y, ydot);
  const int bad = done ? first_not_finite(ydot) : -1;
  if (done && bad < 0) return true;
  result.status = StepStatus::not_finite;
  result.worst = bad;
  if (!done) result.message = ode.failure();
  return false;
}

void FixedStep::add_compensated() {
  for (size_t i = 0; i < y1_.size(); ++i) {
    const double delta = delta_[i] + carry_[i];
    y1_[i] = y0_[i] + delta;
    new_carry_[i] = delta - (y1_[i] - y0_[i]);
  }
}

StepResult FixedStep::step(Ode& ode, double t, double t_end, std::span<double> y) {
  require_forward(t, t_end);
  const double rest = t_end - t;
  // a rest that is one step but for rounding is taken whole, so that no sliver remains
  const double h = rest <= 1.0000001 * options_.step ? rest : options_.step;

  StepResult result;
  result.smallest_h = h;
  std::copy(y.begin(), y.end(), y0_.begin());
  if (!has_end_ && !evaluate(ode, t, y0_, end_, result)) return result;
  has_end_ = true;
  std::copy(end_.begin(), end_.end(), f0_.begin());

  if (!advance(ode, t, h, result)) return result;
  add_compensated();
  if (const int bad = first_not_finite(y1_); bad >= 0) {
    result.status = StepStatus::not_finite;
    result.worst = bad;
    return result;
  }
  if (!evaluate(ode, t + h, y1_, end_, result)) {
    std::copy(f0_.begin(), f0_.end(), end_.begin());
    return result;
  }

  dense_.set_ends(h, y0_, f0_, y1_, end_);
  std::copy(y1_.begin(), y1_.end(), y.begin());
  carry_.swap(new_carry_);
  result.h = h;
  return result;
}

std::vector<double> FixedStep::memory() const {
  std::vector<double> memory = {has_end_ ? 1.0 : 0.0};
  memory.insert(memory.end(), end_.begin(), end_.end());
  memory.insert(memory.end(), carry_.begin(), carry_.end());
  return memory;
}

void FixedStep::set_memory(std::span<const double> memory) {
  require_memory(name(), 1 + 2 * end_.size(), memory.size());
  has_end_ = memory[0] != 0;
  std::copy_n(memory.begin() + 1, end_.size(), end_.begin());
  std::copy_n(memory.end() - static_cast<std::ptrdiff_t>(carry_.size()), carry_.size(),
              carry_.begin());
}

}  // namespace sarrus
