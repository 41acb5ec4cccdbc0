// One element of a solid: tetrahedra of 4 and 10 nodes, bricks of 8.
//
//   x(ξ) = Σ hᵢ(ξ) xᵢ,   u(ξ) = Σ hᵢ(ξ) uᵢ,   J = ∂x/∂ξ,   ∇h = ∂h/∂ξ J⁻¹                     (1)
//   k = ∫ Bᵀ D B dV,     (m_s)ᵢⱼ = ∫ ρ hᵢ hⱼ dV                                              (2)
//
// A brick of trilinear functions alone cannot bend. It gets three more displacements inside, 1 − ξ²
// of each direction, whose gradients are taken at its centre so that a state of constant strain
// does not move them; their amplitudes follow from the nodes by equilibrium and are eliminated:
//
//   ∇u = H_u u + H_α α,   α = −k_αα⁻¹ k_αu u   ⇒   ∇u = (H_u − H_α k_αα⁻¹ k_αu) u            (3)
//
// [Wilson et al. 1973; Taylor, Beresford, Wilson 1976]
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "sarrus/elastic/material.hpp"
#include "sarrus/elastic/solid_mesh.hpp"

namespace sarrus {

using Matrix6 = Eigen::Matrix<double, 6, 6>;
using GradientMatrix = Eigen::Matrix<double, 9, Eigen::Dynamic, 0, 9, 30>;
using StrainMatrix = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 30>;

/// Stress per strain, both as xx, yy, zz, xy, yz, xz with doubled shear strains.
Matrix6 elasticity(const ElasticMaterial& material);

/// A point of integration of the stiffness.
struct StrainPoint {
  double volume = 0;  // [m³] its share
  Vec3 x{};
  GradientMatrix H;  // ∂u_a/∂x_b in row 3a + b, from u₀x, u₀y, u₀z, u₁x …
};
std::vector<StrainPoint> strain_points(const SolidMesh& mesh, const SolidElement& element,
                                       const Matrix6& D);
/// B of a point: strains from its gradients.
StrainMatrix strains(const GradientMatrix& H);

Eigen::MatrixXd element_stiffness(const SolidMesh& mesh, const SolidElement& element,
                                  const Matrix6& D);
/// Per unit of density.
Eigen::MatrixXd element_mass(const SolidMesh& mesh, const SolidElement& element);

/// The point of an element nearest to a given one, or nearly so if the element is far away.
struct ElementPlace {
  Vec3 x{};
  std::vector<double> h;  // weight of each node in the value of a nodal field there
};
ElementPlace nearest_place(const SolidMesh& mesh, const SolidElement& element, const Vec3& point);

/// The smallest det J at corners and points of integration, against that of an even element with
/// the same longest side: 1 for the best shape, 0 for a flat one, below 0 inside out.
double shape_quality(const SolidMesh& mesh, const SolidElement& element);

}  // namespace sarrus
