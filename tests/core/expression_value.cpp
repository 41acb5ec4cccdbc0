// Expressions as numbers: each function against the library or its definition, over every scalar.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>

#include "core/bound_expression.hpp"
#include "near.hpp"
#include "sarrus/core/random.hpp"

using namespace sarrus;
using sarrus::testing::near;

namespace {

struct Formula {
  std::string text;
  std::function<double(double, double)> truth;  // of x and y in (0.1, 0.9)
};

double smooth_step(double s) {
  return s <= 0 ? 0 : s >= 1 ? 1 : s * s * s * (10 - 15 * s + 6 * s * s);
}

const Formula formulas[] = {
    {"sin(x)", [](double x, double) { return std::sin(x); }},
    {"cos(9*x)", [](double x, double) { return std::cos(9 * x); }},
    {"tan(x)", [](double x, double) { return std::tan(x); }},
    {"asin(x) + acos(y)", [](double x, double y) { return std::asin(x) + std::acos(y); }},
    {"atan(5*x)", [](double x, double) { return std::atan(5 * x); }},
    {"atan2(-y, -x)", [](double x, double y) { return std::atan2(-y, -x); }},
    {"sinh(x)*cosh(y)", [](double x, double y) { return std::sinh(x) * std::cosh(y); }},
    {"tanh(x - y)", [](double x, double y) { return std::tanh(x - y); }},
    {"exp(-x)", [](double x, double) { return std::exp(-x); }},
    {"log(x)", [](double x, double) { return std::log(x); }},
    {"log10(y)", [](double, double y) { return std::log10(y); }},
    {"sqrt(x)", [](double x, double) { return std::sqrt(x); }},
    {"abs(x - y)", [](double x, double y) { return std::fabs(x - y); }},
    {"sign(x - y)", [](double x, double y) { return x < y ? -1.0 : 1.0; }},
    {"floor(7*x)", [](double x, double) { return std::floor(7 * x); }},
    {"min(x, y, 0.5)",
     [](double x, double y) {
       return std::min({x, y, 0.5});
     }},
    {"max(x, y, 0.5)",
     [](double x, double y) {
       return std::max({x, y, 0.5});
     }},
    {"mod(x, 0.25)", [](double x, double) { return std::fmod(x, 0.25); }},
    {"mod(-x, 0.25)", [](double x, double) { return 0.25 - std::fmod(x, 0.25); }},
    {"pow(x, y)", [](double x, double y) { return std::pow(x, y); }},
    {"x^3 - y^-2", [](double x, double y) { return x * x * x - 1 / (y * y); }},
    {"(-x)^2 + (-y)^3", [](double x, double y) { return x * x - y * y * y; }},
    {"x^1.5 + x^0", [](double x, double) { return std::pow(x, 1.5) + 1; }},
    {"hypot(x, y)", [](double x, double y) { return std::hypot(x, y); }},
    {"if(x < y, 3*x, 5*y)", [](double x, double y) { return x < y ? 3 * x : 5 * y; }},
    {"clamp(x, 0.3, 0.6)", [](double x, double) { return std::min(std::max(x, 0.3), 0.6); }},
    {"pulse(x, 0.3, 0.6)", [](double x, double) { return x >= 0.3 && x < 0.6 ? 1.0 : 0.0; }},
    {"ramp(x, 0.3, -1, 0.6, 2)",
     [](double x, double) { return x < 0.3   ? -1
                                   : x > 0.6 ? 2
                                             : -1 + 10 * (x - 0.3); }},
    {"step(x, 0.3, -1, 0.6, 2)",
     [](double x, double) { return -1 + 3 * smooth_step((x - 0.3) / 0.3); }},
    {"(x < 0.5) + (x >= 0.5 and y > 0.4) + (x < 0.2 or not y <= 0.7)",
     [](double x, double y) {
       return double(x < 0.5) + double(x >= 0.5 && y > 0.4) + double(x < 0.2 || y > 0.7);
     }},
    {"2*pi*x/e - -y", [](double x, double y) { return 2 * M_PI * x / M_E + y; }},
};

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

TEST_CASE("expressions: each function is what its name says") {
  Random random(1);
  for (const Formula& f : formulas) {
    CAPTURE(f.text);
    const Expression e = bound(f.text);
    for (int i = 0; i < 50; ++i) {
      const double x = random.uniform(0.1, 0.9), y = random.uniform(0.1, 0.9);
      CHECK(near(value_of(e, 0.0, x, y), f.truth(x, y), 1e-14));  // sums that cancel to a tenth
    }
  }
}

TEST_CASE("expressions: every scalar gives the same value, packs to the last bit") {
  Random random(2);
  using D = Dual<double>;
  for (const Formula& f : formulas) {
    CAPTURE(f.text);
    const Expression e = bound(f.text + " + lift(2*x)");
    Pack<4> x(0.0), y(0.0);
    for (int k = 0; k < 4; ++k)
      x.set(k, random.uniform(0.1, 0.9)), y.set(k, random.uniform(0.1, 0.9));
    const Pack<4> all = value_of(e, Pack<4>(0.0), x, y);
    const auto duals = value_of<Dual<Pack<4>>>(e, {0.0}, {x, Pack<4>(1.0)}, {y, Pack<4>(2.0)});
    for (int k = 0; k < 4; ++k) {
      const double one = value_of(e, 0.0, x[k], y[k]);
      const D dual = value_of<D>(e, 0.0, {x[k], 1.0}, {y[k], 2.0});
      CHECK(same_bits(all[k], one));
      CHECK(same_bits(dual.v, one));
      CHECK(same_bits(duals.v[k], dual.v));
      CHECK(same_bits(duals.d[k], dual.d));
      CHECK(same_bits(value_of<Jet<double>>(e, {}, {x[k], 1, 0}, {y[k], 2, 0}).v, one));
      const std::complex<double> c = value_of<std::complex<double>>(e, 0, x[k], y[k]);
      // the functions of complex numbers go other ways: products of exponentials and sines
      CHECK(near(c.real(), one, 1e-14));
      CHECK(c.imag() == 0);
    }
  }
}

TEST_CASE("expressions: a lane of a pack has the same bits whatever its neighbours are") {
  const double strange[] = {0.0, -1.0, 1e300, 1e7, HUGE_VAL, std::nan("")};
  Random random(3);
  for (const Formula& f : formulas) {
    CAPTURE(f.text);
    const Expression e = bound(f.text);
    const double x = random.uniform(0.1, 0.9), y = random.uniform(0.1, 0.9);
    Pack<4> px(0.0), py(0.0);
    for (int k = 0; k < 4; ++k) {
      px.set(k, k == 2 ? x : strange[random.below(6)]);
      py.set(k, k == 2 ? y : strange[random.below(6)]);
    }
    CHECK(same_bits(value_of(e, Pack<4>(0.0), px, py)[2], value_of(e, 0.0, x, y)));
  }
}

TEST_CASE("expressions: what is no number stays none") {
  const double nan = std::nan("");
  for (const std::string text : {"x + 1",
                                 "min(x, 1)",
                                 "min(1, x)",
                                 "max(1, x)",
                                 "clamp(x, 0, 1)",
                                 "x < 1",
                                 "1 <= x",
                                 "x == x",
                                 "x != 1",
                                 "not x",
                                 "x and 0",
                                 "1 or x",
                                 "if(x, 1, 2)",
                                 "sign(x)",
                                 "abs(x)",
                                 "floor(x)",
                                 "step(x, 0, 0, 1, 1)",
                                 "ramp(x, 0, 0, 1, 1)",
                                 "pulse(x, 0, 1)",
                                 "lift(x)",
                                 "mod(x, 2)",
                                 "x^2"})
    CHECK_MESSAGE(std::isnan(value_of(bound(text), 0.0, nan, 0.0)), text);
  CHECK(value_of(bound("if(y > 0, x, 2)"), 0.0, nan, -1.0) ==
        2);  // the side not taken does not count
}

TEST_CASE("expressions: 1, 0 and the ends of steps are exact") {
  CHECK(value_of(bound("step(x, 0, 1, 2, 7)"), 0.0, 0.0, 0.0) == 1);
  CHECK(value_of(bound("step(x, 0, 1, 2, 7)"), 0.0, 2.0, 0.0) == 7);
  CHECK(value_of(bound("step(x, 0, 1, 2, 7)"), 0.0, 1.0, 0.0) == 4);
  CHECK(value_of(bound("x^y"), 0.0, 0.0, 0.0) == 1);
  CHECK(std::isnan(value_of(bound("x^y"), 0.0, -1.0, 0.5)));
  CHECK(std::isinf(value_of(bound("1/x"), 0.0, 0.0, 0.0)));
}
