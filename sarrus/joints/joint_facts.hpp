// What a joint says of itself beside its kinematics. From these facts follow its units and names,
// its keys in a model file, the rows that hold it where it closes a loop, its blocks in the
// discrete formulation, and how it is drawn.
#pragma once

#include <array>
#include <cstdint>

#include "sarrus/spatial/spatial.hpp"

namespace sarrus {

/// What a velocity u is.
enum class Freedom : std::uint8_t { turns, slides };

/// How the configuration moves (chart.hpp).
enum class ChartKind : std::uint8_t {
  additive,  // q̇ = u
  rotation,  // q is a quaternion
  pose,      // a quaternion, and a position
  plane      // an angle, and two lengths
};

constexpr bool has_quaternion(ChartKind c) {
  return c == ChartKind::rotation || c == ChartKind::pose;
}

/// Which axes a model gives, and how they turn the joint's frames F and M.
enum class JointAxes : std::uint8_t {
  none,   // the frames stay as they are
  line,   // `axis` becomes z
  cross,  // `axis` on the parent, and `axis2` on the child, which becomes y
  plane,  // `axis` is the normal z of a plane, `axis2` its x
  disk    // `axis` of a disk, of radius `radius`, in frames as they are
};

/// What the joint fixes of M's origin relative to F …
enum class HeldPoint : std::uint8_t {
  nothing,
  all,
  across,  // z: it may slide along it
  along,   // z: it may slide in the plane
  thread   // across z, and along z as far as the turn says: `pitch`
};

/// … and of M's axes.
enum class HeldTurn : std::uint8_t {
  nothing,
  all,
  across,  // z: it may turn about it
  angle    // between the two axes
};

struct JointFacts {
  const char* name;                   // in model files and messages
  std::array<Freedom, 6> freedoms{};  // of u, entry by entry
  ChartKind chart = ChartKind::additive;
  JointAxes axes = JointAxes::none;
  HeldPoint point = HeldPoint::nothing;
  HeldTurn turn = HeldTurn::nothing;
  bool reverses = false;      // the tree may run from child to parent: q only changes its sign
  const char* mark = "none";  // how it is drawn: pin, cross, rod, block, ball, weld
};

/// What a model gives of a joint's shape.
struct JointShape {
  Vec3 axis{0, 0, 1};   // unit, in the joint's frame
  Vec3 axis2{0, 1, 0};  // JointAxes says what it is
  double pitch = 0;     // [m] per turn
  double radius = 0;    // [m]
};

/// Units of a freedom: coordinate, velocity, force, momentum.
struct FreedomUnits {
  const char *q, *u, *force, *momentum;
};
constexpr FreedomUnits units_of(Freedom f) {
  if (f == Freedom::slides) return {"m", "m/s", "N", "kg.m/s"};
  return {"rad", "rad/s", "N.m", "kg.m2/s"};
}

}  // namespace sarrus
