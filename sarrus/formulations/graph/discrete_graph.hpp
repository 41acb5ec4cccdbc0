// A mechanism as bodies and joints without a tree: what the discrete formulation moves.
//
// Each body stands at its centre of mass along its principal axes (frame C). A joint is a pair of
// frames on two bodies and what it holds between them. A loop is nothing special.
#pragma once

#include <string>
#include <vector>

#include "sarrus/formulations/graph/discrete_lanes.hpp"
#include "sarrus/mechanism/mechanism.hpp"

namespace sarrus {

/// Inertia that a body has on loan, part of its own numbers: a ball.
struct Ball {
  double mass = 0, inertia = 0;
  Vec3 at{};  // in C
  bool is_there() const { return mass > 0 || inertia > 0; }
};

/// A body with mass. Slot 0 is the world: no mass, never moved.
struct GraphBody {
  int inside = 0;  // body of the mechanism
  std::string name;
  Pose<double> X_BC;  // principal axes at the centre of mass, in the mechanism's frame B
  double inverse_mass = 0;
  Vec3 inverse_I{};  // principal; in a plane: (0, 0, 1/I) about its normal
  Vec3 I{};
  Ball lent{};
  double largest_inverse_I() const;
};

/// A joint between slots a and b, with the joint's frames in C of both.
struct GraphJoint {
  std::string name;
  Place where;
  int joint = -1;    // entry of Mechanism::joints; −1: a weld between parts of one body
  int closure = -1;  // entry of Mechanism::closures, where it closes a loop
  JointKind kind = JointKind::fixed;
  JointNumbers<double> numbers;
  int a = 0, b = 0;       // slots
  Pose<double> X_a, X_b;  // joint frame F on a, M on b
  int body = 0;           // inside, where it is a joint of the tree; −1 for a cut joint
  bool in_plane = false;  // bodies cannot leave the plane, nor turn out of it
  /// Inertia of a that moves with b (discrete_regroup.hpp), at M in its axes; part of b's already.
  BodyInertia<double> given{};
  bool holds_translation() const;
  bool holds_rotation() const;
  bool holds() const { return holds_translation() || holds_rotation(); }
  bool slides() const;        // the lever on a changes
  bool slides_along() const;  // z
};

/// One scalar condition beside the blocks of joints: of a constraint that the user wrote, or of a
/// joint that rolls or is an edge.
struct GraphCondition {
  Closure closure;  // its frames in C of the slots
  ClosureRow row;
  int a = 0, b = 0;             // slots; of a coupling the joints of `closure` say where it acts
  int joint = -1;               // of the graph, where it belongs to one
  int of_row = -1;              // entry of Mechanism::closure_rows, of a written constraint
  std::vector<int> slots = {};  // of all bodies that it moves, without the world
};

struct DiscreteGraph {
  std::vector<GraphBody> bodies;   // slot by slot, the world first
  std::vector<GraphJoint> joints;  // those of the tree in its order, then the cut ones
  std::vector<GraphCondition> conditions;
  Vec3 normal{};          // of the plane that bodies stay in; zero: space
  std::vector<int> slot;  // of each body inside
};

/// Throws Error(physics) naming every body that cannot be moved by itself: it has no mass or no
/// inertia, and its neighbours have none to give. `plane`: "xy", "xz", "yz" or "" for space.
DiscreteGraph discrete_graph(const Mechanism& m, const std::string& plane = "");

/// Principal values and axes (columns of a rotation) of a symmetric matrix, by Jacobi's rotations.
/// A diagonal matrix keeps its axes.
struct PrincipalAxes {
  Vec3 values;
  Mat3 axes;
};
PrincipalAxes principal_axes(const Sym3& S);

/// λ: the inverse inertia that a force at the point r (in C) of the body meets, the largest
/// eigenvalue of 1/m − [r]× I⁻¹ [r]×.
double translation_mobility(const GraphBody& body, const Vec3& r);

}  // namespace sarrus
