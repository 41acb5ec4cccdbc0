// Who contradicts whom, where a mechanism cannot be put together.
//
// A row g that the others already say, g = Σ yₖ gₖ over the velocities that are free, cannot be met
// beside them if its residual or rate differs. With the columns of prescribed motions
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

/// What stands against a row of loops, itself left out. Empty where the row is independent, or the
/// mechanism too large to ask.
Opponents opponents(const Places<double>& k, const LoopRows<double>& loops, int row);

}  // namespace sarrus
