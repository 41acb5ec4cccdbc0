// Small vibrations of a mechanism about a point: modes, what takes part in them, and whether the
// point is stable.
//
//   λ x = A x with A of the linear model;   λ = −ζω ± iω√(1 − ζ²)                          (1)
//   without damping and gyroscopic terms: K φ = ω² M φ, exactly real                       (2)
//
// A mode grows where Re λ is above its error: divergence where λ is real, flutter where it
// oscillates.
#pragma once

#include <string>
#include <vector>

#include "sarrus/linear/equilibrium.hpp"
#include "sarrus/linear/linear_modes.hpp"

namespace sarrus {

enum class Stability { stable, undamped, neutral, divergence, flutter };
const char* to_text(Stability s);

struct Mode {
  ComplexMode value;
  double error = 0;                // bound of what rounding does to λ [1/s]
  bool zero = false;               // λ = 0: the mechanism moves freely
  std::vector<double> re, im;      // shape: entries of the chart, all nx, largest 1 and real
  std::vector<double> u_re, u_im;  // shape of the velocities, all nu
  std::vector<std::pair<std::string, double>> coordinates;  // share φ_k (Mφ)_k, largest first
  EnergyShares energy;
};

struct ModelModes {
  OperatingPoint point;
  LinearModel model;
  StateSpace space;
  std::vector<Mode> modes;  // by |λ|; of a pair the one with positive imaginary part
  bool real = false;        // (2) applied
  Stability stability = Stability::stable;
  int cause = -1;  // the mode that makes it unstable
  std::vector<Diagnostic> notes;
};

/// About the point as it is; a note says if it is no equilibrium.
ModelModes modes_about(const Mechanism& mechanism, const OperatingPoint& point);

/// In words: "stable", "unstable: flutter of mode 3, growing e-fold in 0.2 s".
std::string verdict(const ModelModes& modes);

}  // namespace sarrus
