// Elastic bodies in the recursion.
//
// An elastic body is a frame with n coordinates qₑ that move no frame, and seats that they move. In
// the equations of the tree, with Y the columns of a seat K and the children folded in from K,
//
//   outward   V_K = X V + Y u,    c_K = Ẏ u + …                                       (1)
//             of the body itself: [M_rr M_re; M_er M_ee], bias [p; h]
//   inward    M_rr += Xᵀ IA_K X,  M_re += Xᵀ IA_K Y,  M_ee += Yᵀ IA_K Y               (2)
//             p += Xᵀ (p_K + IA_K c_K),   h += Yᵀ (p_K + IA_K c_K)
//             U = M_re,  D = M_ee = L d Lᵀ,  w = τ − h                                (3)
//
// after which the elimination of a joint, (4)–(6) of tree_kernels.inl, holds as it is: S plays no
// part there. A rigid body is the case without coordinates. All n are eliminated at the last one.
//
// Included by tree_kernels.inl.

namespace sarrus {
namespace {

template <class J>
inline constexpr bool is_elastic = std::is_same_v<J, ElasticCoordinate>;
template <class J>
inline constexpr bool is_seat = std::is_same_v<J, ElasticSeat>;

template <class T>
SARRUS_INLINE bool is_last_coordinate(const TreeView<T>& v, int i) {
  return v.part[i] >= 0;
}

/// Calls f(i) for the last coordinate i of every elastic body.
template <class T, class F>
SARRUS_INLINE void each_flex(const TreeView<T>& v, F&& f) {
  for (int k = 0; k < v.flexes; ++k) f(v.flex[k].body);
}

/// Axes of the body → world.
template <class T>
void into_world(const Matrix3<T>& R, Flex<T>& flex) {
  flex.own = {flex.own.m, R * flex.own.mc, rotated(R, flex.own.I)};
  for (int k = 0; k < flex.n; ++k) {
    flex.own_coupling[k] = rotated(R, flex.own_coupling[k]);
    flex.coupling[k] = flex.own_coupling[k];
  }
  for (int k = 0; k < flex.n * flex.n; ++k) flex.elastic[k] = flex.own_elastic[k];
}

template <class T>
void weigh_elastic(const TreeView<T>& v, int i) {
  Flex<T>& flex = v.flex[v.part[i]];
  ElasticInertia<T> found{{}, flex.own_coupling, flex.own_elastic};
  elastic_inertia(*flex.numbers, v.q + flex.q0, found, flex.scratch);
  flex.own = found.rigid;
  into_world(v.motion[i].R, flex);
}

/// The bias of the body: a wrench in world axes, and h in flex.force.
template <class T>
Wrench<T> elastic_bias_at(const TreeView<T>& v, int i) {
  Flex<T>& flex = v.flex[v.part[i]];
  const BodyMotion<T>& B = v.motion[i];
  const Twist<T> V{transposed_times(B.R, B.V.w), transposed_times(B.R, B.V.v)};
  Wrench<T> p;
  elastic_bias(*flex.numbers, v.q + flex.q0, v.u + flex.u0, V, p, flex.force, flex.scratch);
  return rotated(B.R, p);
}

// ── outward ──

template <class T>
void place_coordinate(const TreeView<T>& v, int i) {
  v.motion[i] = v.motion[v.parent[i]];
  v.link[i].r = zero3<T>();
  v.link[i].c = {zero3<T>(), zero3<T>()};
  v.freedom[v.u0[i]].S = {zero3<T>(), zero3<T>()};
}

template <class T>
void place_seat(const TreeView<T>& v, int i) {
  const Seat<T>& seat = v.seat[v.part[i]];
  const Flex<T>& flex = v.flex[seat.flex];
  const BodyMotion<T>& P = v.motion[v.parent[i]];
  BodyMotion<T>& B = v.motion[i];
  Vector3<T> r;
  Matrix3<T> E;
  place_elastic(*seat.place, flex.n, v.q + flex.q0, r, E, seat.columns);
  for (int k = 0; k < flex.n; ++k) seat.columns[k] = rotated(P.R, seat.columns[k]);
  v.link[i].r = P.R * r;
  B.R = P.R * E;
  B.o = P.o + v.link[i].r;
}

/// Ẏ in world axes, the rates as seen in the body.
template <class T>
void rate_seat(const TreeView<T>& v, int i, const T* u) {
  const Seat<T>& seat = v.seat[v.part[i]];
  const Flex<T>& flex = v.flex[seat.flex];
  elastic_column_rates(*seat.place, flex.n, v.q + flex.q0, u + flex.u0, seat.rates);
  const Matrix3<T>& R = v.motion[v.parent[i]].R;
  for (int k = 0; k < flex.n; ++k) seat.rates[k] = rotated(R, seat.rates[k]);
}

/// V_K, and c_K from the derivative of (1) with spatial accelerations on both sides.
template <class T>
void move_seat(const TreeView<T>& v, int i) {
  place_seat(v, i);
  rate_seat(v, i, v.u);
  const Seat<T>& seat = v.seat[v.part[i]];
  const Flex<T>& flex = v.flex[seat.flex];
  const Twist<T>& P = v.motion[v.parent[i]].V;
  BodyMotion<T>& B = v.motion[i];
  const T* u = v.u + flex.u0;
  Twist<T> slip{zero3<T>(), zero3<T>()}, bent = slip;
  for (int k = 0; k < flex.n; ++k) slip += seat.columns[k] * u[k], bent += seat.rates[k] * u[k];
  B.V = shifted_out(P, v.link[i].r) + slip;
  v.link[i].c = {cross(P.w, slip.w) + bent.w, cross(P.w, slip.v) + bent.v - cross(slip.w, B.V.v)};
  if (v.prescribed[flex.body])
    for (int k = 0; k < flex.n; ++k) v.link[i].c += seat.columns[k] * v.udot_given[flex.u0 + k];
}

// ── inward ──

/// (2) for the parts with columns; the rest goes to the parent like that of any body.
template <class T>
void carry_on_seat(const TreeView<T>& v, int i, const ArticulatedInertia<T>& IA,
                   const Wrench<T>& p) {
  const Seat<T>& seat = v.seat[v.part[i]];
  Flex<T>& flex = v.flex[seat.flex];
  const Vector3<T>& r = v.link[i].r;
  for (int k = 0; k < flex.n; ++k) {
    const Wrench<T> F = IA * seat.columns[k];
    flex.coupling[k] += shifted_in(F, r);
    flex.force[k] += dot(seat.columns[k], p);
    for (int l = 0; l <= k; ++l) flex.elastic[k * flex.n + l] += dot(seat.columns[l], F);
  }
}

/// (3): L, 1/d, U → M_re L⁻ᵀ, w → L⁻¹ (b − h).
template <class T>
void factor_elastic(const TreeView<T>& v, int i, const T* b) {
  Flex<T>& flex = v.flex[v.part[i]];
  const int n = flex.n;
  Freedom<T>* f = v.freedom + flex.u0;
  T *L = v.lower + v.l0[i], *D = flex.elastic;
  for (int k = 0; k < n; ++k) {
    f[k].U = flex.coupling[k];
    f[k].w = b[flex.u0 + k] - flex.force[k];
    D[k * n + k] += v.armature[flex.u0 + k];
  }
  for (int m = 0; m < n; ++m) {
    f[m].inverse = T(1.0) / D[m * n + m];
    for (int k = m + 1; k < n; ++k) {
      const T l = D[k * n + m] * f[m].inverse;
      L[k * (k - 1) / 2 + m] = l;
      for (int j = m + 1; j <= k; ++j) D[k * n + j] -= l * D[j * n + m];
      f[k].U -= f[m].U * l;
      f[k].w -= f[m].w * l;
    }
  }
}

/// What is left for the frame once the coordinates are eliminated.
template <class T>
void eliminate_elastic(const TreeView<T>& v, int i, ArticulatedInertia<T>& Ia, Wrench<T>& pa) {
  const Flex<T>& flex = v.flex[v.part[i]];
  const Freedom<T>* f = v.freedom + flex.u0;
  for (int k = 0; k < flex.n; ++k) {
    subtract_outer(Ia, f[k].U, f[k].inverse);
    pa += f[k].U * (f[k].w * f[k].inverse);
  }
}

template <class T>
void add_to_parent(const TreeView<T>& v, int i, const ArticulatedInertia<T>& Ia,
                   const Wrench<T>& pa) {
  const int P = v.parent[i];
  if (P == 0) return;
  add_shifted(Ia, v.link[i].r, v.link[P].IA);
  v.link[P].p += shifted_in(pa, v.link[i].r);
}

template <class T>
void pass_coordinate(const TreeView<T>& v, int i) {
  ArticulatedInertia<T> Ia = v.link[i].IA;
  Wrench<T> pa = v.link[i].p;
  if (is_last_coordinate(v, i)) {
    if (v.prescribed[i]) {
      const Flex<T>& flex = v.flex[v.part[i]];
      for (int k = 0; k < flex.n; ++k) pa += flex.coupling[k] * v.udot_given[flex.u0 + k];
    } else {
      factor_elastic(v, i, v.tau);
      eliminate_elastic(v, i, Ia, pa);
    }
  }
  add_to_parent(v, i, Ia, pa);
}

template <class T>
void pass_seat(const TreeView<T>& v, int i) {
  const Link<T>& link = v.link[i];
  const Wrench<T> pa = link.p + link.IA * link.c;
  carry_on_seat(v, i, link.IA, pa);
  add_to_parent(v, i, link.IA, pa);
}

// ── outward again ──

/// x = L⁻ᵀ d⁻¹ (w − Uᵀ a) for all coordinates.
template <class T>
void answer_elastic(const TreeView<T>& v, int i, const Twist<T>& a, T* x) {
  const Flex<T>& flex = v.flex[v.part[i]];
  const Freedom<T>* f = v.freedom + flex.u0;
  const T* L = v.lower + v.l0[i];
  for (int k = 0; k < flex.n; ++k) x[k] = f[k].inverse * (f[k].w - dot(a, f[k].U));
  for (int m = flex.n - 2; m >= 0; --m)
    for (int k = m + 1; k < flex.n; ++k) x[m] -= L[k * (k - 1) / 2 + m] * x[k];
}

/// a += Y x
template <class T>
void add_seat_columns(const TreeView<T>& v, int i, const T* x, Twist<T>& a) {
  const Seat<T>& seat = v.seat[v.part[i]];
  const Flex<T>& flex = v.flex[seat.flex];
  for (int k = 0; k < flex.n; ++k) a += seat.columns[k] * x[flex.u0 + k];
}

template <class T>
void accelerate_coordinate(const TreeView<T>& v, int i) {
  v.A[i] = v.A[v.parent[i]];
  if (!is_last_coordinate(v, i)) return;
  const Flex<T>& flex = v.flex[v.part[i]];
  if (v.prescribed[i])
    for (int k = 0; k < flex.n; ++k) v.udot[flex.u0 + k] = v.udot_given[flex.u0 + k];
  else
    answer_elastic(v, i, v.A[i], v.udot + flex.u0);
}

template <class T>
void accelerate_seat(const TreeView<T>& v, int i) {
  const Link<T>& link = v.link[i];
  Twist<T> a = shifted_out(v.A[v.parent[i]], link.r) + link.c;
  if (!v.prescribed[v.flex[v.seat[v.part[i]].flex].body]) add_seat_columns(v, i, v.udot, a);
  v.A[i] = a;
}

// ── M⁻¹ b ──

template <class T>
void solve_coordinate_inward(const TreeView<T>& v, int i, const T* b) {
  Wrench<T> pa = v.link[i].p;
  if (is_last_coordinate(v, i) && !v.prescribed[i]) {
    const Flex<T>& flex = v.flex[v.part[i]];
    Freedom<T>* f = v.freedom + flex.u0;
    const T* L = v.lower + v.l0[i];
    for (int k = 0; k < flex.n; ++k) {
      f[k].w = b[flex.u0 + k] - flex.force[k];
      for (int m = 0; m < k; ++m) f[k].w -= L[k * (k - 1) / 2 + m] * f[m].w;
    }
    for (int k = 0; k < flex.n; ++k) pa += f[k].U * (f[k].w * f[k].inverse);
  }
  v.link[v.parent[i]].p += pa;
}

template <class T>
void solve_seat_inward(const TreeView<T>& v, int i) {
  const Seat<T>& seat = v.seat[v.part[i]];
  Flex<T>& flex = v.flex[seat.flex];
  for (int k = 0; k < flex.n; ++k) flex.force[k] += dot(seat.columns[k], v.link[i].p);
  v.link[v.parent[i]].p += shifted_in(v.link[i].p, v.link[i].r);
}

template <class T>
void solve_coordinate_outward(const TreeView<T>& v, int i, T* x) {
  v.A[i] = v.A[v.parent[i]];
  if (!is_last_coordinate(v, i)) return;
  const Flex<T>& flex = v.flex[v.part[i]];
  if (v.prescribed[i])
    for (int k = 0; k < flex.n; ++k) x[flex.u0 + k] = T(0.0);
  else
    answer_elastic(v, i, v.A[i], x + flex.u0);
}

template <class T>
void solve_seat_outward(const TreeView<T>& v, int i, const T* x) {
  Twist<T> a = shifted_out(v.A[v.parent[i]], v.link[i].r);
  add_seat_columns(v, i, x, a);
  v.A[i] = a;
}

// ── inverse dynamics ──

template <class T>
void inverse_coordinate_outward(const TreeView<T>& v, int i) {
  place_coordinate(v, i);
  v.A[i] = v.A[v.parent[i]];
  v.link[i].p = {zero3<T>(), zero3<T>()};
  if (!is_last_coordinate(v, i)) return;
  weigh_elastic(v, i);
  Wrench<T> p = elastic_bias_at(v, i);
  Flex<T>& flex = v.flex[v.part[i]];
  p += flex.own * v.A[i];
  const T* udot = v.udot_given + flex.u0;
  for (int k = 0; k < flex.n; ++k) {
    p += flex.own_coupling[k] * udot[k];
    flex.force[k] += dot(v.A[i], flex.own_coupling[k]);
    for (int l = 0; l < flex.n; ++l) flex.force[k] += flex.own_elastic[k * flex.n + l] * udot[l];
  }
  v.link[i].p = p;
}

template <class T>
void inverse_seat_outward(const TreeView<T>& v, int i) {
  move_seat(v, i);
  Twist<T> a = shifted_out(v.A[v.parent[i]], v.link[i].r) + v.link[i].c;
  if (!v.prescribed[v.flex[v.seat[v.part[i]].flex].body]) add_seat_columns(v, i, v.udot_given, a);
  v.A[i] = a;
  v.link[i].p = {zero3<T>(), zero3<T>()};
  if (v.wrench) v.link[i].p -= v.wrench[i];
}

template <class T>
void inverse_coordinate_inward(const TreeView<T>& v, int i, T* tau_out) {
  if (is_last_coordinate(v, i)) {
    const Flex<T>& flex = v.flex[v.part[i]];
    for (int k = 0; k < flex.n; ++k) {
      const int u = flex.u0 + k;
      tau_out[u] = flex.force[k] + v.armature[u] * v.udot_given[u];
    }
  }
  v.link[v.parent[i]].p += v.link[i].p;
}

// ── mass matrix: composite bodies beyond seats, kept in IA as there ──

/// The rows of the elastic coordinates in a column whose wrench at the seat is F.
template <class T>
void seat_rows(const TreeView<T>& v, int i, const Wrench<T>& F, int column, T* M) {
  const Seat<T>& seat = v.seat[v.part[i]];
  const Flex<T>& flex = v.flex[seat.flex];
  for (int k = 0; k < flex.n; ++k) {
    const int row = flex.u0 + k;
    M[column * v.nu + row] = M[row * v.nu + column] = dot(seat.columns[k], F);
  }
}

template <class T>
void mass_at_seat(const TreeView<T>& v, int i) {
  const Link<T>& link = v.link[i];
  const ArticulatedInertia<T> carried =
      as_articulated(BodyInertia<T>{link.IA.M.xx, link.IA.H.x, link.IA.I});
  carry_on_seat(v, i, carried, Wrench<T>{zero3<T>(), zero3<T>()});
}

// ── momenta ──

template <class T>
void seat_momenta_inward(const TreeView<T>& v, int i) {
  const Link<T>& link = v.link[i];
  Wrench<T> eta = link.p;
  const Flex<T>& flex = v.flex[v.seat[v.part[i]].flex];
  if (v.prescribed[flex.body])
    for (int k = 0; k < flex.n; ++k)
      eta += link.IA * (v.seat[v.part[i]].columns[k] * v.u[flex.u0 + k]);
  carry_on_seat(v, i, link.IA, eta);
  add_to_parent(v, i, link.IA, eta);
}

template <class T>
void coordinate_momenta_inward(const TreeView<T>& v, int i, const T* p) {
  ArticulatedInertia<T> Ia = v.link[i].IA;
  Wrench<T> eta = v.link[i].p;
  if (is_last_coordinate(v, i)) {
    const Flex<T>& flex = v.flex[v.part[i]];
    if (v.prescribed[i]) {
      for (int k = 0; k < flex.n; ++k) eta += flex.own_coupling[k] * v.u[flex.u0 + k];
    } else {
      factor_elastic(v, i, p);
      eliminate_elastic(v, i, Ia, eta);
    }
  }
  add_to_parent(v, i, Ia, eta);
}

/// Velocities of the coordinates, and ∂T/∂q of the body itself.
template <class T>
void coordinate_velocities(const TreeView<T>& v, int i, T* u_out, T* dT) {
  BodyMotion<T>& B = v.motion[i];
  B.V = v.motion[v.parent[i]].V;
  if (!is_last_coordinate(v, i)) return;
  const Flex<T>& flex = v.flex[v.part[i]];
  T* u = u_out + flex.u0;
  if (v.prescribed[i])
    for (int k = 0; k < flex.n; ++k) u[k] = v.u[flex.u0 + k];
  else
    answer_elastic(v, i, B.V, u);
  const Twist<T> V{transposed_times(B.R, B.V.w), transposed_times(B.R, B.V.v)};
  elastic_gradient(*flex.numbers, v.q + flex.q0, u, V, dT + flex.u0, flex.scratch);
}

/// What a momentum h carried by a seat adds to the rates of the elastic momenta: ẎᵀF with
/// Ẏ = (ω × Y_w + Y_w′,  ω × Y_v + Y_v′ + v_K × Y_w).
template <class T>
void add_seat_rates(const TreeView<T>& v, int i, const Wrench<T>& h, T* rate) {
  const Seat<T>& seat = v.seat[v.part[i]];
  const Flex<T>& flex = v.flex[seat.flex];
  const Vector3<T>& w = v.motion[v.parent[i]].V.w;
  for (int k = 0; k < flex.n; ++k) {
    const Twist<T>&Y = seat.columns[k], &bent = seat.rates[k];
    const Twist<T> d{cross(w, Y.w) + bent.w, cross(w, Y.v) + bent.v + cross(v.motion[i].V.v, Y.w)};
    rate[flex.u0 + k] += dot(d, h);
  }
}

template <class T>
void seat_velocities(const TreeView<T>& v, int i, const T* u, T* dT) {
  BodyMotion<T>& B = v.motion[i];
  B.V = shifted_out(v.motion[v.parent[i]].V, v.link[i].r);
  add_seat_columns(v, i, u, B.V);
  rate_seat(v, i, u);
  add_seat_rates(v, i, v.link[i].IA * B.V + v.link[i].p, dT);
}

template <class T>
void coordinate_momentum_rates(const TreeView<T>& v, int i, const T* dT, T* pdot) {
  if (is_last_coordinate(v, i)) {
    const Flex<T>& flex = v.flex[v.part[i]];
    for (int k = 0; k < flex.n; ++k) {
      const int u = flex.u0 + k;
      pdot[u] = dT[u] + flex.force[k] + dot(flex.own_coupling[k].f, v.gravity) + v.tau[u];
    }
  }
  v.link[v.parent[i]].p += v.link[i].p;
}

template <class T>
void clear_elastic_forces(const TreeView<T>& v, int i) {
  const Flex<T>& flex = v.flex[v.part[i]];
  for (int k = 0; k < flex.n; ++k) flex.force[k] = T(0.0);
}

}  // namespace
}  // namespace sarrus
