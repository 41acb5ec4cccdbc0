// The classical Runge–Kutta method, order 4, fixed step.
//
//   k₁ = f(t, y₀)                     0  |
//   k₂ = f(t + h/2, y₀ + h/2 k₁)     1/2 | 1/2
//   k₃ = f(t + h/2, y₀ + h/2 k₂)     1/2 |  0  1/2
//   k₄ = f(t + h,   y₀ + h k₃)        1  |  0   0   1
//   y₁ = y₀ + h/6 (k₁ + 2 k₂ + 2 k₃ + k₄)
//
// k₁ is the derivative at the end of the step before: four evaluations per step.
// [Kutta 1901], [Hairer, Nørsett, Wanner 1993, II.1], docs/theory/integrators.md
#include "sarrus/integrators/fixed_step.hpp"
#include "sarrus/integrators/methods.hpp"

namespace sarrus {
namespace {

class RungeKutta4 final : public FixedStep {
 public:
  using FixedStep::FixedStep;
  std::string_view name() const override { return "rk4"; }
  int order() const override { return 4; }

  void start(Ode& ode, double t, std::span<const double> y) override {
    FixedStep::start(ode, t, y);
    for (std::vector<double>* k : {&k2_, &k3_, &k4_}) k->assign(y.size(), 0);
  }

 private:
  bool advance(Ode& ode, double t, double h, StepResult& result) override {
    stage(h / 2, f0_);
    if (!evaluate(ode, t + h / 2, y1_, k2_, result)) return false;
    stage(h / 2, k2_);
    if (!evaluate(ode, t + h / 2, y1_, k3_, result)) return false;
    stage(h, k3_);
    if (!evaluate(ode, t + h, y1_, k4_, result)) return false;

    for (size_t i = 0; i < y1_.size(); ++i)
      delta_[i] = h / 6 * (f0_[i] + 2 * (k2_[i] + k3_[i]) + k4_[i]);
    return true;
  }

  void stage(double h, const std::vector<double>& k) {
    for (size_t i = 0; i < y1_.size(); ++i) y1_[i] = y0_[i] + h * k[i];
  }

  std::vector<double> k2_, k3_, k4_;
};

}  // namespace

std::unique_ptr<Integrator> make_rk4(const IntegratorOptions& options) {
  return std::make_unique<RungeKutta4>(options);
}

}  // namespace sarrus
