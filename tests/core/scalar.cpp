// Scalars: three ways to a derivative, lanes that know nothing of each other, and sine and cosine
// against the library.
#include "sarrus/core/scalar.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <numbers>

#include "near.hpp"
#include "sarrus/core/random.hpp"

using namespace sarrus;
using sarrus::testing::near;
using sarrus::testing::rounding;

namespace {

using ComplexStep = std::complex<double>;

/// Every function of scalar.hpp in one formula, defined for x and y in (0.1, 0.9).
template <class T>
T medley(const T& x, const T& y) {
  const SinCos<T> a = sincos(x * T(3.0));
  T f = a.sin * a.cos + sqrt(x) / y + tan(x) + asin(x * y) - acos(x) + atan(y / x);
  f += sinh(x) * cosh(y) + tanh(x - y) + exp(-x) * log(y) + atan2(y, -x) + pow(x, y);
  f -= sin(y) * cos(x) + step_abs(x - T(0.5)) + select(less(x, y), x * x, y * y * y);
  return f * (maximum(x, y) + minimum(x, T(0.3))) + clamped(y, T(0.2), T(0.7));
}

template <int N>
bool lane_has_bits(const Pack<N>& pack, int lane, double x) {
  return std::bit_cast<std::uint64_t>(pack[lane]) == std::bit_cast<std::uint64_t>(x);
}

double units_in_last_place(double a, double b) {
  const double size = std::fabs(b);
  return std::fabs(a - b) / (std::nextafter(size, HUGE_VAL) - size);
}

}  // namespace

TEST_CASE("dual: its derivative is that of the complex step and of differences") {
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    const double x = random.uniform(0.1, 0.9), y = random.uniform(0.1, 0.9);
    const double dx = random.uniform(-1, 1), dy = random.uniform(-1, 1), h = 1e-6;
    if (std::fabs(x - 0.5) < 1e-5 || std::fabs(x - y) < 1e-5) continue;  // a difference over a kink
    const Dual<double> dual = medley(Dual<double>(x, dx), Dual<double>(y, dy));
    const ComplexStep step = medley(ComplexStep(x, 1e-30 * dx), ComplexStep(y, 1e-30 * dy));
    const double difference =
        (medley(x + h * dx, y + h * dy) - medley(x - h * dx, y - h * dy)) / (2 * h);
    const double scale = 1 + std::fabs(dual.d);
    CHECK(near(dual.v, medley(x, y), rounding(8)));
    CHECK(std::fabs(dual.d - step.imag() / 1e-30) < 1e-12 * scale);  // both exact but for rounding
    // eps/h of rounding and h² of cut-off; kinks of min and clamp within h are rare and small
    CHECK(std::fabs(dual.d - difference) < 1e-6 * scale);
  }
}

TEST_CASE("dual: x^0 and x^1 have their derivatives at zero") {
  using D = Dual<double>;
  CHECK(pow(D(0.0, 1.0), D(0.0)).d == 0);
  CHECK(pow(D(0.0, 1.0), D(1.0)).d == 1);
  CHECK(pow(D(0.0, 1.0), D(2.0)).d == 0);
  CHECK(pow(D(-2.0, 1.0), D(3.0)).d == 12);
}

TEST_CASE("pack: each lane has the bits it would have alone, whatever its neighbours are") {
  Random random(2);
  const double strange[] = {0.0, -1.0, 1e300, 1e7, HUGE_VAL, std::nan("")};
  for (int i = 0; i < 300; ++i) {
    const double x = random.uniform(0.1, 0.9), y = random.uniform(0.1, 0.9);
    const Pack<4> alone = medley(Pack<4>(x), Pack<4>(y));
    for (int lane = 0; lane < 4; ++lane) {
      Pack<4> px(0.0), py(0.0);
      for (int k = 0; k < 4; ++k) {
        px.set(k, k == lane ? x : strange[random.below(6)]);
        py.set(k, k == lane ? y : strange[random.below(6)]);
      }
      CHECK(lane_has_bits(medley(px, py), lane, alone[0]));
    }
  }
}

TEST_CASE("pack: a lane of sine and cosine has the bits of the plain function") {
  Random random(5);
  for (int i = 0; i < 20000; ++i) {
    const double size = std::pow(10.0, random.uniform(-6, 9));
    Pack<4> x(0.0);
    for (int k = 0; k < 4; ++k) x.set(k, random.uniform(-size, size));
    const SinCos<Pack<4>> a = sincos(x);
    for (int k = 0; k < 4; ++k) {
      CHECK(lane_has_bits(a.sin, k, sincos(x[k]).sin));
      CHECK(lane_has_bits(a.cos, k, sincos(x[k]).cos));
    }
  }
}

TEST_CASE("dual of packs: each lane is the dual of that lane") {
  Random random(7);
  for (int i = 0; i < 100; ++i) {
    const double x = random.uniform(0.1, 0.9), y = random.uniform(0.1, 0.9);
    Pack<4> dx(0.0), dy(0.0);
    for (int k = 0; k < 4; ++k) dx.set(k, random.uniform(-1, 1)), dy.set(k, random.uniform(-1, 1));
    const auto all = medley(Dual<Pack<4>>(Pack<4>(x), dx), Dual<Pack<4>>(Pack<4>(y), dy));
    for (int k = 0; k < 4; ++k) {
      const auto one = medley(Dual<double>(x, dx[k]), Dual<double>(y, dy[k]));
      // sin alone is the library's for double and ours for packs: one unit in the last place
      CHECK(near(all.v[k], one.v, 1e-14));
      CHECK(near(all.d[k], one.d, rounding(40)));  // sums of derivatives of both signs
    }
  }
}

TEST_CASE("sine and cosine: within one unit in the last place of the library, for all sizes") {
  Random random(11);
  double worst = 0;
  const auto try_at = [&](double x) {
    const SinCos<double> a = sincos(x);
    worst = std::max(worst, units_in_last_place(a.sin, std::sin(x)));
    worst = std::max(worst, units_in_last_place(a.cos, std::cos(x)));
  };
  for (int i = 0; i < 400000; ++i) {
    const double size = std::pow(10.0, random.uniform(-8, 6.2));
    try_at(random.uniform(-size, size));
  }
  // multiples of π/2, where nearly all digits cancel
  for (int n = -630000; n < 630000; n += 7) try_at(n * (std::numbers::pi / 2));
  for (const double x : {0.0, 1e-300, 1e6, 999999.99999, 1e15, 1e22, 1e300}) try_at(x);
  CHECK(worst <= 1);
}

TEST_CASE("sine and cosine: nothing comes of what is no number") {
  CHECK(std::isnan(sincos(std::nan("")).sin));
  CHECK(std::isnan(sincos(HUGE_VAL).cos));
  CHECK(std::isnan(sincos(Pack<4>(HUGE_VAL)).sin[2]));
}
