// Implicit midpoint rule, order 2, fixed step: symmetric, and symplectic in (q, p).
//
//   z₁ = z₀ + h f(t + h/2, (z₀ + z₁)/2)                                                     (1)
//
// Solved by fixed point iteration of (1) from explicit Euler. Where that does not contract (h
// |∂f/∂z| above about 2: stiff springs, strong dampers) Newton's method takes over,
//
//   J = 1 − h/2 ∂f/∂z by differences,   J δ = z₀ + h f − z₁,   z₁ ← z₁ + δ                   (2)
//
// and stays for some steps before the fixed point is tried again. Both end when the change is below
// the tolerance relative to the largest entry among positions and among the rest, or when rounding
// keeps it from falling further. Quadratures follow from the midpoint and take no part.
// [Hairer, Lubich, Wanner 2006, II.1, VI.4, VIII.6], docs/theory/integrators.md
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sarrus/integrators/fixed_step.hpp"
#include "sarrus/integrators/methods.hpp"

namespace sarrus {
namespace {

constexpr int newton_steps = 32;  // steps with Newton before the fixed point gets another chance
constexpr double stagnation = 1e-10;  // relative change that may be blamed on rounding

class Midpoint final : public FixedStep {
 public:
  using FixedStep::FixedStep;
  std::string_view name() const override { return "midpoint"; }
  int order() const override { return 2; }

  void start(Ode& ode, double t, std::span<const double> y) override {
    FixedStep::start(ode, t, y);
    for (std::vector<double>* v : {&zm_, &f_, &fp_, &change_}) v->assign(y.size(), 0);
    split_ = static_cast<size_t>(ode.split());
    active_ = y.size() - static_cast<size_t>(ode.quadratures());
    newton_left_ = 0;
  }

  std::vector<double> memory() const override {
    std::vector<double> memory = FixedStep::memory();
    memory.push_back(newton_left_);
    return memory;
  }
  void set_memory(std::span<const double> memory) override {
    require_memory(name(), 2 + y0_.size(), memory.size());
    FixedStep::set_memory(memory.first(memory.size() - 1));
    newton_left_ = static_cast<int>(memory.back());
  }

 private:
  enum class Outcome { solved, failed };

  bool advance(Ode& ode, double t, double h, StepResult& result) override {
    if (newton_left_ == 0) {
      if (fixed_point(ode, t, h, result) == Outcome::solved) return true;
      newton_left_ = newton_steps;
    }
    --newton_left_;
    result.status = StepStatus::accepted;
    return newton(ode, t, h, result) == Outcome::solved;
  }

  /// f at the midpoint of y0_ and y1_.
  bool evaluate_midpoint(Ode& ode, double t, double h, std::span<double> f, StepResult& result) {
    for (size_t i = 0; i < zm_.size(); ++i) zm_[i] = 0.5 * (y0_[i] + y1_[i]);
    return evaluate(ode, t + h / 2, zm_, f, result);
  }

  /// Size of change_, relative to the new state; positions and the rest each by their largest
  /// entry.
  double relative_change(StepResult& result) const {
    double largest = 0;
    for (const auto& [from, to] : {std::pair{size_t{0}, split_}, std::pair{split_, active_}}) {
      double size = 0, change = 0;
      size_t worst = from;
      for (size_t i = from; i < to; ++i) {
        size = std::max({size, std::fabs(y0_[i]), std::fabs(y1_[i])});
        if (!std::isfinite(change_[i])) return std::numeric_limits<double>::infinity();
        if (std::fabs(change_[i]) > change) change = std::fabs(change_[i]), worst = i;
      }
      if (change > largest * size) largest = change / size, result.worst = static_cast<int>(worst);
    }
    return largest;
  }

  Outcome fixed_point(Ode& ode, double t, double h, StepResult& result) {
    for (size_t i = 0; i < y1_.size(); ++i) y1_[i] = y0_[i] + h * f0_[i];
    double last = 0;
    for (int k = 1; k <= options_.max_iterations; ++k) {
      ++result.iterations;
      if (!evaluate_midpoint(ode, t, h, f_, result)) return Outcome::failed;
      for (size_t i = 0; i < y1_.size(); ++i) {
        const double z = y0_[i] + h * f_[i];  // (1)
        change_[i] = z - y1_[i];
        y1_[i] = z;
      }
      const double size = relative_change(result);
      if (is_done(size, last, k)) return finish(result);
      if (!std::isfinite(size) || (k > 2 && size > 0.8 * last)) return Outcome::failed;
      last = size;
    }
    return Outcome::failed;
  }

  Outcome newton(Ode& ode, double t, double h, StepResult& result) {
    std::copy(y0_.begin(), y0_.end(), y1_.begin());
    bool has_jacobian = false;
    double last = 0;
    for (int k = 1; k <= options_.max_iterations; ++k) {
      ++result.iterations;
      if (!evaluate_midpoint(ode, t, h, f_, result)) return Outcome::failed;
      if (!has_jacobian && !factorise(ode, t, h, result)) return Outcome::failed;
      has_jacobian = true;
      solve(h);
      const double size = relative_change(result);
      if (is_done(size, last, k)) return finish(result);
      if (!std::isfinite(size)) break;
      if (k > 1 && size > 0.2 * last) has_jacobian = false;  // slow: a fresh one at the new point
      last = size;
    }
    result.status = StepStatus::not_converged;
    result.residual = last;
    return Outcome::failed;
  }

  /// J of (2) and its factors. Expects f_ and zm_ at the present y1_.
  bool factorise(Ode& ode, double t, double h, StepResult& result) {
    const Eigen::Index n = static_cast<Eigen::Index>(active_);
    jacobian_.resize(n, n);
    for (size_t j = 0; j < active_; ++j) {
      const double z = zm_[j];
      // positions in a chart are small while their sense of scale is one radian or metre
      zm_[j] = z + 1.5e-8 * std::max(std::fabs(z), j < split_ ? 1.0 : 1e-3);
      const double d = zm_[j] - z;
      const bool done = evaluate(ode, t + h / 2, zm_, fp_, result);
      zm_[j] = z;
      if (!done) return false;
      for (size_t i = 0; i < active_; ++i)
        jacobian_(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
            (i == j ? 1.0 : 0.0) - h / 2 * (fp_[i] - f_[i]) / d;
    }
    lu_.compute(jacobian_);
    return true;
  }

  /// One step of (2); quadratures follow explicitly.
  void solve(double h) {
    Eigen::VectorXd r(static_cast<Eigen::Index>(active_));
    for (size_t i = 0; i < active_; ++i)
      r[static_cast<Eigen::Index>(i)] = y0_[i] + h * f_[i] - y1_[i];
    const Eigen::VectorXd delta = lu_.solve(r);
    for (size_t i = 0; i < active_; ++i) {
      change_[i] = delta[static_cast<Eigen::Index>(i)];
      y1_[i] += change_[i];
    }
    for (size_t i = active_; i < y1_.size(); ++i) y1_[i] = y0_[i] + h * f_[i];
  }

  bool is_done(double size, double last, int k) const {
    return size <= options_.tolerance || (k > 1 && size <= stagnation && size > 0.5 * last);
  }

  static Outcome finish(StepResult& result) {
    result.worst = -1;
    return Outcome::solved;
  }

  size_t split_ = 0, active_ = 0;  // positions, entries without the quadratures
  int newton_left_ = 0;
  std::vector<double> zm_, f_, fp_, change_;
  Eigen::MatrixXd jacobian_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

}  // namespace

std::unique_ptr<Integrator> make_midpoint(const IntegratorOptions& options) {
  return std::make_unique<Midpoint>(options);
}

}  // namespace sarrus
