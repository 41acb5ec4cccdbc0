// Formulation `hamiltonian` as in the source: from the energy matrix and the gradient of the
// energy.
//
//   {u} = [A]⁻¹ {p}                                                                  (9)
//   {ṗ} = {∂T/∂q} − {∂V/∂q} + {Q}          ∂T/∂q at constant q̇                       (8)
//
// [A] and ∂T/∂q are computed as FormulationOptions says; hamiltonian.hpp is the case in which both
// are recursive. Coordinates marked small are treated here too.
//
// Beyond the source: prescribed motions, {u_f} = [A_ff]⁻¹ {p_f − A_fp u_p}; and joints whose u are
// quasi-velocities with columns S constant in the body. For these (8) gains Hamel's terms
//
//   Σ_i Σ_k u_i c^k_ij p_k        [S_i, S_j] = Σ_k c^k_ij S_k                        (10)
//
// docs/theory/hamiltonian.md
#pragma once

#include "sarrus/formulations/energy/energy.hpp"
#include "sarrus/formulations/ode/tree_formulation.hpp"

namespace sarrus {

class EnergyHamiltonian final : public TreeFormulation {
 public:
  /// Options as make_formulation() has resolved and checked them.
  EnergyHamiltonian(const Mechanism& mechanism, const FormulationOptions& options);
  std::string name() const override { return "hamiltonian"; }
  void observe(double t, std::span<const double> y, Snapshot& out) override;
  std::vector<Diagnostic> notes() const override;

 protected:
  bool has_momenta() const override { return true; }
  void velocities(double t, std::span<const double> w, const double* state,
                  std::span<double> u) override;
  void start_velocities(const Kinematics<double>& k, std::span<double> w) override;
  bool evaluate(double t, std::span<const double> w, const double* state, std::span<double> wdot,
                Evaluation& out) override;
  double energy(double t, std::span<const double> w, const double* state) override;

 private:
  bool find_velocities(double t, std::span<const double> p, const double* state);
  bool factor(double t);
  void solve(double* x) const;
  void gradient();
  void add_hamel_terms();
  double drive_power(const Accelerations<double>& a);
  double full_drive_power(const Accelerations<double>& a);

  bool literal_matrix_, needs_accelerations_ = false;
  std::string gradient_;
  Energy energy_;
  std::vector<int> free_;  // velocities that are not prescribed
  std::vector<double> A_, L_, p_, dT_, Q_, x_, Adot_u_;
  double largest_small_ = 0, time_of_largest_ = 0;
  int largest_at_ = -1;
};

}  // namespace sarrus
