// Points at which a mechanism stays where it is: r(q, u = 0, u̇ = 0) = 0.
//
// Newton with the exact Jacobian. Rows and columns are scaled by the root of the mass, so that
// metres and radians weigh alike; the shortest step is taken where the Jacobian is singular
// (motions that cost no energy). A step that does not reduce r is halved. Where that fails,
// continuation:
//
//   r(ξ) = (1 − s) r(ξ₀),   s from 0 to 1                                                  (1)
//
// Elastic coordinates are scaled by the root of their stiffness instead, and rows of loops with
// their multipliers so that all entries of the Jacobian are of the size κ of the joints.    (2)
//
// Coordinates that are prescribed, or held at a speed, keep their motion: then the point is a
// steady motion (a relative equilibrium). docs/theory/linearisation.md
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sarrus/linear/linearize.hpp"
#include "sarrus/numerics/newton.hpp"
#include "sarrus/run/trajectory.hpp"

namespace sarrus {

struct EquilibriumOptions {
  int most_iterations = 60;
  double tolerance = 1e-12;  // of the largest force
  int others = 3;            // starts beside the given one, tried where that one fails
};

struct Equilibrium {
  OperatingPoint point;
  bool found = false;
  NewtonStatus status = NewtonStatus::exhausted;  // from the start, before continuation
  int iterations = 0;
  int continuation = 0;                               // steps of (1)
  double residual = 0;                                // largest |r| [N or N.m]
  double scale = 0;                                   // what it is measured against
  std::vector<double> history;                        // residual per iteration, relative
  std::vector<std::pair<std::string, double>> worst;  // five largest of r by name
  std::optional<Diagnostic> refusal;                  // an elastic body is deformed too far there
};

Equilibrium find_equilibrium(const Mechanism& mechanism, const OperatingPoint& start,
                             const EquilibriumOptions& options = {});

/// From the start and from `others` random configurations; each equilibrium once, the one from the
/// start first. Those not found are left out, but the first.
std::vector<Equilibrium> find_equilibria(const Mechanism& mechanism, const OperatingPoint& start,
                                         int others, const EquilibriumOptions& options = {});

/// What a run would record there, reactions included, as one row. For points at which nothing is
/// held: what holds a joint is no part of the model, and would be missing in the forces.
Trajectory recorded_at(const Mechanism& mechanism, const OperatingPoint& point);

/// Why there is none: iterations, history, the five worst equations. For Error(numerics).
Diagnostic no_equilibrium(const Equilibrium& e);

}  // namespace sarrus
