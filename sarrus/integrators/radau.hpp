// The methods of Radau IIA with three and five stages: order 5 and 9, L-stable, for stiff equations,
// the second to many digits.
//
//   Z_i = h Σ_j a_ij f(t + c_j h, y₀ + Z_j),   y₁ = y₀ + Z_s           c_s = 1                  (1)
//   (λ_k/h − J) w_k = Σ_i t̄_ki (f_i − λ_k/h Z_i),   Z_i ← Z_i + Σ_k t_ik w_k                   (2)
//   e   = (1 − h γ₀ J)⁻¹ (γ₀ h f₀ + Σ e_i Z_i),   γ₀ = 1/λ₁                                     (3)
//   e_d = max_θ |θ Π (θ − c_i)| Z[0, c₁ … c_s, ·]              of the polynomial inside           (4)
//
// λ_k, t_k, t̄_k: eigenvalues and vectors of A⁻¹, one real, the others in conjugate pairs of which
// one is solved: Newton's method for all stages at once costs one real factorisation and one or two
// complex ones, of the size of y. (3) is the error of an embedded method of order s, (4) that of rows
// inside a step: there the solution is the collocation polynomial, where the next step starts its
// iteration from. J comes from differences and is kept for as long as a new one would cost more than
// it saves.
// [Hairer, Wanner 1996, IV.8], docs/theory/integrators.md
#pragma once

#include <Eigen/Core>
#include <array>
#include <complex>

#include "sarrus/integrators/error_scale.hpp"
#include "sarrus/integrators/integrator.hpp"
#include "sarrus/numerics/dense/triangular.hpp"

namespace sarrus {

struct RadauTableau;

class Radau final : public Integrator {
 public:
  explicit Radau(const IntegratorOptions& options);

  std::string_view name() const override { return "radau"; }
  int order() const override;
  bool is_adaptive() const override { return true; }
  void start(Ode& ode, double t, std::span<const double> y) override;
  StepResult step(Ode& ode, double t, double t_end, std::span<double> y) override;
  void interpolate(double theta, std::span<double> y) const override;
  std::span<double> end_derivative() override { return end_; }
  std::vector<double> memory() const override;
  void set_memory(std::span<const double> memory) override;

  // for a method that changes to this one and back
  /// Takes over a run: the step to try first, how far positions have been, the derivative here.
  void take_over(double h, std::span<const double> travel, std::span<const double> end);
  double next_h() const { return h_; }
  std::span<const double> travel() const { return scale_.memory(); }
  /// What factors and their solutions cost in the last step, in evaluations of f.
  double linear_work() const { return linear_work_; }
  struct Fastest {
    double rate = 0;  // [1/s]
    int entry = -1;   // of y, that takes most part in it
  };
  /// The largest |λ| of J, roughly, by powers of it.
  Fastest fastest() const;

 private:
  enum class Solved { yes, no, not_finite };

  bool evaluate(Ode& ode, double t, std::span<const double> y, std::span<double> ydot,
                StepResult& result);
  std::span<double> stage(std::vector<double>& of, int i) { return {of.data() + i * n_, n_}; }
  std::span<const double> stage(const std::vector<double>& of, int i) const {
    return {of.data() + i * n_, n_};
  }
  StepResult failed(const Ode& ode, StepResult& result) const;
  double norm(std::span<const double> v, std::span<const double> y, int* worst = nullptr) const;
  double first_step(double limit) const;
  double interior_error(double h);
  void divide_differences(size_t entries);
  void factor(double h);
  bool prepare(Ode& ode, double t, double h, StepResult& result);
  void guess(double h);
  Solved solve(Ode& ode, double t, double h, StepResult& result);
  void correct(double h);
  double estimate(Ode& ode, double t, double h, bool again, StepResult& result);
  double next_step(double h, double error, bool was_rejected);
  bool finish(Ode& ode, double t, double h, StepResult& result);
  void polynomial(double theta, std::span<double> z) const;

  const RadauTableau& tableau_;
  IntegratorOptions options_;
  double widest_ = 0;                      // the product in (4)
  size_t n_ = 0, active_ = 0, split_ = 0;  // entries, without quadratures, positions

  // what the next step depends on
  bool has_end_ = false;  // end_ is the derivative where the next step starts
  bool has_J_ = false;
  double h_ = 0;           // [s] to try next, 0: to be chosen
  double factored_h_ = 0;  // [s] that the factors are for; 0: none
  double past_h_ = 0;      // [s] of the step that past_ is of; 0: none
  double past_error_ = 0;
  std::vector<double> end_, past_;  // past_: divided differences of the last step's Z over 0, c₁ …
  ErrorScale scale_;
  Eigen::MatrixXd J_;

  // workspace
  bool fresh_J_ = false;  // of this step
  bool diverged_ = false;
  int iterations_ = 0;  // of the last solution
  double linear_work_ = 0;
  std::vector<double> y0_, y1_, at_, f_, Z_, F_, change_;
  Eigen::MatrixXd matrix_;
  Eigen::MatrixXcd complex_matrix_;
  Eigen::VectorXd right_, solution_;
  std::vector<Eigen::VectorXcd> complex_right_, complex_solution_;
  Lu lu_;
  std::array<ComplexLu, 2> complex_lu_;
};

}  // namespace sarrus
