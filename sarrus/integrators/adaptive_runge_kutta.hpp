// Explicit embedded Runge–Kutta methods with step size control and dense output: one driver, and a
// tableau per method.
//
//   k₁ = f(t, y₀),   kₛ = f(t + cₛ h, y₀ + h Σⱼ aₛⱼ kⱼ)
//
// The last of the main stages is at y₁ itself (its row of a is b): it is the derivative at the end
// of the step and the first stage of the next one.
//
// error    e = h Σ eⱼ kⱼ, in the norm √(1/n Σ (eᵢ/scaleᵢ)²), see error_scale.hpp. With a second
// estimate
//          e₃ of lower order (dop853) err = ‖e‖² / √(‖e‖² + 0.01 ‖e₃‖²)
// control  h ← h · min(fac_max, max(fac_min, 0.9 err^(−0.85/q) err_old^(0.2/q)))    (PI)
//          after a rejected trial h does not grow in the same step
// start    the first step from sizes of y, f and a difference of f
//
// [Hairer, Nørsett, Wanner 1993, II.4–II.6, IV.2 for the PI controller], docs/theory/integrators.md
#pragma once

#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "sarrus/integrators/dense_output.hpp"
#include "sarrus/integrators/error_scale.hpp"
#include "sarrus/integrators/integrator.hpp"

namespace sarrus {

/// A coefficient and the stage that it multiplies (from 0). Zeros are not listed.
struct Weight {
  int stage;
  double value;
};
using Weights = std::span<const Weight>;

struct EmbeddedTableau {
  std::string_view name;
  int order;
  int main;                        // stages of the step, the one at its end included
  std::span<const double> c;       // one per stage, those of the dense output after the main ones
  std::span<const Weights> a;      // rows of stages 1, 2, …
  Weights error, error_low;        // error_low may be empty
  std::span<const Weights> dense;  // rows F₃, F₄, … of the dense output, times 1/h
  double fac_min, fac_max;         // bounds of the change of h
  double stable;                   // h |λ| on the negative axis up to which the method is stable
};

const EmbeddedTableau& dopri5_tableau();
const EmbeddedTableau& dop853_tableau();

class AdaptiveRungeKutta final : public Integrator {
 public:
  AdaptiveRungeKutta(const EmbeddedTableau& tableau, const IntegratorOptions& options)
      : tableau_(tableau), options_(options) {}

  std::string_view name() const override { return tableau_.name; }
  int order() const override { return tableau_.order; }
  bool is_adaptive() const override { return true; }
  std::vector<Diagnostic> remarks(const Ode& ode) const override;
  void start(Ode& ode, double t, std::span<const double> y) override;
  StepResult step(Ode& ode, double t, double t_end, std::span<double> y) override;
  void expect_output(double t) override { output_from_ = t; }
  void interpolate(double theta, std::span<double> y) const override { dense_.evaluate(theta, y); }
  std::span<double> end_derivative() override { return end_; }
  std::vector<double> memory() const override;
  void set_memory(std::span<const double> memory) override;

  // for a method that changes to this one and back
  /// Takes over a run: the step to try first, how far positions have been, the derivative here.
  void take_over(double h, std::span<const double> travel, std::span<const double> end);
  double next_h() const { return h_; }
  std::span<const double> travel() const { return scale_.memory(); }
  /// h |λ| of the fastest part of the equation, as the last two stages of the last step show it:
  /// both stand at its end. [Hairer, Wanner 1996, IV.2]
  double stiffness() const { return stiffness_; }
  double last_h() const { return last_h_; }

 private:
  struct Trial {
    bool finite = false;
    double error = 0;
    int worst = -1;
  };

  std::span<double> stage(int s) { return {k_.data() + static_cast<size_t>(s) * n_, n_}; }
  bool evaluate(Ode& ode, double t, std::span<const double> y, std::span<double> ydot,
                StepResult& result);
  bool evaluate_stage(Ode& ode, int s, double t, double h, StepResult& result);
  void combine(Weights weights, std::span<double> sum) const;
  bool first_stage(Ode& ode, double t, StepResult& result);
  double first_step(Ode& ode, double t, double t_end, StepResult& result);
  double scaled_norm(std::span<const double> v) const;
  Trial try_step(Ode& ode, double t, double h, StepResult& result);
  Trial estimate(double h);
  double next_step(double h, double error, bool was_rejected) const;
  double compare_last_stages(double h);
  void prepare_dense(Ode& ode, double t, double h, StepResult& result);

  const EmbeddedTableau& tableau_;
  IntegratorOptions options_;
  size_t n_ = 0;
  double output_from_ = -std::numeric_limits<double>::infinity();

  // what the next step depends on
  bool has_end_ = false;  // end_ is the derivative where the next step starts
  double h_ = 0;          // [s] to try next, 0: to be chosen
  double error_old_ = 1e-4;
  std::vector<double> end_;
  ErrorScale scale_;

  // workspace
  double stiffness_ = 0, last_h_ = 0;
  std::int64_t steps_ = 0, held_ = 0;  // of this process: all, and those at the edge of stability
  double fastest_ = 0;                 // [1/s] of those
  std::vector<double> k_, y0_, y1_, ys_, sum_, low_;
  DenseOutput dense_;
};

}  // namespace sarrus
