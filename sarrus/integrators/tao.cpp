// Tao's explicit method for H(q, p) that is no sum T(p) + V(q): order 2, fixed step, symmetric;
// symplectic in a phase space with two copies (q, y) and (x, p) of the motion, bound together.
//
//   A(d)   p += d f_p(q, y),   x += d f_q(q, y)                                             (1)
//   B(d)   q += d f_q(x, p),   y += d f_p(x, p)                                             (2)
//   C(d)   the differences (q − x, p − y) turn by the angle 2 ω d, the sums stay            (3)
//   step = A(h/2) B(h/2) C(h) B(h/2) A(h/2)
//
// The binding ω keeps the copies near each other: their gap is O(h²) and is watched. Too small a ω
// lets them part, too large a one shrinks the step that is stable (2 ω h well below 1). The answer
// is (q, p); of the copies the differences are kept, so that a chart may move under them. Damping
// would be anti-damping for the difference p − y, so the method refuses it. [Tao 2016],
// docs/theory/integrators.md
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/integrators/fixed_step.hpp"
#include "sarrus/integrators/methods.hpp"

namespace sarrus {
namespace {

constexpr double parted = 0.5;  // [rad, m] of gap: the copies no longer describe one motion

class Tao final : public FixedStep {
 public:
  using FixedStep::FixedStep;
  std::string_view name() const override { return "tao"; }
  int order() const override { return 2; }
  std::vector<Diagnostic> suits(const Ode& ode) const override {
    std::vector<Diagnostic> found = copies_notes(*this, ode);
    if (found.empty()) found = symplectic_notes(*this, ode);
    return found;
  }
  std::vector<Diagnostic> remarks(const Ode& ode) const override;

  void start(Ode& ode, double t, std::span<const double> y) override {
    check_suits(*this, ode);
    FixedStep::start(ode, t, y);
    split_ = static_cast<size_t>(ode.split());
    gap_.assign(2 * split_, 0);
    for (std::vector<double>* v : {&q_, &p_, &x_, &y_}) v->assign(split_, 0);
    at_.assign(y.size(), 0), rate_ = at_;
    widest_ = 0, widest_entry_ = -1;
  }

  std::vector<double> memory() const override {
    std::vector<double> memory = FixedStep::memory();
    memory.insert(memory.end(), gap_.begin(), gap_.end());
    memory.insert(memory.end(), {widest_, static_cast<double>(widest_entry_)});
    return memory;
  }
  void set_memory(std::span<const double> memory) override {
    require_memory(name(), 3 + 2 * y0_.size() + gap_.size(), memory.size());
    FixedStep::set_memory(memory.first(1 + 2 * y0_.size()));
    std::copy_n(memory.end() - static_cast<std::ptrdiff_t>(gap_.size() + 2), gap_.size(),
                gap_.begin());
    widest_ = memory[memory.size() - 2];
    widest_entry_ = static_cast<int>(memory.back());
  }

 private:
  bool advance(Ode& ode, double t, double h, StepResult& result) override {
    // increments from y₀ of both copies
    std::fill(q_.begin(), q_.end(), 0.0), std::fill(p_.begin(), p_.end(), 0.0);
    std::copy_n(gap_.begin(), split_, x_.begin());
    std::copy_n(gap_.begin() + static_cast<std::ptrdiff_t>(split_), split_, y_.begin());
    for (size_t i = 2 * split_; i < y0_.size(); ++i) delta_[i] = 0;

    if (!flow_a(ode, t, h / 2, result) || !flow_b(ode, t, h / 2, result)) return false;
    bind(h);
    if (!flow_b(ode, t + h, h / 2, result) || !flow_a(ode, t + h, h / 2, result)) return false;

    for (size_t i = 0; i < split_; ++i) delta_[i] = q_[i], delta_[split_ + i] = p_[i];
    return keep_gap(h, result);
  }

  bool rates(Ode& ode, double t, const std::vector<double>& x, const std::vector<double>& w,
             double d, StepResult& result) {
    std::copy(y0_.begin(), y0_.end(), at_.begin());
    for (size_t i = 0; i < split_; ++i) at_[i] += x[i], at_[split_ + i] += w[i];
    if (!evaluate(ode, t, at_, rate_, result)) return false;
    for (size_t i = 2 * split_; i < y0_.size(); ++i) delta_[i] += d / 2 * rate_[i];
    return true;
  }

  bool flow_a(Ode& ode, double t, double d, StepResult& result) {
    if (!rates(ode, t, q_, y_, d, result)) return false;
    for (size_t i = 0; i < split_; ++i)
      p_[i] += d * rate_[split_ + i], x_[i] += d * rate_[i];  // (1)
    return true;
  }
  bool flow_b(Ode& ode, double t, double d, StepResult& result) {
    if (!rates(ode, t, x_, p_, d, result)) return false;
    for (size_t i = 0; i < split_; ++i)
      q_[i] += d * rate_[i], y_[i] += d * rate_[split_ + i];  // (2)
    return true;
  }

  void bind(double h) {
    const double c = std::cos(2 * options_.binding * h), s = std::sin(2 * options_.binding * h);
    for (size_t i = 0; i < split_; ++i) {
      const double dq = q_[i] - x_[i], dp = p_[i] - y_[i];
      const double eq = c * dq + s * dp, ep = c * dp - s * dq;  // (3)
      const double sq = q_[i] + x_[i], sp = p_[i] + y_[i];
      q_[i] = (sq + eq) / 2, x_[i] = (sq - eq) / 2;
      p_[i] = (sp + ep) / 2, y_[i] = (sp - ep) / 2;
    }
  }

  bool keep_gap(double h, StepResult& result) {
    for (size_t i = 0; i < split_; ++i) {
      const double gap = std::fabs(x_[i] - q_[i]);
      if (!(gap < parted)) {
        result.status = std::isfinite(gap) ? StepStatus::not_converged : StepStatus::not_finite;
        result.worst = static_cast<int>(i);
        result.residual = gap;
        result.message = fmt::format(
            "the two copies of the motion have drifted apart by {:.2g}: 2 binding step = {:.2g} "
            "should be "
            "well below 1, and the step shorter than the fastest vibration",
            gap, 2 * options_.binding * h);
        return false;
      }
    }
    for (size_t i = 0; i < split_; ++i) {
      gap_[i] = x_[i] - q_[i], gap_[split_ + i] = y_[i] - p_[i];
      if (std::fabs(gap_[i]) > widest_)
        widest_ = std::fabs(gap_[i]), widest_entry_ = static_cast<int>(i);
    }
    return true;
  }

  size_t split_ = 0;
  std::vector<double> gap_;  // (x − q, y − p)
  double widest_ = 0;        // largest |x − q| so far
  int widest_entry_ = -1;
  std::vector<double> q_, p_, x_, y_;  // increments of both copies during a step
  std::vector<double> at_, rate_;
};

std::vector<Diagnostic> Tao::remarks(const Ode& ode) const {
  if (widest_entry_ < 0) return {};
  return {{.severity = Severity::note,
           .code = "gap-of-copies",
           .element = "integrator/tao",
           .message = fmt::format("its two copies of the motion were up to {:.1e} apart, in {}",
                                  widest_, ode.entry(widest_entry_)),
           .hint = "the answer is about as good as that; it falls with the square of the step",
           .value = fmt::format("{}", widest_)}};
}

}  // namespace

std::unique_ptr<Integrator> make_tao(const IntegratorOptions& options) {
  return std::make_unique<Tao>(options);
}

}  // namespace sarrus
