// Rotors: gyroscopic systems that keep their energy, whose modes neither grow nor decay.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "elastic_models.hpp"
#include "near.hpp"
#include "sarrus/linear/modes.hpp"
#include "sarrus/numerics/bounded_eigen.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

constexpr double E = 8e10, span = 0.12, overhang = 0.085, arm = 0.015;
constexpr double mass = 0.901244392, across = 0.00133496826, axial = 0.00253474985;

double second_moment(double radius) { return M_PI * std::pow(radius, 4) / 4; }

BeamSpec shaft(double length, double radius) {
  BeamSpec b;
  b.length = length;
  const double I = second_moment(radius);
  b.section = {M_PI * radius * radius, I, I, 2 * I, 0, 0};
  b.material = {E, E / 2.6, 1};  // 1 kg/m³: as good as without mass
  b.deforms = {Deflection::y, Deflection::z};
  b.modes = 4;
  return b;
}

/// A disc on the overhanging end of a shaft in two bearings.
Model overhung_rotor() {
  Model model;
  model.gravity = {};
  BodySpec disc;
  disc.name = "disc";
  disc.mass = mass;
  disc.inertia = Mat3{{axial, 0, 0}, {0, across, 0}, {0, 0, across}};
  model.bodies = {elastic_body("span", shaft(span, 0.005)),
                  elastic_body("overhang", shaft(overhang, 0.0075)), disc};
  JointSpec left = joint("left", JointType::universal, "world", "span", {0, 1, 0});
  left.axis2 = {0, 0, 1};
  JointSpec weld = joint("weld", JointType::fixed, "span", "overhang");
  weld.on_parent.at = {span, 0, 0};
  JointSpec spin = joint("spin", JointType::revolute, "overhang", "disc", {1, 0, 0});
  spin.on_parent.at = {overhang, 0, 0}, spin.on_child.at = {-arm, 0, 0};
  model.joints = {left, weld, spin};
  ConstraintSpec right;
  right.name = "right";
  right.type = ConstraintType::point_on_line;
  right.axis = {1, 0, 0};
  right.to.body = "span", right.to.at = {span, 0, 0};
  model.constraints = {right};
  return model;
}

/// Determinant of K − ω² M + ω Ω G in the complex deflection and slope of the shaft's end, without
/// mass of the shaft: flexibilities of Euler and Bernoulli.
double characteristic(double w, double speed) {
  const double I1 = second_moment(0.005), I2 = second_moment(0.0075), b = overhang;
  const double f11 = b * b * b / (3 * E * I2) + span * b * b / (3 * E * I1),
               f12 = b * b / (2 * E * I2) + span * b / (3 * E * I1),
               f22 = b / (E * I2) + span / (3 * E * I1), det = f11 * f22 - f12 * f12;
  const double a11 = f22 / det - w * w * mass, a12 = -f12 / det - w * w * mass * arm,
               a22 = f11 / det - w * w * (mass * arm * arm + across) + w * axial * speed;
  return a11 * a22 - a12 * a12;
}

/// The root near w, within 1 %.
double root_near(double w, double speed) {
  double low = 0.99 * w, high = 1.01 * w;
  REQUIRE(characteristic(low, speed) * characteristic(high, speed) < 0);
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (characteristic(low, speed) * characteristic(middle, speed) <= 0 ? high : low) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

TEST_CASE("rotor: on a light shaft it whirls with its own frequencies, undamped at every speed") {
  const Mechanism m = compile(overhung_rotor());
  for (const double speed : {100.0, 100 * M_PI, 2000.0}) {
    OperatingPoint p = start_point(m);
    const int spin = m.joints[2].u0;
    p.u[spin] = speed, p.held = {spin};
    const ModelModes found = modes_about(m, p);
    CAPTURE(speed);
    CHECK(found.stability == Stability::undamped);
    for (const Mode& mode : found.modes) CHECK(mode.value.re == 0);
    REQUIRE(found.modes.size() > 4);
    // backward and forward whirl
    for (size_t i = 0; i < 2; ++i) {
      const double w = found.modes[i].value.im;
      CHECK(near(w, std::fabs(root_near(i == 0 ? -w : w, speed)),
                 2e-5));  // the shaft has 3e-5 of the disc's mass, half of that in frequency
    }
  }
}

TEST_CASE("rotor: zeros with chains are exact, and bounds hold what rounding does") {
  // x₁' = x₂, x₂' = x₃, x₃' = 0, and a pair −1 ± 2i that drives them
  Matrix A(5, 5);
  A(0, 1) = 1e6, A(1, 2) = 1e-4, A(2, 3) = 3;
  A(3, 3) = -1, A(3, 4) = 2, A(4, 3) = -2, A(4, 4) = -1;
  const BoundedEigen found = bounded_eigen(A);
  REQUIRE(found.ok);
  CHECK(found.zeros == 3);
  for (int i = 0; i < 3; ++i) CHECK((found.re[i] == 0 && found.im[i] == 0));
  for (int i = 3; i < 5; ++i) {
    CHECK(std::hypot(found.re[i] + 1, std::fabs(found.im[i]) - 2) <= found.error[i]);
    CHECK(found.error[i] < 1e-12);  // conditions of a few, matrices of size 4
  }
  // A x = λ x through all scalings and splits
  for (int i = 0; i < 5; ++i) {
    double re = 0, im = 0;
    for (int j = 0; j < 5; ++j) re += A(i, j) * found.x_re(j, 3), im += A(i, j) * found.x_im(j, 3);
    const double a = found.x_re(i, 3), b = found.x_im(i, 3);
    // entries up to 1e6 · 1e-4 · 3 of a vector whose largest entry is about 1e2
    CHECK(within(re, found.re[3] * a - found.im[3] * b, 1e-10));
    CHECK(within(im, found.re[3] * b + found.im[3] * a, 1e-10));
  }
}

TEST_CASE("rotor: a defective pair has a bound that covers both of its values") {
  // λ = −1 twice, one eigenvector: rounding moves it by its root
  Matrix A(2, 2);
  A(0, 0) = -1, A(0, 1) = 1, A(1, 1) = -1;
  const BoundedEigen found = bounded_eigen(A);
  REQUIRE(found.ok);
  CHECK(found.zeros == 0);
  for (int i = 0; i < 2; ++i) {
    CHECK(std::hypot(found.re[i] + 1, found.im[i]) <= found.error[i]);
    CHECK(found.error[i] > 1e-9);  // the root of rounding is 1e-8
  }
}

// ── a shaft that spins about itself ─────────────────────────────────────────────────────────────
//
// Deflection w = v + i w of a round shaft in axes that stand, w ~ e^{iωt}, with the rotary inertia of
// its sections [Rayleigh] and their spin Ω:
//
//   EI w⁗ + ρI (ω² − 2 Ω ω) w″ − ρA ω² w = 0,   at the free end w″ = 0, EI w‴ + ρI (ω² − 2 Ω ω) w′ = 0
//
// Axes that turn with the shaft see ω − Ω.

namespace {

constexpr double thick_length = 0.4, thick_radius = 0.03, steel = 2.1e11, steel_density = 7850;

BeamSpec thick_shaft() {
  BeamSpec b = shaft(thick_length, thick_radius);
  b.material = {steel, steel / 2.6, steel_density};
  b.modes = 8;
  return b;
}

/// Zero at the frequencies of the cantilever.
double whirls(double w, double spin) {
  const double rate = steel / steel_density, gyration = thick_radius * thick_radius / 4;
  const double a = (w * w - 2 * spin * w) / rate, b = w * w / (rate * gyration);
  const double root = std::sqrt(a * a + 4 * b), L = thick_length;
  const double p = std::sqrt((root - a) / 2), q = std::sqrt((root + a) / 2);  // cosh px, cos qx
  const double ch = std::cosh(p * L), sh = std::sinh(p * L), c = std::cos(q * L),
               s = std::sin(q * L);
  const double a11 = p * p * ch + q * q * c, a12 = p * sh + q * s;
  const double a21 = p * p * p * sh - q * q * q * s + a * (p * sh + q * s),
               a22 = p * p * ch + q * q * c + a * (ch - c);
  return a11 * a22 - a12 * a21;
}

}  // namespace

TEST_CASE("rotor: a thick shaft that spins about itself whirls as Rayleigh's beam does") {
  for (const char form : {'Q', 'X', 'I'})
    for (const double spin : {0.0, 500.0, 3000.0}) {
      CAPTURE(form);
      CAPTURE(spin);
      BeamSpec beam = thick_shaft();
      beam.form = form;
      Model model;
      model.gravity = {};
      model.bodies = {elastic_body("shaft", beam)};
      model.joints = {joint("bearing", JointType::revolute, "world", "shaft", {1, 0, 0})};
      const Mechanism m = compile(model);
      OperatingPoint p = start_point(m);
      p.u[0] = spin, p.held = {0};
      const ModelModes found = modes_about(m, p);
      CHECK(found.stability == Stability::undamped);
      // the first two forward, ω > 0, and backward; in turning axes |ω − Ω|
      for (const double guess : {1690.0, -1690.0, 10450.0, -10450.0}) {
        // gyroscopic terms move them by less
        double low = guess - 400, high = guess + 400;
        REQUIRE(whirls(low, spin) * whirls(high, spin) < 0);
        for (int i = 0; i < 60; ++i) {
          const double middle = (low + high) / 2;
          (whirls(low, spin) * whirls(middle, spin) <= 0 ? high : low) = middle;
        }
        double nearest = HUGE_VAL;
        for (const Mode& mode : found.modes)
          nearest = std::min(nearest, std::fabs(mode.value.im - std::fabs(low - spin)));
        CAPTURE(low);
        CHECK(nearest < 1e-6 * std::fabs(low));  // eight functions: exponentially few
      }
    }
}
