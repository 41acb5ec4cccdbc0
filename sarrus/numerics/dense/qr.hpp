// Orthogonal factors of dense matrices.
//
//   A   = Q R             Qr             columns in their order
//   A P = Q R             PivotedQr      the longest remaining column first
//   A P = Q [T 0] Z       LeastSquares   also for matrices that lack rank [Golub, Van Loan
//   2013, 5.5]
#pragma once

#include <Eigen/QR>
#include <vector>

namespace sarrus {

class Qr {
 public:
  explicit Qr(const Eigen::MatrixXd& A);
  /// x of least |A x − b|.
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  /// Q whole, as many columns as rows.
  Eigen::MatrixXd Q() const;
  /// Y ← Y Q
  void multiply_from_right(Eigen::MatrixXd& Y) const;

 private:
  Eigen::HouseholderQR<Eigen::MatrixXd> qr_;
};

class PivotedQr {
 public:
  explicit PivotedQr(const Eigen::MatrixXd& A);
  /// Pivots above tolerance of the largest.
  Eigen::Index rank(double tolerance);
  /// Columns of A in the order in which they were taken.
  std::vector<int> order() const;
  double pivot(Eigen::Index i) const { return qr_.matrixR()(i, i); }
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  Eigen::MatrixXd Q() const;

 private:
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr_;
};

/// The shortest x of least |A x − b|.
class LeastSquares {
 public:
  /// Pivots below tolerance of the largest count as zero; 0: those below rounding.
  explicit LeastSquares(const Eigen::MatrixXd& A, double tolerance = 0);
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  Eigen::MatrixXd pseudo_inverse() const;

 private:
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> qr_;
};

inline Eigen::VectorXd least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  return LeastSquares(A).solve(b);
}

}  // namespace sarrus
