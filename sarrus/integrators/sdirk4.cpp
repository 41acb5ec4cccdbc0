// The singly diagonally implicit method of Hairer and Wanner: order 4 with an estimate of order 3,
// L-stable, for stiff equations to moderate accuracy.
//
//   Z_i = h Σ_{j<i} a_ij k_j + h γ f(t + c_i h, y₀ + Z_i)      γ = 1/4, five stages          (1)
//   y₁  = y₀ + Z₅                                              the last row of a is b         (2)
//   (1 − h γ J) δ = r,  Z_i ← Z_i + δ                          r: what (1) lacks              (3)
//   e   = (1 − h γ J)⁻¹ h Σ (b_j − b̂_j) k_j                    [Shampine's filter]            (4)
//
// Every stage has the same matrix, so one factorisation serves the step. J = ∂f/∂y comes from
// differences and is kept for as long as (3) converges well. Why this one: a Rosenbrock method
// would need an exact J in each step, which mechanisms with contacts and formulas do not give, and
// BDF methods are not A-stable beyond order 2, which matters for vibrations.
// [Hairer, Wanner 1996, IV.6, table 6.5; IV.8 for the iteration], docs/theory/integrators.md
#include <algorithm>
#include <cmath>

#include "sarrus/integrators/dense_output.hpp"
#include "sarrus/integrators/difference_jacobian.hpp"
#include "sarrus/integrators/error_scale.hpp"
#include "sarrus/integrators/methods.hpp"
#include "sarrus/numerics/dense/triangular.hpp"

namespace sarrus {
namespace {

constexpr int stages = 5;
constexpr double gamma_ = 1 / 4.;
constexpr double c[stages] = {1 / 4., 3 / 4., 11 / 20., 1 / 2., 1};
constexpr double a[stages][stages] = {{gamma_},
                                      {1 / 2., gamma_},
                                      {17 / 50., -1 / 25., gamma_},
                                      {371 / 1360., -137 / 2720., 15 / 544., gamma_},
                                      {25 / 24., -49 / 48., 125 / 16., -85 / 12., gamma_}};
constexpr double e[stages] = {-3 / 16., -27 / 32., 25 / 32., 0, 1 / 4.};  // b − b̂

constexpr double safety = 0.9, fac_min = 0.2, fac_max = 5;
constexpr double smallest_old_error = 1e-4;
constexpr double solved = 1e-3;     // of the tolerance, left in (3)
constexpr double converges = 0.1;   // contraction of (3) beyond which J is renewed
constexpr int max_iterations = 10;  // of (3)
constexpr int max_cuts = 40;        // of steps in which (3) finds nothing
constexpr double unusable = 0.25;   // of h, where (3) finds nothing

class Sdirk4 final : public Integrator {
 public:
  explicit Sdirk4(const IntegratorOptions& options) : options_(options) {}

  std::string_view name() const override { return "sdirk4"; }
  int order() const override { return 4; }
  bool is_adaptive() const override { return true; }

  void start(Ode& ode, double, std::span<const double>) override {
    n_ = static_cast<size_t>(ode.size());
    active_ = n_ - static_cast<size_t>(ode.quadratures());
    split_ = static_cast<size_t>(ode.split());
    k_.assign(stages * n_, 0);
    for (std::vector<double>* v : {&end_, &y0_, &y1_, &at_, &f_, &Z_, &sum_}) v->assign(n_, 0);
    const auto size = static_cast<Eigen::Index>(active_);
    J_.setZero(size, size), matrix_.resize(size, size);
    residual_.resize(size), change_.resize(size);
    dense_.resize(ode.size(), DenseOutput::hermite_rows);
    scale_.start(ode, options_.rtol, options_.atol, options_.units);
    has_end_ = has_J_ = false;
    factored_h_ = 0;
    h_ = options_.step;
    error_old_ = smallest_old_error;
  }

  StepResult step(Ode& ode, double t, double t_end, std::span<double> y) override {
    require_forward(t, t_end);
    StepResult result;
    std::copy(y.begin(), y.end(), y0_.begin());
    if (!has_end_ && !evaluate(ode, t, y0_, end_, result)) return failed(ode, result);
    has_end_ = true;
    if (h_ <= 0) h_ = first_step(t_end - t);

    const double rest = t_end - t;
    const double wanted = options_.max_step > 0 ? std::min(h_, options_.max_step) : h_;
    bool is_last = 1.01 * wanted >= rest;  // no sliver is left before t_end
    double h = is_last ? rest : wanted;
    for (int cuts = 0;;) {
      const bool found = try_step(ode, t, h, result);
      const double error = found ? estimate(h, result) : 0;
      if (found && error <= 1) {
        const double next = h * factor(error, result.rejected > 0);
        h_ = is_last ? std::max(next, wanted) : next;
        error_old_ = std::max(error, smallest_old_error);
        break;
      }
      ++result.rejected;
      is_last = false;
      result.smallest_h = h;
      h *= found ? std::max(fac_min, safety * std::pow(error, -1.0 / order())) : unusable;
      if (!found && (++cuts > max_cuts || h < smallest_step(t))) return failed(ode, result);
      if (h < smallest_step(t)) {
        result.status = StepStatus::step_too_small;
        return result;
      }
    }
    finish(ode, t, h, result);
    if (result.status != StepStatus::accepted) return result;
    std::copy(y1_.begin(), y1_.end(), y.begin());
    result.worst = -1;
    result.smallest_h = 0;
    result.h = h;
    return result;
  }

  void interpolate(double theta, std::span<double> y) const override { dense_.evaluate(theta, y); }
  std::span<double> end_derivative() override { return end_; }

  std::vector<double> memory() const override {
    std::vector<double> memory = {has_end_ ? 1.0 : 0.0, h_, error_old_, has_J_ ? 1.0 : 0.0};
    memory.insert(memory.end(), scale_.memory().begin(), scale_.memory().end());
    memory.insert(memory.end(), end_.begin(), end_.end());
    memory.insert(memory.end(), J_.data(), J_.data() + J_.size());
    return memory;
  }
  void set_memory(std::span<const double> memory) override {
    const std::span<double> travel = scale_.memory();
    require_memory(name(), 4 + travel.size() + end_.size() + active_ * active_, memory.size());
    has_end_ = memory[0] != 0, h_ = memory[1], error_old_ = memory[2], has_J_ = memory[3] != 0;
    auto from = memory.begin() + 4;
    from = copy(from, travel), from = copy(from, end_);
    copy(from, {J_.data(), static_cast<size_t>(J_.size())});
    factored_h_ = 0;
  }

 private:
  static std::span<const double>::iterator copy(std::span<const double>::iterator from,
                                                std::span<double> to) {
    std::copy_n(from, to.size(), to.begin());
    return from + static_cast<std::ptrdiff_t>(to.size());
  }
  std::span<double> rate(int stage) { return {k_.data() + stage * n_, n_}; }

  bool evaluate(Ode& ode, double t, std::span<const double> y, std::span<double> ydot,
                StepResult& result) {
    ++result.evaluations;
    const bool done = ode.derivative(t, y, ydot);
    result.worst = done ? first_not_finite(ydot) : -1;
    return done && result.worst < 0;
  }

  StepResult failed(const Ode& ode, StepResult& result) const {
    result.status = diverged_ ? StepStatus::not_converged : StepStatus::not_finite;
    result.message = ode.failure();
    return result;
  }

  double norm(std::span<const double> v, std::span<const double> y, int* worst = nullptr) const {
    double sum = 0, largest = -1;
    for (size_t i = 0; i < active_; ++i) {
      const double x = std::fabs(v[i]) / scale_(static_cast<int>(i), y0_[i], y[i]);
      sum += x * x;
      if (worst && x > largest) largest = x, *worst = static_cast<int>(i);
    }
    return std::sqrt(sum / static_cast<double>(std::max<size_t>(active_, 1)));
  }

  /// Explicit Euler would change y by a hundredth of its size.
  double first_step(double limit) const {
    const double d0 = norm(y0_, y0_), d1 = norm(end_, y0_);
    const double h = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
    return std::min({h, limit, longest_first_step(options_)});
  }

  double factor(double error, bool was_rejected) const {
    const double q = order();
    const double wanted =
        error > 0 ? safety * std::pow(error, -0.85 / q) * std::pow(error_old_, 0.2 / q) : fac_max;
    return std::clamp(wanted, fac_min, was_rejected ? 1.0 : fac_max);
  }

  /// All stages, with a fresh J where an old one does not suffice. y1_ is the end of the step.
  bool try_step(Ode& ode, double t, double h, StepResult& result) {
    for (int attempt = 0; attempt < 2; ++attempt) {
      const bool fresh = !has_J_;
      if (fresh && !differentiate(ode, t, result)) return false;
      factor_matrix(h);
      bool found = true;
      for (int i = 0; found && i < stages; ++i) found = solve_stage(ode, i, t, h, result);
      if (found) return true;
      if (fresh) return false;
      has_J_ = false;
    }
    return false;
  }

  bool differentiate(Ode& ode, double t, StepResult& result) {
    const auto at_t = [&](std::span<const double> y, std::span<double> ydot) {
      return evaluate(ode, t, y, ydot, result);
    };
    has_J_ = difference_jacobian(y0_, end_, split_, at_t, at_, f_, J_);
    factored_h_ = 0;
    return has_J_;
  }

  void factor_matrix(double h) {
    if (h == factored_h_) return;
    matrix_.setIdentity();
    matrix_ -= h * gamma_ * J_;
    lu_.compute(matrix_);
    factored_h_ = h;
  }

  /// (1) by (3); the rate of the stage follows from Z itself, which keeps the digits of a stiff one.
  bool solve_stage(Ode& ode, int i, double t, double h, StepResult& result) {
    std::fill(sum_.begin(), sum_.end(), 0.0);
    for (int j = 0; j < i; ++j)
      for (size_t m = 0; m < n_; ++m) sum_[m] += h * a[i][j] * rate(j)[m];
    for (size_t m = 0; m < active_; ++m) Z_[m] = c[i] * h * end_[m];
    std::copy(y0_.begin(), y0_.end(), at_.begin());
    diverged_ = false;
    double before = 0;
    for (int k = 1;; ++k) {
      for (size_t m = 0; m < active_; ++m) at_[m] = y0_[m] + Z_[m];
      if (!evaluate(ode, t + c[i] * h, at_, f_, result)) return false;
      for (size_t m = 0; m < active_; ++m)
        residual_[static_cast<Eigen::Index>(m)] = sum_[m] + h * gamma_ * f_[m] - Z_[m];
      lu_.solve(residual_, change_);
      for (size_t m = 0; m < active_; ++m) Z_[m] += change_[static_cast<Eigen::Index>(m)];  // (3)
      ++result.iterations;
      const double size = norm({change_.data(), active_}, at_);
      const double contraction = k > 1 && before > 0 ? size / before : 0;
      const bool is_small =
          options_.tolerance == 0 || change_.lpNorm<Eigen::Infinity>() <= options_.tolerance;
      if (size == 0 || (k > 1 && contraction < 1 && is_small &&
                        contraction / (1 - contraction) * size <= solved)) {
        if (contraction > converges) has_J_ = false;  // it has served, the next step gets its own
        break;
      }
      diverged_ = !std::isfinite(size) || contraction >= 1 || k == max_iterations;
      if (diverged_) return false;
      before = size;
    }
    const std::span<double> k_i = rate(i);
    for (size_t m = 0; m < active_; ++m) k_i[m] = (Z_[m] - sum_[m]) / (h * gamma_);
    for (size_t m = active_; m < n_; ++m) k_i[m] = f_[m];
    for (size_t m = 0; m < active_; ++m) y1_[m] = y0_[m] + Z_[m];  // (2), of the last stage
    return true;
  }

  double estimate(double h, StepResult& result) {
    for (size_t m = 0; m < active_; ++m) {
      double x = 0;
      for (int j = 0; j < stages; ++j) x += e[j] * rate(j)[m];
      residual_[static_cast<Eigen::Index>(m)] = h * x;
    }
    lu_.solve(residual_, change_);  // (4)
    return norm({change_.data(), active_}, y1_, &result.worst);
  }

  void finish(Ode& ode, double t, double h, StepResult& result) {
    for (size_t m = active_; m < n_; ++m) {
      y1_[m] = y0_[m];
      for (int j = 0; j < stages; ++j) y1_[m] += h * a[stages - 1][j] * rate(j)[m];
    }
    std::copy(end_.begin(), end_.end(), f_.begin());
    if (!evaluate(ode, t + h, y1_, end_, result)) {
      has_end_ = false;
      failed(ode, result);
      return;
    }
    dense_.set_ends(h, y0_, f_, y1_, end_);
    scale_.accept(y0_, y1_);
  }

  IntegratorOptions options_;
  size_t n_ = 0, active_ = 0, split_ = 0;  // entries, without quadratures, positions

  // what the next step depends on
  bool has_end_ = false;  // end_ is the derivative where the next step starts
  bool has_J_ = false;
  double h_ = 0;  // [s] to try next, 0: to be chosen
  double error_old_ = smallest_old_error;
  std::vector<double> end_;
  ErrorScale scale_;
  Eigen::MatrixXd J_;

  // workspace
  bool diverged_ = false;
  double factored_h_ = 0;  // [s] that lu_ is for; 0: none
  std::vector<double> k_, y0_, y1_, at_, f_, Z_, sum_;
  Eigen::MatrixXd matrix_;
  Eigen::VectorXd residual_, change_;
  Lu lu_;
  DenseOutput dense_;
};

}  // namespace

std::unique_ptr<Integrator> make_sdirk4(const IntegratorOptions& options) {
  return std::make_unique<Sdirk4>(options);
}

}  // namespace sarrus
