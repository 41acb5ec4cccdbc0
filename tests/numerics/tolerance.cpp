// Limits: what rounding leaves, and whole numbers that it has missed.
#include "sarrus/numerics/tolerance.hpp"

#include <doctest/doctest.h>

using namespace sarrus;

TEST_CASE("tolerance: one unit in the last place leads to the next number") {
  CHECK(1 + ulps(1) == std::nextafter(1.0, 2.0));
  CHECK(8 + ulps(1) * 8 == std::nextafter(8.0, 9.0));
  CHECK(1 + ulps(0.5) == 1);  // halfway, and rounded to even
}

TEST_CASE("tolerance: a share of the size, and a part that is always there") {
  constexpr Tolerance t{0.25, 2};
  CHECK(t.of(-8) == 4);
  CHECK(t.of(0) == 2);
}

TEST_CASE("tolerance: nothing is no part of nothing") {
  CHECK(0 / divisor(0) == 0);
  CHECK(6 / divisor(3) == 2);
}

TEST_CASE("tolerance: a step that divides the span does so in spite of rounding") {
  REQUIRE(0.3 / 0.1 < 3);              // 2.9999999999999996
  REQUIRE(std::ceil(2.1 / 0.3) == 8);  // 7.000000000000001
  CHECK(steps_within(0.3, 0.1) == 3);
  CHECK(steps_over(2.1, 0.3) == 7);
  CHECK(steps_over(1, 0.3) == 4);
  CHECK(steps_within(1, 0.3) == 3);
}
