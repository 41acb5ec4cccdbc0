// Expressions as text: what groups with what, what is refused and where, and how fast.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "processor_time.hpp"
#include "sarrus/core/expression.hpp"

using namespace sarrus;
using sarrus::testing::processor_seconds;

namespace {

double constant(const std::string& text) {
  const Expression::Parsed parsed = Expression::parse(text);
  REQUIRE_MESSAGE(parsed.problem.empty(), text, ": ", parsed.problem);
  return parsed.expression.constant_value();
}

std::string repeated(const std::string& part, int n) {
  std::string all;
  for (int i = 0; i < n; ++i) all += part;
  return all;
}

}  // namespace

TEST_CASE("expressions: operators group as on paper") {
  CHECK(constant("2+3*4-6/2") == 11);
  CHECK(constant("5-3-1") == 1);
  CHECK(constant("8/4/2") == 1);
  CHECK(constant("2^3^2") == 512);
  CHECK(constant("-2^2") == -4);
  CHECK(constant("(-2)^2") == 4);
  CHECK(constant("2^-1") == 0.5);
  CHECK(constant("-2^-2") == -0.25);
  CHECK(constant("2*-3") == -6);
  CHECK(constant("+4") == 4);
  CHECK(constant("2 * (3 + 4)") == 14);
  CHECK(constant(" 1\t+\n2 ") == 3);
  CHECK(constant("1.5e-3*1E3") == 1.5);
}

TEST_CASE("expressions: comparisons and logic give one or zero") {
  CHECK(constant("1 < 2") == 1);
  CHECK(constant("2 < 1") == 0);
  CHECK(constant("2 <= 2") == 1);
  CHECK(constant("2 >= 2") == 1);
  CHECK(constant("2 > 2") == 0);
  CHECK(constant("3 > 2") == 1);
  CHECK(constant("1 >= 2") == 0);
  CHECK(constant("2 == 2") == 1);
  CHECK(constant("2 != 2") == 0);
  CHECK(constant("1 + 1 == 2 and 3 > 2") == 1);
  CHECK(constant("0 or 1 and 0") == 0);
  CHECK(constant("1 or 1 and 0") == 1);
  CHECK(constant("not 1 == 2") == 1);
  CHECK(constant("not 5") == 0);
  CHECK(constant("3*(2 > 1)") == 3);
  CHECK(constant("7 and -1") == 1);
}

TEST_CASE("expressions: names are found once each, functions and constants are none") {
  const Expression e = Expression::parse("sin(tip.x) + a_1*t - t/pi + e*lift(tip.x)").expression;
  CHECK(e.names() == std::vector<std::string>{"tip.x", "a_1", "t"});
  CHECK(e.table_names() == std::vector<std::string>{"lift"});
  CHECK(e.depends_on("t"));
  CHECK(!e.depends_on("tip"));
  CHECK(!e.is_constant());
  CHECK(Expression::parse("android + nothing.1 + Stößel.x").expression.names() ==
        std::vector<std::string>{"android", "nothing.1", "Stößel.x"});
  CHECK(Expression().is_constant());
  CHECK(Expression().constant_value() == 0);
}

TEST_CASE("expressions: a refusal says what is wrong and in which column") {
  struct Bad {
    std::string text;
    int column;
    std::string problem;
  };
  const Bad table[] = {
      {"1/0", 2, "division by zero"},
      {"t + t/0", 6, "division by zero"},
      {"sqrt(-1)", 1, "'sqrt' gives no real value here"},
      {"2*log(0)", 3, "'log' gives no finite value here"},
      {"9^9^9^9", 4, "'^' gives no finite value here"},
      {"t + asin(2)", 5, "'asin' gives no real value here"},
      {"1_000", 1, "'1_000' is not a number"},
      {"0x10", 1, "'0x10' is not a number"},
      {"1d3", 1, "'1d3' is not a number"},
      {"2pi", 1, "'2pi' is not a number"},
      {"1..2", 1, "'1..2' is not a number"},
      {"1e400", 1, "1e400 is beyond what a double can hold"},
      {"1,5", 2, "',' is not understood here"},
      {"1.5 2.5", 5, "an operator is missing before '2'"},
      {"--1", 2, "two signs in a row"},
      {"2 t", 3, "an operator is missing before 't'"},
      {"", 1, "the expression is empty"},
      {"   ", 1, "the expression is empty"},
      {"1 +", 4, "the expression ends where a value is expected"},
      {"* 2", 1, "expected a value, found '*'"},
      {"(1 + 2", 1, "this '(' is never closed"},
      {"sin(t", 4, "this '(' is never closed"},
      {"1 + 2)", 6, "')' without '(' before it"},
      {"()", 2, "expected a value, found ')'"},
      {"1 < t < 2", 7, "comparisons cannot be chained"},
      {"1 == t == 2", 8, "comparisons cannot be chained"},
      {"t = 2", 3, "'=' is not understood here"},
      {"t ** 2", 3, "'**' is not understood here"},
      {"a && b", 3, "'&' is not understood here"},
      {"2·t", 2, "'·' is not understood here"},
      {"ä·2", 2, "'·' is not understood here"},
      {"a; b", 2, "';' is not understood here"},
      {"a[1]", 2, "'[' is not understood here"},
      {"\"a\"", 1, "expected a value, found '\"'"},
      {"sin", 1, "'sin' is a function and needs arguments"},
      {"sin(1, 2)", 1, "'sin' takes 1 argument, not 2"},
      {"min(t)", 1, "'min' takes 2 to 16 arguments, not 1"},
      {"step(t, 0, 0, 1)", 1, "'step' takes 5 arguments, not 4"},
      {"step(t, 1, 0, 1, 2)", 1, "both ends are at 1"},
      {"pi(2)", 1, "'pi' is a number, not a function"},
      {"2*not t", 3, "'not' needs brackets here"},
      {"atan3(1, 2)", 1, "no function is called 'atan3'"},
      {"system()", 1, "no function is called 'system'"},
  };
  for (const Bad& bad : table) {
    CAPTURE(bad.text);
    const Expression::Parsed parsed = Expression::parse(bad.text);
    CHECK(parsed.problem == bad.problem);
    CHECK(parsed.column == bad.column);
    CHECK(parsed.expression.constant_value() == 0);
  }
  CHECK(Expression::parse("atan3(1, 2)").hint == "did you mean 'atan'?");
  CHECK(Expression::parse("t ** 2").hint == "a power is written x^2");
}

TEST_CASE("expressions: text without measure is refused within a tenth of a second") {
  const std::string texts[] = {
      repeated("(", 5000),
      repeated("(", 5000) + "t" + repeated(")", 5000),
      repeated("sin(", 2000) + "t" + repeated(")", 2000),
      std::string(10001, '1'),
      std::string(10'000'000, '('),
      "2" + repeated("^t", 4000),
      repeated("not ", 2000) + "t",
      repeated("-", 9000) + "t",
      repeated("-(", 4000) + "t" + repeated(")", 4000),
      repeated("(t+", 3000) + "t" + repeated(")", 3000) + "+",
      "min(" + repeated("t,", 4000) + "t)",
      std::string(9999, '9') + "x",
      repeated("x", 10001),
  };
  for (const std::string& text : texts) {
    CAPTURE(text.substr(0, 20));
    std::string problem;
    const double seconds = processor_seconds([&] { problem = Expression::parse(text).problem; });
    CHECK(problem != "");
    CHECK(seconds < 0.1);
  }
}

TEST_CASE("expressions: the limits themselves are usable") {
  CHECK(Expression::parse(repeated("(", 200) + "t" + repeated(")", 200)).problem == "");
  CHECK(Expression::parse(repeated("(", 201) + "t" + repeated(")", 201)).problem ==
        "nested deeper than 200 levels");
  CHECK(Expression::parse(repeated("(t+", 63) + "t" + repeated(")", 63)).problem == "");
  CHECK(Expression::parse(repeated("(t+", 64) + "t" + repeated(")", 64)).problem ==
        "more than 64 values are needed at once");
  CHECK(constant("1" + repeated("+1", 4999)) == 5000);
}

TEST_CASE("expressions: every prefix and every changed byte of one is read or refused with words") {
  const std::string text = "if(t >= 0.5 and not a.x < 2e-1, step(t, 0, 1, 2, -3^2), min(f(t), 4))";
  CHECK(Expression::parse(text).problem == "");
  for (size_t n = 2; n < text.size(); ++n)  // the first letter alone is a name
    CHECK_MESSAGE(!Expression::parse(text.substr(0, n)).problem.empty(), text.substr(0, n));
  for (size_t i = 0; i < text.size(); ++i)
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = text;
      changed[i] = static_cast<char>(byte);
      const Expression::Parsed parsed = Expression::parse(changed);
      CHECK((parsed.problem.empty() == (parsed.column == 0)));
    }
}

TEST_CASE("expressions: an unknown name or table is told when it is bound") {
  const auto slot = [](const std::string& name) { return name == "t" ? 0 : -1; };
  const auto none = [](const std::string&) { return std::shared_ptr<const Table>(); };
  Expression e = Expression::parse("t + a.__class__").expression;
  CHECK(e.bind(slot, none) == "a.__class__");
  e = Expression::parse("snh(t)").expression;
  CHECK(e.bind(slot, none) == "snh");
  CHECK_THROWS_AS(e.evaluate(std::span<const double>{}), std::logic_error);
  CHECK_THROWS_AS(e.constant_value(), std::logic_error);
  e = Expression::parse("2*t").expression;
  CHECK(e.bind(slot, none) == "");
  CHECK(e.slots() == std::vector<int>{0});
}
