// Formulation `recursive`: the Projection Equation with the velocities themselves, y = [ξ | u | …].
#pragma once

#include <algorithm>

#include "sarrus/formulations/tree_formulation.hpp"

namespace sarrus {

class Recursive final : public TreeFormulation {
 public:
  using TreeFormulation::TreeFormulation;
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
    dynamics_.set(t, q_.data(), w.data(), state);
    return check_formulas(t) && accelerate(t);
  }
  void velocity_rates(std::span<double> wdot) override {
    std::copy_n(dynamics_.udot().begin(), wdot.size(), wdot.begin());
  }
};

}  // namespace sarrus
