// One force element between two bodies that move as they please, and the account of its power.
#pragma once

#include <vector>

#include "sarrus/forces/force_set.hpp"
#include "spatial/random_motion.hpp"

namespace sarrus::testing {

/// World, two bodies, and four joint velocities of which 1 … 3 are those of a spherical joint.
struct Scene {
  std::vector<BodyMotion<double>> body = std::vector<BodyMotion<double>>(3);
  std::vector<double> q{0.3, 0.9, 0.1, -0.2, 0.3}, u{0.7, 0.4, -0.8, 0.5};
  std::vector<double> state{0.4}, formula{1.3, -0.6, 0.8, 0.5, 0.2, -0.9};
  std::vector<double> rate{0.3, 0, 0, 0, 0, 0}, normal{0, 2.5, 1.5};

  std::vector<double> tau = std::vector<double>(4);
  std::vector<Wrench<double>> wrench = std::vector<Wrench<double>>(3);
  std::vector<double> state_rate = std::vector<double>(1);
  EnergyFlow<double> flow;

  template <class Element>
  void apply(const Element& element) {
    tau.assign(4, 0), wrench.assign(3, {}), state_rate.assign(1, 0), flow = {};
    ForceContext<double> c{body.data(),    q.data(),          u.data(),      state.data(),
                           formula.data(), rate.data(),       normal.data(), tau.data(),
                           wrench.data(),  state_rate.data(), &flow};
    element.apply(c);
  }
  /// Power that the element puts into bodies and joints.
  double power() const {
    double sum = 0;
    for (size_t i = 1; i < 3; ++i) sum += dot(body[i].V, wrench[i]);
    for (size_t j = 0; j < 4; ++j) sum += u[j] * tau[j];
    return sum;
  }
  /// Everything moved on by a time h at constant world twists and joint velocities.
  Scene moved(double h) const {
    Scene s = *this;
    for (size_t i = 1; i < 3; ++i) {
      s.body[i].R = rotation_exp(body[i].V.w * h) * body[i].R;
      s.body[i].o = body[i].o + body[i].V.v * h;
    }
    s.q[0] += h * u[0];
    const Quat p =
        normalized(Quat{q[1], q[2], q[3], q[4]} * quaternion_exp(Vec3{u[1], u[2], u[3]} * h));
    s.q[1] = p.w, s.q[2] = p.x, s.q[3] = p.y, s.q[4] = p.z;
    return s;
  }
};

inline Scene random_scene(Random& r) {
  Scene s;
  s.body[0].R = Mat3::identity();
  for (size_t i = 1; i < 3; ++i) {
    // apart by less than a right angle, so that the bushing's rotation vector is smooth
    s.body[i].R = rotation_exp(random_in_ball(r, 0.7));
    s.body[i].o = random_vector(r);
    s.body[i].V = random_twist(r);
  }
  const Quat p = quaternion_exp(random_in_ball(r, 2.5));
  s.q = {r.uniform(-1, 1), p.w, p.x, p.y, p.z};
  for (double& x : s.u) x = r.uniform(-2, 2);
  return s;
}

inline Vec3 random_positive(Random& r, double size) {
  return {r.uniform(0, size), r.uniform(0, size), r.uniform(0, size)};
}
inline PointSpring<double> random_spring(Random& r, int a = 1, int b = 2) {
  return {a,
          b,
          random_vector(r),
          random_vector(r),
          r.uniform(0, 50),
          r.uniform(0, 1),
          r.uniform(0, 5),
          r.uniform(-3, 3)};
}
inline Bushing<double> random_bushing(Random& r, int a = 1, int b = 2) {
  return {a,
          b,
          {rotation_exp(random_in_ball(r, 0.4)), random_vector(r)},
          {rotation_exp(random_in_ball(r, 0.4)), random_vector(r)},
          random_positive(r, 40),
          random_positive(r, 4),
          random_positive(r, 30),
          random_positive(r, 3)};
}
/// Axes that are not parallel, and an angle within half a turn of rest.
inline TorsionSpring<double> random_torsion(Random& r, int a = 1, int b = 2) {
  const Mat3 R = rotation(random_quaternion(r));
  return {a,
          b,
          R,
          rotation_exp(random_in_ball(r, 0.2)) * R,
          r.uniform(0, 30),
          r.uniform(0, 3),
          r.uniform(-0.8, 0.8)};
}
inline AppliedForce<double> random_applied(Random& r, bool body_axes) {
  return {1, body_axes, random_vector(r), rotation(random_quaternion(r)), {0, 1, 2}, {3, 4, 5}};
}

}  // namespace sarrus::testing
