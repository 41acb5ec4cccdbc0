// The interface of all integrators: one step, and the solution inside that step.
//
// The driver owns time and the state:   t, y  ──step──▶  t + h, y   then rows from interpolate(),
// then, if wants_rebase(), ode.rebase(t, y, end_derivative()). Between two steps an integrator
// keeps nothing but memory(), a few numbers that go into the checkpoint: start() and set_memory()
// in a new process repeat the uninterrupted run bit for bit.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/numerics/ode.hpp"

namespace sarrus {

enum class StepStatus {
  accepted,
  step_too_small,  // the error test drove h below what t can resolve
  not_converged,   // an implicit step found no solution
  not_finite,      // the derivative or the new state is not a number
  motion_jumps,    // a prescribed position jumps
};

struct StepResult {
  StepStatus status = StepStatus::accepted;
  double h = 0;            // the step taken (0 unless accepted)
  std::int64_t steps = 1;  // that it is made of
  int evaluations = 0;     // of the derivative
  int rejected = 0;        // trials that the error test refused
  int iterations = 0;      // of an implicit method
  int worst = -1;          // entry of y with the largest error, or the one that is not finite
  double smallest_h = 0;   // the last h that was tried, where the step failed
  double residual = 0;     // of an implicit step that did not converge, relative
  std::array<int, 5> worst_few = {-1, -1, -1, -1, -1};  // entries of its largest residuals
  std::string message;                                  // further words of the method; may be empty
};

struct IntegratorOptions {
  double step = 0;     // [s] of fixed-step methods; for adaptive ones the first step, 0: chosen
  double rtol = 1e-9;  // adaptive
  double atol = 1e-9;
  std::vector<double> units = {};  // what atol counts in, entry by entry of y; where it ends: 1
  double max_step = 0;             // [s], 0: none
  double row_distance =
      0;                 // [s] a first step is not longer, what begins fast is to be seen; 0: none
  double tolerance = 0;  // of implicit equations, relative; 0: until rounding stops them
  int max_iterations = 100;
  double binding = 20;        // [1/s] of tao: how fast its two copies turn about each other
  double rho_infinity = 0.8;  // of generalized_alpha: what a step leaves of the fastest vibrations
};

class Integrator {
 public:
  virtual ~Integrator() = default;

  virtual std::string_view name() const = 0;
  virtual int order() const = 0;
  virtual bool is_adaptive() const = 0;

  /// Properties that the method keeps or loses on this equation: notes; errors where it is wrong.
  virtual std::vector<Diagnostic> suits(const Ode& ode) const {
    return (void)ode, std::vector<Diagnostic>{};
  }
  /// Its notes on the run so far.
  virtual std::vector<Diagnostic> remarks(const Ode& ode) const {
    return (void)ode, std::vector<Diagnostic>{};
  }

  /// Sizes the workspace and forgets the past. Evaluates nothing: the first step does. Throws
  /// Error(usage) where the method would be wrong on this equation.
  virtual void start(Ode& ode, double t, std::span<const double> y) = 0;

  /// The same where the equation goes on after a jump: what a method has learnt about it may stay.
  virtual void restart(Ode& ode, double t, std::span<const double> y) { start(ode, t, y); }

  /// One step from t, not beyond t_end: y becomes the solution at t + result.h. A fixed-step method
  /// takes its own step, or less if t_end comes first. If the step is not accepted y is unchanged.
  /// Where result.h == t_end − t the step has reached t_end, whatever t + h rounds to.
  virtual StepResult step(Ode& ode, double t, double t_end, std::span<double> y) = 0;

  /// A promise that interpolate() is not asked for times before t, so that steps that end earlier
  /// may save its cost (three of fifteen evaluations of dop853). Without it every step is ready.
  virtual void expect_output(double t) { (void)t; }

  /// The solution inside the last step at t + theta h, 0 ≤ theta ≤ 1, in the chart of that step.
  virtual void interpolate(double theta, std::span<double> y) const = 0;

  /// The derivative at the end of the last step, which ode.rebase() re-expresses.
  virtual std::span<double> end_derivative() = 0;

  /// Whether the chart should move to y now. A multistep method has a past in the old chart and
  /// answers no for as long as that chart is good.
  virtual bool wants_rebase(std::span<const double> y) const { return (void)y, true; }

  /// Everything that the next step depends on beside t and y.
  virtual std::vector<double> memory() const = 0;
  virtual void set_memory(std::span<const double> memory) = 0;
  /// Whether memory() continues bit for bit (false: the method restarts after a resume).
  virtual bool resumes_exactly() const { return true; }
};

/// By name: rk4 dopri5 dop853 semi_implicit_euler midpoint gauss4 gauss6 stormer_verlet
/// discrete_gradient tao lie_midpoint generalized_alpha sdirk4 radau cvode auto. Throws Error(usage) for another name, with near
/// matches, and for options that make no sense.
std::unique_ptr<Integrator> make_integrator(const std::string& name,
                                            const IntegratorOptions& options);
/// Whether a method chooses its steps.
bool is_adaptive(const std::string& name);
/// Without SUNDIALS in the build, "cvode" is listed but refused with a message.
std::vector<std::string> integrator_names();

/// Throws Error(usage) where the method does not suit the equation; otherwise what it notes.
std::vector<Diagnostic> check_suits(const Integrator& integrator, const Ode& ode);

/// What is wrong with the options for that method (errors), and what has been raised to the
/// smallest value that double precision supports (notes; options are changed).
std::vector<Diagnostic> check_options(const std::string& name, IntegratorOptions& options);

}  // namespace sarrus
