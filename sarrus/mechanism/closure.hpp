// What closes loops and what rolls: conditions between two frames, each a list of scalar rows.
//
// A row acts on body b at frame B and, equal and opposite, on body a at frame A. Joints that the
// tree cannot keep become such lists (docs/theory/loops.md, table of rows), and so do the
// constraints that a user writes. The axis of a joint is z of both frames.
#pragma once

#include <string>
#include <vector>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/spatial/spatial.hpp"

namespace sarrus {

enum class RowKind {
  point,      // the origin of B stays at `offset` along axis i of A
  direction,  // axis i of A and axis j of B keep the cosine `offset`
  distance,   // the origins of A and B stay `size` apart
  screw,      // B advances by `size` per radian along z of A
  edge,       // the origin of B does not move along z of B, seen from A
  ball,       // a sphere of radius `size` at B does not slip along axis i on the plane z of A
  disk,       // a disk of radius `size` about z of B does not slip along axis i on the plane z of A
  height,     // the lowest point of that disk stays on the plane
  coupling,   // Σ c q = offset over coordinates with q̇ = u
};

/// Whether a row holds positions, or velocities only.
inline bool is_holonomic(RowKind kind) {
  return kind != RowKind::edge && kind != RowKind::ball && kind != RowKind::disk;
}
/// Whether its residual is a length; otherwise it is an angle.
inline bool is_length(RowKind kind) {
  return kind != RowKind::direction && kind != RowKind::coupling;
}

struct ClosureRow {
  RowKind kind = RowKind::point;
  int i = 0, j = 0;  // axes: 0 x, 1 y, 2 z
  double offset = 0;
  int closure = 0;
};

/// A coordinate that takes part in a coupling.
struct CoupledCoordinate {
  int q = 0, u = 0, body = 0;
  double coefficient = 1;
};

struct Closure {
  std::string name, element;  // "rod", "joint/rod"
  Place where;
  int joint = -1;                     // entry of Mechanism::joints, −1: none
  bool is_weld = false;               // holds parts of one body together
  int a = 0, b = 0;                   // bodies inside
  Pose<double> X_A, X_B;              // the frames in their B
  Mat3 at_zero = Mat3::identity();    // B in A where the joint's position is zero
  double size = 0;                    // length, advance per radian, radius [m]
  std::vector<CoupledCoordinate> of;  // of a coupling
  // initial guess for the start of a joint, in its own layout; empty: none was given
  std::vector<double> q_wish, u_wish;
  int row0 = 0, rows = 0;
  /// Whether it is a [[constraint]] of the model.
  bool is_written() const { return joint < 0 && !is_weld; }
};

}  // namespace sarrus
