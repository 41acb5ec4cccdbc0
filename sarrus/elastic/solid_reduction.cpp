#include "sarrus/elastic/solid_reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/core/index.hpp"
#include "sarrus/numerics/dense/eigenvalues.hpp"
#include "sarrus/numerics/sparse/lanczos.hpp"
#include "sarrus/numerics/sparse/sparse_ldlt.hpp"

namespace sarrus {
namespace {

constexpr int dense_limit = 300;  // coordinates: below, all modes by a dense solver

SparseMatrix block(const SparseMatrix& A, int row0, int row1, int col0, int col1) {
  std::vector<Entry> entries;
  for (int j = col0; j < col1; ++j)
    for (int p = A.start[at(j)]; p < A.start[at(j + 1)]; ++p)
      if (const int i = A.index[at(p)]; i >= row0 && i < row1)
        entries.push_back({i - row0, j - col0, A.value[at(p)]});
  return to_sparse(row1 - row0, col1 - col0, entries);
}

Eigen::MatrixXd dense(const SparseMatrix& A) {
  const Matrix full = to_dense(A);
  return Eigen::Map<const Eigen::MatrixXd>(full.values.data(), A.rows, A.cols);
}

/// The lowest modes of a pair, each a column.
Eigen::MatrixXd lowest(const SparseMatrix& M, const SparseMatrix& K, int modes, const char* what) {
  if (modes == 0) return Eigen::MatrixXd(K.rows, 0);
  if (K.rows <= dense_limit || 3 * modes > K.rows) {
    const EigenPairs found = symmetric_eigen(dense(K), dense(M));
    if (!found.ok)
      throw ElasticFault("no-modes", fmt::format("the modes of the body {} were not found", what),
                         "check the mesh");
    return found.vectors.leftCols(modes);
  }
  const LanczosResult found = lowest_modes(M, K, {.modes = modes});
  if (!found.problem.empty() || !found.converged)
    throw ElasticFault(
        "no-modes",
        fmt::format("{} modes of the body {} were asked for: {}", modes, what,
                    found.problem.empty() ? fmt::format("not found in {} solutions", found.solves)
                                          : found.problem),
        "fewer modes, or a finer mesh");
  return Eigen::Map<const Eigen::MatrixXd>(found.vectors.values.data(), found.vectors.rows,
                                           found.vectors.cols)
      .leftCols(modes);
}

SparseLdlt definite(const SparseMatrix& K, const char* what) {
  SparseLdlt factor(K);
  if (!factor.ok() || factor.negative() > 0)
    throw ElasticFault(
        "loose-solid",
        fmt::format("the stiffness of the body {} is not positive: something in it is loose", what),
        "every node must be held by elements with volume; check the mesh");
  return factor;
}

/// (2): modes with all patches held, and the static response to a unit motion of each patch.
Eigen::MatrixXd craig_bampton(const SolidSpec& spec, const SolidSystem& s) {
  const int inner = s.z.inner, all = s.K.rows, outer = all - inner;
  const char* held = "with its interfaces held";
  const SparseMatrix K = block(s.K, 0, inner, 0, inner), M = block(s.M, 0, inner, 0, inner);
  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(all, spec.modes + outer);
  basis.topLeftCorner(inner, spec.modes) = lowest(M, K, spec.modes, held);
  if (outer == 0) return basis;
  Eigen::MatrixXd psi = -dense(block(s.K, 0, inner, inner, all));
  if (inner > 0) definite(K, held).solve(psi.data(), outer);
  basis.topRightCorner(inner, outer) = psi;
  basis.bottomRightCorner(outer, outer).setIdentity();
  return basis;
}

/// The basis, turned into the modes of what it spans.
SolidBasis turned(const SolidSystem& s, Eigen::MatrixXd basis) {
  const Eigen::VectorXd size =
      (basis.cwiseProduct(times(s.M, basis))).colwise().sum().cwiseSqrt().cwiseInverse();
  basis = basis * size.asDiagonal();  // lengths and angles side by side
  const Eigen::MatrixXd K = basis.transpose() * times(s.K, basis);
  const Eigen::MatrixXd M = basis.transpose() * times(s.M, basis);
  const EigenPairs found = symmetric_eigen(0.5 * (K + K.transpose()), 0.5 * (M + M.transpose()));
  if (!found.ok || !(found.values.minCoeff() > 0))
    throw ElasticFault(
        "dependent-modes",
        fmt::format("the {} modes of the reduced body depend on each other", basis.cols()),
        "fewer modes, or a finer mesh");
  SolidBasis out;
  out.z = basis * found.vectors;
  const Eigen::MatrixXd nodes = times(s.z.T, out.z);
  Eigen::VectorXd diagonal(nodes.cols());
  for (Eigen::Index k = 0; k < nodes.cols(); ++k) {
    // 1 where a node moves farthest, positive in its largest direction
    double largest = 0, sign = 1;
    for (Eigen::Index i = 0; i < nodes.rows(); i += 3) {
      const auto u = nodes.col(k).segment<3>(i);
      // rounding must not decide between nodes that move alike
      if (u.norm() > largest * (1 + 1e-9)) {
        Eigen::Index a = 0;
        u.cwiseAbs().maxCoeff(&a);
        largest = u.norm(), sign = u[a] < 0 ? -1 : 1;
      }
    }
    out.z.col(k) *= sign / largest;
    out.square.push_back(found.values[k]);
    diagonal[k] = found.values[k] / (largest * largest);
  }
  out.K = diagonal.asDiagonal();
  return out;
}

}  // namespace

Eigen::MatrixXd times(const SparseMatrix& A, const Eigen::MatrixXd& X) {
  Eigen::MatrixXd Y = Eigen::MatrixXd::Zero(A.rows, X.cols());
  for (Eigen::Index c = 0; c < X.cols(); ++c)
    for (int j = 0; j < A.cols; ++j)
      for (int p = A.start[at(j)]; p < A.start[at(j + 1)]; ++p)
        Y(A.index[at(p)], c) += A.value[at(p)] * X(j, c);
  return Y;
}

Eigen::MatrixXd transposed_times(const SparseMatrix& A, const Eigen::MatrixXd& X) {
  Eigen::MatrixXd Y = Eigen::MatrixXd::Zero(A.cols, X.cols());
  for (Eigen::Index c = 0; c < X.cols(); ++c)
    for (int j = 0; j < A.cols; ++j)
      for (int p = A.start[at(j)]; p < A.start[at(j + 1)]; ++p)
        Y(j, c) += A.value[at(p)] * X(A.index[at(p)], c);
  return Y;
}

SolidSystem solid_system(const SolidSpec& spec, const std::vector<Patch>& patches, int clamped) {
  SolidSystem s;
  s.stiffness = solid_stiffness(*spec.mesh, spec.material);
  s.scalar_mass = solid_mass(*spec.mesh, spec.material.density);
  s.z = patched_coordinates(*spec.mesh, patches, clamped);
  s.K = congruence(s.z.T, s.stiffness);
  s.M = congruence(s.z.T, three_times(s.scalar_mass));
  return s;
}

SolidBasis solid_basis(const SolidSpec& spec, const SolidSystem& s) {
  if (spec.reduction == SolidReduction::nodes) {
    definite(s.K, "clamped at one interface");
    return {Eigen::MatrixXd::Identity(s.K.rows, s.K.cols), dense(s.K), {}};
  }
  return turned(s, spec.reduction == SolidReduction::modes
                       ? lowest(s.M, s.K, spec.modes, "clamped at one interface")
                       : craig_bampton(spec, s));
}

}  // namespace sarrus
