// The number that says on which sides the switches of a formula stand.
#include <doctest/doctest.h>

#include "bound_expression.hpp"
#include "sarrus/core/course.hpp"
#include "sarrus/core/random.hpp"

using namespace sarrus;

namespace {

Sided sided(const std::string& text, double t, double x = 0, double y = 0) {
  return value_of(bound(text), Sided(t), Sided(x), Sided(y));
}

}  // namespace

TEST_CASE("sided: the value is that of double") {
  Random random(5);
  for (const char* text :
       {"sin(3*t) + cos(x)^2 - tan(y/3)", "t^3 - 2*t^-2", "exp(-t)*sinh(t/3)/cosh(x)",
        "atan2(x, y) + atan(t)", "sqrt(abs(t)) + log(2 + t^2) - log10(5 + x^2)", "lift(t)",
        "clamp(t*t - 4, x, 2)", "mod(t, 0.7) + floor(x)", "if(t > x, 1/(3 + y), -t)",
        "step(t, -1, x, 1, 2) - ramp(x, -2, 1, 3, y)", "abs(t)^1.5 + tanh(x)",
        "sign(y) + min(t, x, y)*max(1, t)", "asin(t/5) + acos(x/5)", "hypot(t, x)",
        "pulse(t, x, 1) + (t >= x or t == y) + (not (t < y))"})
    for (int i = 0; i < 20; ++i) {
      const double t = random.uniform(-2, 2), x = random.uniform(-2, 2), y = random.uniform(-2, 2);
      CAPTURE(text);
      CHECK(sided(text, t, x, y).v == value_of(bound(text), t, x, y));
    }
}

TEST_CASE("sided: it changes where a switch turns, and there alone") {
  struct Turn {
    const char* text;
    double at;
  };
  for (const Turn& turn :
       {Turn{"abs(t - 0.5)", 0.5}, Turn{"3*sign(t - 0.2)", 0.2}, Turn{"if(t*t > 0.25, t, 1)", 0.5},
        Turn{"1 - max(t, 0.7)", 0.7}, Turn{"clamp(t, -1, 0.3)", 0.3}, Turn{"floor(t + 0.1)", 0.9},
        Turn{"mod(t, 0.6)", 0.6}, Turn{"pulse(t, 0.4, 2)*sin(t)", 0.4},
        Turn{"ramp(t, 0.8, 0, 2, 1)", 0.8}, Turn{"lift(t + 1.5)", 0.5}}) {
    CAPTURE(turn.text);
    CHECK(sided(turn.text, 0.05).sides == sided(turn.text, turn.at - 1e-9).sides);
    CHECK(sided(turn.text, turn.at + 1e-9).sides == sided(turn.text, 0.99).sides);
    CHECK(sided(turn.text, turn.at - 1e-9).sides != sided(turn.text, turn.at + 1e-9).sides);
  }
}

TEST_CASE("sided: what is smooth and what is not chosen has no sides") {
  for (const char* text : {"sin(t)*exp(x) + t^2", "step(t, 0, 0, 1, 1)", "lift(t)"}) {
    CAPTURE(text);
    CHECK(sided(text, 0.1, 1).sides == sided(text, 0.9, 2).sides);
  }
  CHECK(sided("if(t > 0, abs(x), 1)", -1, -1).sides == sided("if(t > 0, abs(x), 1)", -1, 1).sides);
  CHECK(sided("if(t > 0, abs(x), 1)", 1, -1).sides != sided("if(t > 0, abs(x), 1)", 1, 1).sides);
  CHECK(sided("abs(x) - abs(y)", 0, 1, -1).sides != sided("abs(x) - abs(y)", 0, -1, 1).sides);
}
