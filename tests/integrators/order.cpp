// Halving the step divides the error by 2^order: in a vector space and on rotations.
#include <doctest/doctest.h>

#include "integrators/odes.hpp"

using namespace sarrus;
using namespace sarrus::test;

namespace {

struct Case {
  std::string method;
  double h;
};

/// Angle of the rotation that remains between two orientations.
double angle_between(const Quat& a, const Quat& b) { return norm(rotation_log(conjugate(a) * b)); }

double witch_error(const std::string& method, double h) {
  Plain ode = witch();
  return std::fabs(solve(ode, method, equal_steps(h), 2, {1})[0] - 1 / 5.);
}

double kepler_error(const std::string& method, double h) {
  Plain ode = kepler();
  const State start = kepler_start(0.3);
  return distance(solve(ode, method, equal_steps(h), 2 * M_PI, start), start);
}

// Symmetric top: R(t) = exp(t [L]×/I₁) exp(t [e₃]× Π₃ (1/I₃ − 1/I₁)) from R = 1, a closed form.
double symmetric_top_error(const std::string& method, double h) {
  const Vec3 I{1, 1, 1.8}, w{0.4, -0.3, 1.5};
  FreeTop ode(I, w);
  const double t = 2;
  const State y = solve(ode, method, equal_steps(h), t, ode.start());
  const Vec3 L{I.x * w.x, I.y * w.y, I.z * w.z};
  const Quat exact =
      quaternion_exp(L * (t / I.x)) * quaternion_exp(Vec3{0, 0, t * L.z * (1 / I.z - 1 / I.x)});
  return angle_between(ode.orientation(y), exact);
}

void check_order(double (*error)(const std::string&, double), std::initializer_list<Case> cases) {
  for (const auto& [method, h] : cases) {
    CAPTURE(method);
    const int order = make_integrator(method, equal_steps(h))->order();
    const double coarse = error(method, h), fine = error(method, h / 2);
    CAPTURE(coarse);
    CAPTURE(fine);
    const double found = std::log2(coarse / fine);
    // 0.45: the next term of the error is still visible at these steps
    CHECK(found > order - 0.45);
    CHECK(found < order + 1);
  }
}

}  // namespace

TEST_CASE("order: halving the step divides the error by 2^order, y = 1/(1 + t²)") {
  check_order(witch_error, {{"semi_implicit_euler", 0.01},
                            {"midpoint", 0.02},
                            {"gauss4", 0.1},
                            {"gauss6", 0.2},
                            {"stormer_verlet", 0.02},
                            {"generalized_alpha", 0.02},
                            {"rk4", 0.05},
                            {"dopri5", 0.05},
                            {"dop853", 0.2}});
}

TEST_CASE("order: an ellipse closes after one period, up to h^order") {
  // not semi-implicit Euler: conjugate to a method of order 2, it closes better than it is
  check_order(kepler_error, {{"midpoint", 0.005},
                             {"gauss4", 0.05},
                             {"gauss6", 0.1},
                             {"stormer_verlet", 0.005},
                             {"discrete_gradient", 0.005},
                             {"tao", 0.005},
                             {"lie_midpoint", 0.005},
                             {"generalized_alpha", 0.005},
                             {"rk4", 0.02},
                             {"dopri5", 0.05},
                             {"dop853", 0.12}});
}

TEST_CASE("order: moving the chart along keeps the order on rotations, symmetric top") {
  check_order(symmetric_top_error, {{"semi_implicit_euler", 0.01},
                                    {"midpoint", 0.02},
                                    {"gauss4", 0.1},
                                    {"gauss6", 0.2},
                                    {"stormer_verlet", 0.02},
                                    {"discrete_gradient", 0.02},
                                    {"lie_midpoint", 0.02},
                                    {"generalized_alpha", 0.02},
                                    {"rk4", 0.05},
                                    {"dopri5", 0.1},
                                    {"dop853", 0.4}});
}

TEST_CASE("asymmetric top: momentum in the body after 5 s, and the momentum in space is kept") {
  // I = (1, 2, 3), ω₀ = (0.3, 1.5, 0.2); an independent integration of Euler's equations to 1e-10
  const double reference[] = {-1.3763723923, 1.3350641001, 2.4027490270};
  for (const std::string method : {"dopri5", "dop853"}) {
    CAPTURE(method);
    FreeTop ode({1, 2, 3}, {0.3, 1.5, 0.2});
    const State start = ode.start();
    const State y = solve(ode, method, {.rtol = 1e-12, .atol = 1e-12}, 5, start);
    for (size_t i = 0; i < 3; ++i)
      CHECK(std::fabs(y[3 + i] - reference[i]) <
            2e-10);  // the reference has 1e-10, and so has this
    const Vec3 L = rotation(ode.orientation(y)) * Vec3{y[3], y[4], y[5]};
    const Vec3 L0{start[3], start[4], start[5]};
    CHECK(norm(L - L0) < 1e-10);  // about 100 steps of 1e-12
  }
}
