// Response of a reduced system to given loads, through its modes: y = VᵀMq, z = T V y + z_p.
//
//   ÿ + VᵀDV ẏ + Ω² y = Vᵀ Tᵀ (Z − M̄ z̈_p − D̄ ż_p − K̄ z_p)                                (1)
//
// Time history, exact for loads that are linear over a step h, p(s) = p₀ + a s; of the steps taken
// every `within`-th is a row:
//   uncoupled modes, per mode (ζ < 1, ω_d = ω√(1−ζ²)):                                      (2)
//     B₁ = a/ω²,  B₀ = p₀/ω² − 2ζa/ω³,  c₁ = y₀ − B₀,  c₂ = (ẏ₀ − B₁ + ζω c₁)/ω_d
//     y₁ = e^{−ζωh}(c₁ cos ω_d h + c₂ sin ω_d h) + B₀ + B₁ h,   and its derivative
//     without stiffness: y₁ = y₀ + ẏ₀h + p₀h²/2 + (p₁−p₀)h²/6
//   coupled by damping: one step is a constant matrix, the exponential of
//     [A B 0; 0 0 I; 0 0 0] h  with ẋ = A x + B p                                           (3)
//
// Harmonic load Z = Re(Ẑ e^{iωt}):  (Ω² + iω VᵀDV − ω²) ŷ = Vᵀ Tᵀ Ẑ                        (4)
//
// Where only the lowest modes are there, what the others add statically,                   (5)
//   T (K⁻¹ − V Ω⁻² Vᵀ) Tᵀ Z,  is added to positions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sarrus/linear/linear_modes.hpp"

namespace sarrus {

/// Columns of numbers at the times of all steps, each at one coordinate or one constraint.
struct Loads {
  std::vector<int> where;  // coordinate (of Z) or row (of d)
  Matrix value;            // times × columns
  Matrix rate, second;     // of d only
};

struct TimeGrid {
  double start = 0, step = 1e-3;  // [s] from row to row
  int steps = 0;                  // rows but the first
  int within = 1;                 // steps taken from row to row, between which loads are linear
  double at(int i) const { return start + step * i; }
  /// Every step a row.
  TimeGrid fine() const { return {start, step / within, steps * within, 1}; }
};

/// The mean distance of loads from straight lines between every second of their times, against the
/// largest of each: about four times what such lines would miss with all of them.
double bend_between(const Loads& loads);

struct TimeHistory {
  TimeGrid grid;
  std::vector<int> outputs;         // coordinates
  Matrix z, zdot, zddot;            // times × outputs
  Matrix Q;                         // times × freedoms: TᵀZ; empty for large systems
  std::vector<double> forces_most;  // per constraint: largest |λ|, where asked for
  Matrix lambda;                    // times × constraints: multipliers, where asked for
  std::vector<Diagnostic> notes;
};

struct ResponseOptions {
  std::vector<double> ratios;  // ζ per mode, or one for all; empty: none beside D
  bool static_correction = true;
  bool reactions = false;
};

/// From z₀, ż₀ (empty: 0), which satisfy the constraints.
TimeHistory time_history(const LinearSystem& system, const Reduction& reduction,
                         const LinearModes& modes, const TimeGrid& grid, const Loads& Z,
                         const Loads& d, std::span<const double> q0, std::span<const double> qdot0,
                         const std::vector<int>& outputs, const ResponseOptions& options = {});

struct FrequencyResponse {
  std::vector<double> omega;  // [rad/s]
  std::vector<int> outputs;
  Matrix re, im;  // frequencies × outputs: complex amplitudes of z
  std::vector<Diagnostic> notes;
};

/// Under amplitudes Ẑ of forces and d̂ of right-hand sides (empty: 0), both real.
FrequencyResponse frequency_response(const LinearSystem& system, const Reduction& reduction,
                                     const LinearModes& modes, std::span<const double> omega,
                                     std::span<const double> Z, std::span<const double> d,
                                     const std::vector<int>& outputs,
                                     const ResponseOptions& options = {});

}  // namespace sarrus
