// Accelerations of a mechanism with loops through the null space of its rows [Walton and Steeves].
//
//   G T = 0,   u̇ₚ = −G⁺ Ġ u,   u̇ = u̇ₚ + T (Tᵀ M T)⁻¹ Tᵀ (τ − h − M u̇ₚ)              (1)
//
// Dense, from the singular values of G: no multipliers, no choice of rows. The second opinion
// beside loop_factors.hpp.
#pragma once

#include <memory>

#include "sarrus/formulations/stages/workspace.hpp"

namespace sarrus {

class Nullspace {
 public:
  explicit Nullspace(const Mechanism& mechanism);
  ~Nullspace();

  /// u̇ of (1) into udot (nu entries).
  void accelerations(Workspace<double>& w, const Kinematics<double>& k, const Forces<double>& f,
                     double* udot);
  /// How many velocities the rows left free in the last call.
  int freedoms() const;

 private:
  struct Room;
  std::unique_ptr<Room> room_;
};

}  // namespace sarrus
