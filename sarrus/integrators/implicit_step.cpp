#include "sarrus/integrators/implicit_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sarrus/integrators/methods.hpp"

namespace sarrus {
namespace {

constexpr int newton_steps = 32;   // steps with Newton before the fixed point gets another chance
constexpr double small = 1e-10;    // a relative change that may be blamed on rounding
constexpr double nothing = 1e-17;  // a change that no sum of 10⁷ steps shows
constexpr double floor_x = 1e-5;   // [rad, m] below which positions count as still
constexpr size_t history_shown = 6;

}  // namespace

void ImplicitStep::start(Ode& ode, double t, std::span<const double> y) {
  FixedStep::start(ode, t, y);
  split_ = static_cast<size_t>(ode.split());
  active_ = y.size() - static_cast<size_t>(ode.quadratures());
  newton_left_ = 0;
  has_jacobian_ = false;
  history_.reserve(options_.max_iterations);
}

std::vector<double> ImplicitStep::memory() const {
  std::vector<double> memory = FixedStep::memory();
  memory.push_back(newton_left_);
  memory.push_back(keeps_jacobian_ && has_jacobian_ ? matrix_step_ : 0);
  if (keeps_jacobian_ && has_jacobian_)
    memory.insert(memory.end(), matrix_.data(), matrix_.data() + matrix_.size());
  return memory;
}

void ImplicitStep::set_memory(std::span<const double> memory) {
  const size_t plain = 3 + 2 * y0_.size();
  has_jacobian_ = keeps_jacobian_ && memory.size() == plain + G_.size() * G_.size();
  require_memory(name(), plain + (has_jacobian_ ? G_.size() * G_.size() : 0), memory.size());
  FixedStep::set_memory(memory.first(plain - 2));
  newton_left_ = static_cast<int>(memory[plain - 2]);
  matrix_step_ = memory[plain - 1];
  if (!has_jacobian_) return;
  const auto n = static_cast<Eigen::Index>(G_.size());
  matrix_ = Eigen::Map<const Eigen::MatrixXd>(memory.data() + plain, n, n);
  lu_.compute(matrix_);
}

void ImplicitStep::begin_step(double h) {
  if (std::fabs(h - matrix_step_) > 1e-6 * h) has_jacobian_ = false;
  if (!has_jacobian_) matrix_step_ = h;
  newton_ = newton_left_ > 0;
  if (newton_) --newton_left_;
  // what the step moves, and what it moves from
  scale_x_ = floor_x, scale_w_ = floor_x / h;
  for (size_t i = 0; i < split_; ++i) scale_x_ = std::max(scale_x_, std::fabs(h * f0_[i]));
  for (size_t i = split_; i < active_; ++i)
    scale_w_ = std::max({scale_w_, std::fabs(y0_[i]), std::fabs(h * f0_[i])});
}

void ImplicitStep::turn_to_newton() {
  newton_ = true;
  newton_left_ = newton_steps - 1;
}

void ImplicitStep::reserve_unknowns(size_t n) {
  if (G_.size() == n) return;
  for (std::vector<double>* v : {&first_, &G_, &change_, &scale_, &probe_, &probed_})
    v->assign(n, 0);
}

double ImplicitStep::measure(StepResult& result) {
  ++result.iterations;
  double size = 0;
  for (size_t i = 0; i < change_.size(); ++i) {
    if (!std::isfinite(change_[i])) {
      size = std::numeric_limits<double>::infinity();
      break;
    }
    size = std::max(size, std::fabs(change_[i]) / scale_[i]);
  }
  history_.push_back(size);
  return size;
}

ImplicitStep::Progress ImplicitStep::judge(double size, int k, double too_slow) const {
  if (!std::isfinite(size)) return Progress::stuck;
  if (size <= std::max(options_.tolerance, nothing)) return Progress::done;
  if (k <= 2) return Progress::on;
  // positions respond to momenta and momenta to positions: pairs of iterations are compared
  const double before = history_[history_.size() - 3];
  if (size <= small) return size >= before ? Progress::done : Progress::on;
  return too_slow > 0 && k > 3 && size > too_slow * too_slow * before ? Progress::stuck
                                                                      : Progress::on;
}

std::string ImplicitStep::told_history() const {
  std::string text = "relative changes";
  const size_t n = history_.size();
  for (size_t i = 0; i < n; ++i) {
    if (n > history_shown && i == history_shown / 2) {
      text += " …";
      i = n - history_shown / 2;
    }
    text += fmt::format("{}{:.1e}", i == 0 ? " " : ", ", history_[i]);
  }
  return text;
}

}  // namespace sarrus
