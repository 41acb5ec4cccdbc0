// What follows from forces: factors of the mass matrix, accelerations, and the forces in joints.
#pragma once

#include <vector>

#include "sarrus/formulations/loops/loop_factors.hpp"
#include "sarrus/formulations/stages/forces.hpp"

namespace sarrus {

/// The mass matrix eliminated over the tree (tree_kernels.inl, equations 3 to 5).
template <class T>
struct Factors {
  explicit Factors(const Mechanism& mechanism);

  std::vector<ArticulatedInertia<T>> IA;  // per body: of the body and all it carries
  std::vector<Pivot<T>> pivot;            // per velocity
  std::vector<T> lower, D;
};

template <class T>
struct BodyAccelerations {
  explicit BodyAccelerations(const Mechanism& mechanism) : A(mechanism.nb), udot(mechanism.nu) {}

  std::vector<Twist<T>>
      A;  // spatial, in world axes at the body's origin, with −gravity at the world
  std::vector<T> udot;
};

template <class T>
struct Accelerations : BodyAccelerations<T> {
  explicit Accelerations(const Mechanism& mechanism);

  bool exist = true;         // false where friction or loops find none
  std::vector<Wrench<T>> p;  // per body: bias wrench of the body and all it carries
  std::vector<T> w, h;       // scratch of the elimination
  ClosedLoops<T> loops;
  std::vector<T> multiplier;  // λ of their rows
  std::vector<T> coupling;    // per velocity: what couplings among coordinates exert
  EnergyFlow<T> flow;         // of the elements and of prescribed motions
};

}  // namespace sarrus
