// Every element keeps a true account: the power it gives is what its potential loses, less what it
// dissipates, plus what drives and external forces put in.
#include <doctest/doctest.h>

#include "forces/two_bodies.hpp"
#include "near.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// Potential by central differences along the motion against the power, and the sign of
/// dissipation.
template <class Element>
void check_account(Random& r, const Element& element) {
  Scene s = random_scene(r);
  constexpr double h = 1e-5;
  Scene after = s.moved(h), before = s.moved(-h);
  after.apply(element), before.apply(element), s.apply(element);
  const double falls = -(after.flow.potential - before.flow.potential) / (2 * h);
  // energies up to 100 J: rounding 1e-14/h, truncation h² times their third derivative
  CHECK(within(s.power(), falls - s.flow.dissipated + s.flow.drive + s.flow.external, 100 * 1e-9));
  CHECK(s.flow.dissipated >= 0);
}

template <class Element>
void check_reaction(Random& r, const Element& element) {
  Scene s = random_scene(r);
  s.apply(element);
  Wrench<double> total{};
  for (size_t i = 1; i < 3; ++i) total += shifted_in(s.wrench[i], s.body[i].o);
  // forces up to 100 N with levers up to 3 m, each rounded to 1e-16
  CHECK(norm(total.f) < 1e-13);
  CHECK(norm(total.n) < 3e-13);
}

}  // namespace

TEST_CASE("account: springs between points, with damper and preload") {
  Random r(11);
  for (int i = 0; i < 50; ++i) check_account(r, random_spring(r));
  for (int i = 0; i < 10; ++i) check_account(r, random_spring(r, 0, 2));
}

TEST_CASE("account: bushings with three different stiffnesses each way") {
  Random r(12);
  for (int i = 0; i < 50; ++i) check_account(r, random_bushing(r));
  for (int i = 0; i < 10; ++i) check_account(r, random_bushing(r, 0, 2));
}

TEST_CASE("account: torsion springs between axes that are not parallel") {
  Random r(18);
  for (int i = 0; i < 50; ++i) check_account(r, random_torsion(r));
  for (int i = 0; i < 10; ++i) check_account(r, random_torsion(r, 0, 2));
}

TEST_CASE("account: springs on joints, on one axis and on a ball") {
  Random r(13);
  for (int i = 0; i < 50; ++i) {
    check_account(r,
                  JointSpring<double>{0, 0, r.uniform(0, 50), r.uniform(-1, 1), r.uniform(-5, 5)});
    check_account(r, SphericalSpring<double>{1, 1, r.uniform(0, 50)});
  }
}

TEST_CASE("account: dampers, friction and stops dissipate, and never create") {
  Random r(14);
  for (int i = 0; i < 50; ++i) {
    check_account(r, JointDamper<double>{0, r.uniform(0, 5)});
    check_account(
        r, JointFriction<double>{1, 0, r.uniform(0, 5), r.uniform(0, 2), r.uniform(1e-3, 1)});
    check_account(r, JointLimit<double>{0, 0, -0.4, 0.3, r.uniform(1, 100), r.uniform(0, 50)});
  }
}

TEST_CASE("account: drives and applied forces book what they put in") {
  Random r(15);
  for (int i = 0; i < 50; ++i) {
    check_account(r, JointSource<double>{0, 0});
    check_account(r, Servo<double>{0, 0, 0, 20, 3, 4});
    check_account(r, Motor<double>{0, 0, -1, 2, 0, 0.3, 0.3, 5, 0.8});
    check_account(r, Motor<double>{0, 0, 0, 2, 0.1, 0.3, 0.3, 5, 0.8});
    check_account(r, random_applied(r, i % 2 == 0));
  }
}

TEST_CASE("action and reaction: what acts between two bodies has no resultant") {
  Random r(16);
  for (int i = 0; i < 50; ++i)
    check_reaction(r, random_spring(r)), check_reaction(r, random_bushing(r)),
        check_reaction(r, random_torsion(r));
}

TEST_CASE("springs between points: where the points meet there is no direction and no force") {
  Random r(17);
  Scene s = random_scene(r);
  PointSpring<double> spring = random_spring(r);
  // both ends at the same place of the world
  spring.at_b =
      transposed_times(s.body[2].R, s.body[1].o + s.body[1].R * spring.at_a - s.body[2].o);
  s.apply(spring);
  CHECK(norm(s.wrench[1].f) == 0);
  CHECK(std::isfinite(s.flow.potential));
}

TEST_CASE("stops: they push back, never pull, and are silent inside the range") {
  Scene s;
  const JointLimit<double> limit{0, 0, -1, 1, 1000, 50};
  const auto force = [&](double q, double u) {
    s.q[0] = q, s.u[0] = u;
    s.apply(limit);
    return s.tau[0];
  };
  CHECK(force(0.999, 5) == 0);
  CHECK(force(-0.999, -5) == 0);
  CHECK(near(force(1.01, 0), -10, 1e-12));    // k δ
  CHECK(near(force(1.01, 0.1), -15, 1e-12));  // + d δ̇
  CHECK(near(force(-1.01, 0), 10, 1e-12));
  CHECK(near(force(-1.01, -0.1), 15, 1e-12));
  // leaving so fast that the damper would pull
  CHECK(force(1.01, -1) == 0);
  CHECK(force(-1.01, 1) == 0);
}

TEST_CASE("servos: the force stays within its limit and follows the reference inside it") {
  Scene s;
  const Servo<double> servo{0, 0, 0, 10, 2, 4};
  const auto force = [&](double q, double u) {
    s.q[0] = q, s.u[0] = u;
    s.apply(servo);
    return s.tau[0];
  };
  s.formula[0] = 1, s.rate[0] = 0.5;
  CHECK(near(force(0.9, 0.4), 10 * 0.1 + 2 * 0.1, rounding(4)));
  CHECK(force(-5, 0) == 4);
  CHECK(force(5, 0) == -4);
}

TEST_CASE("motors: the current is Ohm's, with the voltage that turning induces taken off") {
  Scene s;
  s.formula[0] = 12, s.u[0] = 3, s.state[0] = 0.7;
  const double R = 2, L = 0.05, Kt = 0.3, Ke = 0.25, gear = 5, efficiency = 0.8;
  s.apply(Motor<double>{0, 0, -1, R, 0, Kt, Ke, gear, efficiency});
  CHECK(near(s.tau[0], efficiency * gear * Kt * (12 - Ke * gear * 3) / R, rounding(8)));
  s.apply(Motor<double>{0, 0, 0, R, L, Kt, Ke, gear, efficiency});
  CHECK(near(s.tau[0], efficiency * gear * Kt * 0.7, rounding(4)));
  CHECK(near(s.state_rate[0], (12 - R * 0.7 - Ke * gear * 3) / L, rounding(8)));
}

TEST_CASE("bushings: small turns feel the three stiffnesses one by one") {
  Scene s;
  s.body[1] = s.body[2] = {Mat3::identity(), {}, {}};
  Bushing<double> b;
  b.a = 1, b.b = 2;
  b.k = {1, 2, 3}, b.angular_k = {4, 5, 6};
  s.body[2].o = {0.1, 0.2, 0.3};
  s.body[2].R = rotation_exp(Vec3{1e-7, 2e-7, 3e-7});
  s.apply(b);
  CHECK(apart(s.wrench[2].f, {-0.1, -0.4, -0.9}) < 1e-15);       // one rounding
  CHECK(apart(s.wrench[2].n, {-4e-7, -10e-7, -18e-7}) < 1e-12);  // the next term is quadratic
}

TEST_CASE("the rotation vector of a matrix is that of its quaternion, up to nearly half a turn") {
  Random r(18);
  for (int i = 0; i < 200; ++i) {
    const Vec3 x = random_in_ball(r, i % 2 ? 3.1 : 1e-4);
    const Vec3 found = rotation_log(rotation_exp(x));
    // sin θ = 0.04 at 3.1 rad divides the rounding of R
    CHECK(apart(found, x) < 1e-13);
  }
  CHECK(norm(rotation_log(Mat3::identity())) == 0);
}
