#include "sarrus/numerics/dense/eigenvalues.hpp"

#include <Eigen/Eigenvalues>

namespace sarrus {
namespace {

using PairSolver = Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>;

}  // namespace

EigenPairs symmetric_eigen(const Eigen::MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> found(A);
  return {found.info() == Eigen::Success, found.eigenvalues(), found.eigenvectors()};
}

EigenPairs symmetric_eigen(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M) {
  const PairSolver found(K, M);
  return {found.info() == Eigen::Success, found.eigenvalues(), found.eigenvectors()};
}

EigenPairs symmetric_eigenvalues(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M) {
  const PairSolver found(K, M, Eigen::EigenvaluesOnly);
  return {found.info() == Eigen::Success, found.eigenvalues(), {}};
}

Eigen::Vector3d symmetric_eigenvalues(const Eigen::Matrix3d& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

ComplexEigenPairs complex_eigen(const Eigen::MatrixXd& A) {
  const Eigen::EigenSolver<Eigen::MatrixXd> found(A);
  if (found.info() != Eigen::Success) return {};
  return {true, found.eigenvalues(), found.eigenvectors()};
}

HermitianPairs hermitian_eigen(const Eigen::MatrixXcd& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd> found(A);
  return {found.info() == Eigen::Success, found.eigenvalues(), found.eigenvectors()};
}

}  // namespace sarrus
