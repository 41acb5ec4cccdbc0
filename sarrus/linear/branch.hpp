// An equilibrium followed while a number of the mechanism changes: a speed, a load, a length.
//
// Newton from the last equilibrium finds the next one as long as no stiffness between them changes
// its sign; where one does, the step is halved. At a branching point a stiffness passes through
// zero however short the step is: there the same branch is kept, now unstable.
// docs/theory/linearisation.md
#pragma once

#include <functional>
#include <optional>

#include "sarrus/linear/equilibrium.hpp"

namespace sarrus {

/// The mechanism at a value of the number, and where it starts there.
struct Family {
  std::function<Mechanism(double)> mechanism;
  std::function<OperatingPoint(const Mechanism&, double)> start;
};

/// From an equilibrium at `from` to that at `to`. Nothing where it ends on the way.
std::optional<OperatingPoint> follow_equilibrium(const Family& family, double from,
                                                 const OperatingPoint& point, double to);

/// Number of unstable directions, of those that loops leave free.
int negative_stiffnesses(const Mechanism& mechanism, const OperatingPoint& point);

}  // namespace sarrus
