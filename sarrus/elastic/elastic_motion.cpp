// Kinetics of an elastic body by its samples or by its invariants, over any scalar.
#include <complex>

#include "sarrus/core/scalar.hpp"
#include "sarrus/elastic/elastic_body.hpp"

namespace sarrus {
namespace {

template <class T>
Vector3<T> as(const Vec3& v) {
  return {T(v.x), T(v.y), T(v.z)};
}
template <class T>
Vector3<T> none() {
  return {T(0.0), T(0.0), T(0.0)};
}
template <class T>
void add_scaled(Vector3<T>& sum, const Vec3& v, const T& s) {
  sum.x += T(v.x) * s, sum.y += T(v.y) * s, sum.z += T(v.z) * s;
}

/// gₖ · x for one row of a symmetric n × n matrix.
template <class T>
T row_times(const std::vector<double>& g, int n, int reach, int k, const T* x) {
  T sum(0.0);
  const double* row = g.data() + static_cast<size_t>(k) * static_cast<size_t>(n);
  for (int l = 0; l < reach; ++l) sum += T(row[l]) * x[l];
  return sum;
}

/// Calls take(k, gₖ · x) for all rows of a symmetric n × n matrix below `reach`. Four rows at once:
/// their sums are independent.
template <class T, class Take>
void each_row_times(const std::vector<double>& g, int n, int reach, const T* x, Take&& take) {
  int k = 0;
  for (; k + 4 <= reach; k += 4) {
    T sum[4] = {T(0.0), T(0.0), T(0.0), T(0.0)};
    const double* column = g.data() + k;  // symmetric: row l holds column l
    for (int l = 0; l < reach; ++l, column += n)
      for (int i = 0; i < 4; ++i) sum[i] += T(column[i]) * x[l];
    for (int i = 0; i < 4; ++i) take(k + i, sum[i]);
  }
  for (; k < reach; ++k) take(k, row_times(g, n, reach, k, x));
}

/// r and Φ of one sample (1); Φ outside [first, last) vanishes.
template <class T>
struct Sampled {
  Vector3<T> r;
  int first = 0, last = 0;

  Sampled(const MassSample& s, int n, const T* q, Vector3<T>* phi) : r(as<T>(s.x)) {
    first = s.begin, last = s.end;
    if (!s.second.empty()) {
      first = 0;
      if (s.reach > last) last = s.reach;
    }
    for (int k = first; k < last; ++k) phi[k] = none<T>();
    for (int k = s.begin; k < s.end; ++k) {
      phi[k] = as<T>(s.phi[k - s.begin]);
      r += phi[k] * q[k];
    }
    for (const SecondOrder& g : s.second) {
      T square(0.0);
      each_row_times(g.g, n, s.reach, q, [&](int k, const T& gq) {
        add_scaled(phi[k], g.along, gq);
        square += gq * q[k];
      });
      add_scaled(r, g.along, T(0.5) * square);
    }
  }

  /// Φ q̇
  Vector3<T> rate(const Vector3<T>* phi, const T* qdot) const {
    Vector3<T> sum = none<T>();
    for (int k = first; k < last; ++k) sum += phi[k] * qdot[k];
    return sum;
  }
};

/// q̇ᵀ g q̇ of one sample.
template <class T>
Vector3<T> second_rate(const MassSample& s, int n, const T* qdot) {
  Vector3<T> sum = none<T>();
  for (const SecondOrder& g : s.second) {
    T square(0.0);
    each_row_times(g.g, n, s.reach, qdot, [&](int k, const T& gq) { square += qdot[k] * gq; });
    add_scaled(sum, g.along, square);
  }
  return sum;
}

template <class T>
void add_square(Symmetric3<T>& I, const Vector3<T>& r, const T& m) {
  I.xx += m * (r.y * r.y + r.z * r.z);
  I.yy += m * (r.x * r.x + r.z * r.z);
  I.zz += m * (r.x * r.x + r.y * r.y);
  I.xy -= m * r.x * r.y, I.xz -= m * r.x * r.z, I.yz -= m * r.y * r.z;
}

// ── by samples ──────────────────────────────────────────────────────────────────────────────────

template <class T>
void inertia_of_samples(const ElasticBody& b, const T* q, ElasticInertia<T>& out, Vector3<T>* phi) {
  for (const MassSample& s : b.samples) {
    const Sampled<T> at(s, b.n, q, phi);
    const T m(s.mass), mc(s.mass * s.c);
    out.rigid.m += T(s.mass * s.c * s.c);
    out.rigid.mc += at.r * mc;
    add_square(out.rigid.I, at.r, m);
    for (int k = at.first; k < at.last; ++k) {
      const Vector3<T> heavy = phi[k] * m;
      out.coupling[k].n += cross(at.r, heavy);
      out.coupling[k].f += phi[k] * mc;
      for (int l = at.first; l <= k; ++l) out.elastic[k * b.n + l] += dot(phi[l], heavy);
    }
  }
}

/// a = c ω × v + ω × (ω × r) + 2 ω × Φ q̇ + q̇ᵀ g q̇, the part of a sample's acceleration that is
/// there without accelerations of the frame (spatial ones) and of q.
template <class T>
void bias_of_samples(const ElasticBody& b, const T* q, const T* qdot, const Twist<T>& V,
                     Wrench<T>& wrench, T* force, Vector3<T>* phi) {
  const Vector3<T> wv = cross(V.w, V.v);
  for (const MassSample& s : b.samples) {
    const Sampled<T> at(s, b.n, q, phi);
    const Vector3<T> slip = at.rate(phi, qdot);
    const Vector3<T> a =
        wv * T(s.c) + cross(V.w, cross(V.w, at.r) + slip * T(2.0)) + second_rate(s, b.n, qdot);
    const Vector3<T> heavy = a * T(s.mass);
    wrench.n += cross(at.r, heavy);
    wrench.f += heavy * T(s.c);
    for (int k = at.first; k < at.last; ++k) force[k] += dot(phi[k], heavy);
  }
}

/// ∂T/∂qₗ = Σ m v · (ω × Φₗ + gₗ q̇)
template <class T>
void gradient_of_samples(const ElasticBody& b, const T* q, const T* qdot, const Twist<T>& V,
                         T* gradient, Vector3<T>* phi) {
  for (const MassSample& s : b.samples) {
    const Sampled<T> at(s, b.n, q, phi);
    const Vector3<T> v = (V.v * T(s.c) + cross(V.w, at.r) + at.rate(phi, qdot)) * T(s.mass);
    const Vector3<T> vw = cross(v, V.w);  // v · (ω × Φ) = Φ · (v × ω)
    for (int l = at.first; l < at.last; ++l) gradient[l] += dot(phi[l], vw);
    for (const SecondOrder& g : s.second) {
      const T along = dot(as<T>(g.along), v);
      each_row_times(g.g, b.n, s.reach, qdot,
                     [&](int l, const T& gq) { gradient[l] += along * gq; });
    }
  }
}

// ── by invariants: T cut after the second order in q ────────────────────────────────────────────

template <class T>
Matrix3<T> zero_matrix() {
  return {none<T>(), none<T>(), none<T>()};
}
template <class T>
void add_scaled(Matrix3<T>& sum, const Mat3& m, const T& s) {
  add_scaled(sum.x, m.x, s), add_scaled(sum.y, m.y, s), add_scaled(sum.z, m.z, s);
}

/// vee(Σᵀ − Σ) = ∫ a × b dm for Σ = ∫ a bᵀ dm
template <class T>
Vector3<T> cross_of(const Matrix3<T>& S) {
  return {S(1, 2) - S(2, 1), S(2, 0) - S(0, 2), S(0, 1) - S(1, 0)};
}

/// Moments of the deformed body: P = ∫ r rᵀ dm to second order, and Pₗ = ∫ r Φₗᵀ dm to first.
template <class T>
struct Moments {
  const ElasticBody& b;
  const T* q;

  const Mat3& Sig(int k, int l) const {
    return b.invariants
        .Sig[static_cast<size_t>(k) * static_cast<size_t>(b.n) + static_cast<size_t>(l)];
  }
  T gq(const std::vector<double>& g, int l) const { return row_times(g, b.n, b.n, l, q); }

  /// ∫ r Φₗᵀ dm ≈ Σ₀ₗ + Σ qₖ (Σₖₗ + ∫ x gₖₗᵀ dm)
  Matrix3<T> with(int l) const {
    Matrix3<T> sum = zero_matrix<T>();
    add_scaled(sum, b.invariants.Sig_0[l], T(1.0));
    for (int k = 0; k < b.n; ++k) add_scaled(sum, Sig(k, l), q[k]);
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c) sum(a, c) += gq(b.invariants.B[a][c], l);
    return sum;
  }
  /// ∫ Φₗ dm
  Vector3<T> first(int l) const {
    Vector3<T> sum = as<T>(b.invariants.S[l]);
    for (int a = 0; a < 3; ++a) sum[a] += gq(b.invariants.A[a], l);
    return sum;
  }
};

/// tr(P) 1 − P
template <class T>
Symmetric3<T> inertia_of(const Matrix3<T>& P) {
  return {P(1, 1) + P(2, 2),
          P(0, 0) + P(2, 2),
          P(0, 0) + P(1, 1),
          T(-0.5) * (P(0, 1) + P(1, 0)),
          T(-0.5) * (P(0, 2) + P(2, 0)),
          T(-0.5) * (P(1, 2) + P(2, 1))};
}

template <class T>
void inertia_of_invariants(const ElasticBody& b, const T* q, ElasticInertia<T>& out) {
  const Moments<T> at{b, q};
  const ElasticInvariants& v = b.invariants;
  out.rigid.m = T(v.mass);
  out.rigid.mc = as<T>(v.s);
  Matrix3<T> P = zero_matrix<T>();
  add_scaled(P, v.Sig_00, T(1.0));
  for (int l = 0; l < b.n; ++l) {
    const Vector3<T> first = at.first(l), linear = as<T>(v.S[l]);
    const Matrix3<T> with = at.with(l);
    Matrix3<T> linear_with = zero_matrix<T>();
    add_scaled(linear_with, v.Sig_0[l], T(1.0));
    // s = s₀ + S q + ½ qᵀ A q,  P = P₀ + 2 sym(Σ₀ₗ) qₗ + …: half of what the rates have, and half
    out.rigid.mc += (first + linear) * (T(0.5) * q[l]);
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c)
        P(a, c) +=
            T(0.5) * q[l] * (with(a, c) + with(c, a) + linear_with(a, c) + linear_with(c, a));
    out.coupling[l] = {cross_of(with), first};
    for (int k = l; k < b.n; ++k) {
      const Mat3& S = at.Sig(k, l);
      out.elastic[k * b.n + l] = T(S(0, 0) + S(1, 1) + S(2, 2));
    }
  }
  out.rigid.I = inertia_of(P);
}

template <class T>
void bias_of_invariants(const ElasticBody& b, const T* q, const T* qdot, const Twist<T>& V,
                        Wrench<T>& wrench, T* force, Vector3<T>*) {
  const Moments<T> at{b, q};
  const ElasticInvariants& v = b.invariants;
  const Vector3<T>& w = V.w;
  const Vector3<T> wv = cross(w, V.v);
  // s and P of the deformed body, Ct q̇, and with ċ = ∫ r (Φ q̇)ᵀ dm: J̇ and Cr q̇
  Vector3<T> s = as<T>(v.s), slip = none<T>(), curl = none<T>(), turning = none<T>();
  Matrix3<T> P = zero_matrix<T>(), mixed = zero_matrix<T>();
  add_scaled(P, v.Sig_00, T(1.0));
  for (int l = 0; l < b.n; ++l) {
    const Vector3<T> first = at.first(l), linear = as<T>(v.S[l]);
    const Matrix3<T> with = at.with(l);
    const Mat3& linear_with = v.Sig_0[l];
    s += (first + linear) * (T(0.5) * q[l]);
    slip += first * qdot[l];
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c) {
        P(a, c) +=
            T(0.5) * q[l] * (with(a, c) + with(c, a) + T(linear_with(a, c) + linear_with(c, a)));
        mixed(a, c) += with(a, c) * qdot[l];
      }
    for (int a = 0; a < 3; ++a) {
      curl[a] += qdot[l] * row_times(v.A[a], b.n, b.n, l, qdot);
      const int y = (a + 1) % 3, z = (a + 2) % 3;
      turning[a] += qdot[l] * (row_times(v.B[y][z], b.n, b.n, l, qdot) -
                               row_times(v.B[z][y], b.n, b.n, l, qdot));
    }
  }
  const Symmetric3<T> J = inertia_of(P);
  const Symmetric3<T> Jdot = inertia_of(mixed);  // half of J̇: tr ċ 1 − sym ċ
  // forces of (C.5), with a_O = spatial acceleration + ω × v
  wrench.f += wv * T(v.mass) + cross(w, cross(w, s)) + cross(w, slip) * T(2.0) + curl;
  wrench.n +=
      cross(s, wv) + cross(w, J * w) + (Jdot * w) * T(2.0) + cross(w, cross_of(mixed)) + turning;
  for (int l = 0; l < b.n; ++l) {
    const Matrix3<T> with = at.with(l);
    T sum = dot(at.first(l), wv);
    // 2 ω · Σ cₖₗ q̇ₖ,  cₖₗ = ∫ φₖ × φₗ dm
    for (int k = 0; k < b.n; ++k) {
      const Mat3& S = at.Sig(k, l);
      const Vector3<T> c{T(S(1, 2) - S(2, 1)), T(S(2, 0) - S(0, 2)), T(S(0, 1) - S(1, 0))};
      sum += T(2.0) * qdot[k] * dot(w, c);
    }
    // −½ ωᵀ ∂J/∂qₗ ω,  ∂J/∂qₗ = 2 (tr 1 − sym) of ∫ r Φₗᵀ dm
    sum -= dot(w, inertia_of(with) * w);
    force[l] += sum;
  }
}

template <class T>
void gradient_of_invariants(const ElasticBody& b, const T* q, const T* qdot, const Twist<T>& V,
                            T* gradient) {
  const Moments<T> at{b, q};
  const ElasticInvariants& v = b.invariants;
  for (int l = 0; l < b.n; ++l) {
    const Matrix3<T> with = at.with(l);
    T sum = dot(V.v, cross(V.w, at.first(l))) + dot(V.w, inertia_of(with) * V.w);
    for (int a = 0; a < 3; ++a) {
      sum += V.v[a] * row_times(v.A[a], b.n, b.n, l, qdot);
      const int y = (a + 1) % 3, z = (a + 2) % 3;
      sum += V.w[a] *
             (row_times(v.B[y][z], b.n, b.n, l, qdot) - row_times(v.B[z][y], b.n, b.n, l, qdot));
    }
    for (int m = 0; m < b.n; ++m) {
      const Mat3& S = at.Sig(l, m);
      const Vector3<T> c{T(S(1, 2) - S(2, 1)), T(S(2, 0) - S(0, 2)), T(S(0, 1) - S(1, 0))};
      sum += qdot[m] * dot(V.w, c);
    }
    gradient[l] += sum;
  }
}

// ── rotation of a place ─────────────────────────────────────────────────────────────────────────

/// b = (1 − cos θ)/θ², c = (θ − sin θ)/θ³ and their derivatives by θ².
template <class T>
struct TangentFactors {
  T b, c, b1, c1;

  explicit TangentFactors(const T& x) {
    const auto small = less(x, T(detail::small_angle_squared));
    const T safe = select(small, T(1.0), x), angle = sqrt(safe);
    const SinCos<T> s = sincos(angle);
    const T a = s.sin / angle;
    b = select(small, detail::trigonometric_series(x, 2), (T(1.0) - s.cos) / safe);
    c = select(small, detail::trigonometric_series(x, 3), (angle - s.sin) / (safe * angle));
    b1 = select(small, slope(x, 2), (a - b * T(2.0)) / (safe * T(2.0)));
    c1 = select(small, slope(x, 3), (b - c * T(3.0)) / (safe * T(2.0)));
  }

  /// Σ (−1)^k k x^(k−1)/(2k + n)!
  static T slope(const T& x, int n) {
    double coefficient[10], f = 1;
    for (int i = 2; i <= n; ++i) f *= i;
    for (int k = 1; k < 10; ++k) {
      f *= (2 * k + n - 1) * static_cast<double>(2 * k + n);
      coefficient[k] = (k % 2 ? -k : k) / f;
    }
    T sum(0.0);
    for (int k = 9; k >= 1; --k) sum = T(coefficient[k]) + x * sum;
    return sum;
  }
};

}  // namespace

template <class T>
void elastic_inertia(const ElasticBody& b, const T* q, ElasticInertia<T>& out,
                     Vector3<T>* scratch) {
  const T zero(0.0);
  out.rigid = {zero, none<T>(), {zero, zero, zero, zero, zero, zero}};
  for (int k = 0; k < b.n; ++k) out.coupling[k] = {none<T>(), none<T>()};
  for (int k = 0; k < b.n * b.n; ++k) out.elastic[k] = zero;
  if (b.form == ElasticForm::samples)
    inertia_of_samples(b, q, out, scratch);
  else
    inertia_of_invariants(b, q, out);
  for (int k = 0; k < b.n; ++k)
    for (int l = 0; l < k; ++l) out.elastic[l * b.n + k] = out.elastic[k * b.n + l];
}

template <class T>
void elastic_bias(const ElasticBody& b, const T* q, const T* qdot, const Twist<T>& V,
                  Wrench<T>& wrench, T* force, Vector3<T>* scratch) {
  wrench = {none<T>(), none<T>()};
  for (int k = 0; k < b.n; ++k) force[k] = T(0.0);
  if (b.form == ElasticForm::samples)
    bias_of_samples(b, q, qdot, V, wrench, force, scratch);
  else
    bias_of_invariants(b, q, qdot, V, wrench, force, scratch);
}

template <class T>
void elastic_gradient(const ElasticBody& b, const T* q, const T* qdot, const Twist<T>& V,
                      T* gradient, Vector3<T>* scratch) {
  for (int k = 0; k < b.n; ++k) gradient[k] = T(0.0);
  if (b.form == ElasticForm::samples)
    gradient_of_samples(b, q, qdot, V, gradient, scratch);
  else
    gradient_of_invariants(b, q, qdot, V, gradient);
}

/// R_P = R exp([ψ]×): its angular velocity in B is J ψ̇, J = 1 + b [ψ]× + c [ψ]×².
template <class T>
void place_elastic(const ElasticPlace& p, int n, const T* q, Vector3<T>& r, Matrix3<T>& E,
                   Twist<T>* columns) {
  r = as<T>(p.x);
  Vector3<T> psi = none<T>();
  for (int k = 0; k < n; ++k) {
    columns[k].v = as<T>(p.phi[k]);
    r += columns[k].v * q[k];
    add_scaled(psi, p.psi[k], q[k]);
  }
  for (const SecondOrder& g : p.second) {
    T square(0.0);
    for (int k = 0; k < n; ++k) {
      const T gq = row_times(g.g, n, n, k, q);
      add_scaled(columns[k].v, g.along, gq);
      square += gq * q[k];
    }
    add_scaled(r, g.along, T(0.5) * square);
  }
  E = rotation_exp(psi);
  const TangentFactors<T> f(dot(psi, psi));
  for (int k = 0; k < n; ++k) {
    const Vector3<T> y = as<T>(p.psi[k]), py = cross(psi, y);
    columns[k].w = y + py * f.b + cross(psi, py) * f.c;
  }
}

template <class T>
void elastic_column_rates(const ElasticPlace& p, int n, const T* q, const T* qdot,
                          Twist<T>* rates) {
  Vector3<T> psi = none<T>(), dpsi = none<T>();
  for (int k = 0; k < n; ++k) {
    rates[k].v = none<T>();
    add_scaled(psi, p.psi[k], q[k]);
    add_scaled(dpsi, p.psi[k], qdot[k]);
  }
  for (const SecondOrder& g : p.second)
    for (int k = 0; k < n; ++k) add_scaled(rates[k].v, g.along, row_times(g.g, n, n, k, qdot));
  const TangentFactors<T> f(dot(psi, psi));
  const T along = T(2.0) * dot(psi, dpsi), db = along * f.b1, dc = along * f.c1;
  for (int k = 0; k < n; ++k) {
    const Vector3<T> y = as<T>(p.psi[k]);
    const Vector3<T> py = cross(psi, y), dy = cross(dpsi, y);
    rates[k].w =
        py * db + dy * f.b + cross(psi, py) * dc + (cross(dpsi, py) + cross(psi, dy)) * f.c;
  }
}

#define SARRUS_ELASTIC_OF(T)                                                                      \
  template void elastic_inertia(const ElasticBody&, const T*, ElasticInertia<T>&, Vector3<T>*);   \
  template void elastic_bias(const ElasticBody&, const T*, const T*, const Twist<T>&, Wrench<T>&, \
                             T*, Vector3<T>*);                                                    \
  template void elastic_gradient(const ElasticBody&, const T*, const T*, const Twist<T>&, T*,     \
                                 Vector3<T>*);                                                    \
  template void place_elastic(const ElasticPlace&, int, const T*, Vector3<T>&, Matrix3<T>&,       \
                              Twist<T>*);                                                         \
  template void elastic_column_rates(const ElasticPlace&, int, const T*, const T*, Twist<T>*);

SARRUS_ELASTIC_OF(double)
SARRUS_ELASTIC_OF(Pack<4>)
SARRUS_ELASTIC_OF(Dual<double>)
SARRUS_ELASTIC_OF(std::complex<double>)

}  // namespace sarrus
