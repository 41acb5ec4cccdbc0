// Exact derivatives of inverse and forward dynamics, by recursion over the tree: a handful of
// products per pair of a velocity and one it is carried by (tree/derivative_kernels.inl).
//
//   τ = M(q) u̇ + c(q, u)      joint forces required by inertia and gravity, without force elements
//
// Positions are varied by the chart, q = q₀ ⊕ ξ; dual numbers give the same at n times the cost, and
// serve as the check. Of trees of rigid bodies, with every joint; loops act through forces on them.
#pragma once

#include <memory>
#include <span>

#include "sarrus/formulations/stages/workspace.hpp"

namespace sarrus {

/// A matrix by rows, somewhere else.
struct RowsView {
  const double* data = nullptr;
  int rows = 0, columns = 0, width = 0;  // width: from one row to the next
  double operator()(int i, int j) const {
    return data[static_cast<size_t>(i) * static_cast<size_t>(width) + static_cast<size_t>(j)];
  }
};

/// ∂τ/∂ξ (nu × nx), ∂τ/∂u (nu × nu), and of M, symmetric, what is on and below the diagonal.
struct InverseDerivatives {
  std::span<const double> tau;
  RowsView by_x, by_u, M;
};

/// ∂u̇/∂ξ, ∂u̇/∂u and ∂u̇/∂τ = M⁻¹; rows of what is prescribed or held are zero.
struct ForwardDerivatives {
  RowsView by_x, by_u, by_tau;
};

class Derivatives {
 public:
  /// Keeps a reference to the mechanism. Everything is sized here, nothing allocated later.
  explicit Derivatives(const Mechanism& mechanism);
  Derivatives(Derivatives&&) noexcept;
  ~Derivatives();

  /// Whether all bodies are rigid.
  static bool cover(const Mechanism& mechanism);

  /// Of the joint forces that give u̇ at this instant, with the numbers of its workspace.
  InverseDerivatives of_inverse_dynamics(Workspace<double>& w, const Kinematics<double>& k,
                                         const double* udot);
  /// Of the accelerations, with u̇ those that the joint forces cause.
  ForwardDerivatives of_forward_dynamics(Workspace<double>& w, const Kinematics<double>& k,
                                         const double* udot);

 private:
  struct Room;
  std::unique_ptr<Room> room_;
};

}  // namespace sarrus
