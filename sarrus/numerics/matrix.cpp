#include "sarrus/numerics/matrix.hpp"

#include <algorithm>
#include <cmath>

#include "sarrus/numerics/eigen_maps.hpp"

namespace sarrus {

Matrix Matrix::identity(int n) {
  Matrix I(n, n);
  for (int i = 0; i < n; ++i) I(i, i) = 1;
  return I;
}

SparseMatrix SparseMatrix::identity(int n) {
  SparseMatrix I(n, n);
  for (int i = 0; i < n; ++i) {
    I.index.push_back(i), I.value.push_back(1);
    I.start[i + 1] = i + 1;
  }
  return I;
}

SparseMatrix to_sparse(int rows, int cols, std::span<const Entry> entries) {
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(entries.size());
  for (const Entry& e : entries) triplets.emplace_back(e.row, e.col, e.value);
  EigenSparse A(rows, cols);
  A.setFromTriplets(triplets.begin(), triplets.end());
  return from_eigen(std::move(A));
}

SparseMatrix to_sparse(const Matrix& A) {
  SparseMatrix S(A.rows, A.cols);
  for (int j = 0; j < A.cols; ++j) {
    for (int i = 0; i < A.rows; ++i)
      if (A(i, j) != 0) S.index.push_back(i), S.value.push_back(A(i, j));
    S.start[j + 1] = S.nonzeros();
  }
  return S;
}

Matrix to_dense(const SparseMatrix& A) {
  Matrix B(A.rows, A.cols);
  for (int j = 0; j < A.cols; ++j)
    for (int k = A.start[j]; k < A.start[j + 1]; ++k) B(A.index[k], j) = A.value[k];
  return B;
}

SparseMatrix transposed(const SparseMatrix& A) {
  return from_eigen(EigenSparse(map(A).transpose()));
}

SparseMatrix multiply(const SparseMatrix& A, const SparseMatrix& B) {
  return from_eigen(EigenSparse(map(A) * map(B)));
}

SparseMatrix congruence(const SparseMatrix& T, const SparseMatrix& A) {
  const EigenSparse AT = map(A) * map(T), Tt = map(T).transpose();
  return from_eigen(EigenSparse(Tt * AT));
}

std::vector<double> multiply(const SparseMatrix& A, std::span<const double> x) {
  std::vector<double> y(A.rows);
  map(y) = map(A) * map(x);
  return y;
}

std::vector<double> transposed_multiply(const SparseMatrix& A, std::span<const double> x) {
  std::vector<double> y(A.cols);
  map(y) = map(A).transpose() * map(x);
  return y;
}

Matrix multiply(const SparseMatrix& A, const Matrix& B) { return from_eigen(map(A) * map(B)); }
Matrix multiply(const Matrix& A, const Matrix& B) { return from_eigen(map(A) * map(B)); }
Matrix transposed_multiply(const Matrix& A, const Matrix& B) {
  return from_eigen(map(A).transpose() * map(B));
}

double max_abs(std::span<const double> values) {
  double most = 0;
  for (const double x : values) most = std::max(most, std::fabs(x));
  return most;
}

Asymmetry asymmetry(const SparseMatrix& A) {
  const EigenSparse At = map(A).transpose(), difference = map(A) - At;
  Asymmetry found;
  for (int j = 0; j < difference.outerSize(); ++j)
    for (EigenSparse::InnerIterator it(difference, j); it; ++it)
      if (std::fabs(it.value()) > found.difference)
        found = {std::fabs(it.value()), static_cast<int>(it.row()), j};
  return found;
}

Matrix symmetric_part(const Matrix& A) { return from_eigen(0.5 * (map(A) + map(A).transpose())); }

}  // namespace sarrus
