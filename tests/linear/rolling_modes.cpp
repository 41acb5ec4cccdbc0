// Small motions about steady ones of what rolls, against published numbers and closed forms.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "builders.hpp"
#include "linked.hpp"
#include "near.hpp"
#include "sarrus/linear/mode_sweep.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

constexpr double gravity = 9.81;

BodySpec rolling_body(const std::string& name, double mass, const Vec3& com, const Mat3& inertia) {
  BodySpec b;
  b.name = name;
  b.mass = mass;
  b.com = com;
  b.inertia = inertia;
  return b;
}

BodySpec wheel_body(const std::string& name, double mass, double across, double axial) {
  return rolling_body(name, mass, {}, Mat3{{across, 0, 0}, {0, axial, 0}, {0, 0, across}});
}

ConstraintSpec rolling(const std::string& name, ConstraintType type, const std::string& on,
                       double radius) {
  ConstraintSpec c;
  c.name = name;
  c.type = type;
  c.to.body = on;
  c.direction = {0, 1, 0};
  c.radius = radius;
  return c;
}

/// The benchmark of [Meijaard and others 2007] with z up, y to the left.
Model bicycle(double v) {
  const double w = 1.02, c = 0.08, tilt = M_PI / 10, r_rear = 0.3, r_front = 0.35;
  Model model;
  model.bodies = {
      rolling_body("frame", 85, {0.3, 0, 0.9}, Mat3{{9.2, 0, -2.4}, {0, 11, 0}, {-2.4, 0, 2.8}}),
      rolling_body("fork", 4, {0.9, 0, 0.7},
                   Mat3{{0.05892, 0, 0.00756}, {0, 0.06, 0}, {0.00756, 0, 0.00708}}),
      wheel_body("rear", 2, 0.0603, 0.12), wheel_body("front", 3, 0.1405, 0.28)};
  model.joints = {
      joint("ride", JointType::free, "world", "frame", {0, 0, 1}),
      joint("rear_axle", JointType::revolute, "frame", "rear", {0, 1, 0}, {0, 0, r_rear}),
      joint("steer", JointType::revolute, "frame", "fork", {-std::sin(tilt), 0, std::cos(tilt)},
            {w + c, 0, 0}),
      joint("front_axle", JointType::revolute, "fork", "front", {0, 1, 0}, {w, 0, r_front})};
  model.joints[2].on_child.at = {w + c, 0, 0};
  model.joints[0].u = std::vector<double>{0, 0, 0, v, 0, 0};
  model.joints[1].u = std::vector<double>{v / r_rear};
  model.joints[3].u = std::vector<double>{v / r_front};
  model.constraints = {rolling("rear_tyre", ConstraintType::rolling_disk, "rear", r_rear),
                       rolling("front_tyre", ConstraintType::rolling_disk, "front", r_front)};
  return model;
}

ModelModes rolling_at_start(const Model& model) {
  const Mechanism m = compile(model);
  return modes_about(m, start_point(m));
}

/// Those that are not zero, by their imaginary part, then their real part.
std::vector<std::complex<double>> moving(const ModelModes& found) {
  std::vector<std::complex<double>> list;
  for (const Mode& mode : found.modes)
    if (!mode.zero) list.emplace_back(mode.value.re, mode.value.im);
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
    return std::fabs(a.imag() - b.imag()) > 1e-6 ? a.imag() < b.imag() : a.real() < b.real();
  });
  return list;
}

}  // namespace

TEST_CASE("rolling: a bicycle has the published eigenvalues from standstill to 10 m/s") {
  // [Meijaard and others 2007], table 2, with the digits of its matrices: lean and steer
  struct Row {
    double speed;
    std::vector<std::complex<double>> lambda;
  };
  const std::vector<Row> published = {
      {0,
       {{-5.53094371765393, 0},
        {-3.13164324790656, 0},
        {3.13164324790656, 0},
        {5.53094371765393, 0}}},
      {1, {{-7.11008014637441, 0}, {-3.13423125066578, 0}, {3.52696170990069, 0.80774027519931}}},
      {2, {{-8.67387984831737, 0}, {-3.07158645641514, 0}, {2.68234517512745, 1.68066296590676}}},
      {3, {{-10.3510146724592, 0}, {-2.63366137253665, 0}, {1.70675605663974, 2.31582447384324}}},
      {4, {{-12.1586142657644, 0}, {-1.42944427361326, 0}, {0.413253315211241, 3.07910818603205}}},
      {5,
       {{-14.0783896927982, 0}, {-0.322866429004087, 0}, {-0.775341882195842, 4.46486771378822}}},
      {6,
       {{-16.0853712309803, 0}, {-0.00406690076970336, 0}, {-1.52644486584142, 5.87673060598708}}},
      {7, {{-18.157884661252, 0}, {0.102681705747664, 0}, {-2.13875644258363, 7.19525913329804}}},
      {8, {{-20.2794089439457, 0}, {0.14327879765713, 0}, {-2.69348683581095, 8.46037971396934}}},
      {9, {{-22.4378855904086, 0}, {0.157901840309173, 0}, {-3.21675402252491, 9.69377351531782}}},
      {10, {{-24.624596350174, 0}, {0.161053386531716, 0}, {-3.72016840437288, 10.9068113947629}}},
  };
  for (const Row& row : published) {
    CAPTURE(row.speed);
    const ModelModes found = rolling_at_start(bicycle(row.speed));
    // seven positions, three velocities: the six that are not lean and steer are zero
    CHECK(found.space.A.rows == 10);
    CHECK(std::count_if(found.modes.begin(), found.modes.end(),
                        [](const Mode& mode) { return mode.zero; }) == 6);
    const std::vector<std::complex<double>> lambda = moving(found);
    REQUIRE(lambda.size() == row.lambda.size());
    for (size_t i = 0; i < lambda.size(); ++i) {
      CAPTURE(i);
      // 14 digits are published of the matrices; conditions of the eigenvalues are below 100
      CHECK(std::abs(lambda[i] - row.lambda[i]) < 1e-11);
    }
  }
}

TEST_CASE("rolling: a bicycle is stable between its weave speed and its capsize speed") {
  std::vector<double> speeds;
  for (int i = 0; i <= 8; ++i) speeds.push_back(1 + i);
  const ModeSweep s = sweep_modes(speeds, [](double v) { return rolling_at_start(bicycle(v)); });
  REQUIRE(s.changes.size() == 2);
  // published with 15 digits; a growth is known to 1e-13, and changes by 1 s⁻¹ and 0.1 s⁻¹ per m/s
  CHECK(within(s.changes[0].value, 4.29238253634110, 1e-11));
  CHECK_FALSE(s.changes[0].is_lost);
  CHECK(s.changes[0].how == Stability::flutter);
  CHECK(within(s.changes[1].value, 6.02426201538836, 1e-11));
  CHECK(s.changes[1].is_lost);
  CHECK(s.changes[1].how == Stability::divergence);
}

TEST_CASE("rolling: a trailer swings back with v/L, and jackknifes backwards") {
  // one position, no velocity of its own: the speed of the car is prescribed
  const double L = 2.5;
  for (const double v : {3.0, -1.5}) {
    Model model;
    model.bodies = {wheel_body("car", 1000, 500, 400), wheel_body("trailer", 400, 300, 200)};
    model.joints = {joint("road", JointType::prismatic, "world", "car", {1, 0, 0}),
                    joint("hitch", JointType::revolute, "car", "trailer", {0, 0, 1})};
    model.joints[0].motion = {formula(std::to_string(v) + "*t")};
    ConstraintSpec axle;
    axle.name = "axle";
    axle.type = ConstraintType::knife_edge;
    axle.to.body = "trailer", axle.to.at = {-L, 0, 0};
    axle.direction = {0, 1, 0};
    model.constraints = {axle};
    const ModelModes found = rolling_at_start(model);
    CAPTURE(v);
    REQUIRE(found.modes.size() == 1);
    CHECK(found.model.velocity_names.empty());
    CHECK(near(found.modes[0].value.re, -v / L, rounding(10)));
    CHECK(found.stability == (v > 0 ? Stability::stable : Stability::divergence));
  }
}

TEST_CASE("rolling: a hoop on a free body stands above √(g r)/2, as a joint and as a constraint") {
  // λ² of the lean, with I = m r² about the axle and half of it across: (2 g/r − 8 ω²)/3
  const double r = 0.35, mass = 1.2;
  for (const double spin : {2.0, 5.0})
    for (const bool as_joint : {true, false}) {
      Model model;
      model.bodies = {wheel_body("hoop", mass, mass * r * r / 2, mass * r * r)};
      JointSpec j = joint("floor", as_joint ? JointType::rolling_disk : JointType::free, "world",
                          "hoop", {0, 1, 0});
      j.q = std::vector<double>{1, 0, 0, 0, 0, 0, r};
      j.u = as_joint ? std::vector<double>{0, spin, 0}
                     : std::vector<double>{0, spin, 0, r * spin, 0, 0};
      if (as_joint) j.radius = r;
      model.joints = {j};
      if (!as_joint) model.constraints = {rolling("edge", ConstraintType::rolling_disk, "hoop", r)};
      const ModelModes found = rolling_at_start(model);
      CAPTURE(spin);
      CAPTURE(as_joint);
      const double square = (2 * gravity / r - 8 * spin * spin) / 3;
      const std::vector<std::complex<double>> lambda = moving(found);
      if (square > 0) {
        REQUIRE(lambda.size() == 2);
        CHECK(near(lambda[1].real(), std::sqrt(square), 1e-12));  // eigenvalues of a small matrix
        CHECK(found.stability == Stability::divergence);
      } else {
        REQUIRE(lambda.size() == 1);
        CHECK(near(lambda[0].imag(), std::sqrt(-square), 1e-12));
        CHECK(found.cause == -1);
      }
    }
}

TEST_CASE("rolling: a hoop that leans rolls in a circle, and sways as its equations say") {
  // with the lean α, the turn Ω about the vertical, n about the axle, w = Ω cos α, t = tan α:
  //   (C + m r²) n Ω cos α = A Ω² sin α cos α − m g r sin α                     steady
  //   (A + m r²) λ² = −m r² w² + (C + m r² − 2 A w t/n) n (w t − C n/A) − A w²/cos² α + m g r cos α
  const double r = 0.35, mass = 1.2, A = mass * r * r / 2, C = mass * r * r, mr2 = mass * r * r;
  const double lean = 0.3, turn = 1.5, w = turn * std::cos(lean), t = std::tan(lean);
  const double n = (A * turn * std::sin(lean) - mass * gravity * r * t / turn) / (C + mr2);
  const double square =
      (-mr2 * w * w + ((C + mr2) * n - 2 * A * w * t) * (w * t - C * n / A) -
       A * std::pow(w / std::cos(lean), 2) + mass * gravity * r * std::cos(lean)) /
      (A + mr2);
  REQUIRE(square < 0);
  for (const bool as_joint : {true, false}) {
    CAPTURE(as_joint);
    Model model;
    model.bodies = {wheel_body("hoop", mass, A, C)};
    JointSpec j = joint("floor", as_joint ? JointType::rolling_disk : JointType::free, "world",
                        "hoop", {0, 1, 0});
    j.q =
        std::vector<double>{std::cos(lean / 2), std::sin(lean / 2), 0, 0, 0, 0, r * std::cos(lean)};
    j.u = as_joint ? std::vector<double>{0, n, w} : std::vector<double>{0, n, w, r * n, 0, 0};
    if (as_joint) j.radius = r;
    model.joints = {j};
    if (!as_joint) model.constraints = {rolling("edge", ConstraintType::rolling_disk, "hoop", r)};
    const ModelModes found = rolling_at_start(model);
    CHECK(found.notes.empty());  // in balance
    // where it is goes round with the circle, and it sways
    const std::vector<std::complex<double>> lambda = moving(found);
    REQUIRE(lambda.size() == 2);
    CHECK(near(lambda[0].imag(), turn, 1e-12));  // eigenvalues of a small matrix
    CHECK(near(lambda[1].imag(), std::sqrt(-square), 1e-12));
    CHECK(found.cause == -1);
  }
}

TEST_CASE("rolling: redundant rows change nothing, and what is not round is refused") {
  // the rear wheel of the bicycle held by the ground twice
  Model twice = bicycle(5);
  twice.constraints.push_back(rolling("again", ConstraintType::rolling_disk, "rear", 0.3));
  const std::vector<std::complex<double>> one = moving(rolling_at_start(bicycle(5))),
                                          two = moving(rolling_at_start(twice));
  REQUIRE(one.size() == two.size());
  for (size_t i = 0; i < one.size(); ++i) CHECK(std::abs(one[i] - two[i]) < 1e-10);  // rounding

  Model oval = bicycle(5);
  oval.bodies[3].inertia = Mat3{{0.1405, 0, 0}, {0, 0.28, 0}, {0, 0, 0.15}};
  CHECK_THROWS_AS(rolling_at_start(oval), Error);

  Model slipping = bicycle(5);
  slipping.joints[1].u = std::vector<double>{7};
  CHECK_THROWS_AS(rolling_at_start(slipping), Error);
}
