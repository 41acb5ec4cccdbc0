// Spring and damper between two points, P on body a and Q on body b.
//
//   d = x_Q − x_P,  L = |d|,  e = d/L,  L̇ = e·(v_Q − v_P)
//   tension F = k (L − L₀) + c L̇ + F₀ + f, positive pulls together: +F e on a at P, −F e on b at Q
//   V = ½ k (L − L₀)² + F₀ L
//
// f is a law by formula, of L, L̇ and whatever formulas may use. It need not have a potential: its
// power −f L̇ is that of an external force.
//
// Where the points meet (L below 1e-9 of L₀ and of their distances from the origin, as far as
// positions are known) the direction is not defined and the force is zero.
#pragma once

#include "sarrus/forces/element_spec.hpp"
#include "sarrus/forces/force_facts.hpp"

namespace sarrus {

struct SpringSpec {
  std::string name;
  Place where;
  PointSpec from, to;
  double k = 0;        // [N/m]
  double length = 0;   // unstretched [m]
  double damping = 0;  // [N.s/m]
  double preload = 0;  // [N], positive pulls together
  Formula law;         // [N] added to these

  static constexpr ElementTable table{"spring", "Springs and dampers between two points.",
                                      "Spring and damper between two points: pulls with k (L − "
                                      "length) + damping dL/dt + preload + law.",
                                      "\"return\"", ElementMark::coil};
  static std::vector<ElementKey<SpringSpec>> keys();
  void check(Diagnostics& physics, const std::string& path) const {
    if (from.body == to.body)
      physics.warning("idle-element", where, path,
                      "both ends are on '" + from.body + "': it moves nothing");
  }
  template <class F>
  void ends(F&& f) const {
    f("from", from.body, from.at), f("to", to.body, to.at);
  }
};

// clang-format off
inline std::vector<ElementKey<SpringSpec>> SpringSpec::keys() {
  namespace d = dimensions;
  using S = SpringSpec;
  return {
      {.name = "from", .member = &S::from, .required = true, .help = "One end.", .example = "{ body = \"arm\", at = [1, 0, 0] }"},
      {.name = "to", .member = &S::to, .required = true, .help = "The other end.", .example = "{ body = \"world\", at = [0, 0, 1] }"},
      {.name = "k", .member = &S::k, .dimension = d::stiffness, .judged = Judged::stiffness, .fallback = "0", .help = "Stiffness.", .example = "40"},
      {.name = "length", .member = &S::length, .dimension = d::length, .judged = Judged::length, .fallback = "0", .help = "Unstretched length.", .example = "0.8"},
      {.name = "damping", .member = &S::damping, .dimension = d::damping, .judged = Judged::not_negative, .fallback = "0", .help = "Force per speed.", .example = "0.5"},
      {.name = "preload", .member = &S::preload, .dimension = d::force, .fallback = "0", .help = "Constant pull.", .example = "1"},
      {.name = "law", .member = &S::law, .dimension = d::force, .fallback = "0", .help = "A further pull as a formula, of NAME.length and NAME.rate for example.", .example = "\"2e4*(return.length - 0.8)^3\""},
  };
}
// clang-format on

template <class T>
struct PointSpring {
  using Spec = SpringSpec;
  static constexpr ForceFacts facts{
      .word = "spring", .damping = "the damping", .drive = "the law", .follows_positions = true};
  int a = 0, b = 0;
  Vector3<T> at_a, at_b;
  T k{}, length{}, damping{}, preload{};
  int law = -1;  // formula; −1: none

  template <class U>
  PointSpring<U> as() const {
    return {a, b, cast<U>(at_a), cast<U>(at_b), U(k), U(length), U(damping), U(preload), law};
  }

  template <class F>
  void each_number(F&& f) {
    visit_numbers(at_a, f), visit_numbers(at_b, f), f(k), f(length), f(damping), f(preload);
  }

  /// `bodies` knows where points and frames of the model are in the mechanism.
  template <class Bodies>
  static PointSpring made_of(const Spec& s, Bodies& bodies) {
    const auto from = bodies.mount(s.from), to = bodies.mount(s.to);
    return {from.body, to.body,   from.X.p,
            to.X.p,    s.k,       s.length,
            s.damping, s.preload, bodies.component(s.law, "/law")};
  }

  bool dissipates() const { return damping != 0; }  // its law may: formulas are asked themselves
  bool is_driven() const { return law >= 0; }
  void vary(Random& r) { randomise(r, k), randomise(r, damping), randomise(r, preload); }
  template <class F>
  void resistances(F&& f) const {
    f(Resistance{.along = Resistance::Along::points,
                 .k = k,
                 .damping = damping,
                 .a = a,
                 .b = b,
                 .at_a = at_a,
                 .at_b = at_b});
  }
  template <class F>
  void inputs(F&& f) const {
    if (law >= 0) f(FormulaInput{law, "law"});
  }

  /// L, L̇, and the tension F.
  static constexpr ElementQuantity quantities[] = {{"length", "m", ElementQuantity::Of::positions},
                                                   {"rate", "m/s", ElementQuantity::Of::velocities},
                                                   {"force", "N"}};
  T read(const ForceContext<T>& c, int quantity) const {
    const Pull pull = pull_of(c);
    return quantity == 0   ? pull.stretch + length
           : quantity == 1 ? pull.rate
                           : pull.tension + law_of(c);
  }

  void apply(ForceContext<T>& c) const {
    const Pull p = pull_of(c);
    const T f = law_of(c);
    push(c.wrench[a], p.lever_a, p.e * (p.tension + f));
    push(c.wrench[b], p.lever_b, p.e * -(p.tension + f));
    c.flow->potential += T(0.5) * k * p.stretch * p.stretch + preload * (p.stretch + length);
    c.flow->dissipated += damping * p.rate * p.rate;
    c.flow->external -= f * p.rate;
  }

 private:
  T law_of(const ForceContext<T>& c) const { return law < 0 ? T(0.0) : c.formula[law]; }
  struct Pull {
    Vector3<T> lever_a, lever_b, e;
    T stretch, rate, tension;
  };
  SARRUS_INLINE Pull pull_of(const ForceContext<T>& c) const {
    const PointMotion<T> P = point_motion(c.body[a], at_a), Q = point_motion(c.body[b], at_b);
    const Vector3<T> d = Q.position - P.position;
    const T squared = dot(d, d);
    const T known = dot(P.position, P.position) + dot(Q.position, Q.position) + length * length;
    const auto apart = less(T(1e-18) * known, squared);
    const T L = sqrt(select(apart, squared, T(1.0)));
    const Vector3<T> e = d * select(apart, T(1.0) / L, T(0.0));
    const T stretch = select(apart, L, T(0.0)) - length;
    const T rate = dot(e, Q.velocity - P.velocity);
    return {P.lever, Q.lever, e, stretch, rate, k * stretch + damping * rate + preload};
  }
};

}  // namespace sarrus
