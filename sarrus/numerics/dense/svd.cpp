#include "sarrus/numerics/dense/svd.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <limits>

namespace sarrus {
namespace {

template <class Solver>
Svd parts_of(const Solver& svd) {
  Svd found{svd.singularValues(), {}, {}};
  if (svd.computeU()) found.U = svd.matrixU();
  if (svd.computeV()) found.V = svd.matrixV();
  return found;
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
  return parts_of(Eigen::JacobiSVD<Eigen::MatrixXd>(A, vectors));
}

Svd fully_pivoted_svd(const Eigen::MatrixXd& A) {
  return parts_of(Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::FullPivHouseholderQRPreconditioner>(
      A, Eigen::ComputeFullU | Eigen::ComputeFullV));
}

Svd divide_and_conquer_svd(const Eigen::MatrixXd& A, unsigned vectors) {
  return parts_of(Eigen::BDCSVD<Eigen::MatrixXd>(A, vectors));
}

}  // namespace sarrus
