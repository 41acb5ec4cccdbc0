// Where formulations part: the first instant, seen along one motion, at which they give different
// accelerations from the same state, and the part of the equations that makes the difference.
//
//   states → accelerations at the same states → velocities, gravity or forces → the joint
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sarrus/verify/contender.hpp"

namespace sarrus {

struct InstantDeparture {
  std::string formulation;    // the one that differs from the others; empty if it cannot be told
  std::string first, second;  // the two that are farthest apart
  double t = 0;               // [s]
  std::string element;        // "joint/elbow"
  std::string part;           // "terms with velocities", "gravity", "force elements", "inertia"
  double relative = 0;        // difference of accelerations, of their size
};

/// Looks along `rows` at the formulations of trees; nothing where they agree at every row.
std::optional<InstantDeparture> find_departure(const Mechanism& mechanism,
                                               const std::vector<Contender>& contenders,
                                               const Trajectory& rows,
                                               const std::vector<double>& jumps = {});

}  // namespace sarrus
