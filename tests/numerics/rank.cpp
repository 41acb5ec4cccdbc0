// Ranks: how many constraints there really are.
#include "sarrus/numerics/rank.hpp"

#include <doctest/doctest.h>

#include "matrices.hpp"
#include "near.hpp"
#include "sarrus/numerics/jacobi.hpp"
#include "sarrus/numerics/sparse/null_space.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

NullSpace of(const Matrix& C, Route route = Route::svd, bool scale_rows = true) {
  NullSpaceOptions o;
  o.route = route;
  o.scale_rows = scale_rows;
  return null_space(to_sparse(C), o);
}

/// Eight values spread evenly in decades from 1 down to `last`.
std::vector<double> logarithmic(double last) {
  std::vector<double> sigma;
  for (int i = 0; i < 8; ++i) sigma.push_back(std::pow(last, i / 7.0));
  return sigma;
}

}  // namespace

TEST_CASE("rank: values that fall gradually give no clear answer") {
  std::vector<double> sigma;
  for (int i = 0; i < 12; ++i) sigma.push_back(std::pow(10, -15.0 * i / 11));
  const RankDecision d = decide_rank(sigma, 12, 12);
  CHECK(d.status == RankStatus::ill);
  CHECK(doubt(d).find("no gap") != std::string::npos);
}

TEST_CASE("rank: none, all, and one value on either side of the gap") {
  CHECK(decide_rank({}, 0, 5).rank == 0);
  const std::vector<double> zero{0, 0};
  CHECK(decide_rank(zero, 2, 5).rank == 0);
  CHECK(decide_rank(zero, 2, 5).status == RankStatus::clear);
  const std::vector<double> two{3, 1, 1e-16};
  const RankDecision d = decide_rank(two, 3, 3);
  CHECK(d.rank == 2);
  CHECK(d.status == RankStatus::clear);
  CHECK(near(d.condition, 3, rounding(2)));
  CHECK(d.gap_decades > 10);
}

TEST_CASE("rank: the Sarrus linkage has one redundant constraint and moves along z") {
  const NullSpace found = of(sarrus_linkage());
  CHECK(found.decision.rank == 29);
  CHECK(found.decision.status == RankStatus::clear);
  CHECK(near(found.decision.sigma[28], 0.0624, printed(3)));
  REQUIRE(found.T.cols == 1);
  const Matrix T = to_dense(found.T);
  for (int i = 0; i < 6; ++i)  // of the platform: a translation along z
    CHECK(within(T(24 + i, 0) / T(26, 0), i == 2 ? 1 : 0, rounding(100)));  // of thirty columns
  // the dependency speaks of angular rows only
  REQUIRE(found.rows.redundant.size() == 1);
  for (int i = 0; i < 30; ++i)
    if (found.rows.takes_part[i]) CHECK(i % 5 >= 3);
}

TEST_CASE("rank: a hinge tilted by t makes the linkage stiff, weakly, or not within its accuracy") {
  const auto decided = [](double tilt) { return of(sarrus_linkage(tilt)).decision; };
  CHECK(decided(1e-3).rank == 30);
  CHECK(decided(1e-3).status == RankStatus::clear);
  CHECK(near(decided(1e-3).kept, 0.096e-3, printed(2) / 9));  // "0.096 t" is all that is known
  CHECK(decided(1e-6).rank == 30);
  CHECK(decided(1e-6).status == RankStatus::weak);
  for (const double tilt : {1e-9, 1e-12}) {
    CHECK(decided(tilt).rank == 29);
    CHECK(decided(tilt).status == RankStatus::marginal);
  }
}

TEST_CASE("rank: singular values see what the eigenvalues of CᵀC cannot") {
  Random random(7);
  for (const double last : {1e-2, 1e-4, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12}) {
    CAPTURE(last);
    const Matrix C = with_singular_values(logarithmic(last), 8, 12, random);
    NullSpaceOptions o;
    o.scale_rows = false;
    o.rank.data_tolerance = 1e-13;
    o.route = Route::svd;
    CHECK(null_space(to_sparse(C), o).decision.rank == 8);
    o.route = Route::jacobi;
    const int by_squares = null_space(to_sparse(C), o).decision.rank;
    CHECK((by_squares == 8) == (last >= 1e-7));
  }
}

TEST_CASE("rank: products of random matrices have the rank of the middle, on every route") {
  Random random(11);
  for (int trial = 0; trial < 300; ++trial) {
    const int rank = 1 + random.below(12), rows = rank + random.below(25),
              cols = rank + random.below(20);
    const Matrix C = multiply(random_matrix(rows, rank, random), random_matrix(rank, cols, random));
    CAPTURE(trial);
    for (const Route route : {Route::svd, Route::qr, Route::sparse}) {
      const NullSpace found = of(C, route);
      CAPTURE(to_text(route));
      CHECK(found.decision.rank == rank);
      CHECK(found.T.cols == cols - rank);
      CHECK(found.residual < (route == Route::sparse ? 1e-10 : 1e-13));
      CHECK(static_cast<int>(found.rows.kept.size()) == rank);
    }
    const NullSpace source = of(C, Route::jacobi, false);
    CHECK(source.decision.rank == rank);
    CHECK(source.residual < 1e-6);  // squares of C lose half of the digits
  }
}

TEST_CASE("rank: 32 digits see the smallest singular value of Hilbert's matrix") {
  // times 232792560, so that every entry is a whole number; the value is from 60-digit arithmetic
  Matrix H(10, 10);
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 10; ++j) H(i, j) = 232792560.0 / (i + j + 1);
  const std::vector<double> sigma = singular_values_with_32_digits(H);
  CHECK(near(sigma.back(), 2.54478076087170005e-5, rounding(2)));
}
