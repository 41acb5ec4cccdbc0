// Which constraints contradict each other, where a mechanism cannot be assembled.
//
// A row g that depends on the others, g = Σ yₖ gₖ over the velocities that are free, cannot be met
// together with them if its residual or rate differs. With the columns of prescribed motions
//
//   rest = g − Σ yₖ gₖ                                                                 (1)
//
// is zero on the free velocities; where it is not zero on a prescribed one, that motion takes part.
#pragma once

#include <string>
#include <vector>

#include "sarrus/formulations/stages/workspace.hpp"

namespace sarrus {

struct Opponents {
  std::vector<std::string> closures, motions;  // "constraint 'rod'", "joint 'a'"
  bool empty() const { return closures.empty() && motions.empty(); }
  /// "constraint 'rod' and the motion of joint 'a'"
  std::string words() const;
};

/// What contradicts a row of loops, the row itself left out. Empty where the row is independent, or
/// the mechanism too large to find out.
Opponents opponents(const Places<double>& k, const LoopRows<double>& loops, int row);

}  // namespace sarrus
