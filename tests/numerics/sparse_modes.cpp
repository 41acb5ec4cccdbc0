// Sparse factorisation and the lowest modes of large pairs.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "matrices.hpp"
#include "near.hpp"
#include "sarrus/numerics/dense_modes.hpp"
#include "sarrus/numerics/sparse/lanczos.hpp"
#include "sarrus/numerics/sparse/nested_dissection.hpp"
#include "sarrus/numerics/sparse/sparse_ldlt.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

double residual(const SparseMatrix& A, std::span<const double> x, std::span<const double> b) {
  const std::vector<double> Ax = multiply(A, x);
  double most = 0;
  for (size_t i = 0; i < b.size(); ++i) most = std::max(most, std::fabs(Ax[i] - b[i]));
  return most;
}

/// Σ 4 sin²(iπ/(2(n+1))), rising.
std::vector<double> grid_eigenvalues(int n) {
  std::vector<double> all;
  const auto one = [&](int i) { return 4 * std::pow(std::sin(i * M_PI / (2 * (n + 1))), 2); };
  for (int i = 1; i <= n; ++i)
    for (int j = 1; j <= n; ++j)
      for (int k = 1; k <= n; ++k) all.push_back(one(i) + one(j) + one(k));
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

TEST_CASE("sparse factors: A x = b for several right-hand sides at once") {
  for (const int n : {1, 3, 9, 14}) {
    const SparseMatrix A = grid_laplacian(n);
    const SparseLdlt factor(A);
    REQUIRE(factor.ok());
    CHECK(factor.negative() == 0);
    Random random(1);
    const int m = 5;
    const Matrix B = random_matrix(A.rows, m, random);
    Matrix X = B;
    factor.solve(X.values.data(), m);
    for (int j = 0; j < m; ++j)
      CHECK(residual(A, X.column(j), B.column(j)) < rounding(1000));  // of up to 2744 unknowns
  }
}

TEST_CASE("sparse factors: negative pivots count eigenvalues below the shift (Sylvester)") {
  const int n = 8;
  SparseMatrix A = grid_laplacian(n);
  const std::vector<double> lambda = grid_eigenvalues(n);
  SparseLdlt factor(A);
  for (const double shift : {0.1, 0.9, 2.03, 5.01}) {
    SparseMatrix B = A;
    for (int j = 0; j < B.cols; ++j)
      for (int k = B.start[j]; k < B.start[j + 1]; ++k)
        if (B.index[k] == j) B.value[k] -= shift;
    factor.refactor(B);
    CAPTURE(shift);
    CHECK(factor.negative() ==
          std::count_if(lambda.begin(), lambda.end(), [&](double x) { return x < shift; }));
  }
}

TEST_CASE(
    "sparse factors: a quasi-definite matrix has as many negative pivots as its lower block") {
  const int n = 6, P = n * n * n, m = 30;
  const SparseMatrix A = grid_laplacian(n);
  std::vector<Entry> entries;
  for (int j = 0; j < P; ++j)
    for (int k = A.start[j]; k < A.start[j + 1]; ++k)
      entries.push_back({A.index[k], j, A.value[k]});
  for (int i = 0; i < m; ++i) {
    for (const int j : {3 * i, 3 * i + 7})
      entries.push_back({P + i, j, 1}), entries.push_back({j, P + i, 1});
    entries.push_back({P + i, P + i, -0.01});
  }
  const SparseMatrix whole = to_sparse(P + m, P + m, entries);
  const SparseLdlt factor(whole);
  REQUIRE(factor.ok());
  CHECK(factor.negative() == m);
  Random random(2);
  const Matrix B = random_matrix(P + m, 1, random);
  Matrix X = B;
  factor.solve(X.values.data(), 1);
  CHECK(residual(whole, X.column(0), B.column(0)) <
        1e-11);  // pivots of both signs, some hundred times larger than A
}

TEST_CASE("sparse factors: a matrix that is singular is not ok") {
  std::vector<Entry> entries{{0, 0, 1}, {1, 1, 1}, {0, 1, 1}, {1, 0, 1}};
  CHECK_FALSE(SparseLdlt(to_sparse(2, 2, entries)).ok());
}

TEST_CASE("nested dissection: every coordinate once") {
  std::vector<int> order = nested_dissection(grid_laplacian(11));
  std::sort(order.begin(), order.end());
  std::vector<int> due(order.size());
  std::iota(due.begin(), due.end(), 0);
  CHECK(order == due);
}

TEST_CASE("Lanczos: the lowest modes of a grid, threefold ones included, to 1e-12") {
  const int n = 12;
  const SparseMatrix K = grid_laplacian(n), M = SparseMatrix::identity(n * n * n);
  const LanczosResult found = lowest_modes(M, K, {.modes = 20, .count = true});
  REQUIRE(found.converged);
  const std::vector<double> due = grid_eigenvalues(n);
  REQUIRE(found.lambda.size() == 20);
  for (size_t i = 0; i < 20; ++i)
    CHECK(near(found.lambda[i], due[i],
               1e-12));  // as the name says: 1e-16 of the largest eigenvalue, 12, beside 0.17
  CHECK(found.counted ==
        std::count_if(due.begin(), due.end(), [&](double x) { return x < found.counted_at; }));
  CHECK(found.residual < 1e-9);  // where the iteration ends; squared, it is the error of λ
}

TEST_CASE("Lanczos: the units of mass and stiffness do not matter") {
  const int n = 11;
  SparseMatrix K = grid_laplacian(n), M = SparseMatrix::identity(n * n * n);
  for (double& x : K.value) x *= 1e11;
  for (double& x : M.value) x *= 1e-3;
  const LanczosResult found = lowest_modes(M, K, {.modes = 12});
  REQUIRE(found.converged);
  CHECK(found.solves < 400);
  const std::vector<double> due = grid_eigenvalues(n);
  for (size_t i = 0; i < 12; ++i) CHECK(near(found.lambda[i], 1e14 * due[i], 1e-12));  // as above
}

TEST_CASE("Lanczos: a free chain has one motion without stiffness") {
  const int n = 3000;
  std::vector<Entry> entries;
  for (int i = 0; i + 1 < n; ++i) {
    entries.push_back({i, i, 1}), entries.push_back({i + 1, i + 1, 1});
    entries.push_back({i, i + 1, -1}), entries.push_back({i + 1, i, -1});
  }
  const LanczosResult found =
      lowest_modes(SparseMatrix::identity(n), to_sparse(n, n, entries), {.modes = 6});
  REQUIRE(found.converged);
  CHECK(found.shift < 0);
  CHECK(std::fabs(found.lambda[0]) < 4 * rounding(10));  // of the largest, 4
  for (size_t i = 1; i < 6; ++i)  // 4 sin²(iπ/2n); rounding of K is 1e-16 of 4
    CHECK(std::fabs(found.lambda[i] -
                    4 * std::pow(std::sin(static_cast<double>(i) * M_PI / (2 * n)), 2)) < 1e-13);
}

TEST_CASE("Lanczos: a system smaller than its basis gives all it has") {
  const LanczosResult found =
      lowest_modes(SparseMatrix::identity(27), grid_laplacian(3), {.modes = 27});
  REQUIRE(found.converged);
  const std::vector<double> due = grid_eigenvalues(3);
  REQUIRE(found.lambda.size() == 27);
  for (size_t i = 0; i < 27; ++i)
    CHECK(near(found.lambda[i], due[i], rounding(200)));  // a dense problem of 27
}

TEST_CASE("full modes: low frequencies keep their digits beside high ones") {
  // a fixed chain: λ = 4 sin²((2j−1)π/(2(2n+1))), over six decades
  const int n = 600;
  Matrix M = Matrix::identity(n), K(n, n);
  for (int i = 0; i < n; ++i) {
    K(i, i) = i + 1 < n ? 2 : 1;
    if (i > 0) K(i, i - 1) = K(i - 1, i) = -1;
  }
  const DenseModes found = dense_modes(M, K);
  REQUIRE(found.ok);
  for (int j = 1; j <= n; ++j) {
    const double due = 4 * std::pow(std::sin((2 * j - 1) * M_PI / (2 * (2 * n + 1))), 2);
    CHECK(std::fabs(found.lambda[j - 1] / due - 1) < 2e-12);  // the usual way: 1e-10
  }
}
