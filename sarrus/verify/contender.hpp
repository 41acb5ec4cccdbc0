// One way to compute a model's motion, and its runs from coarse to fine: each finer run shows how
// far the one before it was from the limit, so that the error of integration is known apart from
// everything else.
//
//   adaptive     rtol = 1e-8, 1e-10, 1e-12, …            e_k = |x_k − x_k−1| r/(1 − r)
//   fixed step   h, h/2, h/4, …        order p observed  e_k = |x_k − x_k−1| r/(1 − r),  r = 2^−p
//   discrete     X_k = x_k + (x_k − x_k−1)/3             e_k = |X_k − X_k−1| r/(1 − r),  r = 1/4
//
// r is the factor by which errors fall from run to run: the ratio of tolerances, not below 0.1, or
// what the last three runs show if that is slower, as at kinks. What extrapolation [Richardson]
// leaves is of higher order, but treated as order two. Runs may agree by chance: e_k ≥ r e_k−1.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sarrus/run/simulate.hpp"
#include "sarrus/verify/quantities.hpp"

namespace sarrus {

/// A formulation with the integrators that may serve it, first choice first.
struct Contender {
  std::string name;    // "recursive", "null space"
  std::string family;  // contenders of one family share their recursion over the tree
  SimulateSpec settings;
  std::vector<std::string> methods;
  std::string lacks;  // why it cannot run the model; empty where it can
  double noise = 0;   // relative error that no refinement takes away
  /// What it runs in the place of the common mechanism, where another description of the same is
  /// put to the test.
  std::shared_ptr<const Mechanism> own;
};

/// All formulations of Sarrus for this mechanism, each with an integrator of another kind. Those
/// that cannot run it say what they lack.
std::vector<Contender> contenders(const Mechanism& mechanism, const SimulateSpec& settings);

/// [m] Scale of an absolute tolerance: the smallest deflection of any elastic body, if it is known
/// already, and at most 1. Its stiffest functions move by far less than a metre.
double smallest_deflection(const Mechanism& mechanism,
                           const std::vector<ComparedQuantity>& quantities);

/// The rows that all runs write, and what they may cost.
struct RunPlan {
  double start = 0, until = 1;  // [s]
  int rows = 200;               // beside the first
  double budget = 10;           // [s] of processor time for one contender
  std::vector<double> jumps;    // [s] rows at these times are left out (jumps.hpp)
  /// Called now and then during each run: whose it is, what it has spent [s of processor time].
  std::function<void(const Contender& contender, const std::string& method, double spent)> working;
  double spacing() const { return (until - start) / rows; }
};

/// The runs of one contender.
class Attempt {
 public:
  /// Keeps a reference to the mechanism.
  Attempt(const Mechanism& mechanism, Contender contender, const RunPlan& plan);

  const Contender& contender() const { return contender_; }
  const std::string& name() const { return contender_.name; }
  const std::string& method() const { return method_; }
  /// Whether there is a run, with an estimate of its error.
  bool is_ready() const { return ready_; }
  /// The next finer run; false where there is none, and limit() says why.
  bool refine(const std::vector<ComparedQuantity>& quantities);
  /// Whether another integrator is left; goes over to it.
  bool change_method();

  const Trajectory& rows() const { return best_; }
  /// As the finest run wrote them, not extrapolated.
  const Trajectory& finest() const { return raw_.back(); }
  const RunSummary& summary() const { return summary_; }
  /// Its own error, relative to the sizes of quantities; it does not fall with time.
  const Differences& error() const { return error_; }
  double worst_error() const { return error_.largest(); }
  /// What repeats the finest run: "rtol 1e-12, max_step 0.0025 s", "step 5e-05 s".
  std::string setting() const;
  /// Observed from the last three runs with a fixed step; NaN where differences are rounding.
  double order() const { return order_; }
  int nominal_order() const { return nominal_; }
  double spent() const { return spent_; }  // [s] of processor time
  int runs() const { return static_cast<int>(runs_); }
  const std::string& limit() const { return limit_; }
  /// Whether time, or the number of steps, is what ended the refinement.
  bool ran_out_of_time() const { return late_; }

 private:
  bool is_discrete() const { return contender_.family == "discrete"; }
  bool next_settings(SimulateSpec& s, const std::vector<ComparedQuantity>& quantities);
  double first_step() const;
  double next_cost() const;
  bool accept(Run run, const std::vector<ComparedQuantity>& quantities);
  void estimate(const std::vector<ComparedQuantity>& quantities);
  double fall(const std::vector<ComparedQuantity>& quantities);

  const Mechanism* m_;
  Contender contender_;
  RunPlan plan_;
  std::string method_, limit_;
  size_t which_ = 0, runs_ = 0, level_ = 0;
  bool fixed_ = false, ready_ = false, late_ = false;
  int nominal_ = 0;
  double coarsening_ = 16;  // of the step that the discrete formulation would choose
  double step_ = 0, rtol_ = 0, atol_ = 0, longest_ = 0, order_ = 0;
  double spent_ = 0, last_ = 0;  // [s] of processor time: by all runs, by the last one
  double spent_before_ = 0;      // by the methods that were given up
  std::vector<Trajectory> raw_;  // the last three, finest last
  Trajectory best_, before_;     // extrapolated where the method asks for it
  RunSummary summary_;
  Differences error_;
};

}  // namespace sarrus
