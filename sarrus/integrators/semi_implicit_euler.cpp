// Semi-implicit (symplectic) Euler, order 1, fixed step: velocities first, positions with the new
// ones.
//
//   w₁ = w₀ + h f_w(t, ξ₀, w₀)       w: all that is no position
//   ξ₁ = ξ₀ + h f_ξ(t, ξ₀, w₁)
//
// Where forces depend on positions only it is symplectic, and the energy of a vibration stays
// bounded. Two evaluations per step. [Hairer, Lubich, Wanner 2006, I.1.2],
// docs/theory/integrators.md
#include <algorithm>

#include "sarrus/integrators/fixed_step.hpp"
#include "sarrus/integrators/methods.hpp"

namespace sarrus {
namespace {

class SemiImplicitEuler final : public FixedStep {
 public:
  using FixedStep::FixedStep;
  std::string_view name() const override { return "semi_implicit_euler"; }
  int order() const override { return 1; }

  void start(Ode& ode, double t, std::span<const double> y) override {
    FixedStep::start(ode, t, y);
    rates_.assign(y.size(), 0);
  }

 private:
  bool advance(Ode& ode, double t, double h, StepResult& result) override {
    const size_t split = static_cast<size_t>(ode.split());
    std::copy_n(y0_.begin(), split, y1_.begin());
    for (size_t i = split; i < y1_.size(); ++i) {
      delta_[i] = h * f0_[i];
      y1_[i] = y0_[i] + delta_[i];
    }
    if (!evaluate(ode, t, y1_, rates_, result)) return false;
    for (size_t i = 0; i < split; ++i) delta_[i] = h * rates_[i];
    return true;
  }

  std::vector<double> rates_;
};

}  // namespace

std::unique_ptr<Integrator> make_semi_implicit_euler(const IntegratorOptions& options) {
  return std::make_unique<SemiImplicitEuler>(options);
}

}  // namespace sarrus
