// All joints of a mechanism as rows on free bodies: in this view no joint is special, so that what
// is redundant, and which reactions are unique, does not depend on where loops are cut.
//
//   columns  six velocities per body, ω and v/l at its origin     (l: a length of the mechanism)
//            one per elastic coordinate, q̇/l
//   rows     one per force or moment that a joint can carry: a unit wrench in the joint's frame
//
// A joint that sits on an elastic body at a place with the twist V + Σ Yₖ q̇ₖ carries the wrench F;
// its row has
//
//   F in the columns of the body,   Yₖ · F in the column of qₖ                              (1)
//
// so that what the body's deformation gives way to is not redundant, and the reaction there unique.
#pragma once

#include <string>
#include <vector>

#include "sarrus/formulations/snapshot.hpp"

namespace sarrus {

/// What a row carries, seen in the joint's frame.
enum class Carried { force_x, force_y, force_z, moment_x, moment_y, moment_z, mixed, drive };

struct ConstraintLine {
  std::string element;  // "joint/a", "constraint/rod"
  Carried carries = Carried::mixed;
  Vec3 force{}, moment{};  // unit, in world axes; moment in units of l where there is a force
  bool is_joint = true;    // else a [[constraint]]
  int joint = -1;          // entry of Mechanism::joints, where the joint has one
  bool holonomic = true;
  double multiplier = 0;  // [N]; of moments divided by l
};

struct ConstraintMatrix {
  int bodies = 0;   // free bodies
  int elastic = 0;  // elastic coordinates
  double length = 1;
  std::vector<ConstraintLine> rows;
  std::vector<double> G;  // by rows
  int columns() const { return 6 * bodies + elastic; }
};

/// Drives that prescribe a motion are rows too.
ConstraintMatrix constraint_matrix(const Snapshot& now);

const char* to_text(Carried carried);

}  // namespace sarrus
