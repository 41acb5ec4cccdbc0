// The discrete gradient method of Gonzalez: order 2, fixed step, symmetric; the account of energy
// closes in every step, to rounding.
//
//   z₁ = z₀ + h B(z_m) ḡ,   z_m = (z₀ + z₁)/2,   ż = B ∇H                                   (1)
//   ḡ = g + α (z₁ − z₀),    g = ∇H(z_m) − forces that are no part of H                      (2)
//   α = [A(z₁) − A₀ − g·(z₁ − z₀)] / |z₁ − z₀|²                                             (3)
//
// A is the account E − work done, its quadratures taken at z_m as well. Since B is skew,
// (z₁ − z₀)·ḡ = 0, and (3) then says A(z₁) = A₀: without other forces H(z₁) = H(z₀), with them the
// energy changes by exactly the work that the ledger holds. B(z_m) g is f(z_m), and g follows from
// it. A₀ is that of the start of the run, so that rounding errors do not add up.
// A difference of A that rounding alone may cause is none: α would divide it by |z₁ − z₀|².
// [Gonzalez 1996], [Hairer, Lubich, Wanner 2006, V.5], docs/theory/integrators.md
#include <cmath>

#include "sarrus/integrators/implicit_step.hpp"
#include "sarrus/integrators/methods.hpp"
#include "sarrus/integrators/poisson.hpp"
#include "sarrus/numerics/tolerance.hpp"

namespace sarrus {
namespace {

constexpr double rounding = ulps(4);  // of the account

class DiscreteGradient final : public ImplicitStep {
 public:
  using ImplicitStep::ImplicitStep;
  std::string_view name() const override { return "discrete_gradient"; }
  int order() const override { return 2; }
  std::vector<Diagnostic> suits(const Ode& ode) const override { return energy_notes(*this, ode); }

  void start(Ode& ode, double t, std::span<const double> y) override {
    check_suits(*this, ode);
    ImplicitStep::start(ode, t, y);
    reserve_unknowns(active_);
    groups_ = ode.structure().groups;
    for (std::vector<double>* v : {&end_state_, &middle_, &rate_, &g_, &turned_})
      v->assign(y.size(), 0);
    change_z_.assign(active_, 0);
    has_account_ = false;
  }

  std::vector<double> memory() const override {
    std::vector<double> memory = ImplicitStep::memory();
    memory.insert(memory.end(), {has_account_ ? 1.0 : 0.0, account_});
    return memory;
  }
  void set_memory(std::span<const double> memory) override {
    require_memory(name(), 5 + 2 * y0_.size(), memory.size());
    ImplicitStep::set_memory(memory.first(memory.size() - 2));
    has_account_ = memory[memory.size() - 2] != 0;
    account_ = memory.back();
  }

 private:
  bool advance_implicit(Ode& ode, double t, double h, StepResult& result) override {
    if (!has_account_) account_ = ode.energy_account(t, y0_);
    if (!std::isfinite(account_)) {
      result.status = StepStatus::not_finite;
      result.message = "the energy is not known";
      return false;
    }
    has_account_ = true;
    for (size_t i = 0; i < active_; ++i) change_z_[i] = h * f0_[i];
    const auto map = [&](std::span<const double> dz, std::span<double> G) {
      return increment(ode, t, h, dz, G, result);
    };
    if (!solve(
            change_z_, map, [](size_t i) { return i; }, result))
      return false;
    std::copy(change_z_.begin(), change_z_.end(), delta_.begin());
    for (size_t i = active_; i < y0_.size(); ++i) delta_[i] = h * rate_[i];
    return true;
  }

  /// (1) as a map of the increment z₁ − z₀.
  bool increment(Ode& ode, double t, double h, std::span<const double> dz, std::span<double> G,
                 StepResult& result) {
    for (size_t i = 0; i < active_; ++i) {
      middle_[i] = y0_[i] + 0.5 * dz[i];
      end_state_[i] = y0_[i] + dz[i];
    }
    if (!evaluate(ode, t + h / 2, middle_, rate_, result)) return false;
    for (size_t i = active_; i < y0_.size(); ++i) end_state_[i] = y0_[i] + h * rate_[i];

    gradient();
    double along = 0, square = 0;
    for (size_t i = 0; i < active_; ++i) along += g_[i] * dz[i], square += dz[i] * dz[i];
    const double account = ode.energy_account(t + h, end_state_);
    const double alpha =
        square > 0 ? beyond_rounding(account - account_ - along) / square : 0;  // (3)

    turn(dz);
    for (size_t i = 0; i < active_; ++i) G[i] = h * (rate_[i] + alpha * turned_[i]);  // (1)
    return true;
  }

  double beyond_rounding(double difference) const {
    const double noise = rounding * std::fabs(account_);
    return std::copysign(std::max(0.0, std::fabs(difference) - noise), difference);
  }

  /// g from f = B g at the middle: v = N⁻¹ ξ̇ and −N⁻ᵀ (ṗ − Γ v); states of elements have none.
  void gradient() {
    std::fill(g_.begin(), g_.end(), 0.0);
    for (size_t i = 0; i < split_; ++i) {
      g_[i] = -rate_[split_ + i];
      g_[split_ + i] = rate_[i];
    }
    for (const GroupBlock& g : groups_) {
      group_velocity(g, middle_, rate_, g_, g.p);
      std::copy_n(rate_.begin() + g.p, g.size(), turned_.begin() + g.p);
      add_gyroscopic(g, middle_, g_, g.p, -1, turned_);
      chart_transposed_inverse(g, middle_, turned_, g_);
      for (int i = 0; i < g.size(); ++i) {
        double& entry = g_[g.x + i];
        entry = -entry;
      }
    }
  }

  /// B(z_m) dz
  void turn(std::span<const double> dz) {
    std::fill(turned_.begin(), turned_.end(), 0.0);
    for (size_t i = 0; i < split_; ++i) {
      turned_[i] = dz[split_ + i];
      turned_[split_ + i] = -dz[i];
    }
    for (const GroupBlock& g : groups_) {
      chart_rates(g, middle_, dz, g.p, turned_);
      chart_transposed(g, middle_, dz, turned_);
      for (int i = 0; i < g.size(); ++i) {
        double& entry = turned_[g.p + i];
        entry = -entry;
      }
      add_gyroscopic(g, middle_, dz, g.p, 1, turned_);
    }
  }

  std::vector<GroupBlock> groups_;
  bool has_account_ = false;
  double account_ = 0;  // A₀
  std::vector<double> change_z_, middle_, end_state_, rate_, g_, turned_;
};

}  // namespace

std::unique_ptr<Integrator> make_discrete_gradient(const IntegratorOptions& options) {
  return std::make_unique<DiscreteGradient>(options);
}

}  // namespace sarrus
