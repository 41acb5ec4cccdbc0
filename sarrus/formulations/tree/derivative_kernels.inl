// Exact derivatives of τ = M u̇ + c by recursion over the tree, and from them those of u̇.
//
// All vectors are in world axes at one fixed point O. A body moves with V and A (−gravity at the
// world) and has the inertia I about O, linear momentum p and angular momentum L, h = I V = [L; p],
// and needs f = I A + V ×* h. Column J_k moves body k and all it carries; P is a body's parent,
// v = Σ J u what its joint adds.
//
// A displacement E_j of joint j turns all that it carries: columns J_k by E_j × J_k, inertias alike.
// V and A would turn in the same way if the parent's were turned too, which they are not:
//
//   ∂V_k/∂ξ_j = E_j × V_k + ψ_j                                                             (1)
//   ∂A_k/∂ξ_j = E_j × A_k + ψ_j × V_k + a_j                                                 (2)
//   ∂V_k/∂u_j = J_j,    ∂A_k/∂u_j = J_j × V_k + b_j                                         (3)
//
// with what belongs to the joint j alone. One hinge, slide or screw: E = J,
//
//   ψ = V × J,    a = A × J + V × ψ,    b = 2 ψ                                             (4)
//
// and a joint whose columns change by C_jm with ξ_j, and Σ Ṡ u by r_j with ξ_j and s_j with u_j:
//
//   d_j = Σ C_jm u_m,    ψ_j = d_j + V × E_j                                                (5)
//   a_j = Σ C_jm u̇_m + r_j + V_P × d_j + A × E_j + V × ψ_j                                  (6)
//   b_j = J_j × v + s_j + 2 V × J_j                                                         (7)
//
// So ∂f_k/∂ξ_j = E_j ×* f_k + I_k a_j + B_k ψ_j and ∂f_k/∂u_j = I_k b_j + B_k J_j, with
//
//   B x = V ×* I x − I (V × x) + x ×* h = [İ x_w + x_w × L;  2 x_w × p]                     (8)
//
// in which İ = V.w × I − I V.w × … is the rate of the second moments about O. Summed over what is
// carried, I, İ, h and f stay what they are: composite bodies. For column j and row k:
//
//   k at j or further in    ∂τ_k/∂ξ_j = J_k · (E_j ×* f_j + I_j a_j + B_j ψ_j)              (9)
//                           ∂τ_k/∂u_j = J_k · (I_j b_j + B_j J_j)                           (10)
//   within one joint        ∂τ_k/∂ξ_j gains C_jk · f_j                                      (11)
//   k further out           ∂τ_k/∂ξ_j = I_k J_k · a_j + B_kᵀ J_k · ψ_j                      (12)
//                           ∂τ_k/∂u_j = I_k J_k · b_j + B_kᵀ J_k · J_j                      (13)
//
// since there the turning of J_k and that of f_k cancel. Forward dynamics: M ∂u̇ = −∂τ, with
// M = Lᵀ D L eliminated from the tips, which fills nothing in (Featherstone).              (14)
//
// Included by one file per instruction set; everything here has internal linkage.

namespace sarrus {
namespace {

using Motion6 = Twist<double>;
using Force6 = Wrench<double>;
using Lane = Pack<4>;

// ── small parts ──

SARRUS_INLINE Lane lanes_at(const double* x) {
  Lane y;
  __builtin_memcpy(&y.v, x, sizeof y.v);
  return y;
}
SARRUS_INLINE void put_lanes(const Lane& y, double* x) { __builtin_memcpy(x, &y.v, sizeof y.v); }

SARRUS_INLINE void put(const DerivativeView& v, double* to, int i, const Vec3& w) {
  to[i] = w.x, to[v.stride + i] = w.y, to[2 * v.stride + i] = w.z;
}
SARRUS_INLINE void put(const DerivativeView& v, double* to, int i, const Motion6& t) {
  put(v, to, i, t.w), put(v, to + 3 * v.stride, i, t.v);
}
SARRUS_INLINE void put(const DerivativeView& v, double* to, int i, const Force6& f) {
  put(v, to, i, f.n), put(v, to + 3 * v.stride, i, f.f);
}
SARRUS_INLINE Vec3 angular_at(const DerivativeView& v, const double* from, int i) {
  return {from[i], from[v.stride + i], from[2 * v.stride + i]};
}
SARRUS_INLINE Motion6 twist_at(const DerivativeView& v, const double* from, int i) {
  return {angular_at(v, from, i), angular_at(v, from + 3 * v.stride, i)};
}

/// Inertia about the point from which r leads to the body's origin.
SARRUS_INLINE BodyInertia<double> about(const BodyInertia<double>& B, const Vec3& r) {
  // I' = I + (2 r·mc + m r²) 1 − r mcᵀ − mc rᵀ − m r rᵀ
  const Vec3 e = B.mc + r * (0.5 * B.m);
  const Vec3 d{2 * r.x * e.x, 2 * r.y * e.y, 2 * r.z * e.z};
  return {
      B.m,
      B.mc + r * B.m,
      {B.I.xx + d.y + d.z, B.I.yy + d.x + d.z, B.I.zz + d.x + d.y, B.I.xy - (r.x * e.y + e.x * r.y),
       B.I.xz - (r.x * e.z + e.x * r.z), B.I.yz - (r.y * e.z + e.y * r.z)}};
}

/// İ = [w]× I + ([w]× I)ᵀ − mc vᵀ − v mcᵀ + 2 (v·mc) 1
SARRUS_INLINE Symmetric3<double> rate_of(const BodyInertia<double>& B, const Motion6& V) {
  const Symmetric3<double>& I = B.I;
  const Vec3 x = cross(V.w, Vec3{I.xx, I.xy, I.xz}), y = cross(V.w, Vec3{I.xy, I.yy, I.yz}),
             z = cross(V.w, Vec3{I.xz, I.yz, I.zz});
  const Vec3 &c = B.mc, &u = V.v;
  return {2 * (x.x + c.y * u.y + c.z * u.z), 2 * (y.y + c.x * u.x + c.z * u.z),
          2 * (z.z + c.x * u.x + c.y * u.y), x.y + y.x - c.x * u.y - c.y * u.x,
          x.z + z.x - c.x * u.z - c.z * u.x, y.z + z.y - c.y * u.z - c.z * u.y};
}

/// (8), of which only the angular part of x counts.
SARRUS_INLINE Force6 times_B(const Symmetric3<double>& I_rate, const Force6& h, const Vec3& x) {
  return {I_rate * x + cross(x, h.n), cross(x, h.f) * 2};
}
/// Angular part of Bᵀ J; the other one is zero.
SARRUS_INLINE Vec3 transposed_B(const Symmetric3<double>& I_rate, const Force6& h,
                                const Motion6& J) {
  return I_rate * J.w + cross(h.n, J.w) + cross(h.f, J.v) * 2;
}

// ── outward: motion at O, what belongs to single joints (4)–(7) ──

SARRUS_INLINE void joint_terms(const DerivativeView& v, int i) {
  const int u0 = v.u0[i], n = v.u0[i + 1] - u0, x0 = v.x0[i], nx = v.x0[i + 1] - x0;
  const Motion6 V = v.V[i], A = v.A[i];
  const JointBending& joint = v.bending[i];
  if (!joint.E) {
    if (n == 0) return;
    const Motion6 J = twist_at(v, v.J, u0), psi = cross_motion(V, J);
    put(v, v.psi, x0, psi.w);
    put(v, v.a, x0, cross_motion(A, J) + cross_motion(V, psi));  // (4)
    put(v, v.b, u0, psi * 2.0);
    return;
  }
  const Motion6 V_P = v.V[v.parent[i]];
  for (int x = 0; x < nx; ++x) {
    const Motion6 E = joint.E[x];
    Motion6 d{}, a = joint.r[x];
    for (int m = 0; m < n; ++m) {
      d += joint.C[x * n + m] * v.u[u0 + m];
      a += joint.C[x * n + m] * v.udot[u0 + m];
    }
    const Motion6 psi = d + cross_motion(V, E);  // (5)
    put(v, v.psi, x0 + x, psi.w);
    put(v, v.a, x0 + x,
        a + cross_motion(V_P, d) + cross_motion(A, E) + cross_motion(V, psi));  // (6)
  }
  const Motion6 own = V - V_P;
  for (int k = 0; k < n; ++k) {
    const Motion6 J = twist_at(v, v.J, u0 + k);
    put(v, v.b, u0 + k, cross_motion(J, own) + joint.s[k] + cross_motion(V, J) * 2.0);  // (7)
  }
}

SARRUS_INLINE void body_terms(const DerivativeView& v, int i, const Vec3& O) {
  const BodyMotion<double>& B = v.motion[i];
  const Vec3 r = B.o - O;
  v.V[i] = shifted_out(B.V, -r);
  Motion6 A = v.A[v.parent[i]] + shifted_out(v.arm[i].c, -r);
  for (int k = v.u0[i]; k < v.u0[i + 1]; ++k) {
    const Motion6 J = shifted_out(v.S[k], -r);
    put(v, v.J, k, J);
    A += J * v.udot[k];
  }
  v.A[i] = A;
  const BodyInertia<double>& own = v.number[i].inertia;
  v.I[i] = about({own.m, B.R * own.mc, rotated(B.R, own.I)}, r);
  v.I_rate[i] = rate_of(v.I[i], v.V[i]);
  v.momentum[i] = v.I[i] * v.V[i];
  v.force[i] = v.I[i] * A + cross_force(v.V[i], v.momentum[i]);
  joint_terms(v, i);
}

// ── inward: composite bodies, and their rows and columns (9)–(13) ──

SARRUS_INLINE void add(BodyInertia<double>& to, const BodyInertia<double>& B) {
  to.m += B.m, to.mc += B.mc, to.I += B.I;
}

/// to[j] = Σ c[k] rows[k][j] over one run, for six or nine components in two arrays.
SARRUS_INLINE void products(const Run& run, const double* rows, int stride, const double* c,
                            const double* more, const double* d, double* to) {
  int j = run.begin;
  for (; j + 4 <= run.end; j += 4) {
    Lane sum = lanes_at(rows + j) * c[0];
    for (int k = 1; k < 6; ++k) sum += lanes_at(rows + k * stride + j) * c[k];
    for (int k = 0; more && k < 3; ++k) sum += lanes_at(more + k * stride + j) * d[k];
    put_lanes(sum, to + j);
  }
  for (; j < run.end; ++j) {
    double sum = rows[j] * c[0];
    for (int k = 1; k < 6; ++k) sum += rows[k * stride + j] * c[k];
    for (int k = 0; more && k < 3; ++k) sum += more[k * stride + j] * d[k];
    to[j] = sum;
  }
}

/// The entries of one column at the rows of all ancestors.
SARRUS_INLINE void column_above(const DerivativeView& v, int i, const double* F, int column,
                                double* to) {
  for (int s = v.ancestors_u.from[i]; s < v.ancestors_u.from[i + 1]; ++s) {
    const Run& run = v.ancestors_u.run[s];
    for (int j = run.begin; j < run.end; ++j) {
      double sum = v.J[j] * F[0];
      for (int k = 1; k < 6; ++k) sum += v.J[k * v.stride + j] * F[k];
      to[j * v.width + column] = sum;
    }
  }
}

SARRUS_INLINE void own_rows(const DerivativeView& v, int i, int k, const Force6& IJ) {
  for (int m = v.u0[i]; m < v.u0[i + 1]; ++m)
    v.M[k * v.width + m] = dot(twist_at(v, v.J, m), IJ) + (m == k ? v.armature[k] : 0);
}

SARRUS_INLINE void columns_of(const DerivativeView& v, int i) {
  const int u0 = v.u0[i], u1 = v.u0[i + 1], n = u1 - u0, x0 = v.x0[i], x1 = v.x0[i + 1];
  const JointBending& joint = v.bending[i];
  const BodyInertia<double>& I = v.I[i];
  for (int x = x0; x < x1; ++x) {
    const Motion6 E = joint.E ? joint.E[x - x0] : twist_at(v, v.J, u0), a = twist_at(v, v.a, x);
    const Force6 F = cross_force(E, v.force[i]) + I * a +
                     times_B(v.I_rate[i], v.momentum[i], angular_at(v, v.psi, x));  // (9)
    for (int k = u0; k < u1; ++k) {
      double own = dot(twist_at(v, v.J, k), F);
      if (joint.E) own += dot(joint.C[(x - x0) * n + k - u0], v.force[i]);  // (11)
      v.by_x[k * v.width + x] = own;
    }
    const double c[6] = {F.n.x, F.n.y, F.n.z, F.f.x, F.f.y, F.f.z};
    column_above(v, i, c, x, v.by_x);
  }
  for (int u = u0; u < u1; ++u) {
    const Motion6 J = twist_at(v, v.J, u);
    const Force6 G = I * twist_at(v, v.b, u) + times_B(v.I_rate[i], v.momentum[i], J.w);  // (10)
    for (int k = u0; k < u1; ++k) v.by_u[k * v.width + u] = dot(twist_at(v, v.J, k), G);
    const double c[6] = {G.n.x, G.n.y, G.n.z, G.f.x, G.f.y, G.f.z};
    column_above(v, i, c, u, v.by_u);
  }
}

SARRUS_INLINE void rows_of(const DerivativeView& v, int i) {
  for (int k = v.u0[i]; k < v.u0[i + 1]; ++k) {
    const Motion6 J = twist_at(v, v.J, k);
    const Force6 IJ = v.I[i] * J;
    const Vec3 BJ = transposed_B(v.I_rate[i], v.momentum[i], J);
    const double c[6] = {IJ.n.x, IJ.n.y, IJ.n.z, IJ.f.x, IJ.f.y, IJ.f.z}, d[3] = {BJ.x, BJ.y, BJ.z};
    for (int s = v.ancestors_x.from[i]; s < v.ancestors_x.from[i + 1]; ++s)
      products(v.ancestors_x.run[s], v.a, v.stride, c, v.psi, d, v.by_x + k * v.width);  // (12)
    for (int s = v.ancestors_u.from[i]; s < v.ancestors_u.from[i + 1]; ++s) {
      products(v.ancestors_u.run[s], v.b, v.stride, c, v.J, d, v.by_u + k * v.width);  // (13)
      products(v.ancestors_u.run[s], v.J, v.stride, c, nullptr, d, v.M + k * v.width);
    }
    own_rows(v, i, k, IJ);
    v.tau[k] = dot(J, v.force[i]) + v.armature[k] * v.udot[k];
  }
}

void inverse_dynamics_derivatives(const DerivativeView& v) {
  const Vec3 O = v.nb > 1 ? v.motion[1].o : Vec3{};
  v.V[0] = Motion6{}, v.A[0] = {Vec3{}, -v.gravity};
  for (int i = 1; i < v.nb; ++i) body_terms(v, i, O);
  for (int i = v.nb - 1; i > 0; --i) {
    columns_of(v, i);
    rows_of(v, i);
    const int P = v.parent[i];
    if (P == 0) continue;
    add(v.I[P], v.I[i]);
    v.I_rate[P] += v.I_rate[i];
    v.momentum[P] += v.momentum[i];
    v.force[P] += v.force[i];
  }
}

// ── forward dynamics (14) ──

/// to −= l row over one run.
SARRUS_INLINE void subtract_row(const Run& run, const double* row, double l, double* to) {
  int j = run.begin;
  for (; j + 4 <= run.end; j += 4)
    put_lanes(lanes_at(to + j) - lanes_at(row + j) * Lane(l), to + j);
  for (; j < run.end; ++j) to[j] -= l * row[j];
}

/// M → D on the diagonal, L left of it.
SARRUS_INLINE void factor_mass(const DerivativeView& v) {
  for (int k = v.nu - 1; k >= 0; --k) {
    double* row = v.M + k * v.width;
    const double inverse = 1 / row[k];
    for (int s = v.above.from[k]; s < v.above.from[k + 1]; ++s)
      for (int i = v.above.run[s].end - 1; i >= v.above.run[s].begin; --i) {
        const double l = row[i] * inverse;
        double* to = v.M + i * v.width;
        for (int t = v.above.from[i]; t < v.above.from[i + 1]; ++t)
          subtract_row(v.above.run[t], row, l, to);
        to[i] -= l * row[i];
      }
    for (int s = v.above.from[k]; s < v.above.from[k + 1]; ++s)
      for (int i = v.above.run[s].begin; i < v.above.run[s].end; ++i) row[i] *= inverse;
    row[k] = inverse;
  }
}

/// `lanes` groups of four columns of the answer, solved together: enough independent sums to hide
/// the latency of one product.
template <int lanes>
SARRUS_INLINE void solve_strip(const DerivativeView& v, double* x) {
  const int w = v.answer_width;
  const auto sweep = [&](int k, double scale, const Runs& runs, const double* L, int step) {
    Lane sum[lanes];
    for (int c = 0; c < lanes; ++c) sum[c] = lanes_at(x + k * w + 4 * c) * scale;
    for (int s = runs.from[k]; s < runs.from[k + 1]; ++s)
      for (int i = runs.run[s].begin; i < runs.run[s].end; ++i) {
        const Lane l = L[i * step];
        const double* row = x + i * w;
        for (int c = 0; c < lanes; ++c) sum[c] -= lanes_at(row + 4 * c) * l;
      }
    for (int c = 0; c < lanes; ++c) put_lanes(sum[c], x + k * w + 4 * c);
  };
  for (int k = v.nu - 1; k >= 0; --k) sweep(k, 1, v.below, v.M + k, v.width);  // Lᵀ
  for (int k = 0; k < v.nu; ++k)
    sweep(k, v.M[k * v.width + k], v.above, v.M + k * v.width, 1);  // D, then L
}

/// −∂τ/∂ξ, −∂τ/∂u, 1 side by side; the rows of velocities that are held stay zero.
SARRUS_INLINE void put_right_sides(const DerivativeView& v) {
  for (int i = 1; i < v.nb; ++i)
    for (int k = v.u0[i]; k < v.u0[i + 1]; ++k) {
      double* to = v.answer + k * v.answer_width;
      for (int j = 0; j < v.answer_width; ++j) to[j] = 0;
      if (v.held[i]) continue;
      for (int j = 0; j < v.nx; ++j) to[j] = -v.by_x[k * v.width + j];
      for (int j = 0; j < v.nu; ++j) to[v.nx + j] = -v.by_u[k * v.width + j];
      to[v.nx + v.nu + k] = 1;
    }
}

/// Held velocities neither respond to others nor act on them.
SARRUS_INLINE void leave_out_held(const DerivativeView& v) {
  for (int i = 1; i < v.nb; ++i) {
    if (!v.held[i]) continue;
    for (int k = v.u0[i]; k < v.u0[i + 1]; ++k) {
      for (int j = 0; j < k; ++j) v.M[k * v.width + j] = 0;
      for (int j = k + 1; j < v.nu; ++j) v.M[j * v.width + k] = 0;
      v.M[k * v.width + k] = 1;
    }
  }
}

void forward_dynamics_derivatives(const DerivativeView& v) {
  put_right_sides(v);
  leave_out_held(v);
  factor_mass(v);
  int c = 0;
  for (; c + 32 <= v.answer_width; c += 32) solve_strip<8>(v, v.answer + c);
  for (; c + 16 <= v.answer_width; c += 16) solve_strip<4>(v, v.answer + c);
  for (; c < v.answer_width; c += 8) solve_strip<2>(v, v.answer + c);
}

constexpr DerivativeKernels derivative_table{inverse_dynamics_derivatives,
                                             forward_dynamics_derivatives};

}  // namespace
}  // namespace sarrus
