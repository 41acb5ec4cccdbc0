// The generalised-α method for first-order equations: fixed step, order 2, with a damping that
// grows from none for slow motions to ρ∞ per step for those that the step cannot follow.
//
//   v_s = v₀ + α_m (v₁ − v₀) = f(t + α_f h, y₀ + α_f δ)                                     (1)
//   δ   = y₁ − y₀ = h [(1 − γ) v₀ + γ v₁]                                                   (2)
//
//   α_m = (3 − ρ∞) / 2(1 + ρ∞),   α_f = 1 / (1 + ρ∞),   γ = ½ + α_m − α_f                   (3)
//
// ρ∞ = 1 is the midpoint rule. v is an approximation of ẏ of its own: what it has beyond f at the
// end of a step, ε = v₁ − f(t₁, y₁), is of the second order and is carried on. Positions are those
// of the chart of this step, so that (2) is a step on the group; ε is small enough to be carried to
// the next chart as it is.
//
// (1) and (2) in one: δ = h [v₀ + (γ/α_m) (f_s − v₀)]                                       (4)
//
// [Chung, Hulbert 1993; Jansen, Whiting, Hulbert 2000; Brüls, Cardona 2010]
// docs/theory/integrators.md
#include "sarrus/integrators/implicit_step.hpp"
#include "sarrus/integrators/methods.hpp"

namespace sarrus {
namespace {

constexpr double default_tolerance = 1e-10;  // a method that damps needs no more

IntegratorOptions with_tolerance(IntegratorOptions options) {
  if (options.tolerance == 0) options.tolerance = default_tolerance;
  return options;
}

class GeneralizedAlpha final : public ImplicitStep {
 public:
  explicit GeneralizedAlpha(const IntegratorOptions& options)
      : ImplicitStep(with_tolerance(options)),
        alpha_m_(0.5 * (3 - options.rho_infinity) / (1 + options.rho_infinity)),
        alpha_f_(1 / (1 + options.rho_infinity)),
        gamma_(0.5 + alpha_m_ - alpha_f_) {  // (3)
    keep_jacobian();
  }
  std::string_view name() const override { return "generalized_alpha"; }
  int order() const override { return 2; }

  void start(Ode& ode, double t, std::span<const double> y) override {
    ImplicitStep::start(ode, t, y);
    for (std::vector<double>* v : {&excess_, &v0_, &v1_, &at_, &f_}) v->assign(y.size(), 0);
    unknown_.assign(active_, 0);
    reserve_unknowns(active_);
  }

  StepResult step(Ode& ode, double t, double t_end, std::span<double> y) override {
    const StepResult result = ImplicitStep::step(ode, t, t_end, y);
    if (result.status == StepStatus::accepted)
      for (size_t e = 0; e < v1_.size(); ++e) excess_[e] = v1_[e] - end_derivative()[e];
    return result;
  }

  std::vector<double> memory() const override {
    std::vector<double> memory = excess_;
    const std::vector<double> rest = ImplicitStep::memory();
    memory.insert(memory.end(), rest.begin(), rest.end());
    return memory;
  }
  void set_memory(std::span<const double> memory) override {
    if (memory.size() < excess_.size()) require_memory(name(), excess_.size(), memory.size());
    std::copy_n(memory.begin(), excess_.size(), excess_.begin());
    ImplicitStep::set_memory(memory.subspan(excess_.size()));
  }

 private:
  bool advance_implicit(Ode& ode, double t, double h, StepResult& result) override {
    for (size_t e = 0; e < v0_.size(); ++e) v0_[e] = f0_[e] + excess_[e];
    for (size_t e = 0; e < active_; ++e) unknown_[e] = uses_newton() ? 0 : h * v0_[e];
    const auto increment = [&](size_t e) {
      return h * (v0_[e] + gamma_ / alpha_m_ * (f_[e] - v0_[e]));  // (4)
    };
    const auto map = [&](std::span<const double> delta, std::span<double> G) {
      std::copy(y0_.begin(), y0_.end(), at_.begin());
      for (size_t e = 0; e < active_; ++e) at_[e] += alpha_f_ * delta[e];
      if (!evaluate(ode, t + alpha_f_ * h, at_, f_, result)) return false;
      for (size_t e = 0; e < active_; ++e) G[e] = increment(e);
      return true;
    };
    if (!solve(
            unknown_, map, [](size_t e) { return e; }, result))
      return false;
    for (size_t e = 0; e < delta_.size(); ++e) {
      delta_[e] = e < active_ ? unknown_[e] : increment(e);
      v1_[e] = (delta_[e] / h - (1 - gamma_) * v0_[e]) / gamma_;  // (2)
    }
    return true;
  }

  double alpha_m_, alpha_f_, gamma_;
  std::vector<double> excess_, v0_, v1_, at_, f_, unknown_;
};

}  // namespace

std::unique_ptr<Integrator> make_generalized_alpha(const IntegratorOptions& options) {
  return std::make_unique<GeneralizedAlpha>(options);
}

}  // namespace sarrus
