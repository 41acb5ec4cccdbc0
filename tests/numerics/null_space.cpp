// Null spaces, redundant rows, and the two methods of Jacobi.
#include "sarrus/numerics/sparse/null_space.hpp"

#include <doctest/doctest.h>

#include "matrices.hpp"
#include "near.hpp"
#include "sarrus/numerics/jacobi.hpp"
#include "sarrus/numerics/row_blocks.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

Matrix shell_with_disk() {
  Matrix C(4, 5);
  const double rows[4][5] = {
      {1, 0, -1, -1, -1}, {1, 1, 0, -1, -1}, {1, 0, 1, -1, -1}, {1, -1, 0, -1, -1}};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 5; ++j) C(i, j) = rows[i][j];
  return C;
}

double distance(const Matrix& A, const Matrix& B) {
  double most = 0;
  for (size_t i = 0; i < A.values.size(); ++i)
    most = std::max(most, std::fabs(A.values[i] - B.values[i]));
  return most;
}

/// T Tᵀ of an orthonormal T: the same for every basis of a space.
Matrix projector(const Matrix& T) {
  Matrix P(T.rows, T.rows);
  for (int i = 0; i < T.rows; ++i)
    for (int j = 0; j < T.rows; ++j)
      for (int k = 0; k < T.cols; ++k) P(i, j) += T(i, k) * T(j, k);
  return P;
}

}  // namespace

TEST_CASE("threshold Jacobi: U'EU is diagonal and U orthogonal") {
  Random random(3);
  for (int n = 1; n < 20; ++n) {
    const Matrix B = random_matrix(n, n, random), E = transposed_multiply(B, B);
    const SymmetricEigen found = threshold_jacobi(E);
    CHECK(found.converged);
    Matrix diagonal(n, n);
    for (int i = 0; i < n; ++i) diagonal(i, i) = found.values[i];
    const Matrix rotated = transposed_multiply(found.vectors, multiply(E, found.vectors));
    // n rotations of entries up to n
    CHECK(distance(rotated, diagonal) < 1e-13 * n);
    CHECK(distance(transposed_multiply(found.vectors, found.vectors), Matrix::identity(n)) <
          1e-14 * n);
  }
}

TEST_CASE("zero eigenvalues: the shell with a disk has 12, 2, 2, 0, 0") {
  NullSpaceOptions o;
  o.route = Route::jacobi;
  o.scale_rows = false;
  const NullSpace found = null_space(to_sparse(shell_with_disk()), o);
  const double due[] = {12, 2, 2, 0, 0};
  const SymmetricEigen eigen = threshold_jacobi(found.E);
  CHECK(near(eigen.values, due, rounding(8)));
  // the space of the source's T, (63)
  Matrix T(5, 2);
  T(0, 0) = 1 / std::sqrt(6), T(3, 0) = -1 / std::sqrt(6), T(4, 0) = 2 / std::sqrt(6);
  T(0, 1) = 1 / std::sqrt(2), T(3, 1) = 1 / std::sqrt(2);
  CHECK(distance(projector(to_dense(found.T)), projector(T)) < rounding(40));
}

TEST_CASE("null space: every route spans the same one") {
  const Matrix C = shell_with_disk();
  NullSpaceOptions o;
  o.route = Route::svd;
  const Matrix due = projector(to_dense(null_space(to_sparse(C), o).T));
  for (const Route route : {Route::jacobi, Route::qr}) {
    o.route = route;
    CHECK(distance(projector(to_dense(null_space(to_sparse(C), o).T)), due) < rounding(40));
  }
  o.route = Route::sparse;
  const NullSpace sparse = null_space(to_sparse(C), o);
  CHECK_FALSE(sparse.orthonormal);
  CHECK(distance(projector(orthonormal(to_dense(sparse.T))), due) < rounding(40));
}

TEST_CASE("redundant rows: row 4 = row 1 − row 2 + row 3, on every route and with any scale") {
  for (const Route route : {Route::jacobi, Route::svd, Route::qr, Route::sparse}) {
    CAPTURE(to_text(route));
    Matrix C = shell_with_disk();
    for (int j = 0; j < 5; ++j) C(1, j) *= 10, C(3, j) *= 0.5;
    NullSpaceOptions o;
    o.route = route;
    const Redundancy rows = null_space(to_sparse(C), o).rows;
    REQUIRE(rows.redundant.size() == 1);
    CHECK(rows.redundant[0].row == 3);
    const double due[] = {0.5, -0.05, 0.5};
    REQUIRE(rows.redundant[0].of.size() == 3);
    for (size_t i = 0; i < 3; ++i) {
      CHECK(rows.redundant[0].of[i].first == static_cast<int>(i));
      CHECK(near(rows.redundant[0].of[i].second, due[i], rounding(40)));
    }
    const std::vector<double> wrong{0, 0, 0, 1}, right{1, 20, 3, 1};
    CHECK(near(defect(rows.redundant[0], wrong), 1, rounding(40)));
    CHECK(std::fabs(defect(rows.redundant[0], right)) < 20 * rounding(40));
  }
}

TEST_CASE("blocks: rows without a common column are judged apart, and agree with the whole") {
  std::vector<Entry> entries;
  // pairs of equal rows, with empty rows and columns between
  for (int b = 0; b < 40; ++b)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j) entries.push_back({3 * b + i, 4 * b + j, 1.0 + j});
  const SparseMatrix C = to_sparse(120, 160, entries);
  CHECK(row_blocks(C).size() == 40);
  NullSpaceOptions o;
  for (const Route route : {Route::svd, Route::sparse}) {
    o.route = route;
    const NullSpace found = null_space(C, o);
    CHECK(found.decision.rank == 40);
    CHECK(found.rows.redundant.size() == 40);
    CHECK(found.rows.empty.size() == 40);
    CHECK(found.T.cols == 120);
    CHECK(found.residual < rounding(10));
  }
}

TEST_CASE("sparse route: a long chain of joints is one block, judged by its QR") {
  // five rows between neighbours of six coordinates each, every tenth joint said twice
  Random random(5);
  std::vector<Entry> entries;
  int rows = 0, redundant = 0;
  const int bodies = 150;
  for (int b = 1; b < bodies; ++b) {
    const int first = rows;
    for (int i = 0; i < 5; ++i, ++rows)
      for (int j = 0; j < 6; ++j) {
        entries.push_back({rows, 6 * (b - 1) + j, random.uniform(-1, 1)});
        entries.push_back({rows, 6 * b + j, random.uniform(-1, 1)});
      }
    if (b % 10 != 0) continue;
    const size_t count = entries.size();
    for (size_t k = 0; k < count; ++k)
      if (entries[k].row == first) entries.push_back({rows, entries[k].col, -2 * entries[k].value});
    ++rows, ++redundant;
  }
  NullSpaceOptions o;
  o.route = Route::sparse;
  const NullSpace found = null_space(to_sparse(rows, 6 * bodies, entries), o);
  CHECK(found.blocks == 1);
  CHECK(found.decision.rank == rows - redundant);
  CHECK(static_cast<int>(found.rows.redundant.size()) == redundant);
  CHECK(found.T.cols == 6 * bodies - rows + redundant);
  CHECK(found.residual < 1e-13);  // 900 columns, of condition up to a thousand
}

TEST_CASE("null space: columns of very different magnitude keep C T = 0 under scaling") {
  Matrix C = shell_with_disk();
  std::vector<double> scale{1, 1e3, 1e-3, 10, 1};
  NullSpaceOptions o;
  o.column_scale = scale;
  const NullSpace found = null_space(to_sparse(C), o);
  CHECK(found.T.cols == 2);
  CHECK(found.residual < rounding(10));
  CHECK_FALSE(found.orthonormal);
}
