// Our matrices as Eigen sees them, without copies. For .cpp files only: not installed.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "sarrus/numerics/matrix.hpp"

namespace sarrus {

using DenseMap = Eigen::Map<Eigen::MatrixXd>;
using ConstDenseMap = Eigen::Map<const Eigen::MatrixXd>;
using EigenSparse = Eigen::SparseMatrix<double>;
using ConstSparseMap = Eigen::Map<const EigenSparse>;

inline DenseMap map(Matrix& A) { return {A.values.data(), A.rows, A.cols}; }
inline ConstDenseMap map(const Matrix& A) { return {A.values.data(), A.rows, A.cols}; }
inline ConstSparseMap map(const SparseMatrix& A) {
  return {A.rows, A.cols, A.nonzeros(), A.start.data(), A.index.data(), A.value.data()};
}
inline Eigen::Map<Eigen::VectorXd> map(std::vector<double>& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}
inline Eigen::Map<const Eigen::VectorXd> map(std::span<const double> x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

template <class Derived>
Matrix from_eigen(const Eigen::MatrixBase<Derived>& A) {
  Matrix B(static_cast<int>(A.rows()), static_cast<int>(A.cols()));
  map(B) = A;
  return B;
}

inline SparseMatrix from_eigen(EigenSparse A) {
  A.makeCompressed();
  SparseMatrix B(static_cast<int>(A.rows()), static_cast<int>(A.cols()));
  B.start.assign(A.outerIndexPtr(), A.outerIndexPtr() + A.cols() + 1);
  B.index.assign(A.innerIndexPtr(), A.innerIndexPtr() + A.nonZeros());
  B.value.assign(A.valuePtr(), A.valuePtr() + A.nonZeros());
  return B;
}

}  // namespace sarrus
