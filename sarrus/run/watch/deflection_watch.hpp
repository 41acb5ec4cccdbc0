// Detects when an elastic body deforms farther than its equations hold (elastic_range.hpp): warns
// where they lose accuracy, and refuses results that are useless.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/mechanism/mechanism.hpp"

namespace sarrus {

class DeflectionWatch {
 public:
  explicit DeflectionWatch(const Mechanism& mechanism);

  /// At coordinates of all elastic bodies, one after the other. False where one is deformed beyond
  /// what its equations can tell; refusal() then says which.
  bool look(double t, std::span<const double> elastic);
  /// The same from all coordinates of the mechanism.
  bool look_at(double t, const std::vector<double>& q);

  const Diagnostic& refusal() const { return *refusal_; }
  /// One warning for each body that went beyond what is accurate.
  void tell(std::vector<Diagnostic>& notes) const;

 private:
  struct Largest {
    double deflection = 0, twist = 0;  // deflection: of the length
    double deflected_at = 0, twisted_at = 0;
  };
  const Mechanism* m_;
  std::vector<Largest> largest_;  // per elastic body
  std::vector<double> elastic_;
  std::optional<Diagnostic> refusal_;
};

/// Throws Error(physics) where an elastic body is deformed beyond what its equations can tell at q,
/// and returns the warnings.
std::vector<Diagnostic> check_deformation(const Mechanism& mechanism, double t,
                                          const std::vector<double>& q);

}  // namespace sarrus
