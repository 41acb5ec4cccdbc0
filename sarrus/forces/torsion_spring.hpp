// Torsion spring: a spring and damper that turns body b against body a about one axis.
//
//   z_A, z_B   the axis on both bodies; x_A, y_A and x_B, y_B complete the frames
//   θ = atan2(x_B·y_A − y_B·x_A, x_B·x_A + y_B·y_A)          the twist of B against A      (1)
//   θ̇ = g·(ω_B − ω_A),   g = (z_A + z_B)/(1 + z_A·z_B)       its gradient                  (2)
//   δ = θ − θ₀ within half a turn,   T = k δ + c θ̇           −T g on b, +T g on a          (3)
//   V = ½ k δ²
//
// Where a joint keeps the axes parallel, g is the axis. Elsewhere (1) is the twist of R_Aᵀ R_B after
// its swing is taken off, so that the torque (3) still is the slope of V. [docs/theory/forces.md]
#pragma once

#include "sarrus/forces/element_spec.hpp"
#include "sarrus/forces/force_facts.hpp"

namespace sarrus {

struct TorsionSpringSpec {
  std::string name;
  Place where;
  std::string from = "world", to;
  Vec3 axis{0, 0, 1};  // the same numbers in both frames
  FrameSpec on_from, on_to;
  double k = 0;        // [N.m/rad]
  double damping = 0;  // [N.m.s/rad]
  double rest = 0;     // [rad]

  static constexpr ElementTable table{
      "torsion_spring", "Springs and dampers that turn one body against another.",
      "Spring and damper about an axis that two bodies share: turns `to` against `from` with "
      "−k (angle − rest) − damping dangle/dt.",
      "\"mainspring\"", ElementMark::line};
  static std::vector<ElementKey<TorsionSpringSpec>> keys();
  void check(Diagnostics& physics, const std::string& path) const {
    if (from == to) physics.error("self-joint", where, path, "both ends are on '" + from + "'");
  }
  template <class F>
  void ends(F&& f) const {
    f("from", from, on_from.at), f("to", to, on_to.at);
  }
};

// clang-format off
inline std::vector<ElementKey<TorsionSpringSpec>> TorsionSpringSpec::keys() {
  namespace d = dimensions;
  using S = TorsionSpringSpec;
  return {
      {.name = "from", .member = &S::from, .fallback = "\"world\"", .help = "One body.", .example = "\"world\""},
      {.name = "to", .member = &S::to, .required = true, .help = "The body that it turns against `from`.", .example = "\"arm\""},
      {.name = "axis", .member = &S::axis, .judged = Judged::axis, .fallback = "\"z\"", .help = "Axis it turns about, in both frames.", .example = "\"y\""},
      {.name = "on_from", .member = &S::on_from, .fallback = "the body's frame", .help = "The frame on `from`; the angle is counted from it.", .example = "{ at = [0, 0, 1] }"},
      {.name = "on_to", .member = &S::on_to, .fallback = "the body's frame", .help = "The frame on `to`.", .example = "{ at = [0, 0, 0] }"},
      {.name = "k", .member = &S::k, .dimension = d::angular_stiffness, .judged = Judged::stiffness, .fallback = "0", .help = "Stiffness.", .example = "2"},
      {.name = "damping", .member = &S::damping, .dimension = d::angular_damping, .judged = Judged::not_negative, .fallback = "0", .help = "Torque per angular speed.", .example = "0.01"},
      {.name = "rest", .member = &S::rest, .dimension = d::angle, .fallback = "0", .help = "Angle without torque; the spring is wound by at most half a turn from it, either way.", .example = "\"30 deg\""},
  };
}
// clang-format on

template <class T>
struct TorsionSpring {
  using Spec = TorsionSpringSpec;
  static constexpr ForceFacts facts{
      .word = "torsion spring", .damping = "the damping", .follows_positions = true};
  int a = 0, b = 0;
  Matrix3<T> R_a, R_b;  // frames on both bodies, their z along the axis
  T k{}, damping{}, rest{};

  template <class U>
  TorsionSpring<U> as() const {
    return {a, b, cast<U>(R_a), cast<U>(R_b), U(k), U(damping), U(rest)};
  }
  template <class F>
  void each_number(F&& f) {
    visit_numbers(R_a, f), visit_numbers(R_b, f), f(k), f(damping), f(rest);
  }

  template <class Bodies>
  static TorsionSpring made_of(const Spec& s, Bodies& bodies) {
    const auto from = bodies.mount(s.from, s.on_from), to = bodies.mount(s.to, s.on_to);
    const Mat3 to_axis = rotation_from_z(s.axis * (1 / norm(s.axis)));
    return {from.body, to.body, from.X.R * to_axis, to.X.R * to_axis, s.k, s.damping, s.rest};
  }

  bool dissipates() const { return damping != 0; }
  void vary(Random& r) { randomise(r, k), randomise(r, damping); }
  template <class F>
  void resistances(F&& f) const {
    f(Resistance{.along = Resistance::Along::turn, .k = k, .damping = damping, .a = a, .b = b});
  }
  template <class F>
  void inputs(F&&) const {}

  /// θ, and the torque −T about the axis on `to`.
  static constexpr ElementQuantity quantities[] = {{"angle", "rad"}, {"torque", "N.m"}};
  T read(const ForceContext<T>& c, int quantity) const {
    const Twisted now = twisted(c);
    return quantity == 0 ? now.wound + rest : -now.torque;
  }

  void apply(ForceContext<T>& c) const {
    const Twisted now = twisted(c);
    const Vector3<T> n = now.g * now.torque;
    c.wrench[b].n -= n;
    c.wrench[a].n += n;
    c.flow->potential += T(0.5) * k * now.wound * now.wound;
    c.flow->dissipated += damping * now.rate * now.rate;
  }

 private:
  struct Twisted {
    Vector3<T> g;
    T wound, rate, torque;  // δ, θ̇, T
  };
  SARRUS_INLINE Twisted twisted(const ForceContext<T>& c) const {
    const Matrix3<T> A = c.body[a].R * R_a, B = c.body[b].R * R_b;
    const T sine = dot(B.x, A.y) - dot(B.y, A.x), cosine = dot(B.x, A.x) + dot(B.y, A.y);
    const T s0 = sin(rest), c0 = cos(rest);
    Twisted now;
    now.wound = atan2(sine * c0 - cosine * s0, cosine * c0 + sine * s0);  // (1), from rest
    now.g = (A.z + B.z) * (T(1.0) / (T(1.0) + dot(A.z, B.z)));            // (2)
    now.rate = dot(now.g, c.body[b].V.w - c.body[a].V.w);
    now.torque = k * now.wound + damping * now.rate;  // (3)
    return now;
  }
};

}  // namespace sarrus
