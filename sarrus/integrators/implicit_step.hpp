// What implicit fixed-step methods share: the solution of x = G(x).
//
//   fixed point   x ← G(x)                                    while it contracts well
//   Newton        x ← x + (1 − G')⁻¹ (G(x) − x)               otherwise, and for some steps more
//
// Both go on until rounding stops them: the change is zero, or no longer falls although it is
// small. An error that is left in x has the same sign in every step, and would show as a trend of
// the energy long before rounding errors do. [Hairer, McLachlan, Razakarivony 2008],
// docs/theory/integrators.md
#pragma once

#include <span>
#include <vector>

#include "sarrus/numerics/dense/triangular.hpp"

#include "sarrus/integrators/fixed_step.hpp"

namespace sarrus {

class ImplicitStep : public FixedStep {
 public:
  using FixedStep::FixedStep;
  void start(Ode& ode, double t, std::span<const double> y) override;
  std::vector<double> memory() const override;
  void set_memory(std::span<const double> memory) override;

 protected:
  /// As `advance`, for methods that call solve().
  virtual bool advance_implicit(Ode& ode, double t, double h, StepResult& result) = 0;

  /// Room for so many unknowns from the start on, so that a step takes no memory.
  void reserve_unknowns(size_t n);
  bool uses_newton() const { return newton_; }
  /// Newton keeps its matrix from step to step while it serves; memory() holds it.
  void keep_jacobian() { keeps_jacobian_ = true; }

  /// Solves x = map(x) from the x given; entry(i) is the entry of y that unknown i belongs to.
  ///   map       bool(span<const double> x, span<double> G)
  ///   jacobian  bool(span<const double> x, span<const double> G, Eigen::MatrixXd& 1 − G')
  /// False: result says why.
  template <class Map, class Jacobian, class Entry>
  bool solve(std::vector<double>& x, Map&& map, Jacobian&& jacobian, Entry&& entry,
             StepResult& result) {
    reserve_unknowns(x.size());
    for (size_t i = 0; i < x.size(); ++i) scale_[i] = scale_of(static_cast<size_t>(entry(i)));
    if (!newton_) {
      first_ = x;
      if (fixed_point(x, map, result)) return true;
      x = first_;
      turn_to_newton();
      result.status = StepStatus::accepted;
    }
    if (newton(x, map, jacobian, result)) return true;
    if (result.status == StepStatus::not_converged) name_worst(entry, result);
    return false;
  }

  /// The same with 1 − G' by differences.
  template <class Map, class Entry>
  bool solve(std::vector<double>& x, Map&& map, Entry&& entry, StepResult& result) {
    const auto by_differences = [&](std::span<const double> at, std::span<const double> G,
                                    Eigen::MatrixXd& J) {
      for (size_t j = 0; j < at.size(); ++j) {
        std::copy(at.begin(), at.end(), probe_.begin());
        const double d = difference_step(static_cast<size_t>(entry(j)), at[j]);
        probe_[j] += d;
        const double taken = probe_[j] - at[j];
        if (!map(std::span<const double>(probe_), std::span<double>(probed_))) return false;
        for (size_t i = 0; i < at.size(); ++i)
          J(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
              (i == j ? 1.0 : 0.0) - (probed_[i] - G[i]) / taken;
      }
      return true;
    };
    return solve(x, map, by_differences, entry, result);
  }

  /// Positions in a chart are small, while their natural scale is one radian or metre.
  double difference_step(size_t entry, double at) const {
    return 1.5e-8 * std::max(std::fabs(at), entry < split_ ? 1.0 : 1e-3);
  }

  size_t split_ = 0, active_ = 0;  // positions, entries without the quadratures

 private:
  enum class Progress { on, done, stuck };

  bool advance(Ode& ode, double t, double h, StepResult& result) final {
    begin_step(h);
    return advance_implicit(ode, t, h, result);
  }
  /// Scales of the step, and whether it begins with Newton's method.
  void begin_step(double h);
  double scale_of(size_t entry) const { return entry < split_ ? scale_x_ : scale_w_; }
  void turn_to_newton();
  /// Size of change_; keeps its history.
  double measure(StepResult& result);
  std::string told_history() const;
  Progress judge(double size, int k, double too_slow) const;
  template <class Entry>
  void name_worst(Entry&& entry, StepResult& result);

  template <class Map>
  bool fixed_point(std::vector<double>& x, Map&& map, StepResult& result) {
    history_.clear();
    for (int k = 1; k <= options_.max_iterations; ++k) {
      if (!map(std::span<const double>(x), std::span<double>(G_))) return false;
      for (size_t i = 0; i < x.size(); ++i) {
        change_[i] = G_[i] - x[i];
        x[i] = G_[i];
      }
      const Progress progress = judge(measure(result), k, 0.5);
      if (progress != Progress::on) return progress == Progress::done;
    }
    return false;
  }

  template <class Map, class Jacobian>
  bool newton(std::vector<double>& x, Map&& map, Jacobian&& jacobian, StepResult& result) {
    history_.clear();
    residual_.resize(static_cast<Eigen::Index>(x.size()));
    if (!keeps_jacobian_ || matrix_.rows() != residual_.size()) has_jacobian_ = false;
    for (int k = 1; k <= options_.max_iterations; ++k) {
      if (!map(std::span<const double>(x), std::span<double>(G_))) return false;
      if (!has_jacobian_) {
        matrix_.resize(static_cast<Eigen::Index>(x.size()), static_cast<Eigen::Index>(x.size()));
        if (!jacobian(std::span<const double>(x), std::span<const double>(G_), matrix_))
          return false;
        lu_.compute(matrix_);
        has_jacobian_ = true;
      }
      for (size_t i = 0; i < x.size(); ++i) residual_[static_cast<Eigen::Index>(i)] = G_[i] - x[i];
      lu_.solve(residual_, step_);
      for (size_t i = 0; i < x.size(); ++i) {
        change_[i] = step_[static_cast<Eigen::Index>(i)];
        x[i] += change_[i];
      }
      const Progress progress = judge(measure(result), k, 0);
      if (progress == Progress::done) return true;
      if (progress == Progress::stuck) break;
      // slow: a fresh one at the new point
      if (history_.size() > 1 && history_.back() > 0.2 * history_[history_.size() - 2])
        has_jacobian_ = false;
    }
    has_jacobian_ = false;
    result.status = StepStatus::not_converged;
    result.residual = history_.back();
    return false;
  }

  bool newton_ = false, keeps_jacobian_ = false;
  bool has_jacobian_ = false;         // lu_ is that of matrix_, and not too old
  double matrix_step_ = 0;            // [s] that matrix_ is for
  int newton_left_ = 0;               // steps with Newton that remain
  double scale_x_ = 1, scale_w_ = 1;  // of positions, of all else
  std::vector<double> first_, G_, change_, scale_, probe_, probed_, history_;
  Eigen::MatrixXd matrix_;
  Eigen::VectorXd residual_, step_;
  Lu lu_;
};

template <class Entry>
void ImplicitStep::name_worst(Entry&& entry, StepResult& result) {
  size_t found = 0;
  std::vector<double> left = change_;
  for (size_t i = 0; i < left.size(); ++i) left[i] = std::fabs(left[i]) / scale_[i];
  while (found < result.worst_few.size()) {
    const auto largest = std::max_element(left.begin(), left.end());
    if (largest == left.end() || !(*largest > 0)) break;
    const int e = static_cast<int>(entry(static_cast<size_t>(largest - left.begin())));
    *largest = 0;
    if (std::find(result.worst_few.begin(), result.worst_few.end(), e) == result.worst_few.end())
      result.worst_few[found++] = e;
  }
  result.worst = result.worst_few[0];
  result.message = told_history();
}

}  // namespace sarrus
