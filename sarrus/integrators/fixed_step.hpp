// What fixed-step methods share: the last step shortened to t_end, the derivative at the end of a
// step (first stage of the next one), a cubic inside the step, and compensated sums:
//
//   y₁ = y₀ + (δ + e),   e ← (δ + e) − (y₁ − y₀)      δ: increment, e: what rounding left so far
//
// so that after 10⁷ steps the rounding errors of the sum are those of a few (Kahan).
#pragma once

#include <vector>

#include "sarrus/integrators/dense_output.hpp"
#include "sarrus/integrators/integrator.hpp"

namespace sarrus {

class FixedStep : public Integrator {
 public:
  explicit FixedStep(const IntegratorOptions& options) : options_(options) {}

  bool is_adaptive() const override { return false; }
  void start(Ode& ode, double t, std::span<const double> y) override;
  StepResult step(Ode& ode, double t, double t_end, std::span<double> y) override;
  void interpolate(double theta, std::span<double> y) const override { dense_.evaluate(theta, y); }
  std::span<double> end_derivative() override { return end_; }
  std::vector<double> memory() const override;
  void set_memory(std::span<const double> memory) override;

 protected:
  /// Fills delta_, the increment from y0_, where f0_ is the derivative at (t, y0_). y1_ is free for
  /// use. False: result says why.
  virtual bool advance(Ode& ode, double t, double h, StepResult& result) = 0;

  /// The derivative, counted. False where it fails or is not finite; result then says so.
  static bool evaluate(Ode& ode, double t, std::span<const double> y, std::span<double> ydot,
                       StepResult& result);

  IntegratorOptions options_;
  std::vector<double> y0_, y1_, f0_, delta_;

 private:
  void add_compensated();

  bool has_end_ = false;  // end_ is the derivative where the next step starts
  std::vector<double> end_;
  std::vector<double> carry_;      // e
  std::vector<double> new_carry_;  // after the step, if it is accepted
  DenseOutput dense_;
};

}  // namespace sarrus
