// Formulation `hamiltonian`: motion from momenta, y = [ξ | p | …] with p = M u.
//
//   u = M⁻¹ p,   ṗ = (Ṡ + V × S)ᵀ h + Sᵀ f + τ      in one recursion over the tree
//
// With loops p = M u + Gᵀ σ, where σ are the impulses of the closing forces since the last step;
// near singular positions p = M u and ṗ has the closing forces themselves.
// Nothing is derived and no mass matrix is formed [van Holten; docs/theory/hamiltonian.md]. Where a
// force needs accelerations (friction on reactions) or the ledger does (work of prescribed
// motions), the recursion for accelerations runs as well.
#pragma once

#include "sarrus/formulations/ode/tree_formulation.hpp"

namespace sarrus {

class Hamiltonian final : public TreeFormulation {
 public:
  explicit Hamiltonian(const Mechanism& mechanism) : TreeFormulation(mechanism) {
    needs_accelerations_ = !mechanism.motions.empty();
    impulses_ = true;
    for (const auto& f : mechanism.numbers.forces.frictions)
      needs_accelerations_ = needs_accelerations_ || f.coefficient > 0;
  }
  std::string name() const override { return "hamiltonian"; }

 protected:
  bool has_momenta() const override { return true; }
  void velocities(double t, std::span<const double> w, const double* state,
                  std::span<double> u) override {
    dynamics_.set_momenta(t, q_.data(), w.data(), state);
    std::copy_n(dynamics_.u().begin(), u.size(), u.begin());
  }
  void start_velocities(std::span<const double>, std::span<double> w) override {
    dynamics_.joint_momenta(w.data());
  }
  bool evolve(double t, std::span<const double> w, const double* state) override {
    dynamics_.set_momenta(t, q_.data(), w.data(), state);
    if (!check_formulas(t)) return false;
    if (!needs_accelerations_ && !near_singular_) return true;
    std::copy_n(dynamics_.u().begin(), u_.size(), u_.begin());
    dynamics_.set(t, q_.data(), u_.data(), state);
    return accelerate(t);
  }
  void velocity_rates(std::span<double> wdot) override {
    dynamics_.momentum_rates(wdot.data());
    if (near_singular_) add_closing_forces(wdot);
  }

 private:
  /// ṗ += Gᵀ λ, where the impulses are zero.
  void add_closing_forces(std::span<double> wdot) {
    const std::vector<double>& lambda = dynamics_.loops().forces();
    jacobian_.resize(lambda.size() * wdot.size());
    dynamics_.loop_jacobian(jacobian_.data());
    for (size_t r = 0; r < lambda.size(); ++r)
      for (size_t i = 0; i < wdot.size(); ++i)
        wdot[i] += jacobian_[r * wdot.size() + i] * lambda[r];
  }

  std::vector<double> jacobian_;
  bool needs_accelerations_ = false;
};

}  // namespace sarrus
