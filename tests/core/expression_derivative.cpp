// Derivatives of expressions: closed forms, the complex step and differences.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "core/bound_expression.hpp"
#include "near.hpp"
#include "sarrus/core/random.hpp"

using namespace sarrus;
using sarrus::testing::near;

namespace {

using Complex = std::complex<double>;

const Jet<double> nothing{0, 0, 0};

/// The expression along t, with x = 0.4 + 0.3 sin t and y = 0.5 + 0.2 cos 2t.
Jet<double> along(const Expression& e, double t) {
  return value_of<Jet<double>>(
      e, {t, 1, 0}, {0.4 + 0.3 * std::sin(t), 0.3 * std::cos(t), -0.3 * std::sin(t)},
      {0.5 + 0.2 * std::cos(2 * t), -0.4 * std::sin(2 * t), -0.8 * std::cos(2 * t)});
}

const std::string smooth[] = {"sin(x*t)",
                              "cos(3*t)*y",
                              "tan(x)",
                              "asin(x)",
                              "acos(x*y)",
                              "atan(t*x)",
                              "atan2(y, x - 0.5)",
                              "sinh(x)",
                              "cosh(t*y)",
                              "tanh(x - y)",
                              "exp(-x*t)",
                              "log(x + y)",
                              "log10(y)",
                              "sqrt(x*y)",
                              "abs(x - 2)*t",
                              "mod(x, 7)",
                              "x^3",
                              "x^-2",
                              "(x - 1)^3",
                              "x^2.5",
                              "x^y",
                              "pow(y, x)",
                              "x^t",
                              "hypot(x, y)",
                              "x/y",
                              "-x*y/(1 + t^2)",
                              "if(x > 5, 1, x*y)",
                              "clamp(x*y, -9, 9)",
                              "max(x, -y, y - 8)",
                              "min(x, y + 3)",
                              "lift(x)",
                              "lift(x*y)*t",
                              "step(t, -1, 0, 9, 5)",
                              "step(x, 0, y, 1, 2)",
                              "ramp(x, -1, 0, 2, y)",
                              "0.1 + 2*sin(3*t + 1)",
                              "(x < y)*2 + x"};

}  // namespace

TEST_CASE("jets: first and second derivative are those of central differences") {
  for (const std::string& text : smooth) {
    CAPTURE(text);
    const Expression e = bound(text);
    Random random(4);
    for (int i = 0; i < 20; ++i) {
      const double t = random.uniform(0.2, 3), h = 1e-4;
      if (std::fabs(along(bound("x - y"), t).v) < 1e-3) continue;  // a jump of (x < y)
      const Jet<double> a = along(e, t - h), b = along(e, t), c = along(e, t + h);
      const double scale = 1 + std::fabs(b.d) + std::fabs(b.dd);
      // h² times third and fourth derivatives; the third of a spline jumps, which leaves h y‴
      CHECK(std::fabs((c.v - a.v) / (2 * h) - b.d) < 2e-6 * scale);
      CHECK(std::fabs((c.d - a.d) / (2 * h) - b.dd) < 4e-3 * scale);  // for splines: h y‴
      if (text.find("lift") == std::string::npos)
        CHECK(std::fabs((c.d - a.d) / (2 * h) - b.dd) < 2e-6 * scale);
    }
  }
}

TEST_CASE("duals: the derivative is that of the complex step and the first of the jet") {
  for (const std::string& text : smooth) {
    CAPTURE(text);
    const Expression e = bound(text);
    Random random(5);
    for (int i = 0; i < 20; ++i) {
      const double t = random.uniform(0.2, 3), x = random.uniform(0.1, 0.7),
                   y = random.uniform(0.1, 0.9);
      const double dt = random.uniform(-1, 1), dx = random.uniform(-1, 1),
                   dy = random.uniform(-1, 1);
      const Dual<double> d = value_of<Dual<double>>(e, {t, dt}, {x, dx}, {y, dy});
      const double tiny = 1e-40;
      const Complex c = value_of<Complex>(e, {t, tiny * dt}, {x, tiny * dx}, {y, tiny * dy});
      const Jet<double> j = value_of<Jet<double>>(e, {t, dt, 0}, {x, dx, 0}, {y, dy, 0});
      const double scale = 1 + std::fabs(d.d);
      CHECK(std::fabs(c.imag() / tiny - d.d) < 1e-12 * scale);  // exact but for rounding
      CHECK(std::fabs(j.d - d.d) < 1e-12 * scale);
    }
  }
}

TEST_CASE("jets: closed forms of first and second derivative") {
  struct Known {
    std::string text;
    std::function<double(double)> first, second;
  };
  const Known table[] = {
      {"0.1 + 2*sin(3*t)", [](double t) { return 6 * std::cos(3 * t); },
       [](double t) { return -18 * std::sin(3 * t); }},
      {"t^4", [](double t) { return 4 * t * t * t; }, [](double t) { return 12 * t * t; }},
      {"exp(-t^2)", [](double t) { return -2 * t * std::exp(-t * t); },
       [](double t) { return (4 * t * t - 2) * std::exp(-t * t); }},
      {"1/(1 + t)", [](double t) { return -1 / ((1 + t) * (1 + t)); },
       [](double t) { return 2 / std::pow(1 + t, 3); }},
      {"sqrt(t)", [](double t) { return 0.5 / std::sqrt(t); },
       [](double t) { return -0.25 / (t * std::sqrt(t)); }},
      {"t^t", [](double t) { return std::pow(t, t) * (std::log(t) + 1); },
       [](double t) {
         const double l = std::log(t) + 1;
         return std::pow(t, t) * (l * l + 1 / t);
       }},
      {"2^t", [](double t) { return M_LN2 * std::exp2(t); },
       [](double t) { return M_LN2 * M_LN2 * std::exp2(t); }},
      {"atan2(sin(t), cos(t))", [](double) { return 1.0; }, [](double) { return 0.0; }},
      {"hypot(3*t, 4*t)", [](double) { return 5.0; }, [](double) { return 0.0; }},
      {"tanh(t)", [](double t) { return 1 / std::pow(std::cosh(t), 2); },
       [](double t) { return -2 * std::tanh(t) / std::pow(std::cosh(t), 2); }},
      {"log10(t)", [](double t) { return 1 / (t * M_LN10); },
       [](double t) { return -1 / (t * t * M_LN10); }},
      {"asin(t/4) + acos(t/4)", [](double) { return 0.0; }, [](double) { return 0.0; }},
      {"abs(-t)^3", [](double t) { return 3 * t * t; }, [](double t) { return 6 * t; }},
      // s = t/4: 5 s³ (10 − 15 s + 6 s²), by hand
      {"step(t, 0, 0, 4, 5)",
       [](double t) {
         const double s = t / 4;
         return 5.0 / 4 * 30 * s * s * (1 - s) * (1 - s);
       },
       [](double t) {
         const double s = t / 4;
         return 5.0 / 16 * 60 * s * (1 - s) * (1 - 2 * s);
       }},
  };
  for (const Known& known : table) {
    CAPTURE(known.text);
    const Expression e = bound(known.text);
    for (const double t : {0.25, 1.0, 1.7, 3.1}) {
      const Jet<double> j = value_of<Jet<double>>(e, {t, 1, 0}, nothing, nothing);
      const double d = known.first(t), dd = known.second(t);
      CHECK(std::fabs(j.d - d) < 1e-13 * (1 + std::fabs(d)));  // a few roundings
      CHECK(std::fabs(j.dd - dd) < 1e-13 * (1 + std::fabs(d) + std::fabs(dd)));
    }
  }
}

TEST_CASE("jets: through a table the derivatives are those of the spline") {
  // the natural spline through (0, 0), (1, 1), (2, 0): y″(1) = −3, so y = 3/2 x − x³/2 on [0, 1]
  Expression e = Expression::parse("hat(t^2)").expression;
  auto hat = std::make_shared<Table>();
  hat->x = {0, 1, 2};
  hat->y = {0, 1, 0};
  REQUIRE(hat->prepare() == "");
  REQUIRE(e.bind([](const std::string&) { return 0; },
                 [&](const std::string&) { return std::shared_ptr<const Table>(hat); }) == "");
  const double t = 0.6;
  const Jet<double> slot[] = {{t, 1, 0}};
  const Jet<double> j = e.evaluate(std::span<const Jet<double>>(slot));
  // y(t²) = 3/2 t² − t⁶/2
  CHECK(near(j.v, 1.5 * t * t - std::pow(t, 6) / 2, 1e-14));
  CHECK(near(j.d, 3 * t - 3 * std::pow(t, 5), 1e-14));
  CHECK(near(j.dd, 3 - 15 * std::pow(t, 4), 1e-14));
}

TEST_CASE("step: value, speed and acceleration are continuous at its ends") {
  const Expression e = bound("step(t, 1, 2, 3, 5)");
  for (const double end : {1.0, 3.0})
    for (const double t : {end - 1e-9, end, end + 1e-9}) {
      const Jet<double> j = value_of<Jet<double>>(e, {t, 1, 0}, nothing, nothing);
      CHECK(near(j.v, end == 1 ? 2 : 5, 1e-15));
      CHECK(std::fabs(j.d) < 1e-15);  // cubic in the distance to the end
      CHECK(std::fabs(j.dd) < 5e-8);  // 45/2 times the distance
    }
}

TEST_CASE("powers: whole exponents have their derivatives at zero and below it") {
  const auto at = [](const char* text, double x) {
    return value_of<Jet<double>>(bound(text), nothing, {x, 1, 0}, {2, 0, 0});
  };
  CHECK(at("x^2", 0).dd == 2);
  CHECK(at("x^1", 0).d == 1);
  CHECK(at("x^1", 0).dd == 0);
  CHECK(at("x^0", 0).d == 0);
  CHECK(at("x^3", -2).d == 12);
  CHECK(at("x^3", -2).dd == -12);
  CHECK(at("x^y", 0).dd == 2);  // the exponent a parameter with the value 2
  CHECK(at("x^(y-1)", 0).d == 1);
  CHECK(at("x^(y-1)", 0).dd == 0);
  CHECK(at("x^(y-2)", 0).d == 0);
}
