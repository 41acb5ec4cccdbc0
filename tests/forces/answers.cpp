// What elements say of themselves, against the forces that they give.
#include <doctest/doctest.h>

#include <cmath>

#include "forces/two_bodies.hpp"
#include "near.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// Whether the force of an element changes with velocities alone.
template <class Element>
bool feels_velocity(const Element& element) {
  Random r(31);
  Scene slow = random_scene(r), fast = slow;
  for (double& u : fast.u) u *= 2;
  for (auto& body : fast.body) body.V = {body.V.w * 2, body.V.v * 2};
  slow.apply(element), fast.apply(element);
  double change = 0;
  for (size_t i = 0; i < slow.tau.size(); ++i) change += std::fabs(fast.tau[i] - slow.tau[i]);
  for (size_t i = 0; i < slow.wrench.size(); ++i)
    change += norm(fast.wrench[i].n - slow.wrench[i].n) + norm(fast.wrench[i].f - slow.wrench[i].f);
  return change > 0;
}

template <class Element>
void check_says(const Element& element, bool depends) {
  CAPTURE(Element::facts.word);
  CHECK(feels_velocity(element) == depends);
  CHECK(element.dissipates() == depends);
}

/// k and damping on a joint, against the slopes of its force at rest.
template <class Element>
void check_slopes(const Element& element) {
  CAPTURE(Element::facts.word);
  const auto force = [&](double q, double u) {
    Scene s;
    s.q[0] = q, s.u[0] = u;
    s.apply(element);
    return s.tau[0];
  };
  constexpr double h = 1e-4;
  element.resistances([&](const Resistance& r) {
    // linear, or a tanh whose slope changes by h² of itself; roundings 1e-16/h
    CHECK(within((force(-h, 0) - force(h, 0)) / (2 * h), r.k, 1e-6 * (1 + r.k)));
    CHECK(within((force(0, -h) - force(0, h)) / (2 * h), r.damping, 1e-6 * (1 + r.damping)));
  });
}

}  // namespace

TEST_CASE("answers: an element says whether its force depends on velocities") {
  Random r(32);
  for (const double d : {0.0, 0.7}) {
    const bool depends = d > 0;
    check_says(JointSpring<double>{0, 0, 3, 0.1, 0.2}, false);
    check_says(SphericalSpring<double>{1, 1, 3}, false);
    check_says(JointDamper<double>{0, d}, depends);
    check_says(JointFriction<double>{1, 0, d, 0, 10}, depends);
    check_says(JointLimit<double>{0, 0, -1e3, -1e2, 5, d}, depends);
    check_says(JointSource<double>{0, 0}, false);
    check_says(Servo<double>{0, 0, 0, 20, d, 1e9}, depends);
    check_says(Motor<double>{0, 0, -1, 2, 0, 0.3, 0.3, 5, 0.8}, true);
    PointSpring<double> spring = random_spring(r);
    Bushing<double> bushing = random_bushing(r);
    TorsionSpring<double> torsion = random_torsion(r);
    spring.damping = torsion.damping = d;
    bushing.damping = {}, bushing.angular_damping = {0, d, 0};
    check_says(spring, depends), check_says(bushing, depends), check_says(torsion, depends);
    check_says(random_applied(r, false), false);
  }
}

TEST_CASE("answers: stiffness and damping on joints are the slopes of the force") {
  check_slopes(JointSpring<double>{0, 0, 3, 0.1, 0.2});
  check_slopes(JointDamper<double>{0, 0.7});
  check_slopes(JointFriction<double>{1, 0, 0.7, 0, 10});
  check_slopes(JointLimit<double>{0, 0, -1e3, -1, 5, 0.3});
  check_slopes(Servo<double>{0, 0, 0, 20, 3, 1e9});
  check_slopes(Motor<double>{0, 0, -1, 2, 0, 0.3, 0.25, 5, 0.8});
}

TEST_CASE("answers: an element that is varied acts, and one without numbers stays silent") {
  Random r(33);
  JointLimit<double> limit{0, 0, -1, 1, 1e4, 0};
  limit.vary(r);
  Scene s;
  s.q[0] = 0.3;
  s.apply(limit);
  CHECK(s.tau[0] < 0);  // inside its range it gave nothing
  TorsionSpring<double> idle = random_torsion(r);
  idle.k = idle.damping = 0;
  idle.vary(r);
  CHECK(idle.k == 0);
  CHECK(idle.damping == 0);
}
