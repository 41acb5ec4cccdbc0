// Bushing: a spring and damper in six directions between frame A on body a and frame B on body b.
//
//   d = R_Aᵀ (x_B − x_A),  ξ = log(R_Aᵀ R_B)
//   F = −K d − C ḋ,        M = −K_r ξ − C_r R_Aᵀ (ω_B − ω_A)       in the axes of A
//   +(F, M) on b and −(F, M) on a, both at x_B: angular momentum is conserved
//
// For unequal K_r the moment is the gradient of ½ ξ·K_r ξ through the inverse tangent of the
// exponential map, M = −J⁻ᵀ(ξ) K_r ξ, which equals −K_r ξ when the three are equal.
#pragma once

#include "sarrus/forces/element_spec.hpp"
#include "sarrus/forces/force_facts.hpp"

namespace sarrus {

struct BushingSpec {
  std::string name;
  Place where;
  std::string from = "world", to;
  FrameSpec on_from, on_to;
  Vec3 k{}, damping{};                  // [N/m], [N.s/m] along the axes of the frame on `from`
  Vec3 angular_k{}, angular_damping{};  // [N.m/rad], [N.m.s/rad]

  static constexpr ElementTable table{
      "bushing", "Springs in all six directions between two frames.",
      "Springs and dampers in all six directions between two frames, along the axes of the frame "
      "on `from`.",
      "\"mount\"", ElementMark::line};
  static std::vector<ElementKey<BushingSpec>> keys();
  void check(Diagnostics& physics, const std::string& path) const {
    if (from == to) physics.error("self-joint", where, path, "both ends are on '" + from + "'");
  }
  template <class F>
  void ends(F&& f) const {
    f("from", from, on_from.at), f("to", to, on_to.at);
  }
};

// clang-format off
inline std::vector<ElementKey<BushingSpec>> BushingSpec::keys() {
  namespace d = dimensions;
  using S = BushingSpec;
  return {
      {.name = "from", .member = &S::from, .fallback = "\"world\"", .help = "One body.", .example = "\"world\""},
      {.name = "to", .member = &S::to, .required = true, .help = "The other body.", .example = "\"engine\""},
      {.name = "on_from", .member = &S::on_from, .fallback = "the body's frame", .help = "The frame on `from`.", .example = "{ at = [0, 0, 1] }"},
      {.name = "on_to", .member = &S::on_to, .fallback = "the body's frame", .help = "The frame on `to`.", .example = "{ at = [0, 0, 0] }"},
      {.name = "k", .member = &S::k, .dimension = d::stiffness, .judged = Judged::stiffness, .fallback = "[0, 0, 0]", .help = "Stiffness along x, y, z.", .example = "[1e5, 1e5, 2e5]"},
      {.name = "damping", .member = &S::damping, .dimension = d::damping, .judged = Judged::not_negative, .fallback = "[0, 0, 0]", .help = "Damping along x, y, z.", .example = "[10, 10, 20]"},
      {.name = "angular_k", .member = &S::angular_k, .dimension = d::angular_stiffness, .judged = Judged::stiffness, .fallback = "[0, 0, 0]", .help = "Stiffness about x, y, z.", .example = "[100, 100, 100]"},
      {.name = "angular_damping", .member = &S::angular_damping, .dimension = d::angular_damping, .judged = Judged::not_negative, .fallback = "[0, 0, 0]", .help = "Damping about x, y, z.", .example = "[1, 1, 1]"},
  };
}
// clang-format on

template <class T>
struct Bushing {
  using Spec = BushingSpec;
  static constexpr ForceFacts facts{
      .word = "bushing", .damping = "the damping", .follows_positions = true};
  int a = 0, b = 0;
  Pose<T> X_a, X_b;
  Vector3<T> k, damping, angular_k, angular_damping;

  template <class U>
  Bushing<U> as() const {
    return {a,
            b,
            cast<U>(X_a),
            cast<U>(X_b),
            cast<U>(k),
            cast<U>(damping),
            cast<U>(angular_k),
            cast<U>(angular_damping)};
  }

  template <class F>
  void each_number(F&& f) {
    visit_numbers(X_a, f), visit_numbers(X_b, f), visit_numbers(k, f), visit_numbers(damping, f);
    visit_numbers(angular_k, f), visit_numbers(angular_damping, f);
  }

  template <class Bodies>
  static Bushing made_of(const Spec& s, Bodies& bodies) {
    const auto from = bodies.mount(s.from, s.on_from), to = bodies.mount(s.to, s.on_to);
    return {from.body, to.body, from.X, to.X, s.k, s.damping, s.angular_k, s.angular_damping};
  }

  bool dissipates() const { return largest(damping) > 0 || largest(angular_damping) > 0; }
  void vary(Random& r) {
    randomise(r, k), randomise(r, damping);
    randomise(r, angular_k), randomise(r, angular_damping);
  }
  template <class F>
  void resistances(F&& f) const {
    f(Resistance{.along = Resistance::Along::points,
                 .k = largest(k),
                 .damping = largest(damping),
                 .a = a,
                 .b = b,
                 .at_a = X_a.p,
                 .at_b = X_b.p});
    f(Resistance{.along = Resistance::Along::turn,
                 .k = largest(angular_k),
                 .damping = largest(angular_damping),
                 .a = a,
                 .b = b});
  }
  template <class F>
  void inputs(F&&) const {}

  /// d, and what acts on b, all in the axes of A.
  static constexpr ElementQuantity quantities[] = {{"x", "m"},    {"y", "m"},    {"z", "m"},
                                                   {"fx", "N"},   {"fy", "N"},   {"fz", "N"},
                                                   {"nx", "N.m"}, {"ny", "N.m"}, {"nz", "N.m"}};
  T read(const ForceContext<T>& c, int quantity) const;
  void apply(ForceContext<T>& c) const;

 private:
  /// Displacements, their rates, and the parts of the force that springs give, in the axes of A.
  struct Strain {
    Matrix3<T> R_A;
    PointMotion<T> PA, PB;
    Vector3<T> apart, d, d_dot, xi, w, elastic, twisting;
  };
  SARRUS_INLINE Strain strain_of(const ForceContext<T>& c) const;
  static SARRUS_INLINE Vector3<T> times(const Vector3<T>& x, const Vector3<T>& y) {
    return {x.x * y.x, x.y * y.y, x.z * y.z};
  }
};

/// The rotation vector of R, |ξ| < π, without a branch: from the quaternion's vector part.
template <class T>
inline Vector3<T> rotation_log(const Matrix3<T>& R) {
  // sin θ a = ½ vee(R − Rᵀ), cos θ = (tr R − 1)/2; near θ = 0 the series of θ/sin θ
  const Vector3<T> s = Vector3<T>{R.y.z - R.z.y, R.z.x - R.x.z, R.x.y - R.y.x} * T(0.5);
  const T s2 = dot(s, s);
  const T cosine = (trace(R) - T(1.0)) * T(0.5);
  const auto small = less(s2, T(1e-6));
  const auto near_identity = less(T(0.0), cosine);
  const T sine = sqrt(maximum(s2, T(1e-30)));
  const T series = T(1.0) + s2 * (T(1.0 / 6) + s2 * (T(3.0 / 40) + s2 * T(15.0 / 336)));
  const T far = atan2(sine, cosine) / sine;
  return s * select(small, select(near_identity, series, far), far);
}

template <class T>
auto Bushing<T>::strain_of(const ForceContext<T>& c) const -> Strain {
  const BodyMotion<T>&A = c.body[a], &B = c.body[b];
  Strain s;
  s.R_A = A.R * X_a.R;
  s.PA = point_motion(A, X_a.p), s.PB = point_motion(B, X_b.p);
  s.apart = s.PB.position - s.PA.position;
  s.d = transposed_times(s.R_A, s.apart);
  s.d_dot = transposed_times(s.R_A, s.PB.velocity - s.PA.velocity - cross(A.V.w, s.apart));
  s.xi = rotation_log(transpose(s.R_A) * (B.R * X_b.R));
  s.w = transposed_times(s.R_A, B.V.w - A.V.w);
  // ξ̇ = J_l⁻¹(ξ) w with w in A, so M·w = −(K_r ξ)·ξ̇ gives M = −J_l⁻ᵀ K_r ξ = −J_r⁻¹ K_r ξ
  s.elastic = times(k, s.d);
  s.twisting = rotation_vector_rate(s.xi, times(angular_k, s.xi));
  return s;
}

template <class T>
T Bushing<T>::read(const ForceContext<T>& c, int quantity) const {
  const Strain s = strain_of(c);
  if (quantity < 3) return s.d[quantity];
  if (quantity < 6) return -(s.elastic + times(damping, s.d_dot))[quantity - 3];
  return -(s.twisting + times(angular_damping, s.w))[quantity - 6];
}

template <class T>
void Bushing<T>::apply(ForceContext<T>& c) const {
  const Strain s = strain_of(c);
  const Vector3<T> F = s.R_A * (s.elastic + times(damping, s.d_dot));
  const Vector3<T> M = s.R_A * (s.twisting + times(angular_damping, s.w));
  push(c.wrench[b], s.PB.lever, -F);
  push(c.wrench[a], s.PA.lever + s.apart, F);
  c.wrench[b].n -= M;
  c.wrench[a].n += M;
  c.flow->potential += T(0.5) * (dot(s.d, s.elastic) + dot(s.xi, times(angular_k, s.xi)));
  c.flow->dissipated +=
      dot(s.d_dot, times(damping, s.d_dot)) + dot(s.w, times(angular_damping, s.w));
}

}  // namespace sarrus
