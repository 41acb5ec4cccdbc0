// Mobility and redundancy: degrees of freedom, rank, sets of redundant constraints in words, which
// reactions are determinate, and which changes would remove the redundancy.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sarrus/formulations/formulation.hpp"

namespace sarrus {

/// Beyond it the report, which is dense, takes more than 2 s.
constexpr int most_bodies_reported = 180;

/// Redundant constraints.
struct RedundantSet {
  int times = 1;                      // number of redundant rows
  std::vector<std::string> elements;  // "joint/a" …
  std::vector<double> share;          // of each element in it; they add up to `times`
  std::string carries;                // "the moment about z", in world axes
  std::string words;                  // the whole sentence
};

enum class Reaction { not_carried, unique, shared };

struct JointReactions {
  std::string element;
  std::array<Reaction, 6> components;  // force x y z, moment x y z, in the joint's frame
};

struct Mobility {
  bool analysed = true;       // false where the mechanism is too large for this report
  int freedoms = 0;           // velocities that can be chosen, those of deformations among them
  int position_freedoms = 0;  // without conditions on velocities
  int velocities = 0;         // of the free bodies, and elastic coordinates
  int elastic = 0;            // elastic coordinates
  int rows = 0, rank = 0, redundant = 0;
  int counted = 0;            // what counting freedoms and rows would give (Kutzbach)
  double last = 1, next = 0;  // singular values on both sides of the rank, relative to the largest
  bool clear_gap = true;
  bool singular_here = false;  // the rank is higher beside this position
  int generic_rank = 0;
  std::vector<RedundantSet> sets;
  std::vector<std::string> changes;  // that would remove the redundancy
  std::vector<JointReactions> reactions;
};

/// At the start that is given, which has its loops closed.
Mobility mobility(const Mechanism& mechanism, const StartState& start);

}  // namespace sarrus
