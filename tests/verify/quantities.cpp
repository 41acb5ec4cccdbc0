// What verify compares, and by which size: worked out by hand for rows of few numbers.
#include "sarrus/verify/quantities.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "near.hpp"
#include "small_models.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

Trajectory rows_of(std::vector<Column> columns, std::vector<double> values) {
  columns.insert(columns.begin(), {"time", "s"});
  return {std::move(columns), std::move(values)};
}

std::vector<std::string> names(const std::vector<ComparedQuantity>& quantities) {
  std::vector<std::string> list;
  for (const ComparedQuantity& q : quantities) list.push_back(q.name);
  return list;
}

/// One quantity of size 1, its value in two runs at times 0, 1, 2 …
struct Pair {
  std::vector<ComparedQuantity> quantities = {
      ComparedQuantity{.name = "x", .unit = "m", .columns = {1}, .size = 1}};
  Trajectory a, b;
  explicit Pair(const std::vector<double>& differences) {
    a.columns = b.columns = {{"time", "s"}, {"x", "m"}};
    for (size_t i = 0; i < differences.size(); ++i) {
      const double t = static_cast<double>(i);
      a.values.insert(a.values.end(), {t, 5});
      b.values.insert(b.values.end(), {t, 5 + differences[i]});
    }
  }
  Differences differences(bool with_start = true) const { return {quantities, a, b, with_start}; }
};

}  // namespace

TEST_CASE("quantities: columns that are parts of one vector are one quantity") {
  using Kind = ColumnKind;
  const Trajectory rows = rows_of({column("hinge", Kind::coordinate, "", "rad"),
                                   column("hinge", Kind::velocity, "", "rad/s"),
                                   column("ball", Kind::coordinate, "1", "1"),
                                   column("ball", Kind::coordinate, "2", "1"),
                                   column("ball", Kind::coordinate, "3", "1"),
                                   column("ball", Kind::coordinate, "4", "1"),
                                   column("tip", Kind::position, "x", "m"),
                                   column("tip", Kind::position, "y", "m"),
                                   column("tip", Kind::position, "z", "m"),
                                   column("tip", Kind::point_velocity, "x", "m/s"),
                                   column("tip", Kind::point_velocity, "y", "m/s"),
                                   column("tip", Kind::point_velocity, "z", "m/s"),
                                   column("hinge", Kind::force, "x", "N"),
                                   column("hinge", Kind::force, "y", "N"),
                                   column("hinge", Kind::force, "z", "N"),
                                   column("energy", Kind::energy, "kinetic", "J"),
                                   column("rubber", Kind::element, "fx", "N"),
                                   column("rubber", Kind::element, "fy", "N"),
                                   column("left.reach_x", Kind::formula, "", "m"),
                                   column("left.reach_y", Kind::formula, "", "m")},
                                  {});
  const std::vector<ComparedQuantity> found = quantities_of(rows, {});
  CHECK(names(found) == std::vector<std::string>{"hinge.q", "hinge.u", "ball.q (orientation)",
                                                 "tip", "tip.v", "hinge.f", "energy.kinetic",
                                                 "rubber.fx, fy", "left.reach_x", "left.reach_y"});
  CHECK(found[2].is_orientation);
  CHECK(found[3].columns == std::vector<int>{7, 8, 9});
  for (const size_t i : {0, 1, 3, 4, 5, 6}) CHECK_FALSE(found[i].is_orientation);
  CHECK(found[0].is_angle);
  CHECK_FALSE(found[1].is_angle);
  // springs in the place of joints ring in forces, not in motions and energies
  CHECK_FALSE(found[5].is_smooth);
  CHECK(found[4].is_smooth);
  CHECK_FALSE(found[4].is_position());  // m/s
  CHECK(found[3].is_position());
}

TEST_CASE("quantities: residuals, accounts and momenta are not compared") {
  using Kind = ColumnKind;
  const Trajectory rows = rows_of(
      {column("constraint", Kind::residual, "position", "m"),
       column("energy", Kind::ledger, "ledger", "J"), column("energy", Kind::hamiltonian, "H", "J"),
       column("hinge", Kind::momentum, "", "N.m.s"), column("ball", Kind::momentum, "2", "N.m.s"),
       column("wheel.pitch", Kind::formula, "", "rad"),
       column("energy", Kind::energy, "total", "J")},
      {});
  CHECK(names(quantities_of(rows, {})) == std::vector<std::string>{"wheel.pitch", "energy.total"});
}

TEST_CASE("quantities: the size is the largest value, or a thousandth of what is large") {
  const Scales scales{.length = 2, .mass = 3, .time = 4, .acceleration = 9.81};
  // the largest of three columns and two rows; a neighbour of the same unit; the mechanism's length
  const Trajectory rows = rows_of({column("a", ColumnKind::position, "x", "m"),
                                   column("a", ColumnKind::position, "y", "m"),
                                   column("a", ColumnKind::position, "z", "m"),
                                   {"b.x", "m"},
                                   {"c.q", "rad"},
                                   {"d.u", "m/s"}},
                                  {0, 1, -2, 3, 1e-9, 1e-9, 1e-9,  //
                                   1, 4, -5, 1, 2e-9, 2e-9, 2e-9});
  std::vector<ComparedQuantity> q = quantities_of(rows, scales);
  CHECK(q[0].size == 5);
  CHECK(near(q[1].size, 5e-3, rounding(1)));
  CHECK(near(q[2].size, 1e-3, rounding(1)));          // of one radian
  CHECK(near(q[3].size, 1e-3 * 2 / 4, rounding(3)));  // of length/time
  CHECK_FALSE(q[0].is_tiny());
  for (size_t i = 1; i < 4; ++i) CHECK(q[i].is_tiny());

  // another run may show more, never less
  Trajectory more = rows;
  more.values[4] = 7;  // b.x
  enlarge(q, more);
  CHECK(q[1].size == 7);
  CHECK(q[0].size == 5);
  enlarge(q, rows);
  CHECK(q[1].size == 7);
}

TEST_CASE("quantities: forces and moments are what is left of larger ones") {
  const Scales scales{.length = 2, .mass = 3, .time = 4, .acceleration = 9.81};
  const Trajectory rows =
      rows_of({{"hinge.f", "N"}, {"hinge.n", "N.m"}, {"energy.kinetic", "J"}}, {0, 0, 0, 1e6});
  const std::vector<ComparedQuantity> q = quantities_of(rows, scales);
  CHECK(near(q[0].size, 1e-3 * 1e6 / 2, rounding(3)));  // energy over a length
  CHECK(near(q[1].size, 1e-3 * 1e6, rounding(2)));
  const std::vector<ComparedQuantity> weight =
      quantities_of(rows_of({{"hinge.f", "N"}, {"hinge.n", "N.m"}}, {0, 0, 0}), scales);
  CHECK(near(weight[0].size, 1e-3 * 3 * 9.81, rounding(3)));
  CHECK(near(weight[1].size, 1e-3 * 3 * 9.81 * 2, rounding(4)));
}

TEST_CASE("quantities: a mechanism is measured by its largest length and its heaviest body") {
  Model model = rods(2, 0.3, 0.4);  // centres at 0.15 m, the second hinge at 0.3 m
  const Scales chain = scales_of(compile(model), 7);
  CHECK(near(chain.length, 0.3, rounding(2)));
  CHECK(near(chain.mass, 0.4, rounding(1)));
  CHECK(chain.time == 7);
  CHECK(near(chain.acceleration, 9.81, rounding(2)));
  model.sensors = {point_sensor("far", "b1", {3, 0, -4})};
  CHECK(near(scales_of(compile(model), 7).length, 5, rounding(2)));
}

TEST_CASE("quantities: orientations are the same up to their sign, angles up to whole turns") {
  ComparedQuantity q;
  q.columns = {0, 1, 2, 3};
  q.is_orientation = true;
  const double a[] = {0.5, 0.5, -0.5, 0.5}, b[] = {-0.5, -0.5, 0.5, -0.5};
  CHECK(difference(q, a, b) == 0);
  q.is_orientation = false;
  CHECK(difference(q, a, b) == 1);
  ComparedQuantity angle;
  angle.columns = {0};
  angle.is_angle = true;
  const double x[] = {3.1}, y[] = {3.1 - 4 * M_PI};
  CHECK(within(difference(angle, x, y), 0, rounding(4) * 4 * M_PI));
  const double half[] = {3.1 - M_PI};
  CHECK(near(difference(angle, x, half), M_PI, rounding(2)));
  angle.is_angle = false;
  CHECK(near(difference(angle, x, y), 4 * M_PI, rounding(2)));
}

TEST_CASE("quantities: what is no number agrees with nothing, and does not hide behind its size") {
  const double inf = std::numeric_limits<double>::infinity(),
               nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {inf, -inf, nan}) {
    CAPTURE(bad);
    const Trajectory good = rows_of({{"x.q", "m"}}, {0, 1, 1, 2}),
                     lost = rows_of({{"x.q", "m"}}, {0, 1, 1, bad});
    std::vector<ComparedQuantity> q = quantities_of(good, {});
    enlarge(q, lost);
    CHECK(q[0].size == 2);
    CHECK(Differences(q, good, lost).largest() == inf);
    CHECK(digits_of(Differences(q, good, lost).largest()) == 0);
  }
}

TEST_CASE("differences: rows are compared as long as both runs have them at the same times") {
  Pair p({0, 3, -4, 2});
  CHECK(p.differences().rows() == 4);
  CHECK(p.differences().at(1, 0) == 3);
  CHECK(p.differences().largest(0) == 4);
  p.quantities[0].size = 2;
  CHECK(p.differences().largest() == 2);
  p.b.values[2 * 3] = 3.001;  // the last row came later
  CHECK(p.differences().rows() == 3);
  p.b.values.resize(2 * 2);  // or that run ended earlier
  CHECK(p.differences().rows() == 2);
  // the start counts where it is asked for
  const Pair start({7, 1, 2});
  CHECK(start.differences(true).largest() == 7);
  CHECK(start.differences(false).largest() == 2);
  CHECK(start.differences(false).rows() == 3);
}

TEST_CASE("differences: largest over what is smooth, over positions, and never over what is tiny") {
  const std::vector<ComparedQuantity> quantities = {
      {.name = "q", .unit = "rad", .columns = {1}, .largest = 1, .size = 1},
      {.name = "u", .unit = "rad/s", .columns = {2}, .largest = 1, .size = 1},
      {.name = "f", .unit = "N", .columns = {3}, .is_smooth = false, .largest = 1, .size = 1},
      {.name = "v", .unit = "m", .columns = {4}, .largest = 0.5, .size = 1}};  // tiny
  const Trajectory zero = rows_of({{"q", "rad"}, {"u", "rad/s"}, {"f", "N"}, {"v", "m"}},
                                  {0, 0, 0, 0, 0}),
                   off = rows_of(zero.columns, {0, 1, 2, 3, 4});
  Trajectory other = zero;
  other.values = off.values;
  const Differences d(quantities, zero, other);
  CHECK(d.largest() == 4);
  CHECK(d.largest_smooth(quantities) == 2);
  CHECK(d.largest_position(quantities) == 1);
}

TEST_CASE("differences: errors gather, and go on growing at the rate at which they came") {
  Differences d = Pair({0, 1, 0.5, 2, 0}).differences();
  d.accumulate(10);
  for (const auto& [row, value] : {std::pair{0, 0.0}, {1, 10.0}, {2, 10.0}, {3, 20.0}, {4, 20.0}})
    CHECK(d.at(row, 0) == value);
  d.add(0.5);
  CHECK(d.at(2, 0) == 10.5);

  // e^(k r) as far as the limit, and stuck there: continued, it is e^(k r) again
  const double k = 1.7;
  std::vector<double> stuck;
  for (int r = 0; r < 10; ++r) stuck.push_back(std::exp(k * std::min(r, 4)));
  Differences grown = Pair(stuck).differences();
  grown.grow_on(std::exp(k * 3.5));
  for (int r = 0; r < 10; ++r) {
    CAPTURE(r);
    // differences were taken of numbers of the size of e^(4 k) + 5
    CHECK(near(grown.at(r, 0), std::exp(k * r), rounding(4) * (std::exp(4 * k) + 5)));
  }
  Differences below = Pair(stuck).differences();
  below.grow_on(1e6);  // never reached
  CHECK(near(below.at(9, 0), std::exp(4 * k), rounding(2)));
}

TEST_CASE("differences: of two, the larger entry by entry over the rows of the shorter") {
  const Differences a = Pair({0, 3, 1, 8}).differences(), b = Pair({2, 1, 5}).differences();
  for (const Differences& both : {Differences::larger(a, b), Differences::larger(b, a)}) {
    REQUIRE(both.rows() == 3);
    CHECK(both.at(0, 0) == 2);
    CHECK(both.at(1, 0) == 3);
    CHECK(both.at(2, 0) == 5);
  }
}

TEST_CASE("digits: decimal places of a relative difference, from none to all of a double") {
  CHECK(near(digits_of(1e-8), 8, rounding(2)));
  CHECK(near(digits_of(0.05), -std::log10(0.05), rounding(1)));
  CHECK(digits_of(0) == 16);
  CHECK(digits_of(1e-30) == 16);
  CHECK(digits_of(3) == 0);
  CHECK(digits_of(std::numeric_limits<double>::infinity()) == 0);
  CHECK(digits_of(std::numeric_limits<double>::quiet_NaN()) == 0);
}
