// Displacements and their gradients at any point of a solid, from those of the nodes.
//
// Displacements come from the functions of the element. Gradients jump from element to element and
// are best at the points of integration: a field is fitted through those of all elements around the
// point and read there, linear for tet4, with the products xy, yz, zx for the others,
//
//   min_a,b Σ V_p |∇u(x_p) − a − b·f(x_p − x)|²,   ∇u(x) ≈ a                                 (1)
//
// [Zienkiewicz, Zhu 1992]. Its symmetric part is the strain, the other the rotation of the point.
#pragma once

#include <optional>

#include "sarrus/elastic/solid_element.hpp"

namespace sarrus {

/// A point of a mesh.
struct MeshPoint {
  Vec3 x{};
  double beside = 0;  // [m] how far the asked point lies from it
  int element = 0;
  std::vector<double> h;  // share of each node of the element
};

/// The nearest point of the mesh; none where even that is farther than half its element's size.
std::optional<MeshPoint> locate(const SolidMesh& mesh, const Vec3& point);

/// Displacements of the point, one column per column of nodal displacements.
Eigen::Matrix3Xd displacement_at(const SolidMesh& mesh, const MeshPoint& point,
                                 const Eigen::MatrixXd& nodal);

/// (1): ∂u_a/∂x_b in row 3a + b, likewise.
Eigen::Matrix<double, 9, Eigen::Dynamic> gradient_at(const SolidMesh& mesh,
                                                     const ElasticMaterial& material,
                                                     const MeshPoint& point,
                                                     const Eigen::MatrixXd& nodal);

/// Rotations that go with gradients.
Eigen::Matrix3Xd rotations(const Eigen::Matrix<double, 9, Eigen::Dynamic>& gradients);

}  // namespace sarrus
