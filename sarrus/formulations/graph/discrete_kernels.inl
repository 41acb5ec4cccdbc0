// One step of the discrete formulation, four bodies or four joints at a time.
//
// joints (blocks), with l_b = R_B r_b, p_B = P_B + l_b, l_a = p_B − P_A:
//   d  = p_B − (P_A + R_A r_a),   ḋ = (V_B + ω_B × l_b) − (V_A + ω_A × l_a)              (1)
//   f  = k_t d + c_t ḋ in the directions that the joint holds                            (2)
//   +f at p_B on A, −f at p_B on B: angular momentum is conserved                        (3)
//   torque t on A, −t on B, with a, b the axes and ω = ω_B − ω_A:
//     axis on axis      t = k_r a × b + c_r (ω − (ω·a) a)                                (4)
//     locked            t = k_r log(R_A C → R_B) + c_r ω                                 (5)
//     square            t = −(k_r a·b − c_r ω·n) n,  n = a × b                           (6)
//   sliding joints: the lever l_a changes, and with it λ = 1/m + |l_a|²/I_min + λ_B      (7)
//
// bodies, h the step:
//   V += h (F/m + g),  L += h M                                                          (8)
//   P += h V,  rotation by L over h, a symmetric product of turns about principal axes   (9)
//
// Included by one file per instruction set; everything here has internal linkage.

namespace sarrus {
namespace {

using Lanes4 = Lane::Lanes;

// ── between records and lanes ───────────────────────────────────────────────────────────────────

SARRUS_INLINE void transpose4(const Lanes4& a, const Lanes4& b, const Lanes4& c, const Lanes4& d,
                              Lanes4* out) {
  const Lanes4 ab0 = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  const Lanes4 ab1 = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Lanes4 cd0 = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  const Lanes4 cd1 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  out[0] = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
  out[1] = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
  out[2] = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
  out[3] = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}

SARRUS_INLINE const Lanes4* rows(const void* record) { return static_cast<const Lanes4*>(record); }
SARRUS_INLINE Lanes4* rows(void* record) { return static_cast<Lanes4*>(record); }

struct MotionLanes {
  Matrix3<Lane> R;
  Vector3<Lane> P, V, w;
};

SARRUS_INLINE Vector3<Lane> three(const Lanes4* v) { return {Lane(v[0]), Lane(v[1]), Lane(v[2])}; }

SARRUS_INLINE MotionLanes load(const MotionRecord* motion, const std::int32_t* index) {
  const Lanes4 *r0 = rows(motion + index[0]), *r1 = rows(motion + index[1]),
               *r2 = rows(motion + index[2]), *r3 = rows(motion + index[3]);
  Lanes4 v[20];
  for (int g = 0; g < 5; ++g) transpose4(r0[g], r1[g], r2[g], r3[g], v + 4 * g);
  return {{three(v), three(v + 3), three(v + 6)}, three(v + 9), three(v + 12), three(v + 15)};
}

SARRUS_INLINE void store(const MotionLanes& m, MotionRecord* four) {
  const Lanes4 v[20] = {m.R.x.x.v, m.R.x.y.v, m.R.x.z.v, m.R.y.x.v, m.R.y.y.v, m.R.y.z.v, m.R.z.x.v,
                        m.R.z.y.v, m.R.z.z.v, m.P.x.v,   m.P.y.v,   m.P.z.v,   m.V.x.v,   m.V.y.v,
                        m.V.z.v,   m.w.x.v,   m.w.y.v,   m.w.z.v,   Lanes4{},  Lanes4{}};
  for (int g = 0; g < 5; ++g) {
    Lanes4 t[4];
    transpose4(v[4 * g], v[4 * g + 1], v[4 * g + 2], v[4 * g + 3], t);
    for (int i = 0; i < 4; ++i) rows(four + i)[g] = t[i];
  }
}

SARRUS_INLINE void store(const Vector3<Lane>& f, const Vector3<Lane>& n, WrenchRecord* wrench,
                         const std::int32_t* out, int side) {
  Lanes4 s[4], t[4];
  transpose4(f.x.v, f.y.v, f.z.v, n.x.v, s);
  transpose4(n.y.v, n.z.v, Lanes4{}, Lanes4{}, t);
  for (int i = 0; i < 4; ++i) {
    Lanes4* record = rows(wrench + out[i] + side);
    record[0] = s[i];
    record[1] = t[i];
  }
}

// ── joints ──────────────────────────────────────────────────────────────────────────────────────

enum class Holds { all, across, along };
enum class Turn { free, axis, square, locked };

/// The rotation vector from A to B, both 3 × 3, in world axes: from half the sum of the cross
/// products of their columns, which is sin θ a. Joints open by small angles: five terms of asin.
SARRUS_INLINE Vector3<Lane> small_rotation(const Matrix3<Lane>& A, const Matrix3<Lane>& B) {
  const Vector3<Lane> s = (cross(A.x, B.x) + cross(A.y, B.y) + cross(A.z, B.z)) * Lane(0.5);
  const Lane x = dot(s, s);
  return s *
         (Lane(1.0) + x * (Lane(1.0 / 6) +
                           x * (Lane(3.0 / 40) + x * (Lane(15.0 / 336) + x * Lane(105.0 / 3456)))));
}

template <Holds holds, Turn turn>
SARRUS_INLINE void joint_block(const DiscreteView& v, const JointPack& j) {
  const MotionLanes A = load(v.motion, j.a), B = load(v.motion, j.b);
  const Vector3<Lane> l_b = B.R * j.r_b;
  const Vector3<Lane> l_a = B.P - A.P + l_b;
  Vector3<Lane> d = l_a - A.R * j.r_a;                                 // (1)
  Vector3<Lane> rate = B.V - A.V + cross(B.w, l_b) - cross(A.w, l_a);  // (1)
  Vector3<Lane> a;
  if constexpr (holds != Holds::all || turn == Turn::axis || turn == Turn::square) a = A.R * j.z_a;
  Lane kt = j.kt, ct = j.ct;
  if constexpr (holds != Holds::all) {
    const Lane along = dot(a, d), speed = dot(a, rate);
    d = holds == Holds::along ? a * along : d - a * along;
    rate = holds == Holds::along ? a * speed : rate - a * speed;
    const Lane scale = Lane(1.0) / (j.lambda + dot(l_a, l_a) * j.inverse_I);  // (7)
    kt *= scale;
    ct *= scale;
  }
  const Vector3<Lane> f = d * kt + rate * ct;                // (2)
  Vector3<Lane> on_a = cross(l_a, f), on_b = cross(l_b, f);  // (3)
  if constexpr (turn != Turn::free) {
    const Vector3<Lane> w = B.w - A.w;
    Vector3<Lane> t;
    if constexpr (turn == Turn::axis) {
      t = cross(a, B.R * j.z_b) * j.kr + (w - a * dot(w, a)) * j.cr;  // (4)
    } else if constexpr (turn == Turn::square) {
      const Vector3<Lane> b = B.R * j.z_b, n = cross(a, b);
      t = n * (j.cr * dot(w, n) - j.kr * dot(a, b));  // (6)
    } else {
      t = small_rotation(A.R * j.C, B.R) * j.kr + w * j.cr;  // (5)
    }
    on_a += t;
    on_b += t;
  }
  store(f, on_a, v.wrench, j.out, 0);
  store(-f, -on_b, v.wrench, j.out, 1);
}

template <Holds holds, Turn turn>
void joint_blocks(const DiscreteView& v, BlockKind kind) {
  const auto k = static_cast<size_t>(kind);
  for (std::int32_t i = v.first[k]; i < v.first[k + 1]; ++i)
    joint_block<holds, turn>(v, v.joints[i]);
}

void joints(const DiscreteView& v) {
  joint_blocks<Holds::all, Turn::free>(v, BlockKind::spherical);
  joint_blocks<Holds::all, Turn::axis>(v, BlockKind::revolute);
  joint_blocks<Holds::all, Turn::square>(v, BlockKind::universal);
  joint_blocks<Holds::all, Turn::locked>(v, BlockKind::fixed);
  joint_blocks<Holds::across, Turn::axis>(v, BlockKind::cylindrical);
  joint_blocks<Holds::across, Turn::locked>(v, BlockKind::prismatic);
  joint_blocks<Holds::along, Turn::axis>(v, BlockKind::planar);
}

// ── bodies ──────────────────────────────────────────────────────────────────────────────────────

/// Eight bodies as two packs, side by side: the turns of (9) wait for each other, and two such
/// sequences at once keep the machine busy.
struct LanePair {
  Lane a, b;

  LanePair() = default;
  SARRUS_INLINE LanePair(double x) : a(x), b(x) {}
  SARRUS_INLINE LanePair(const Lane& x, const Lane& y) : a(x), b(y) {}
  friend SARRUS_INLINE LanePair operator+(const LanePair& x, const LanePair& y) {
    return {x.a + y.a, x.b + y.b};
  }
  friend SARRUS_INLINE LanePair operator-(const LanePair& x, const LanePair& y) {
    return {x.a - y.a, x.b - y.b};
  }
  friend SARRUS_INLINE LanePair operator*(const LanePair& x, const LanePair& y) {
    return {x.a * y.a, x.b * y.b};
  }
};

SARRUS_INLINE LanePair pair(const Lane& a, const Lane& b) { return {a, b}; }
SARRUS_INLINE Vector3<LanePair> pair(const Vector3<Lane>& a, const Vector3<Lane>& b) {
  return {{a.x, b.x}, {a.y, b.y}, {a.z, b.z}};
}
SARRUS_INLINE Quaternion<LanePair> pair(const Quaternion<Lane>& a, const Quaternion<Lane>& b) {
  return {{a.w, b.w}, {a.x, b.x}, {a.y, b.y}, {a.z, b.z}};
}
SARRUS_INLINE Quaternion<Lane> first(const Quaternion<LanePair>& q) {
  return {q.w.a, q.x.a, q.y.a, q.z.a};
}
SARRUS_INLINE Quaternion<Lane> second(const Quaternion<LanePair>& q) {
  return {q.w.b, q.x.b, q.y.b, q.z.b};
}
SARRUS_INLINE Vector3<Lane> first(const Vector3<LanePair>& v) { return {v.x.a, v.y.a, v.z.a}; }
SARRUS_INLINE Vector3<Lane> second(const Vector3<LanePair>& v) { return {v.x.b, v.y.b, v.z.b}; }

/// sin and cos of a small angle (|x| < 0.5), by their series: below rounding up to 0.3.
template <class T>
SARRUS_INLINE void small_sincos(const T& x, T& s, T& c) {
  const T z = x * x;
  s = x * (T(1.0) +
           z * (T(-1.0 / 6) + z * (T(1.0 / 120) + z * (T(-1.0 / 5040) + z * T(1.0 / 362880)))));
  c = T(1.0) + z * (T(-0.5) + z * (T(1.0 / 24) + z * (T(-1.0 / 720) + z * T(1.0 / 40320))));
}

/// Turns by twice `half` about principal axis 0, 1 or 2: q ⊗ (cos, sin e) of the half angle, and
/// the momentum Π in body axes the other way.
template <int axis, class T>
SARRUS_INLINE void turn_about(Quaternion<T>& q, Vector3<T>& Pi, const T& half) {
  T s, c;
  small_sincos(half, s, c);
  const T twice = s + s, S = twice * c, C = T(1.0) - twice * s;
  const Quaternion<T> p = q;
  if constexpr (axis == 0) {
    q = {p.w * c - p.x * s, p.x * c + p.w * s, p.y * c + p.z * s, p.z * c - p.y * s};
    const T y = Pi.y * C + Pi.z * S;
    Pi.z = Pi.z * C - Pi.y * S;
    Pi.y = y;
  } else if constexpr (axis == 1) {
    q = {p.w * c - p.y * s, p.x * c - p.z * s, p.y * c + p.w * s, p.z * c + p.x * s};
    const T z = Pi.z * C + Pi.x * S;
    Pi.x = Pi.x * C - Pi.z * S;
    Pi.z = z;
  } else {
    q = {p.w * c - p.z * s, p.x * c + p.y * s, p.y * c - p.x * s, p.z * c + p.w * s};
    const T x = Pi.x * C + Pi.y * S;
    Pi.y = Pi.y * C - Pi.x * S;
    Pi.x = x;
  }
}

/// (9): rotation of q over a step in which L rests; Π = Rᵀ L goes with it.
template <class T>
SARRUS_INLINE void rotate(Quaternion<T>& q, Vector3<T>& Pi, const Vector3<T>& inverse_I,
                          const T& h) {
  const T quarter = h * T(0.25), half = h * T(0.5);
  const Vector3<T> s{inverse_I.x * quarter, inverse_I.y * quarter, inverse_I.z * half};
  turn_about<0>(q, Pi, Pi.x * s.x);
  turn_about<1>(q, Pi, Pi.y * s.y);
  turn_about<2>(q, Pi, Pi.z * s.z);
  turn_about<1>(q, Pi, Pi.y * s.y);
  turn_about<0>(q, Pi, Pi.x * s.x);
  // one Newton step towards |q| = 1
  const T n = T(1.5) - T(0.5) * (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  q = {q.w * n, q.x * n, q.y * n, q.z * n};
}

/// The wrenches on the body of each lane, summed in the order of its list.
SARRUS_INLINE void pull(const DiscreteView& v, const BodyPack& b, Vector3<Lane>& F,
                        Vector3<Lane>& M) {
  Lanes4 force[4], rest[4], lanes[4], more[4];
  for (int i = 0; i < 4; ++i) {
    Lanes4 s{}, t{};
    for (std::int32_t k = b.first[i]; k < b.last[i]; ++k) {
      const Lanes4* record = rows(v.wrench + v.list[k]);
      s += record[0];
      t += record[1];
    }
    force[i] = s;
    rest[i] = t;
  }
  transpose4(force[0], force[1], force[2], force[3], lanes);
  transpose4(rest[0], rest[1], rest[2], rest[3], more);
  F = {Lane(lanes[0]), Lane(lanes[1]), Lane(lanes[2])};
  M = {Lane(lanes[3]), Lane(more[0]), Lane(more[1])};
}

/// (8), and the straight part of (9).
SARRUS_INLINE void kick(const DiscreteView& v, BodyPack& b, const Vector3<Lane>& g, const Lane& h) {
  Vector3<Lane> F, M;
  pull(v, b, F, M);
  b.V += (F * b.inverse_mass + g) * h;
  b.L += M * h;
  b.P += b.V * h;
}

SARRUS_INLINE void leave_record(const DiscreteView& v, int pack, const Quaternion<Lane>& q,
                                const Vector3<Lane>& Pi) {
  BodyPack& b = v.bodies[pack];
  b.q = q;
  b.R = rotation(q);
  const Vector3<Lane> w{Pi.x * b.inverse_I.x, Pi.y * b.inverse_I.y, Pi.z * b.inverse_I.z};
  store({b.R, b.P, b.V, b.R * w}, v.motion + 1 + 4 * pack);
}

void bodies(const DiscreteView& v) {
  const Lane h(v.h);
  const Vector3<Lane> g{Lane(v.gravity.x), Lane(v.gravity.y), Lane(v.gravity.z)};
  for (int i = 0; i < v.body_packs; ++i) kick(v, v.bodies[i], g, h);
  int i = 0;
  for (; i + 1 < v.body_packs; i += 2) {
    const BodyPack &x = v.bodies[i], &y = v.bodies[i + 1];
    Vector3<LanePair> Pi = pair(transposed_times(x.R, x.L), transposed_times(y.R, y.L));
    Quaternion<LanePair> q = pair(x.q, y.q);
    rotate(q, Pi, pair(x.inverse_I, y.inverse_I), LanePair(v.h));
    leave_record(v, i, first(q), first(Pi));
    leave_record(v, i + 1, second(q), second(Pi));
  }
  if (i < v.body_packs) {
    const BodyPack& x = v.bodies[i];
    Vector3<Lane> Pi = transposed_times(x.R, x.L);
    Quaternion<Lane> q = x.q;
    rotate(q, Pi, x.inverse_I, h);
    leave_record(v, i, q, Pi);
  }
}

void advance(const DiscreteView& v, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    bodies(v);
    joints(v);
  }
}

constexpr DiscreteKernels discrete_table{joints, bodies, advance};

}  // namespace
}  // namespace sarrus
