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
  void velocities(double, std::span<const double> w, std::span<double> u) override {
    std::copy(w.begin(), w.end(), u.begin());
  }
  void start_velocities(std::span<const double> u, std::span<double> w) override {
    std::copy(u.begin(), u.end(), w.begin());
  }
  void velocity_rates(std::span<double> wdot) override {
    std::copy_n(dynamics_.udot().begin(), wdot.size(), wdot.begin());
  }
};

}  // namespace sarrus
