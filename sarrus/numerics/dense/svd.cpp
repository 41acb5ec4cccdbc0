#include "sarrus/numerics/dense/svd.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <limits>

#include "sarrus/core/memory.hpp"

namespace sarrus {
namespace {

template <class Solver>
Svd parts_of(const Solver& svd) {
  Svd found{svd.singularValues(), {}, {}};
  if (svd.computeU()) found.U = svd.matrixU();
  if (svd.computeV()) found.V = svd.matrixV();
  return found;
}

/// Eigen puts parts of a decomposition in the place of others, and frees them twice where there is
/// no memory for the new ones.
void ask_for_decomposition(const Eigen::MatrixXd& A) {
  constexpr size_t least = 1u << 16, copies = 16;  // ample
  const auto longer = static_cast<size_t>(std::max(A.rows(), A.cols()));
  ask_for_memory(least + copies * longer * longer * sizeof(double));
}

}  // namespace

Eigen::Index Svd::rank(double tolerance) const {
  if (sigma.size() == 0) return 0;
  if (tolerance == 0)
    tolerance = static_cast<double>(sigma.size()) * std::numeric_limits<double>::epsilon();
  const double least = std::max(tolerance * sigma[0], std::numeric_limits<double>::min());
  Eigen::Index r = sigma.size();
  while (r > 0 && sigma[r - 1] < least) --r;
  return r;
}

Eigen::VectorXd Svd::solve(const Eigen::VectorXd& b, double tolerance) const {
  const Eigen::Index r = rank(tolerance);
  Eigen::VectorXd x = U.leftCols(r).transpose() * b;
  x = sigma.head(r).asDiagonal().inverse() * x;
  return V.leftCols(r) * x;
}

Svd jacobi_svd(const Eigen::MatrixXd& A, unsigned vectors) {
  ask_for_decomposition(A);
  return parts_of(Eigen::JacobiSVD<Eigen::MatrixXd>(A, vectors));
}

Svd fully_pivoted_svd(const Eigen::MatrixXd& A) {
  ask_for_decomposition(A);
  return parts_of(Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::FullPivHouseholderQRPreconditioner>(
      A, Eigen::ComputeFullU | Eigen::ComputeFullV));
}

Svd divide_and_conquer_svd(const Eigen::MatrixXd& A, unsigned vectors) {
  ask_for_decomposition(A);
  return parts_of(Eigen::BDCSVD<Eigen::MatrixXd>(A, vectors));
}

}  // namespace sarrus
