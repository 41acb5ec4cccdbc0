#include "sarrus/numerics/dense/qr.hpp"

namespace sarrus {

Qr::Qr(const Eigen::MatrixXd& A) : qr_(A) {}
Eigen::VectorXd Qr::solve(const Eigen::VectorXd& b) const { return qr_.solve(b); }
Eigen::MatrixXd Qr::Q() const {
  const Eigen::Index n = qr_.rows();
  return qr_.householderQ() * Eigen::MatrixXd::Identity(n, n);
}
void Qr::multiply_from_right(Eigen::MatrixXd& Y) const { Y.applyOnTheRight(qr_.householderQ()); }

PivotedQr::PivotedQr(const Eigen::MatrixXd& A) : qr_(A) {}
Eigen::Index PivotedQr::rank(double tolerance) { return qr_.setThreshold(tolerance).rank(); }
std::vector<int> PivotedQr::order() const {
  const auto& columns = qr_.colsPermutation().indices();
  return {columns.data(), columns.data() + columns.size()};
}
Eigen::VectorXd PivotedQr::solve(const Eigen::VectorXd& b) const { return qr_.solve(b); }
Eigen::MatrixXd PivotedQr::Q() const {
  Eigen::MatrixXd Q = Eigen::MatrixXd::Identity(qr_.rows(), qr_.rows());
  Q.applyOnTheLeft(qr_.householderQ());
  return Q;
}

LeastSquares::LeastSquares(const Eigen::MatrixXd& A, double tolerance) {
  if (tolerance > 0) qr_.setThreshold(tolerance);
  qr_.compute(A);
}
Eigen::VectorXd LeastSquares::solve(const Eigen::VectorXd& b) const { return qr_.solve(b); }
Eigen::MatrixXd LeastSquares::pseudo_inverse() const { return qr_.pseudoInverse(); }

}  // namespace sarrus
