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
    const MomentumMotion<double>& m = move_by_momenta(w_, t, q_.data(), w.data(), state);
    std::copy(m.places->u.begin(), m.places->u.end(), u.begin());
  }
  void start_velocities(const Kinematics<double>& k, std::span<double> w) override {
    joint_momenta(w_, k, w.data());
  }
  bool evaluate(double t, std::span<const double> w, const double* state, std::span<double> wdot,
                Evaluation& out) override {
    const MomentumMotion<double>& m = move_by_momenta(w_, t, q_.data(), w.data(), state);
    const Forces<double>& f = load(w_, *m.places);
    if (!check_formulas(*m.places, f)) return false;
    out = {m.places, &f, f.flow, m.loops};
    if (!needs_accelerations_ && !near_singular_) {
      momentum_rates(w_, m, f, wdot.data());
      return true;
    }
    u_ = m.places->u;
    const Kinematics<double>& k = move(w_, t, q_.data(), u_.data(), state);
    const Accelerations<double>& a = accelerate(w_, k, load(w_, k));
    if (!check_accelerations(k, a)) return false;
    out.flow = a.flow, out.loops = a.loops;
    momentum_rates(w_, m, f, wdot.data());
    if (near_singular_) add_closing_forces(k, a, wdot);
    return true;
  }
  double energy(double t, std::span<const double> w, const double* state) override {
    const Places<double>& k = *move_by_momenta(w_, t, q_.data(), w.data(), state).places;
    const Forces<double>& f = load(w_, k);
    return kinetic_energy(w_, k) + potential_energy(w_, k, f);
  }

 private:
  /// ṗ += Gᵀ λ, where the impulses are zero.
  void add_closing_forces(const Kinematics<double>& k, const Accelerations<double>& a,
                          std::span<double> wdot) {
    jacobian_.resize(a.multiplier.size() * wdot.size());
    loop_jacobian(k, *a.loops.rows, jacobian_.data());
    for (size_t r = 0; r < a.multiplier.size(); ++r)
      for (size_t i = 0; i < wdot.size(); ++i)
        wdot[i] += jacobian_[r * wdot.size() + i] * a.multiplier[r];
  }

  std::vector<double> jacobian_;
  bool needs_accelerations_ = false;
};

}  // namespace sarrus
