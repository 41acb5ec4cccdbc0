// Audits: what must hold in any run of any model, whichever formulation computed it.
//
// Of a run:      the energy account, momenta that symmetry keeps, loops, quaternions, the order.
// Of an instant, at states that the motion passes through, for every velocity e_i of its own:
//
//   Q(q, e_i) · e_i = −dV/dε + drive + external − dissipated      along q ⊕ ε e_i        (1)
//   V_B(e_i) = d X_B/dε                                                                  (2)
//   G e_i    = dφ/dε                                                                     (3)
//   M = Mᵀ,  xᵀ M x > 0,  T = ½ uᵀ M u                                                   (4)
//
// with differences in place of derivatives. Where hardly anything moves, what rounding leaves is
// measured against the energies and momenta present. (1) checks both that springs and gravity are
// the gradients of their potential and that dampers, drives and external forces are accounted for.
#pragma once

#include <string>
#include <vector>

#include "sarrus/run/simulate.hpp"
#include "sarrus/verify/quantities.hpp"

namespace sarrus {

struct Audit {
  std::string name;     // "energy account"
  std::string subject;  // whose: "hamiltonian", "joint/elbow"
  double value = 0;     // relative, unless the name says another unit
  double limit = 0;
  bool passed = true;
  bool informs = false;  // true: a failure is worth knowing but no error
  std::string detail;    // in words
};

/// Of one run: `error` is its own error of integration, relative.
std::vector<Audit> audit_run(const Mechanism& mechanism, const std::string& name,
                             const Trajectory& rows, const RunSummary& summary, double error,
                             const Scales& scales);

/// Of a few rows of a run: (1) … (4), and whether external forces that depend on positions have a
/// potential.
std::vector<Audit> audit_instants(const Mechanism& mechanism, const Trajectory& rows,
                                  const Scales& scales);

/// The state in a row: positions and velocities from their columns, motor currents from theirs.
StartState state_in_row(const Mechanism& mechanism, const Trajectory& rows, int row);

}  // namespace sarrus
