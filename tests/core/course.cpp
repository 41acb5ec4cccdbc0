// Bounds of formulas over ranges of time: they hold, and they say where a switch turns.
#include <doctest/doctest.h>

#include "sarrus/core/course.hpp"
#include "sarrus/core/expression.hpp"
#include "sarrus/core/random.hpp"

using namespace sarrus;

namespace {

/// A formula of t, of a quantity of the state s, and of a table "corner".
Expression signal_expression(const std::string& text) {
  Expression e = Expression::parse(text).expression;
  auto table = std::make_shared<Table>();
  table->x = {1, 2, 4}, table->y = {0, 3, -1};
  table->interpolation = Interpolation::cubic;
  REQUIRE(table->prepare().empty());
  const auto slot = [](const std::string& name) { return name == "t" ? 0 : name == "s" ? 1 : -1; };
  REQUIRE(e.bind(slot, [&](const std::string&) { return table; }).empty());
  return e;
}

Course over(const Expression& e, double from, double to) {
  const Course slots[] = {Course(from, to), Course::state()};
  return e.evaluate<Course>(slots);
}

}  // namespace

TEST_CASE("course: what a formula gives inside a range lies within its bounds") {
  Random random(7);
  for (const char* text :
       {"sin(3*t) + cos(t)^2", "t^3 - 2*t^2 + t^-2", "exp(-t)*sinh(t/3)/cosh(t)", "atan2(t - 2, t)",
        "sqrt(t) + log(t) - log10(1 + t)", "corner(t)", "clamp(t*t - 4, -1, 2)", "mod(t, 0.7)",
        "if(t > 2, 1/t, -t)", "step(t, 1, 0, 3, 2) - ramp(t, 2, 1, 3, 0)", "t^1.5 + tanh(t - 2)",
        "abs(t - 2) + sign(t - 3) + floor(t)", "min(t, 2, 5 - t)*max(1, t)",
        "asin(t/5) + acos(t/5)", "tan(t/4)", "hypot(t - 2, 1)", "pulse(t, 1.5, 2.5)*t",
        "(t >= 2 or t == 1) + not (t < 3)"}) {
    CAPTURE(text);
    const Expression e = signal_expression(text);
    for (int i = 0; i < 50; ++i) {
      const double a = random.uniform(0.1, 4.9), b = a + random.uniform() * (4.9 - a);
      const Course c = over(e, a, b);
      for (int k = 0; k < 10; ++k) {
        const double slots[] = {a + random.uniform() * (b - a), 0};
        const double x = e.evaluate<double>(slots), slack = 1e-14 * (1 + std::fabs(x));
        CHECK(c.lo - slack <= x);  // libm's functions are monotonic but for their last digit
        CHECK(x <= c.hi + slack);
      }
    }
  }
}

TEST_CASE("course: a switch of time breaks the range in which it turns, and no other") {
  const struct {
    const char* text;
    double at;
    int order;
  } cases[] = {{"pulse(t, 2, 9)", 2, 0},      {"if(t < 2, t, 1)", 2, 0},
               {"sign(t - 2)", 2, 0},         {"floor(t)", 2, 0},
               {"abs(t - 2)", 2, 1},          {"max(t, 4 - t)", 2, 1},
               {"ramp(t, 2, 0, 9, 1)", 2, 1}, {"step(t, 2, 0, 9, 1)", 2, 3},
               {"corner(t)", 2, 3},           {"corner(t)", 1, 1},
               {"s + abs(t - 2)", 2, 1},      {"mod(t, 2)", 2, 0}};
  for (const auto& c : cases) {
    CAPTURE(c.text);
    const Expression e = signal_expression(c.text);
    CHECK(over(e, c.at - 0.5, c.at + 0.5).breaks == c.order);
    CHECK(over(e, std::nextafter(c.at, 0), c.at).breaks == c.order);  // two neighbours
    CHECK(over(e, c.at - 0.5, std::nextafter(c.at, 0)).breaks == Course::smooth);
    CHECK(over(e, std::nextafter(c.at, 9), c.at + 0.5).breaks == Course::smooth);
  }
}

TEST_CASE("course: what depends on the state is told apart from what depends on time") {
  CHECK(over(signal_expression("abs(s)*sin(t)"), 0, 9).breaks == Course::smooth);
  CHECK(over(signal_expression("abs(s)*sin(t)"), 0, 9).by_state == 1);
  CHECK(over(signal_expression("sign(s - pulse(t, 1, 2))"), 0, 9).by_state == 0);
  CHECK(over(signal_expression("0*abs(t - 1)"), 0, 9).breaks == Course::smooth);
  CHECK(over(signal_expression("pulse(t, 5, 6)*abs(sin(99*t))"), 0, 4).breaks == Course::smooth);
}
