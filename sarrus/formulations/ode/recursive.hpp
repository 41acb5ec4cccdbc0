// Formulation `recursive`: the Projection Equation with the velocities themselves, y = [ξ | u | …].
// Loops are closed by multipliers, or through the null space of their rows, whose accelerations are
// then integrated in the place of the others.
#pragma once

#include <algorithm>
#include <optional>

#include "sarrus/formulations/ode/nullspace.hpp"
#include "sarrus/formulations/ode/tree_formulation.hpp"

namespace sarrus {

class Recursive final : public TreeFormulation {
 public:
  explicit Recursive(const Mechanism& mechanism, bool nullspace = false)
      : TreeFormulation(mechanism) {
    if (nullspace && mechanism.has_loops()) nullspace_.emplace(mechanism);
  }
  std::string name() const override { return "recursive"; }

 protected:
  bool has_momenta() const override { return false; }
  void velocities(double, std::span<const double> w, const double*, std::span<double> u) override {
    std::copy(w.begin(), w.end(), u.begin());
  }
  void start_velocities(std::span<const double> u, std::span<double> w) override {
    std::copy(u.begin(), u.end(), w.begin());
  }
  bool evolve(double t, std::span<const double> w, const double* state) override {
    if (nullspace_) {
      rates_.resize(w.size());
      dynamics_.set(t, q_.data(), w.data(), state);
      nullspace_->accelerations(dynamics_, rates_.data());
    }
    dynamics_.set(t, q_.data(), w.data(), state);
    return check_formulas(t) && accelerate(t);
  }
  void velocity_rates(std::span<double> wdot) override {
    const std::vector<double>& rates = nullspace_ ? rates_ : dynamics_.udot();
    std::copy_n(rates.begin(), wdot.size(), wdot.begin());
  }

 private:
  std::optional<Nullspace> nullspace_;
  std::vector<double> rates_;
};

}  // namespace sarrus
