// Kinetic energy as a function: its matrix, and its gradient in three ways.
//
//   {∂T/∂q} at constant q̇, by
//     literal    central differences of (2), T = ½ (u)[A]{u}, as in the source     O(K⁴)
//     complex    Im T(q + i h e_i, u)/h with T in O(K): exact to rounding           O(K²)
//     recursive  the momentum recursion, momentum_kernels.inl: not here             O(K)
//
// Coordinates marked small. Scaled as s → ε s, ṡ → ε ṡ, the energy is a series in ε, of which ε²
// and less is kept: with A₀ + A₁·s + ½ s·A₂·s + … the expansion of [A],
//
//   T₂ = ½ l̇ᵀ (A₀ + A₁·s + ½ s·A₂·s)_ll l̇  +  l̇ᵀ (A₀ + A₁·s)_ls ṡ  +  ½ ṡᵀ (A₀)_ss ṡ        (1)
//
// and likewise the energy of gravity. T₂ is an energy in its own right: momenta p = ∂T₂/∂q̇ and
// their rates taken from it conserve T₂ + V₂.
#pragma once

#include <complex>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sarrus/core/series.hpp"
#include "sarrus/formulations/energy/energy_rows.hpp"

namespace sarrus {

class Energy {
 public:
  /// Keeps a reference to the mechanism.
  explicit Energy(const Mechanism& mechanism);

  /// Whether there are small coordinates: then everything below is (1), and gravity is part of the
  /// gradient.
  bool is_truncated() const { return truncated_; }

  /// [A] by columns, nu × nu.
  void matrix(const double* q, double* A);
  double kinetic(const double* q, const double* u);
  double gravity(const double* q);

  /// ∂T/∂q at constant u, per velocity; along quasi-coordinates where u ≠ q̇. Where the energy is
  /// truncated, ∂(T₂ − V₂)/∂q.
  void gradient_by_differences(const double* q, const double* u, double* dT);
  void gradient_by_complex_step(const double* q, const double* u, double* dT);
  /// d[A]/dt {u} along the motion, of a truncated energy.
  void matrix_rate_times(const double* q, const double* u, double* out);

  /// Step of the differences [rad]; slides take it times the length of the mechanism.
  double difference_step = 1e-5;

 private:
  using Complex = std::complex<double>;

  template <class T>
  void shifted(const double* q, int u, const T& h, T* out) const;
  double lagrangian_by_matrix(const double* q, const double* u);
  Complex lagrangian(const Complex* q, const double* u);
  template <class T>
  void lift(const T* from, const std::vector<char>& small, Series<T>* to) const;
  template <class T>
  T kept(const Series<T>& a, size_t i, size_t j) const;

  const Mechanism* m_;
  bool truncated_ = false;
  std::vector<char> small_q_, small_u_;
  std::vector<double> reach_;  // per velocity: 1 for turns, a typical length for slides
  // only those that are needed are there
  std::unique_ptr<EnergyRows<double>> rows_;
  std::unique_ptr<EnergyRows<Complex>> complex_rows_;
  std::unique_ptr<EnergyRows<Series<double>>> series_rows_;
  std::unique_ptr<EnergyRows<Series<Complex>>> complex_series_rows_;
  std::vector<double> q_, A_;
  std::vector<Complex> qc_, uc_;
  std::vector<Series<double>> qs_, us_, As_;
  std::vector<Series<Complex>> qcs_, ucs_, Acs_;
};

}  // namespace sarrus
