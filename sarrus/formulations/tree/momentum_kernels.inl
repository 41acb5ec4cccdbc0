// Hamilton's side of the recursion: velocities from momenta, and the rates of momenta.
//
// p = Sᵀ h, with h the momentum of a body and all it carries, at the body's origin. The balance ḣ =
// f projected on the moving joint directions gives, for every joint and for quasi-velocities as
// well,
//
//   ṗ = (Ṡ + V × S)ᵀ h + Sᵀ f + τ                                                    (1)
//
// whose first term is ∂T/∂q at constant q̇ where u = q̇. Velocities follow by the same elimination as
// accelerations, with momenta in the place of forces and no bias:
//
//   inward    U = IA S,   D = Sᵀ U = L d Lᵀ,   w = p − Sᵀ η                          (2)
//             IA_P += Xᵀ (IA − U D⁻¹ Uᵀ) X,    η_P += Xᵀ (η + U D⁻¹ w)               (3)
//   outward   V' = X V_P,   u = D⁻¹ (w − Uᵀ V'),   V = V' + S u,   h = IA V + η      (4)
//
// A prescribed joint has no unknown: η_P += Xᵀ (η + IA S u). η is kept in the place of p.
//
// Included by tree_kernels.inl.

namespace sarrus {
namespace {

template <class J, class T>
SARRUS_INLINE void momenta_inward(const TreeView<T>& v, int i, const T* p) {
  if constexpr (is_elastic<J>) return coordinate_momenta_inward(v, i, p);
  if constexpr (is_seat<J>) return seat_momenta_inward(v, i);
  const int P = v.parent[i];
  const bool held = J::nu == 0 || v.prescribed[i];
  if (!held) factor_joint<J>(v, i, p);  // (2)
  if (P == 0) return;
  ArticulatedInertia<T> Ia = v.IA[i];
  Wrench<T> eta = v.p[i];
  if (!held) {
    const Pivot<T>* f = v.pivot + v.u0[i];
    const T* w = v.w + v.u0[i];
    for (int k = 0; k < J::nu; ++k) subtract_outer(Ia, f[k].U, f[k].inverse);  // (3)
    for (int k = 0; k < J::nu; ++k) eta += f[k].U * (w[k] * f[k].inverse);
  } else {
    for (int k = 0; k < J::nu; ++k) eta += (v.IA[i] * v.S[v.u0[i] + k]) * v.u[v.u0[i] + k];
  }
  add_shifted(Ia, v.arm[i].r, v.IA[P]);
  v.p[P] += shifted_in(eta, v.arm[i].r);
}

template <class J, class T>
SARRUS_INLINE void velocities_outward(const TreeView<T>& v, int i, T* u_out, T* dT) {
  if constexpr (is_elastic<J>) return coordinate_velocities(v, i, u_out, dT);
  if constexpr (is_seat<J>) return seat_velocities(v, i, u_out, dT);
  BodyMotion<T>& B = v.motion[i];
  const BodyMotion<T>& P = v.motion[v.parent[i]];
  const Twist<T>* S = v.S + v.u0[i];
  T* u = u_out + v.u0[i];
  B.V = shifted_out(P.V, v.arm[i].r);
  if (v.prescribed[i]) [[unlikely]]
    for (int k = 0; k < J::nu; ++k) u[k] = v.u[v.u0[i] + k];
  else
    joint_acceleration<J>(v, i, B.V, u);  // (4)
  for (int k = 0; k < J::nu; ++k) add_column<J>(B.V, S[k], u[k]);

  const Wrench<T> h = v.IA[i] * B.V + v.p[i];
  for (int k = 0; k < J::nu; ++k) {  // (1)
    if constexpr (turns<J>)
      dT[v.u0[i] + k] = dot(cross(B.V.w, S[k].w), h.n) + dot(cross(B.V.v, S[k].w), h.f);
    else
      dT[v.u0[i] + k] = dot(cross_motion(B.V, S[k]), h);
  }
  if constexpr (BiasedJoint<J>) {
    Twist<T> rates[J::nu];
    J::column_rates(v.number[i].joint, P.R * v.number[i].X_PF.R, B.R, u, rates);
    for (int k = 0; k < J::nu; ++k) dT[v.u0[i] + k] += dot(rates[k], h);
  }
}

template <class T>
void velocities(const TreeView<T>& v, const T* p, T* u_out, T* dT) {
  sines_and_cosines(v);
  start_at_world(v);
  for (int i = 1; i < v.nb; ++i)
    with_joint(v.kind[i], [&](auto joint) {
      using J = decltype(joint);
      place_body<J>(v, i);
      if constexpr (is_elastic<J>) {
        weigh_nothing(v, i);
        if (!is_last_coordinate(v, i)) return;
        start_elastic(v, i), clear_elastic_forces(v, i);
        v.IA[i] = as_articulated(v.flex[v.part[i]].own);
        return;
      }
      v.IA[i] = as_articulated(in_world_axes(v.number[i].inertia, v.motion[i].R));
      v.p[i] = {zero3<T>(), zero3<T>()};
    });
  for (int i = v.nb - 1; i > 0; --i)
    with_joint(v.kind[i], [&](auto joint) { momenta_inward<decltype(joint)>(v, i, p); });
  for (int i = 1; i < v.nb; ++i)
    with_joint(v.kind[i],
               [&](auto joint) { velocities_outward<decltype(joint)>(v, i, u_out, dT); });
}

template <class T>
void momentum_rates(const TreeView<T>& v, const T* dT, T* pdot) {
  for (int i = 1; i < v.nb; ++i) {
    const BodyInertia<T>& I = v.number[i].inertia;
    v.p[i] = {cross(v.motion[i].R * I.mc, v.gravity), v.gravity * I.m};
    if (v.kind[i] == JointKind::elastic && is_last_coordinate(v, i)) {
      const BodyInertia<T>& own = v.flex[v.part[i]].own;
      v.p[i] = {cross(own.mc, v.gravity), v.gravity * own.m};
      clear_elastic_forces(v, i);
    }
    if (v.wrench) v.p[i] += v.wrench[i];
  }
  for (int i = v.nb - 1; i > 0; --i) {
    if (v.kind[i] == JointKind::elastic) {
      coordinate_momentum_rates(v, i, dT, pdot);
      continue;
    }
    if (v.kind[i] == JointKind::seat) {
      solve_seat_inward(v, i);
      continue;
    }
    for (int u = v.u0[i]; u < v.u0[i + 1]; ++u) pdot[u] = dT[u] + dot(v.S[u], v.p[i]) + v.tau[u];
    if (v.parent[i] > 0) v.p[v.parent[i]] += shifted_in(v.p[i], v.arm[i].r);
  }
}

}  // namespace
}  // namespace sarrus
