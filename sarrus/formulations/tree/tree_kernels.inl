// The Projection Equation by recursion over the tree, in world axes at the bodies' own origins.
//
// For every body, Fᵀ (I a + V ×* I V − f) summed over bodies vanishes for every admissible motion
// (Bremer). With the kinematic chain V = X V_P + S u the sum is eliminated from the tips to the
// base:
//
//   outward   V = X V_P + S u,    c = Ṡ u + V × S u                                  (1)
//             IA = I,             p = V ×* I V − f                                   (2)
//   inward    U = IA S,           D = Sᵀ U = L d Lᵀ,     w = τ − Sᵀ p                (3)
//             Ia = IA − U D⁻¹ Uᵀ, pa = p + Ia c + U D⁻¹ w                            (4)
//             IA_P += Xᵀ Ia X,    p_P += Xᵀ pa                                       (5)
//   outward   a' = X a_P + c,     u̇ = D⁻¹ (w − Uᵀ a'),   a = a' + S u̇              (6)
//
// World axes at moving origins make X a mere shift by r: nothing is rotated on the way, only each
// body's own inertia once. Gravity enters as an upward acceleration of the world.
// A prescribed joint has no unknown: c gains S u̇, and Ia = IA, pa = p + IA c.
//
// Included by one file per instruction set; everything here has internal linkage.

namespace sarrus {
namespace {

template <class J>
inline constexpr bool turns = std::is_same_v<J, Revolute>;
template <class J>
inline constexpr bool slides = std::is_same_v<J, Prismatic>;

// ── small parts ─────────────────────────────────────────────────────────────────────────────────

/// I + r-shift of a 6 × 6 inertia to the point r further in: Xᵀ Ia X, added to `out`.
template <class T>
SARRUS_INLINE void add_shifted(const ArticulatedInertia<T>& A, const Vector3<T>& r,
                               ArticulatedInertia<T>& out) {
  // H' = H + [r]× M,  I' = I + [r]× Hᵀ + H' [r]×ᵀ
  const Matrix3<T> M = A.M.full();
  const Matrix3<T> H = {A.H.x + cross(r, M.x), A.H.y + cross(r, M.y), A.H.z + cross(r, M.z)};
  // rows of H and H': ([r]× Hᵀ)ᵢⱼ = (r × hⱼ)ᵢ,  (H' [r]×ᵀ)ᵢⱼ = (r × h'ᵢ)ⱼ
  const Vector3<T> h1{A.H.x.x, A.H.y.x, A.H.z.x}, h2{A.H.x.y, A.H.y.y, A.H.z.y},
      h3{A.H.x.z, A.H.y.z, A.H.z.z};
  const Vector3<T> g1{H.x.x, H.y.x, H.z.x}, g2{H.x.y, H.y.y, H.z.y}, g3{H.x.z, H.y.z, H.z.z};
  const auto cx = [&](const Vector3<T>& b) { return r.y * b.z - r.z * b.y; };
  const auto cy = [&](const Vector3<T>& b) { return r.z * b.x - r.x * b.z; };
  const auto cz = [&](const Vector3<T>& b) { return r.x * b.y - r.y * b.x; };
  out.I.xx += A.I.xx + cx(h1) + cx(g1);
  out.I.yy += A.I.yy + cy(h2) + cy(g2);
  out.I.zz += A.I.zz + cz(h3) + cz(g3);
  out.I.xy += A.I.xy + cx(h2) + cy(g1);
  out.I.xz += A.I.xz + cx(h3) + cz(g1);
  out.I.yz += A.I.yz + cy(h3) + cz(g2);
  out.H.x += H.x, out.H.y += H.y, out.H.z += H.z;
  out.M += A.M;
}

/// A − U Uᵀ s
template <class T>
SARRUS_INLINE void subtract_outer(ArticulatedInertia<T>& A, const Wrench<T>& U, const T& s) {
  const Vector3<T> a = U.n * s, b = U.f * s;
  A.I.xx -= a.x * U.n.x, A.I.yy -= a.y * U.n.y, A.I.zz -= a.z * U.n.z;
  A.I.xy -= a.x * U.n.y, A.I.xz -= a.x * U.n.z, A.I.yz -= a.y * U.n.z;
  A.H.x -= U.n * b.x, A.H.y -= U.n * b.y, A.H.z -= U.n * b.z;
  A.M.xx -= b.x * U.f.x, A.M.yy -= b.y * U.f.y, A.M.zz -= b.z * U.f.z;
  A.M.xy -= b.x * U.f.y, A.M.xz -= b.x * U.f.z, A.M.yz -= b.y * U.f.z;
}

template <class T>
SARRUS_INLINE BodyInertia<T> in_world_axes(const BodyInertia<T>& B, const Matrix3<T>& R) {
  return {B.m, R * B.mc, rotated(R, B.I)};
}

template <class T>
SARRUS_INLINE ArticulatedInertia<T> as_articulated(const BodyInertia<T>& B) {
  const T zero(0.0);
  return {B.I, skew(B.mc), {B.m, B.m, B.m, zero, zero, zero}};
}

/// Sᵀ F for one column, using that half of it is zero where the joint is a plain hinge or slide.
template <class J, class T>
SARRUS_INLINE T along(const Twist<T>& S, const Wrench<T>& F) {
  if constexpr (turns<J>)
    return dot(S.w, F.n);
  else if constexpr (slides<J>)
    return dot(S.v, F.f);
  else
    return dot(S, F);
}

/// IA S for one column.
template <class J, class T>
SARRUS_INLINE Wrench<T> times_column(const ArticulatedInertia<T>& A, const Twist<T>& S) {
  if constexpr (turns<J>)
    return {A.I * S.w, transposed_times(A.H, S.w)};
  else if constexpr (slides<J>)
    return {A.H * S.v, A.M * S.v};
  else
    return A * S;
}

/// a += S x for one column.
template <class J, class T>
SARRUS_INLINE void add_column(Twist<T>& a, const Twist<T>& S, const T& x) {
  if constexpr (!slides<J>) a.w += S.w * x;
  if constexpr (!turns<J>) a.v += S.v * x;
}

}  // namespace
}  // namespace sarrus

#include "sarrus/formulations/tree/elastic_kernels.inl"

namespace sarrus {
namespace {

// ── outward: kinematics (1) ─────────────────────────────────────────────────────────────────────

template <class T>
SARRUS_INLINE void sines_and_cosines(const TreeView<T>& v) {
  for (int i = 0; i < v.nq; ++i) {
    const SinCos<T> a = sincos(v.q[i]);
    v.sin[i] = a.sin;
    v.cos[i] = a.cos;
  }
}

/// Four at a time; the arrays are padded to a multiple of four.
SARRUS_INLINE void sines_and_cosines(const TreeView<double>& v) {
  for (int i = 0; i < v.nq; i += 4) {
    Pack<4> x(0.0);
    __builtin_memcpy(&x.v, v.q + i, sizeof x.v);
    const SinCos<Pack<4>> a = sincos(x);
    __builtin_memcpy(v.sin + i, &a.sin.v, sizeof x.v);
    __builtin_memcpy(v.cos + i, &a.cos.v, sizeof x.v);
  }
}

template <class J, class T>
SARRUS_INLINE void move_body(const TreeView<T>& v, int i) {
  if constexpr (is_elastic<J>) return place_coordinate(v, i);
  if constexpr (is_seat<J>) return move_seat(v, i);
  const BodyNumbers<T>& number = v.number[i];
  const BodyMotion<T>& P = v.motion[v.parent[i]];
  BodyMotion<T>& B = v.motion[i];
  Arm<T>& arm = v.arm[i];
  const T* q = v.q + v.q0[i];
  const T* u = v.u + v.u0[i];

  // place
  const Matrix3<T> R_F = P.R * number.X_PF.R;
  Vector3<T> d;
  J::place(number.joint, q, Angles<T>{v.sin + v.q0[i], v.cos + v.q0[i]}, R_F, B.R, d);
  arm.r = P.R * number.X_PF.p;
  if constexpr (!turns<J> && J::nu > 0) arm.r += d;
  B.o = P.o + arm.r;

  // motion
  Twist<T> S[J::nu > 0 ? J::nu : 1];
  J::columns(number.joint, q, R_F, B.R, S);
  B.V = shifted_out(P.V, arm.r);
  if constexpr (turns<J>) {
    const Vector3<T> spin = S[0].w * u[0];
    arm.c = {cross(B.V.w, spin), cross(B.V.v, spin)};
    B.V.w += spin;
  } else if constexpr (slides<J>) {
    const Vector3<T> slip = S[0].v * u[0];
    arm.c = {zero3<T>(), cross(B.V.w, slip)};
    B.V.v += slip;
  } else if constexpr (J::nu > 0) {
    Twist<T> own = S[0] * u[0];
    for (int k = 1; k < J::nu; ++k) own += S[k] * u[k];
    B.V += own;
    arm.c = cross_motion(B.V, own);
    if constexpr (BiasedJoint<J>) {
      Twist<T> rates[J::nu];
      J::column_rates(number.joint, R_F, B.R, u, rates);
      for (int k = 0; k < J::nu; ++k) arm.c += rates[k] * u[k];
    }
  } else {
    arm.c = {zero3<T>(), zero3<T>()};
  }
  for (int k = 0; k < J::nu; ++k) v.S[v.u0[i] + k] = S[k];
}

template <class T>
SARRUS_INLINE void start_at_world(const TreeView<T>& v) {
  v.motion[0] = {Matrix3<T>::identity(), zero3<T>(), {zero3<T>(), zero3<T>()}};
}

/// A body without mass of its own.
template <class T>
SARRUS_INLINE void weigh_nothing(const TreeView<T>& v, int i) {
  const T zero(0.0);
  v.IA[i] = as_articulated(BodyInertia<T>{zero, zero3<T>(), {zero, zero, zero, zero, zero, zero}});
  v.p[i] = {zero3<T>(), zero3<T>()};
}

/// (2) without external forces: inertia and bias of a body by itself.
template <class J, class T>
SARRUS_INLINE void weigh_body(const TreeView<T>& v, int i) {
  if constexpr (is_elastic<J> || is_seat<J>) {
    weigh_nothing(v, i);
    if (!is_elastic<J> || !is_last_coordinate(v, i)) return;
    start_elastic(v, i);
    v.IA[i] = as_articulated(v.flex[v.part[i]].own);
    v.p[i] = elastic_bias_at(v, i);
    return;
  }
  const BodyMotion<T>& B = v.motion[i];
  const BodyInertia<T> I = in_world_axes(v.number[i].inertia, B.R);
  v.IA[i] = as_articulated(I);
  v.p[i] = cross_force(B.V, I * B.V);
}

template <class T>
void weigh(const TreeView<T>& v) {
  for (int i = 1; i < v.nb; ++i)
    with_joint(v.kind[i], [&](auto joint) { weigh_body<decltype(joint)>(v, i); });
}

template <class T>
void kinematics(const TreeView<T>& v) {
  sines_and_cosines(v);
  start_at_world(v);
  for (int i = 1; i < v.nb; ++i)
    with_joint(v.kind[i], [&](auto joint) {
      move_body<decltype(joint)>(v, i);
      weigh_body<decltype(joint)>(v, i);
    });
}

// ── inward: elimination (3)–(5) ─────────────────────────────────────────────────────────────────

/// D = Sᵀ IA S + armature → L, 1/d; U → IA S L⁻ᵀ; w → L⁻¹ (b − Sᵀ p).
template <class J, class T>
SARRUS_INLINE void factor_joint(const TreeView<T>& v, int i, const T* b) {
  constexpr int n = J::nu;
  const Twist<T>* S = v.S + v.u0[i];
  Pivot<T>* f = v.pivot + v.u0[i];
  T* w = v.w + v.u0[i];
  for (int k = 0; k < n; ++k) {
    f[k].U = times_column<J>(v.IA[i], S[k]);
    w[k] = b[v.u0[i] + k] - along<J>(S[k], v.p[i]);
  }
  if constexpr (n == 1) {
    f[0].inverse = T(1.0) / (along<J>(S[0], f[0].U) + v.armature[v.u0[i]]);
  } else {
    // column by column: D of the columns that remain, in the basis that is already eliminated
    T* L = v.lower + v.l0[i];
    T D[n][n];
    for (int k = 0; k < n; ++k)
      for (int m = 0; m <= k; ++m) D[k][m] = dot(S[m], f[k].U);
    for (int k = 0; k < n; ++k) D[k][k] += v.armature[v.u0[i] + k];
    for (int m = 0; m < n; ++m) {
      f[m].inverse = T(1.0) / D[m][m];
      for (int k = m + 1; k < n; ++k) {
        const T l = D[k][m] * f[m].inverse;
        L[k * (k - 1) / 2 + m] = l;
        for (int j = m + 1; j <= k; ++j) D[k][j] -= l * D[j][m];
        f[k].U -= f[m].U * l;
        w[k] -= w[m] * l;
      }
    }
  }
}

/// c, and S u̇ of a prescribed joint.
template <class J, class T>
SARRUS_INLINE Twist<T> given_bias(const TreeView<T>& v, int i) {
  Twist<T> c = v.arm[i].c;
  if (v.prescribed[i]) [[unlikely]]
    for (int k = 0; k < J::nu; ++k) c += v.S[v.u0[i] + k] * v.udot_given[v.u0[i] + k];
  return c;
}

template <class J, class T>
SARRUS_INLINE void eliminate_body(const TreeView<T>& v, int i) {
  const int P = v.parent[i];
  if (v.wrench) v.p[i] -= v.wrench[i];
  if constexpr (is_elastic<J>) return pass_coordinate(v, i);
  if constexpr (is_seat<J>) return pass_seat(v, i);
  const bool held = J::nu == 0 || v.prescribed[i];
  if (!held) factor_joint<J>(v, i, v.tau);
  if (P == 0) return;

  ArticulatedInertia<T> Ia = v.IA[i];
  Wrench<T> pa = v.p[i];
  if (!held) {
    const Pivot<T>* f = v.pivot + v.u0[i];
    const T* w = v.w + v.u0[i];
    for (int k = 0; k < J::nu; ++k) subtract_outer(Ia, f[k].U, f[k].inverse);  // (4)
    for (int k = 0; k < J::nu; ++k) pa += f[k].U * (w[k] * f[k].inverse);
  }
  pa += Ia * given_bias<J>(v, i);
  add_shifted(Ia, v.arm[i].r, v.IA[P]);  // (5)
  v.p[P] += shifted_in(pa, v.arm[i].r);
}

// ── outward: accelerations (6) ──────────────────────────────────────────────────────────────────

/// u̇ of one joint from a' and the factors; L⁻ᵀ is applied by back substitution.
template <class J, class T>
SARRUS_INLINE void joint_acceleration(const TreeView<T>& v, int i, const Twist<T>& a, T* udot) {
  constexpr int n = J::nu;
  const Pivot<T>* f = v.pivot + v.u0[i];
  const T* w = v.w + v.u0[i];
  for (int k = 0; k < n; ++k) udot[k] = f[k].inverse * (w[k] - dot(a, f[k].U));
  if constexpr (n > 1) {
    const T* L = v.lower + v.l0[i];
    for (int m = n - 2; m >= 0; --m)
      for (int k = m + 1; k < n; ++k) udot[m] -= L[k * (k - 1) / 2 + m] * udot[k];
  }
}

template <class J, class T>
SARRUS_INLINE void accelerate_body(const TreeView<T>& v, int i) {
  if constexpr (is_elastic<J>) return accelerate_coordinate(v, i);
  if constexpr (is_seat<J>) return accelerate_seat(v, i);
  Twist<T> a = shifted_out(v.A[v.parent[i]], v.arm[i].r) + given_bias<J>(v, i);
  T* udot = v.udot + v.u0[i];
  if (v.prescribed[i]) [[unlikely]] {
    for (int k = 0; k < J::nu; ++k) udot[k] = v.udot_given[v.u0[i] + k];
  } else {
    joint_acceleration<J>(v, i, a, udot);
    for (int k = 0; k < J::nu; ++k) add_column<J>(a, v.S[v.u0[i] + k], udot[k]);
  }
  v.A[i] = a;
}

template <class T>
void forward_dynamics(const TreeView<T>& v) {
  for (int i = v.nb - 1; i > 0; --i)
    with_joint(v.kind[i], [&](auto joint) { eliminate_body<decltype(joint)>(v, i); });
  v.A[0] = {zero3<T>(), -v.gravity};
  for (int i = 1; i < v.nb; ++i)
    with_joint(v.kind[i], [&](auto joint) { accelerate_body<decltype(joint)>(v, i); });
}

// ── M⁻¹ b with the factors at hand: (3), (4), (6) with p = b only and no bias ───────────────────

template <class J, class T>
SARRUS_INLINE void solve_inward(const TreeView<T>& v, int i, const T* b) {
  if constexpr (is_elastic<J>) return solve_coordinate_inward(v, i, b);
  if constexpr (is_seat<J>) return solve_seat_inward(v, i);
  constexpr int n = J::nu;
  Wrench<T> pa = v.p[i];
  if (n > 0 && !v.prescribed[i]) {
    const Pivot<T>* f = v.pivot + v.u0[i];
    T* w = v.w + v.u0[i];
    for (int k = 0; k < n; ++k) w[k] = b[v.u0[i] + k] - along<J>(v.S[v.u0[i] + k], pa);
    if constexpr (n > 1) {
      const T* L = v.lower + v.l0[i];
      for (int k = 1; k < n; ++k)
        for (int m = 0; m < k; ++m) w[k] -= L[k * (k - 1) / 2 + m] * w[m];
    }
    for (int k = 0; k < n; ++k) pa += f[k].U * (w[k] * f[k].inverse);
  }
  v.p[v.parent[i]] += shifted_in(pa, v.arm[i].r);
}

template <class J, class T>
SARRUS_INLINE void solve_outward(const TreeView<T>& v, int i, T* x) {
  if constexpr (is_elastic<J>) return solve_coordinate_outward(v, i, x);
  if constexpr (is_seat<J>) return solve_seat_outward(v, i, x);
  Twist<T> a = shifted_out(v.A[v.parent[i]], v.arm[i].r);
  T* own = x + v.u0[i];
  if (v.prescribed[i]) {
    for (int k = 0; k < J::nu; ++k) own[k] = T(0.0);
  } else {
    joint_acceleration<J>(v, i, a, own);
    for (int k = 0; k < J::nu; ++k) add_column<J>(a, v.S[v.u0[i] + k], own[k]);
  }
  v.A[i] = a;
}

template <class T>
void solve(const TreeView<T>& v, const T* b, T* x) {
  for (int i = 0; i < v.nb; ++i) v.p[i] = {zero3<T>(), zero3<T>()};
  each_flex(v, [&](int i) { clear_elastic_forces(v, i); });
  v.A[0] = {zero3<T>(), zero3<T>()};
  for (int i = v.nb - 1; i > 0; --i)
    with_joint(v.kind[i], [&](auto joint) { solve_inward<decltype(joint)>(v, i, b); });
  for (int i = 1; i < v.nb; ++i)
    with_joint(v.kind[i], [&](auto joint) { solve_outward<decltype(joint)>(v, i, x); });
}

// ── inverse dynamics: τ = Sᵀ Σ (I a + V ×* I V − f) ─────────────────────────────────────────────

/// The wrench that this motion of a body requires, about its origin, from the classical
/// acceleration a_o of that point:
///   n = I α + ω × I ω + mc × a_o,    f = m a_o + α × mc + ω × (ω × mc)
/// The inertia stays in body axes; three vectors are turned instead.
template <class T>
SARRUS_INLINE Wrench<T> needed_wrench(const BodyInertia<T>& I, const BodyMotion<T>& B,
                                      const Twist<T>& a) {
  const Vector3<T> a_o = a.v + cross(B.V.w, B.V.v), mc = B.R * I.mc;
  const Vector3<T> w = transposed_times(B.R, B.V.w), alpha = transposed_times(B.R, a.w);
  const Vector3<T> n = I.I * alpha + cross(w, I.I * w);
  return {B.R * n + cross(mc, a_o), a_o * I.m + cross(a.w, mc) + cross(B.V.w, cross(B.V.w, mc))};
}

template <class J, class T>
SARRUS_INLINE void inverse_outward(const TreeView<T>& v, int i) {
  if constexpr (is_elastic<J>) return inverse_coordinate_outward(v, i);
  if constexpr (is_seat<J>) return inverse_seat_outward(v, i);
  Twist<T> a = shifted_out(v.A[v.parent[i]], v.arm[i].r) + v.arm[i].c;
  for (int k = 0; k < J::nu; ++k) add_column<J>(a, v.S[v.u0[i] + k], v.udot_given[v.u0[i] + k]);
  v.A[i] = a;
  v.p[i] = needed_wrench(v.number[i].inertia, v.motion[i], a);
  if (v.wrench) v.p[i] -= v.wrench[i];
}

template <class J, class T>
SARRUS_INLINE void inverse_inward(const TreeView<T>& v, int i, T* tau_out) {
  if constexpr (is_elastic<J>) return inverse_coordinate_inward(v, i, tau_out);
  if constexpr (is_seat<J>) return solve_seat_inward(v, i);
  for (int k = 0; k < J::nu; ++k) {
    const int u = v.u0[i] + k;
    tau_out[u] = along<J>(v.S[u], v.p[i]) + v.armature[u] * v.udot_given[u];
  }
  if (v.parent[i] > 0) v.p[v.parent[i]] += shifted_in(v.p[i], v.arm[i].r);
}

template <class T>
void inverse_dynamics(const TreeView<T>& v, T* tau_out) {
  v.A[0] = {zero3<T>(), -v.gravity};
  for (int i = 1; i < v.nb; ++i)
    with_joint(v.kind[i], [&](auto joint) { inverse_outward<decltype(joint)>(v, i); });
  for (int i = v.nb - 1; i > 0; --i)
    with_joint(v.kind[i], [&](auto joint) { inverse_inward<decltype(joint)>(v, i, tau_out); });
}

/// The same from q and u, in one way out instead of two.
template <class T>
void inverse_dynamics_at(const TreeView<T>& v, T* tau_out) {
  sines_and_cosines(v);
  start_at_world(v);
  v.A[0] = {zero3<T>(), -v.gravity};
  for (int i = 1; i < v.nb; ++i)
    with_joint(v.kind[i], [&](auto joint) {
      move_body<decltype(joint)>(v, i);
      inverse_outward<decltype(joint)>(v, i);
    });
  for (int i = v.nb - 1; i > 0; --i)
    with_joint(v.kind[i], [&](auto joint) { inverse_inward<decltype(joint)>(v, i, tau_out); });
}

// ── mass matrix by composite bodies ─────────────────────────────────────────────────────────────

/// The composite bodies' inertias are kept in IA: m in M.xx, mc in H.x, I in I.
template <class T>
SARRUS_INLINE void add_composite(const Vector3<T>& r, const ArticulatedInertia<T>& child,
                                 ArticulatedInertia<T>& parent) {
  const T m = child.M.xx;
  const Vector3<T>& mc = child.H.x;
  // I' = I + (2 r·mc + m r²) 1 − r mcᵀ − mc rᵀ − m r rᵀ
  const Vector3<T> e = mc + r * (T(0.5) * m);
  const Vector3<T> d = {r.x * e.x, r.y * e.y, r.z * e.z};
  Symmetric3<T>& I = parent.I;
  const Symmetric3<T>& C = child.I;
  I.xx += C.xx + T(2.0) * (d.y + d.z);
  I.yy += C.yy + T(2.0) * (d.x + d.z);
  I.zz += C.zz + T(2.0) * (d.x + d.y);
  I.xy += C.xy - (r.x * e.y + e.x * r.y);
  I.xz += C.xz - (r.x * e.z + e.x * r.z);
  I.yz += C.yz - (r.y * e.z + e.y * r.z);
  parent.H.x += mc + r * m;
  parent.M.xx += m;
}

/// The entries of one column at the ancestors of body i, from its wrench F there: the same wrench
/// at each ancestor's origin, straight from here, so that no entry waits for another.
template <class T>
SARRUS_INLINE void ancestor_rows(const TreeView<T>& v, int i, const Wrench<T>& F, int column,
                                 T* M) {
  for (int j = v.parent[i]; j > 0; j = v.parent[j]) {
    const Vector3<T> n = F.n + cross(v.motion[i].o - v.motion[j].o, F.f);
    if (v.kind[j] == JointKind::revolute) {
      const int row = v.u0[j];
      M[column * v.nu + row] = M[row * v.nu + column] = dot(v.motion[j].R.z, n);
      continue;
    }
    if (v.kind[j] == JointKind::elastic) continue;
    if (v.kind[j] == JointKind::seat) {
      seat_rows(v, j, Wrench<T>{n, F.f}, column, M);
      continue;
    }
    for (int row = v.u0[j]; row < v.u0[j + 1]; ++row)
      M[column * v.nu + row] = M[row * v.nu + column] = dot(v.S[row], Wrench<T>{n, F.f});
  }
}

template <class T>
SARRUS_INLINE void elastic_columns(const TreeView<T>& v, int i, T* M) {
  const Flex<T>& flex = v.flex[v.part[i]];
  for (int k = 0; k < flex.n; ++k) {
    const int column = flex.u0 + k;
    for (int l = 0; l <= k; ++l)
      M[column * v.nu + flex.u0 + l] = M[(flex.u0 + l) * v.nu + column] =
          v.D[v.d0[v.part[i]] + k * flex.n + l];
    M[column * v.nu + column] += v.armature[column];
    ancestor_rows(v, i, v.pivot[column].U, column, M);
  }
}

template <class J, class T>
SARRUS_INLINE void mass_columns(const TreeView<T>& v, int i, T* M) {
  if constexpr (is_seat<J>) return mass_at_seat(v, i);
  if constexpr (is_elastic<J>) {
    if (is_last_coordinate(v, i)) elastic_columns(v, i, M);
    return;
  }
  const BodyInertia<T> I{v.IA[i].M.xx, v.IA[i].H.x, v.IA[i].I};
  for (int k = 0; k < J::nu; ++k) {
    const int column = v.u0[i] + k;
    const Wrench<T> F = I * v.S[column];
    for (int m = 0; m <= k; ++m) {
      const T x = along<J>(v.S[v.u0[i] + m], F);
      M[column * v.nu + v.u0[i] + m] = M[(v.u0[i] + m) * v.nu + column] = x;
    }
    M[column * v.nu + column] += v.armature[column];
    ancestor_rows(v, i, F, column, M);
  }
}

/// Rotation, place and columns of a body: all that the mass matrix needs of its motion.
template <class J, class T>
SARRUS_INLINE void place_body(const TreeView<T>& v, int i) {
  if constexpr (is_elastic<J>) return place_coordinate(v, i);
  if constexpr (is_seat<J>) return place_seat(v, i);
  const BodyNumbers<T>& number = v.number[i];
  const BodyMotion<T>& P = v.motion[v.parent[i]];
  BodyMotion<T>& B = v.motion[i];
  Arm<T>& arm = v.arm[i];
  const T* q = v.q + v.q0[i];
  const Matrix3<T> R_F = P.R * number.X_PF.R;
  Vector3<T> d;
  J::place(number.joint, q, Angles<T>{v.sin + v.q0[i], v.cos + v.q0[i]}, R_F, B.R, d);
  arm.r = P.R * number.X_PF.p;
  if constexpr (!turns<J> && J::nu > 0) arm.r += d;
  B.o = P.o + arm.r;
  Twist<T> S[J::nu > 0 ? J::nu : 1];
  J::columns(number.joint, q, R_F, B.R, S);
  for (int k = 0; k < J::nu; ++k) v.S[v.u0[i] + k] = S[k];
}

/// Inertia of body i alone, in the place where those that it carries are added.
template <class T>
SARRUS_INLINE void start_composite(const TreeView<T>& v, int i) {
  const bool elastic = v.kind[i] == JointKind::elastic && is_last_coordinate(v, i);
  if (elastic) start_elastic(v, i), clear_elastic_forces(v, i);
  const BodyInertia<T> I =
      elastic ? v.flex[v.part[i]].own : in_world_axes(v.number[i].inertia, v.motion[i].R);
  v.IA[i].I = I.I;
  v.IA[i].H.x = I.mc;
  v.IA[i].M.xx = I.m;
}

template <class T>
SARRUS_INLINE void gather_columns(const TreeView<T>& v, T* M) {
  for (int i = v.nb - 1; i > 0; --i) {
    if (v.parent[i] > 0) add_composite(v.arm[i].r, v.IA[i], v.IA[v.parent[i]]);
    with_joint(v.kind[i], [&](auto joint) { mass_columns<decltype(joint)>(v, i, M); });
  }
}

template <class T>
void mass_matrix(const TreeView<T>& v, T* M) {
  for (int i = 0; i < v.nu * v.nu; ++i) M[i] = T(0.0);
  for (int i = 1; i < v.nb; ++i) start_composite(v, i);
  gather_columns(v, M);
}

/// The same from q, in one way out.
template <class T>
void mass_matrix_at(const TreeView<T>& v, T* M) {
  for (int i = 0; i < v.nu * v.nu; ++i) M[i] = T(0.0);
  sines_and_cosines(v);
  start_at_world(v);
  for (int i = 1; i < v.nb; ++i) {
    with_joint(v.kind[i], [&](auto joint) { place_body<decltype(joint)>(v, i); });
    start_composite(v, i);
  }
  gather_columns(v, M);
}

}  // namespace
}  // namespace sarrus

#include "sarrus/formulations/tree/momentum_kernels.inl"

namespace sarrus {
namespace {

template <class T>
constexpr TreeKernels<T> table = {
    kinematics<T>,          weigh<T>,       forward_dynamics<T>, solve<T>,      inverse_dynamics<T>,
    inverse_dynamics_at<T>, mass_matrix<T>, mass_matrix_at<T>,   velocities<T>, momentum_rates<T>,
    add_seat_rates<T>};

}  // namespace
}  // namespace sarrus
