// The Störmer–Verlet method for forces that depend on velocities too, or H(q, p) that is no sum
// T(p) + V(q): order 2, fixed step, symmetric, and symplectic in (q, p).
//
//   w' = w₀ + h/2 f_w(t, ξ₀, w')                                   implicit                 (1)
//   ξ₁ = ξ₀ + h/2 (f_ξ(t, ξ₀, w') + f_ξ(t + h, ξ₁, w'))            implicit                 (2)
//   w₁ = w' + h/2 f_w(t + h, ξ₁, w')                                                        (3)
//
// ξ positions, w all else. Where q̇ depends on p only and ṗ on q only it is the well-known explicit
// method, and both iterations end after one look. Quadratures: the mean of both ends of (2).
// [Hairer, Lubich, Wanner 2006, I.1.4, VI.3], docs/theory/integrators.md
#include "sarrus/integrators/implicit_step.hpp"
#include "sarrus/integrators/methods.hpp"

namespace sarrus {
namespace {

class StormerVerlet final : public ImplicitStep {
 public:
  using ImplicitStep::ImplicitStep;
  std::string_view name() const override { return "stormer_verlet"; }
  int order() const override { return 2; }
  std::vector<Diagnostic> suits(const Ode& ode) const override {
    return symplectic_notes(*this, ode);
  }

  void start(Ode& ode, double t, std::span<const double> y) override {
    ImplicitStep::start(ode, t, y);
    for (std::vector<double>* v : {&at_, &first_rate_, &last_rate_}) v->assign(y.size(), 0);
    w_.assign(active_ - split_, 0);
    x_.assign(split_, 0);
    reserve_unknowns(w_.size());
    reserve_unknowns(x_.size());
  }

 private:
  bool advance_implicit(Ode& ode, double t, double h, StepResult& result) override {
    at_ = y0_;

    // half a kick, from where the positions are
    for (size_t i = split_; i < active_; ++i) w_[i - split_] = h / 2 * f0_[i];
    const auto kick = [&](std::span<const double> w, std::span<double> G) {
      for (size_t i = split_; i < active_; ++i) at_[i] = y0_[i] + w[i - split_];
      if (!evaluate(ode, t, at_, first_rate_, result)) return false;
      for (size_t i = split_; i < active_; ++i) G[i - split_] = h / 2 * first_rate_[i];  // (1)
      return true;
    };
    if (!solve(
            w_, kick, [&](size_t i) { return split_ + i; }, result))
      return false;
    for (size_t i = split_; i < active_; ++i) at_[i] = y0_[i] + w_[i - split_];
    if (!evaluate(ode, t, at_, first_rate_, result)) return false;

    // the drift
    for (size_t i = 0; i < split_; ++i) x_[i] = h * first_rate_[i];
    const auto drift = [&](std::span<const double> x, std::span<double> G) {
      for (size_t i = 0; i < split_; ++i) at_[i] = y0_[i] + x[i];
      if (!evaluate(ode, t + h, at_, last_rate_, result)) return false;
      for (size_t i = 0; i < split_; ++i) G[i] = h / 2 * (first_rate_[i] + last_rate_[i]);  // (2)
      return true;
    };
    if (!solve(
            x_, drift, [&](size_t i) { return i; }, result))
      return false;
    for (size_t i = 0; i < split_; ++i) at_[i] = y0_[i] + x_[i];
    if (!evaluate(ode, t + h, at_, last_rate_, result)) return false;

    // the other half
    for (size_t i = 0; i < split_; ++i) delta_[i] = x_[i];
    for (size_t i = split_; i < active_; ++i)
      delta_[i] = w_[i - split_] + h / 2 * last_rate_[i];  // (3)
    for (size_t i = active_; i < y0_.size(); ++i)
      delta_[i] = h / 2 * (first_rate_[i] + last_rate_[i]);
    return true;
  }

  std::vector<double> at_, first_rate_, last_rate_, w_, x_;
};

}  // namespace

std::unique_ptr<Integrator> make_stormer_verlet(const IntegratorOptions& options) {
  return std::make_unique<StormerVerlet>(options);
}

}  // namespace sarrus
