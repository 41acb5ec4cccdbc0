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
// The elimination of a joint, (4)–(6) of tree_kernels.inl, then applies unchanged, since S does not
// appear there. A rigid body is the case without coordinates. All n are eliminated at the last one.
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
  for (int k = 0; k < flex.n; ++k) flex.coupling[k] = rotated(R, flex.coupling[k]);
}

template <class T>
void weigh_elastic(const TreeView<T>& v, int i) {
  Flex<T>& flex = v.flex[v.part[i]];
  ElasticInertia<T> found{{}, flex.coupling, flex.elastic};
  elastic_inertia(*flex.numbers, v.q + flex.q0, found, flex.scratch);
  flex.own = found.rigid;
  into_world(v.motion[i].R, flex);
}

/// M_re and M_ee of the body alone, where those of what it carries are added: M_re in U, M_ee in D.
template <class T>
void start_elastic(const TreeView<T>& v, int i) {
  const Flex<T>& flex = v.flex[v.part[i]];
  for (int k = 0; k < flex.n; ++k) v.pivot[flex.u0 + k].U = flex.coupling[k];
  T* D = v.D + v.d0[v.part[i]];
  for (int k = 0; k < flex.n * flex.n; ++k) D[k] = flex.elastic[k];
}

/// The bias of the body: a wrench in world axes, and h.
template <class T>
Wrench<T> elastic_bias_at(const TreeView<T>& v, int i) {
  Flex<T>& flex = v.flex[v.part[i]];
  const BodyMotion<T>& B = v.motion[i];
  const Twist<T> V{transposed_times(B.R, B.V.w), transposed_times(B.R, B.V.v)};
  Wrench<T> p;
  elastic_bias(*flex.numbers, v.q + flex.q0, v.u + flex.u0, V, p, v.h + flex.u0, flex.scratch);
  return rotated(B.R, p);
}

// ── outward ──

template <class T>
void place_coordinate(const TreeView<T>& v, int i) {
  v.motion[i] = v.motion[v.parent[i]];
  v.arm[i] = {zero3<T>(), {zero3<T>(), zero3<T>()}};
  v.S[v.u0[i]] = {zero3<T>(), zero3<T>()};
  if (is_last_coordinate(v, i)) weigh_elastic(v, i);
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
  v.arm[i].r = P.R * r;
  B.R = P.R * E;
  B.o = P.o + v.arm[i].r;
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
  B.V = shifted_out(P, v.arm[i].r) + slip;
  v.arm[i].c = {cross(P.w, slip.w) + bent.w, cross(P.w, slip.v) + bent.v - cross(slip.w, B.V.v)};
}

/// c_K, and Y u̇ where the coordinates are prescribed.
template <class T>
Twist<T> given_seat_bias(const TreeView<T>& v, int i) {
  const Seat<T>& seat = v.seat[v.part[i]];
  const Flex<T>& flex = v.flex[seat.flex];
  Twist<T> c = v.arm[i].c;
  if (v.prescribed[flex.body])
    for (int k = 0; k < flex.n; ++k) c += seat.columns[k] * v.udot_given[flex.u0 + k];
  return c;
}

// ── inward ──

/// (2) for the parts with columns; the rest goes to the parent like that of any body.
template <class T>
void carry_on_seat(const TreeView<T>& v, int i, const ArticulatedInertia<T>& IA,
                   const Wrench<T>& p) {
  const Seat<T>& seat = v.seat[v.part[i]];
  const Flex<T>& flex = v.flex[seat.flex];
  const Vector3<T>& r = v.arm[i].r;
  T* D = v.D + v.d0[seat.flex];
  for (int k = 0; k < flex.n; ++k) {
    const Wrench<T> F = IA * seat.columns[k];
    v.pivot[flex.u0 + k].U += shifted_in(F, r);
    v.h[flex.u0 + k] += dot(seat.columns[k], p);
    for (int l = 0; l <= k; ++l) D[k * flex.n + l] += dot(seat.columns[l], F);
  }
}

/// (3): L, 1/d, U → M_re L⁻ᵀ, w → L⁻¹ (b − h).
template <class T>
void factor_elastic(const TreeView<T>& v, int i, const T* b) {
  const Flex<T>& flex = v.flex[v.part[i]];
  const int n = flex.n;
  Pivot<T>* f = v.pivot + flex.u0;
  T *L = v.lower + v.l0[i], *D = v.D + v.d0[v.part[i]], *w = v.w + flex.u0;
  for (int k = 0; k < n; ++k) {
    w[k] = b[flex.u0 + k] - v.h[flex.u0 + k];
    D[k * n + k] += v.armature[flex.u0 + k];
  }
  for (int m = 0; m < n; ++m) {
    f[m].inverse = T(1.0) / D[m * n + m];
    for (int k = m + 1; k < n; ++k) {
      const T l = D[k * n + m] * f[m].inverse;
      L[k * (k - 1) / 2 + m] = l;
      for (int j = m + 1; j <= k; ++j) D[k * n + j] -= l * D[j * n + m];
      f[k].U -= f[m].U * l;
      w[k] -= w[m] * l;
    }
  }
}

/// What is left for the frame once the coordinates are eliminated.
template <class T>
void eliminate_elastic(const TreeView<T>& v, int i, ArticulatedInertia<T>& Ia, Wrench<T>& pa) {
  const Flex<T>& flex = v.flex[v.part[i]];
  const Pivot<T>* f = v.pivot + flex.u0;
  for (int k = 0; k < flex.n; ++k) {
    subtract_outer(Ia, f[k].U, f[k].inverse);
    pa += f[k].U * (v.w[flex.u0 + k] * f[k].inverse);
  }
}

template <class T>
void add_to_parent(const TreeView<T>& v, int i, const ArticulatedInertia<T>& Ia,
                   const Wrench<T>& pa) {
  const int P = v.parent[i];
  if (P == 0) return;
  add_shifted(Ia, v.arm[i].r, v.IA[P]);
  v.p[P] += shifted_in(pa, v.arm[i].r);
}

template <class T>
void pass_coordinate(const TreeView<T>& v, int i) {
  ArticulatedInertia<T> Ia = v.IA[i];
  Wrench<T> pa = v.p[i];
  if (is_last_coordinate(v, i)) {
    if (v.prescribed[i]) {
      const Flex<T>& flex = v.flex[v.part[i]];
      for (int k = 0; k < flex.n; ++k) pa += v.pivot[flex.u0 + k].U * v.udot_given[flex.u0 + k];
    } else {
      factor_elastic(v, i, v.tau);
      eliminate_elastic(v, i, Ia, pa);
    }
  }
  add_to_parent(v, i, Ia, pa);
}

template <class T>
void pass_seat(const TreeView<T>& v, int i) {
  const Wrench<T> pa = v.p[i] + v.IA[i] * given_seat_bias(v, i);
  carry_on_seat(v, i, v.IA[i], pa);
  add_to_parent(v, i, v.IA[i], pa);
}

// ── outward again ──

/// x = L⁻ᵀ d⁻¹ (w − Uᵀ a) for all coordinates.
template <class T>
void answer_elastic(const TreeView<T>& v, int i, const Twist<T>& a, T* x) {
  const Flex<T>& flex = v.flex[v.part[i]];
  const Pivot<T>* f = v.pivot + flex.u0;
  const T *L = v.lower + v.l0[i], *w = v.w + flex.u0;
  for (int k = 0; k < flex.n; ++k) x[k] = f[k].inverse * (w[k] - dot(a, f[k].U));
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
  Twist<T> a = shifted_out(v.A[v.parent[i]], v.arm[i].r) + given_seat_bias(v, i);
  if (!v.prescribed[v.flex[v.seat[v.part[i]].flex].body]) add_seat_columns(v, i, v.udot, a);
  v.A[i] = a;
}

// ── M⁻¹ b ──

template <class T>
void solve_coordinate_inward(const TreeView<T>& v, int i, const T* b) {
  Wrench<T> pa = v.p[i];
  if (is_last_coordinate(v, i) && !v.prescribed[i]) {
    const Flex<T>& flex = v.flex[v.part[i]];
    const Pivot<T>* f = v.pivot + flex.u0;
    const T* L = v.lower + v.l0[i];
    T* w = v.w + flex.u0;
    for (int k = 0; k < flex.n; ++k) {
      w[k] = b[flex.u0 + k] - v.h[flex.u0 + k];
      for (int m = 0; m < k; ++m) w[k] -= L[k * (k - 1) / 2 + m] * w[m];
    }
    for (int k = 0; k < flex.n; ++k) pa += f[k].U * (w[k] * f[k].inverse);
  }
  v.p[v.parent[i]] += pa;
}

template <class T>
void solve_seat_inward(const TreeView<T>& v, int i) {
  const Seat<T>& seat = v.seat[v.part[i]];
  const Flex<T>& flex = v.flex[seat.flex];
  for (int k = 0; k < flex.n; ++k) v.h[flex.u0 + k] += dot(seat.columns[k], v.p[i]);
  v.p[v.parent[i]] += shifted_in(v.p[i], v.arm[i].r);
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
  Twist<T> a = shifted_out(v.A[v.parent[i]], v.arm[i].r);
  add_seat_columns(v, i, x, a);
  v.A[i] = a;
}

// ── inverse dynamics ──

template <class T>
void inverse_coordinate_outward(const TreeView<T>& v, int i) {
  v.A[i] = v.A[v.parent[i]];
  v.p[i] = {zero3<T>(), zero3<T>()};
  if (!is_last_coordinate(v, i)) return;
  Wrench<T> p = elastic_bias_at(v, i);
  const Flex<T>& flex = v.flex[v.part[i]];
  p += flex.own * v.A[i];
  const T* udot = v.udot_given + flex.u0;
  T* h = v.h + flex.u0;
  for (int k = 0; k < flex.n; ++k) {
    p += flex.coupling[k] * udot[k];
    h[k] += dot(v.A[i], flex.coupling[k]);
    for (int l = 0; l < flex.n; ++l) h[k] += flex.elastic[k * flex.n + l] * udot[l];
  }
  v.p[i] = p;
}

template <class T>
void inverse_seat_outward(const TreeView<T>& v, int i) {
  Twist<T> a = shifted_out(v.A[v.parent[i]], v.arm[i].r) + given_seat_bias(v, i);
  if (!v.prescribed[v.flex[v.seat[v.part[i]].flex].body]) add_seat_columns(v, i, v.udot_given, a);
  v.A[i] = a;
  v.p[i] = {zero3<T>(), zero3<T>()};
  if (v.wrench) v.p[i] -= v.wrench[i];
}

template <class T>
void inverse_coordinate_inward(const TreeView<T>& v, int i, T* tau_out) {
  if (is_last_coordinate(v, i)) {
    const Flex<T>& flex = v.flex[v.part[i]];
    for (int k = 0; k < flex.n; ++k) {
      const int u = flex.u0 + k;
      tau_out[u] = v.h[u] + v.armature[u] * v.udot_given[u];
    }
  }
  v.p[v.parent[i]] += v.p[i];
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
  const ArticulatedInertia<T>& IA = v.IA[i];
  const ArticulatedInertia<T> carried = as_articulated(BodyInertia<T>{IA.M.xx, IA.H.x, IA.I});
  carry_on_seat(v, i, carried, Wrench<T>{zero3<T>(), zero3<T>()});
}

// ── momenta ──

template <class T>
void seat_momenta_inward(const TreeView<T>& v, int i) {
  Wrench<T> eta = v.p[i];
  const Flex<T>& flex = v.flex[v.seat[v.part[i]].flex];
  if (v.prescribed[flex.body])
    for (int k = 0; k < flex.n; ++k)
      eta += v.IA[i] * (v.seat[v.part[i]].columns[k] * v.u[flex.u0 + k]);
  carry_on_seat(v, i, v.IA[i], eta);
  add_to_parent(v, i, v.IA[i], eta);
}

template <class T>
void coordinate_momenta_inward(const TreeView<T>& v, int i, const T* p) {
  ArticulatedInertia<T> Ia = v.IA[i];
  Wrench<T> eta = v.p[i];
  if (is_last_coordinate(v, i)) {
    const Flex<T>& flex = v.flex[v.part[i]];
    if (v.prescribed[i]) {
      for (int k = 0; k < flex.n; ++k) eta += flex.coupling[k] * v.u[flex.u0 + k];
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
  B.V = shifted_out(v.motion[v.parent[i]].V, v.arm[i].r);
  add_seat_columns(v, i, u, B.V);
  rate_seat(v, i, u);
  add_seat_rates(v, i, v.IA[i] * B.V + v.p[i], dT);
}

template <class T>
void coordinate_momentum_rates(const TreeView<T>& v, int i, const T* dT, T* pdot) {
  if (is_last_coordinate(v, i)) {
    const Flex<T>& flex = v.flex[v.part[i]];
    for (int k = 0; k < flex.n; ++k) {
      const int u = flex.u0 + k;
      pdot[u] = dT[u] + v.h[u] + dot(flex.coupling[k].f, v.gravity) + v.tau[u];
    }
  }
  v.p[v.parent[i]] += v.p[i];
}

template <class T>
void clear_elastic_forces(const TreeView<T>& v, int i) {
  const Flex<T>& flex = v.flex[v.part[i]];
  for (int k = 0; k < flex.n; ++k) v.h[flex.u0 + k] = T(0.0);
}

}  // namespace
}  // namespace sarrus
