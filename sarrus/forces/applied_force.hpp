// A force and a moment at a point of a body, each component a formula, in world or body axes.
#pragma once

#include <array>

#include "sarrus/forces/element_spec.hpp"
#include "sarrus/forces/force_facts.hpp"

namespace sarrus {

struct ForceSpec {
  std::string name;
  Place where;
  PointSpec at;
  bool body_axes = false;         // components in the body's axes; otherwise in the world's
  std::array<Formula, 3> force;   // [N]
  std::array<Formula, 3> moment;  // [N.m]

  static constexpr ElementTable table{"force", "External forces and moments.",
                                      "An external force and moment at a point of a body.",
                                      "\"wind\"", ElementMark::arrow};
  static std::vector<ElementKey<ForceSpec>> keys();
  void check(Diagnostics& physics, const std::string& path) const {
    if (at.body == "world")
      physics.warning("idle-element", where, path + "/body", "a force on the world moves nothing");
  }
  template <class F>
  void ends(F&& f) const {
    f("at", at.body, at.at);
  }
};

// clang-format off
inline std::vector<ElementKey<ForceSpec>> ForceSpec::keys() {
  namespace d = dimensions;
  using S = ForceSpec;
  return {
      {.name = "body", .member = &S::at, .part = PointPart::body, .required = true, .help = "Body it acts on.", .example = "\"arm\""},
      {.name = "at", .member = &S::at, .dimension = d::length, .part = PointPart::at, .fallback = "[0, 0, 0]", .help = "Point it acts at, in the body's frame.", .example = "[1, 0, 0]"},
      {.name = "axes", .member = &S::body_axes, .fallback = "\"world\"", .words = {{"world", "body"}}, .help = "Axes in which the components are given.", .example = "\"body\""},
      {.name = "force", .member = &S::force, .dimension = d::force, .fallback = "[0, 0, 0]", .help = "Three components.", .example = "[0, \"2*sin(t)\", 0]"},
      {.name = "moment", .member = &S::moment, .dimension = d::torque, .fallback = "[0, 0, 0]", .help = "Three components.", .example = "[0, 0, \"-0.1*shoulder.u\"]"},
  };
}
// clang-format on

template <class T>
struct AppliedForce {
  using Spec = ForceSpec;
  static constexpr ForceFacts facts{
      .word = "force", .drive = "the force", .follows_positions = true, .is_given = true};
  int body = 0;
  bool body_axes = false;
  Vector3<T> at;
  Matrix3<T> R_BC = Matrix3<T>::identity();  // the user's body axes C in B
  std::array<int, 3> force{-1, -1, -1};      // formulas; −1: zero
  std::array<int, 3> moment{-1, -1, -1};

  template <class U>
  AppliedForce<U> as() const {
    return {body, body_axes, cast<U>(at), cast<U>(R_BC), force, moment};
  }

  template <class F>
  void each_number(F&& f) {
    visit_numbers(at, f), visit_numbers(R_BC, f);
  }

  template <class Bodies>
  static AppliedForce made_of(const Spec& s, Bodies& bodies) {
    AppliedForce f;
    const auto point = bodies.mount(s.at);
    f.body = point.body;
    f.body_axes = s.body_axes;
    f.at = point.X.p;
    f.R_BC = bodies.user_axes(s.at.body);
    for (size_t i = 0; i < 3; ++i) {
      f.force[i] = bodies.component(s.force[i], "/force");
      f.moment[i] = bodies.component(s.moment[i], "/moment");
    }
    return f;
  }

  bool dissipates() const { return false; }  // its formulas may: they are asked themselves
  void vary(Random&) {}
  template <class F>
  void resistances(F&&) const {}
  template <class F>
  void inputs(F&& f) const {
    constexpr const char *along[] = {"fx", "fy", "fz"}, *about[] = {"mx", "my", "mz"};
    for (size_t i = 0; i < 3; ++i)
      if (force[i] >= 0) f(FormulaInput{force[i], along[i]});
    for (size_t i = 0; i < 3; ++i)
      if (moment[i] >= 0) f(FormulaInput{moment[i], about[i]});
  }

  void apply(ForceContext<T>& c) const {
    const BodyMotion<T>& b = c.body[body];
    const PointMotion<T> P = point_motion(b, at);
    Vector3<T> F = value(c, force), M = value(c, moment);
    if (body_axes) F = b.R * (R_BC * F), M = b.R * (R_BC * M);
    push(c.wrench[body], P.lever, F);
    c.wrench[body].n += M;
    c.flow->external += dot(F, P.velocity) + dot(M, b.V.w);
  }

 private:
  static Vector3<T> value(const ForceContext<T>& c, const std::array<int, 3>& f) {
    const auto one = [&](int i) { return i < 0 ? T(0.0) : c.formula[i]; };
    return {one(f[0]), one(f[1]), one(f[2])};
  }
};

}  // namespace sarrus
