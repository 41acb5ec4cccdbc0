// Natural frequencies and shapes of a reduced system.
//
//   K v = ω² M v,  vᵀMv = 1;   shapes in the coordinates as given: z = T v                  (1)
//   with damping:  λ² M + λ D + K singular, from  ẋ = [0 Ω; −Ω −VᵀDV] x in modal coordinates (2)
//
// All modes by full matrices for up to most_full_modes freedoms; the lowest ones of larger systems
// by block Lanczos. docs/theory/linear.md
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sarrus/linear/reduction.hpp"
#include "sarrus/numerics/dense_modes.hpp"
#include "sarrus/numerics/sparse/lanczos.hpp"

namespace sarrus {

inline constexpr int most_full_modes = 1200;

struct ModeOptions {
  int modes = 0;  // 0: all where full matrices serve, otherwise 20
  bool count = false;
};

/// A mode of the damped system, or of any ẋ = A x: λ = −ζω ± iω√(1−ζ²).
struct ComplexMode {
  double re = 0, im = 0;  // of λ [1/s]
  double omega = 0;       // |λ| [rad/s]
  double ratio = 0;       // ζ = −Re λ/|λ|
};

struct LinearModes {
  std::vector<double> lambda;  // ω² [rad²/s²], rising; negative: the system is unstable
  Matrix vectors;              // of q, vᵀMv = 1
  Matrix shapes;               // of z
  int rigid = 0;               // ω = 0
  bool all = true;             // every mode of the system is here
  std::string method;          // in words
  std::optional<LanczosResult> lanczos;  // without vectors
  Matrix D;                              // VᵀDV; empty without damping
  std::vector<ComplexMode> damped;       // one of each pair, by |λ|
  Matrix damped_re, damped_im;           // shapes of z
  std::vector<Diagnostic> notes;

  int size() const { return static_cast<int>(lambda.size()); }
  double omega(int i) const;  // √|ω²| [rad/s]
};

/// Throws Error(numerics) where the modes are not found.
LinearModes linear_modes(const LinearSystem& system, const Reduction& reduction,
                         const ModeOptions& options = {});

}  // namespace sarrus
