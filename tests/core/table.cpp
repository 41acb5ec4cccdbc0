// Tables: the natural spline against exact rational arithmetic, lines, ends, and what is refused.
#include "sarrus/core/table.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "near.hpp"
#include "sarrus/core/random.hpp"

using namespace sarrus;
using sarrus::testing::near;
using sarrus::testing::rounding;

namespace {

Table five_points(Outside outside = Outside::hold) {
  Table t{"f", {0, 0.5, 2, 3, 3.25}, {1, 2, -1, 0.5, 4}, Interpolation::cubic, outside, {}};
  REQUIRE(t.prepare() == "");
  return t;
}

std::string problem(std::vector<double> x, std::vector<double> y) {
  return Table{"f", std::move(x), std::move(y), Interpolation::cubic, Outside::hold, {}}.prepare();
}

}  // namespace

TEST_CASE("spline: values and derivatives are those of the exact rational solution") {
  const Table t = five_points();
  // the natural spline's equations solved in fractions, polynomials about the left point
  const double exact[][4] = {{0, 1, 2.5, 0},          {0.1, 1.248, 2.44, -1.2},
                             {0.5, 2, 1, -6},         {1.3, 1.2213333333333334, -2.52, -2.8},
                             {2.9, -0.505, 8.65, 27}, {3.1, 1.78, 13.9, 18},
                             {3.25, 4, 15.25, 0}};
  for (const auto& e : exact) {
    CAPTURE(e[0]);
    const Table::Sample s = t.at(e[0]);
    CHECK(near(s.value, e[1], 1e-14));  // a few roundings
    CHECK(near(s.first, e[2], 1e-14));
    CHECK(std::fabs(s.second - e[3]) < 1e-13);  // polynomials of numbers up to 30
  }
}

TEST_CASE("spline: it is smooth across the points and its derivatives are those of its values") {
  const Table t = five_points(Outside::extrapolate);
  const double eps = 1e-9;
  for (const double x : t.x) {  // also across the ends into the straight lines
    const Table::Sample left = t.at(x - eps), right = t.at(x + eps);
    CHECK(std::fabs(left.value - right.value) < 1e-7);  // slope · 2 eps
    // 2 eps times the second and third derivative, up to some hundred
    CHECK(std::fabs(left.first - right.first) < 1e-6);
    CHECK(std::fabs(left.second - right.second) < 1e-6);
  }
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const double x = random.uniform(-1, 4), h = 1e-5;
    const Table::Sample a = t.at(x - h), b = t.at(x), c = t.at(x + h);
    CHECK(near((c.value - a.value) / (2 * h), b.first, 1e-6));  // h² times the third derivative
    // y‴ jumps by up to some 1e3 at the points: a difference of slopes over it is off by h y‴
    CHECK(std::fabs((c.first - a.first) / (2 * h) - b.second) < 1e-2);
  }
}

TEST_CASE("spline: a straight line stays one, and two points are enough") {
  Table t{"f", {-1, 0.3, 2, 7}, {-5, -1.1, 4, 19}, Interpolation::cubic, Outside::extrapolate, {}};
  REQUIRE(t.prepare() == "");
  for (const double x : {-4.0, -1.0, 0.0, 1.7, 7.0, 30.0}) {
    CHECK(near(t.at(x).value, 3 * x - 2, rounding(40)));  // a system of four equations
    CHECK(near(t.at(x).first, 3, rounding(40)));
  }
  Table two{"g", {0, 2}, {1, 5}, Interpolation::cubic, Outside::hold, {}};
  REQUIRE(two.prepare() == "");
  CHECK(two.at(0.5).value == 2);
  CHECK(two.at(0.5).first == 2);
}

TEST_CASE("spline: halving the spacing of sin divides the error by 16 away from the ends") {
  const auto error = [](int n) {
    Table t;
    for (int i = 0; i <= n; ++i) {
      t.x.push_back(8.0 * i / n);
      t.y.push_back(std::sin(t.x.back()));
    }
    REQUIRE(t.prepare() == "");
    double worst = 0;
    for (double x = 3; x < 5; x += 0.001)
      worst = std::max(worst, std::fabs(t.at(x).value - std::sin(x)));
    return worst;
  };
  CHECK(near(std::log2(error(40) / error(80)), 4, 0.05));  // next term: (8/40)²
}

TEST_CASE(
    "table: a linear one joins its points by lines, with the slope of the piece to the right") {
  Table t{"f", {0, 1, 3}, {0, 2, -2}, Interpolation::linear, Outside::hold, {}};
  REQUIRE(t.prepare() == "");
  CHECK(t.at(0.25).value == 0.5);
  CHECK(t.at(0.25).first == 2);
  CHECK(t.at(1).value == 2);
  CHECK(t.at(1).first == -2);
  CHECK(t.at(2).value == 0);
  CHECK(t.at(3).value == -2);
  CHECK(t.at(2).second == 0);
}

TEST_CASE("table: beyond its ends it holds, goes on straight, or says that it does not know") {
  const Table hold = five_points(), line = five_points(Outside::extrapolate),
              refuse = five_points(Outside::refuse);
  CHECK(hold.at(-1).value == 1);
  CHECK(hold.at(-1).first == 0);
  CHECK(hold.at(9).value == 4);
  CHECK(hold.at(9).second == 0);
  CHECK(near(line.at(-1).value, 1 - 2.5, 1e-14));      // end slopes 5/2
  CHECK(near(line.at(4.25).value, 4 + 15.25, 1e-14));  // and 61/4
  CHECK(line.at(4.25).second == 0);
  CHECK(std::isnan(refuse.at(-1e-9).value));
  CHECK(std::isnan(refuse.at(3.2500001).first));
  CHECK(refuse.at(0).value == 1);
  CHECK(refuse.at(3.25).value == 4);
  CHECK(std::isnan(hold.at(std::nan("")).value));
}

TEST_CASE("table: points that give no function are refused with row and values") {
  CHECK(problem({1}, {2}) == "1 row, at least 2 are needed");
  CHECK(problem({}, {}) == "0 rows, at least 2 are needed");
  CHECK(problem({0, 1}, {2}) == "2 values of x but 1 values of y");
  CHECK(problem({0, 1, 1}, {2, 3, 4}) == "rows 2 and 3 have the same x = 1, with y = 3 and y = 4");
  CHECK(problem({0, 2, 1}, {2, 3, 4}) == "row 3: x = 1 is below x = 2 of row 2; x must rise");
  CHECK(problem({0, std::numeric_limits<double>::infinity()}, {0, 1}) ==
        "row 2: (inf, 1) is not finite");
  CHECK(problem({0, 1, 2}, {0, std::nan(""), 1}).starts_with("row 2"));
  CHECK(problem({0, 1e-300, 1}, {0, 1e300, 1}).starts_with("row 2"));
}
