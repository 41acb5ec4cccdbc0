// What the kernels of the discrete formulation read and write.
//
// Bodies and joints are computed four at a time, one per lane of a Pack. They meet in records: a
// body leaves one record of its motion, a joint reads the records of its two bodies and leaves two
// wrenches, a body sums the wrenches of its own list in a fixed order. Four records of four numbers
// are turned into four lanes, and back, by transposing them: any graph of joints costs the same,
// nothing is scattered, and the result depends on no order of execution.
#pragma once

#include <array>
#include <cstdint>

#include "sarrus/spatial/spatial.hpp"

namespace sarrus {

inline constexpr int discrete_lanes = 4;
using Lane = Pack<discrete_lanes>;

/// The motion of one body as joints see it: rotation by columns, centre of mass, its velocity, and
/// the angular velocity, in world axes. Record 0 is the world.
struct alignas(32) MotionRecord {
  Mat3 R = Mat3::identity();
  Vec3 P{}, V{}, w{};
  double unused[2] = {};
};
static_assert(sizeof(MotionRecord) == 20 * sizeof(double));

/// Force and torque about the centre of mass, in world axes.
struct alignas(32) WrenchRecord {
  Vec3 f{}, n{};
  double unused[2] = {};
};
static_assert(sizeof(WrenchRecord) == 8 * sizeof(double));

/// Four bodies. V and L are those of half a step ago, the rest is of now.
struct BodyPack {
  Quaternion<Lane> q;       // principal axes → world
  Matrix3<Lane> R;          // the same
  Vector3<Lane> P, V, L;    // centre of mass, its velocity, angular momentum about it
  Lane inverse_mass;        // 0 in lanes that hold no body
  Vector3<Lane> inverse_I;  // principal
  std::int32_t first[discrete_lanes] = {}, last[discrete_lanes] = {};  // its wrenches in `list`
};

/// Four joints of one kind between bodies A and B.
struct JointPack {
  std::int32_t a[discrete_lanes] = {}, b[discrete_lanes] = {};  // records
  std::int32_t out[discrete_lanes] = {};  // wrench on A; the next is that on B
  Vector3<Lane> r_a, r_b;  // the joint's points, from the centres of mass, in principal axes
  Vector3<Lane> z_a, z_b;  // the joint's axes; universal: first axis on A, second on B
  Matrix3<Lane> C;         // locked rotation: principal axes of B in those of A
  Lane kt, ct, kr, cr;     // gains; of sliding joints kt, ct are to be divided by λ
  Lane lambda, inverse_I;  // sliding: λ = lambda + |l_a|² inverse_I
};

/// What a joint holds: which directions of translation, which of rotation.
enum class BlockKind : std::uint8_t {
  spherical,    // all three, none
  revolute,     // all three, axis on axis
  universal,    // all three, axis square to axis
  fixed,        // all three, locked
  cylindrical,  // across the axis, axis on axis (screw too)
  prismatic,    // across the axis, locked
  planar,       // along the normal, axis on axis
};
inline constexpr int block_kinds = 7;

struct DiscreteView {
  int body_packs;
  BodyPack* bodies;
  MotionRecord* motion;  // 1 + bodies, padded to whole packs
  WrenchRecord* wrench;
  const std::int32_t* list;                         // entries of `wrench`, body after body
  JointPack* joints;                                // grouped by kind
  std::array<std::int32_t, block_kinds + 1> first;  // where each kind starts
  Vec3 gravity;
  double h;  // [s]
};

struct DiscreteKernels {
  /// Forces of all joint blocks at the present motion.
  void (*joints)(const DiscreteView&);
  /// Kick with the wrenches, drift, new records (rotation by the symplectic splitting).
  void (*bodies)(const DiscreteView&);
  /// n times: bodies, then joints.
  void (*advance)(const DiscreteView&, std::int64_t n);
};

/// The kernels for this machine.
const DiscreteKernels& discrete_kernels();

}  // namespace sarrus
