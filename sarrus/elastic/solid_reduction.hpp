// From all nodes of a solid to few coordinates, (1)–(3) of solid.hpp.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "sarrus/elastic/solid_matrices.hpp"

namespace sarrus {

/// What the patched solid is made of.
struct SolidSystem {
  SparseMatrix stiffness, scalar_mass;  // of all nodes, before patches
  PatchedCoordinates z;
  SparseMatrix K, M;  // of z
};

struct SolidBasis {
  Eigen::MatrixXd z;           // one column per coordinate
  Eigen::MatrixXd K;           // of the coordinates
  std::vector<double> square;  // ω² of the reduced body, where the coordinates are its modes
};

SolidSystem solid_system(const SolidSpec& spec, const std::vector<Patch>& patches, int clamped);
/// Modes of the reduced body, largest displacement of a node 1, or all of z. Throws ElasticFault.
SolidBasis solid_basis(const SolidSpec& spec, const SolidSystem& system);

// for dense work on sparse matrices
Eigen::MatrixXd times(const SparseMatrix& A, const Eigen::MatrixXd& X);
Eigen::MatrixXd transposed_times(const SparseMatrix& A, const Eigen::MatrixXd& X);

}  // namespace sarrus
