// Matrices as plain data: dense by columns, sparse by compressed columns.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sarrus {

/// Dense, column after column.
struct Matrix {
  int rows = 0, cols = 0;
  std::vector<double> values;

  Matrix() = default;
  Matrix(int r, int c)
      : rows(r), cols(c), values(static_cast<size_t>(r) * static_cast<size_t>(c), 0.0) {}
  static Matrix identity(int n);

  double& operator()(int i, int j) { return values[at(i, j)]; }
  double operator()(int i, int j) const { return values[at(i, j)]; }
  std::span<double> column(int j) { return {values.data() + at(0, j), static_cast<size_t>(rows)}; }
  std::span<const double> column(int j) const {
    return {values.data() + at(0, j), static_cast<size_t>(rows)};
  }

 private:
  size_t at(int i, int j) const {
    return static_cast<size_t>(i) + static_cast<size_t>(j) * static_cast<size_t>(rows);
  }
};

struct Entry {
  int row = 0, col = 0;
  double value = 0;
};

/// Column j holds rows index[start[j] … start[j+1]), rising, each at most once.
struct SparseMatrix {
  int rows = 0, cols = 0;
  std::vector<int> start{0}, index;
  std::vector<double> value;

  SparseMatrix() = default;
  SparseMatrix(int r, int c) : rows(r), cols(c), start(static_cast<size_t>(c) + 1, 0) {}
  static SparseMatrix identity(int n);

  int nonzeros() const { return static_cast<int>(value.size()); }
  bool empty() const { return rows == 0 && cols == 0; }
};

/// Entries in any order; those at the same place are added.
SparseMatrix to_sparse(int rows, int cols, std::span<const Entry> entries);
/// Entries that are exactly zero are left out.
SparseMatrix to_sparse(const Matrix& A);
Matrix to_dense(const SparseMatrix& A);

SparseMatrix transposed(const SparseMatrix& A);
SparseMatrix multiply(const SparseMatrix& A, const SparseMatrix& B);
/// Tᵀ A T.
SparseMatrix congruence(const SparseMatrix& T, const SparseMatrix& A);
std::vector<double> multiply(const SparseMatrix& A, std::span<const double> x);
std::vector<double> transposed_multiply(const SparseMatrix& A, std::span<const double> x);
Matrix multiply(const SparseMatrix& A, const Matrix& B);
Matrix multiply(const Matrix& A, const Matrix& B);
/// Aᵀ B.
Matrix transposed_multiply(const Matrix& A, const Matrix& B);

double max_abs(std::span<const double> values);
/// The largest |a_ij − a_ji| and where it is.
struct Asymmetry {
  double difference = 0;
  int row = 0, col = 0;
};
Asymmetry asymmetry(const SparseMatrix& A);
/// (A + Aᵀ)/2, for matrices whose halves differ by rounding.
Matrix symmetric_part(const Matrix& A);

}  // namespace sarrus
