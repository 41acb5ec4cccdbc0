// Formulation `recursive`: the Projection Equation with the velocities themselves,
// y = [ξ | u | …]. Loops are closed by multipliers, or through the null space of their rows, whose
// accelerations are then integrated in the place of the others.
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
  void start_velocities(const Kinematics<double>& k, std::span<double> w) override {
    std::copy(k.u.begin(), k.u.end(), w.begin());
  }
  bool evaluate(double t, std::span<const double> w, const double* state, std::span<double> wdot,
                Evaluation& out) override {
    const Kinematics<double>& k = move(w_, t, q_.data(), w.data(), state);
    const Forces<double>& f = load(w_, k);
    if (!check_formulas(k, f)) return false;
    const Accelerations<double>& a = accelerate(w_, k, f);
    if (!check_accelerations(k, a)) return false;
    if (nullspace_)
      nullspace_->accelerations(w_, k, f, wdot.data());
    else
      std::copy(a.udot.begin(), a.udot.end(), wdot.begin());
    out = {&k, &f, a.flow, a.loops};
    return true;
  }
  double energy(double t, std::span<const double> w, const double* state) override {
    const Kinematics<double>& k = move(w_, t, q_.data(), w.data(), state);
    const Forces<double>& f = load(w_, k);
    return kinetic_energy(w_, k) + potential_energy(w_, k, f);
  }

 private:
  std::optional<Nullspace> nullspace_;
};

}  // namespace sarrus
