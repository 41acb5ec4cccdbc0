// Matrices of a whole solid, and its coordinates with rigid patches.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "sarrus/elastic/solid.hpp"
#include "sarrus/numerics/matrix.hpp"

namespace sarrus {

SparseMatrix solid_stiffness(const SolidMesh& mesh, const ElasticMaterial& material);
/// One row per node: the mass matrix is the same in all three directions.
SparseMatrix solid_mass(const SolidMesh& mesh, double density);
/// A ⊗ 1₃
SparseMatrix three_times(const SparseMatrix& A);

/// A patch of nodes that moves with d and θ of its centre: uᵢ = d + θ × (xᵢ − c).
struct Patch {
  std::vector<int> nodes;
  Vec3 centre{};
  double radius = 0;  // [m] to its farthest node
};
Patch make_patch(const SolidMesh& mesh, const std::vector<int>& nodes);

/// d = T z: first free nodes, three numbers each, then d and θ of the patches but the clamped one.
struct PatchedCoordinates {
  SparseMatrix T;
  int inner = 0;             // of free nodes
  std::vector<int> node_of;  // the free nodes in their order
  std::vector<int> first;    // per patch: where d begins in z; −1: clamped
};
PatchedCoordinates patched_coordinates(const SolidMesh& mesh, const std::vector<Patch>& patches,
                                       int clamped);

/// Right-hand sides −∫ Bᵀ D sym(∇φₖᵀ ∇φₗ) dV for all k ≤ l, where Phi holds the nodal displacements
/// of each φ.
Eigen::MatrixXd second_order_loads(const SolidMesh& mesh, const ElasticMaterial& material,
                                   const Eigen::MatrixXd& Phi);

/// Geometric stiffness ∫ σ : ∇φₖᵀ ∇φₗ dV of the stress that the displacements u make.
Eigen::MatrixXd geometric_stiffness(const SolidMesh& mesh, const ElasticMaterial& material,
                                    const Eigen::VectorXd& u, const Eigen::MatrixXd& Phi);

}  // namespace sarrus
