#include "sarrus/formulations/energy/energy.hpp"

#include <algorithm>
#include <cmath>

#include "sarrus/joints/chart.hpp"

namespace sarrus {
namespace {

constexpr double complex_step = 1e-30;  // its square vanishes beside anything
constexpr double small_difference_step = 0.1;

bool slides(JointKind kind, int k) {
  switch (kind) {
    case JointKind::prismatic: return true;
    case JointKind::cylindrical:
    case JointKind::planar:
    case JointKind::knife_edge: return k > 0;
    case JointKind::free: return k > 2;
    default: return false;
  }
}

/// The largest distance between a body's frame and its hinge or its centre of gravity, 1 m where
/// all are zero.
double typical_length(const Mechanism& m) {
  double longest = 0;
  for (size_t b = 1; b < m.numbers.body.size(); ++b) {
    const BodyNumbers<double>& n = m.numbers.body[b];
    longest = std::max(longest, norm(n.X_PF.p));
    if (n.inertia.m > 0) longest = std::max(longest, norm(n.inertia.mc) / n.inertia.m);
  }
  return longest > 0 ? longest : 1;
}

/// ½ (u)[A]{u}
double half_square(const std::vector<double>& A, const double* u, size_t n) {
  double sum = 0;
  for (size_t j = 0; j < n; ++j)
    for (size_t i = 0; i < n; ++i) sum += A[i + j * n] * u[i] * u[j];
  return 0.5 * sum;
}

}  // namespace

Energy::Energy(const Mechanism& mechanism) : m_(&mechanism) {
  const Mechanism& m = mechanism;
  const auto nq = static_cast<size_t>(m.nq), nu = static_cast<size_t>(m.nu);
  small_q_.assign(nq, 0), small_u_.assign(nu, 0), reach_.assign(nu, 1.0);
  const double length = typical_length(m);
  for (size_t b = 1; b < static_cast<size_t>(m.nb); ++b)
    for (int u = m.u0[b]; u < m.u0[b + 1]; ++u) {
      const int k = u - m.u0[b];
      if (slides(m.kind[b], k)) reach_[u] = length;
      if (!m.small[b]) continue;
      small_u_[u] = small_q_[m.q0[b] + k] = 1;
      truncated_ = true;
    }
  q_.resize(nq), A_.resize(nu * nu), qc_.resize(nq), uc_.resize(nu);
  if (!truncated_) {
    rows_ = std::make_unique<EnergyRows<double>>(m);
    complex_rows_ = std::make_unique<EnergyRows<Complex>>(m);
    return;
  }
  series_rows_ = std::make_unique<EnergyRows<Series<double>>>(m);
  complex_series_rows_ = std::make_unique<EnergyRows<Series<Complex>>>(m);
  qs_.resize(nq), us_.resize(nu), As_.resize(nu * nu);
  qcs_.resize(nq), ucs_.resize(nu), Acs_.resize(nu * nu);
}

/// x, or ε x where it is small.
template <class T>
void Energy::lift(const T* from, const std::vector<char>& small, Series<T>* to) const {
  for (size_t i = 0; i < small.size(); ++i)
    to[i] = small[i] ? Series<T>(T(0.0), from[i], T(0.0)) : Series<T>(from[i], T(0.0), T(0.0));
}

/// (1): an entry of [A] to the order that its place allows.
template <class T>
T Energy::kept(const Series<T>& a, size_t i, size_t j) const {
  switch (small_u_[i] + small_u_[j]) {
    case 0: return a.c0 + a.c1 + a.c2;
    case 1: return a.c0 + a.c1;
    default: return a.c0;
  }
}

void Energy::matrix(const double* q, double* A) {
  if (!truncated_) return rows_->matrix(q, A);
  lift(q, small_q_, qs_.data());
  series_rows_->matrix(qs_.data(), As_.data());
  const size_t n = small_u_.size();
  for (size_t j = 0; j < n; ++j)
    for (size_t i = 0; i < n; ++i) A[i + j * n] = kept(As_[i + j * n], i, j);
}

double Energy::kinetic(const double* q, const double* u) {
  if (!truncated_) return rows_->kinetic_energy(q, u);
  lift(q, small_q_, qs_.data());
  lift(u, small_u_, us_.data());
  const Series<double> T = series_rows_->kinetic_energy(qs_.data(), us_.data());
  return T.c0 + T.c1 + T.c2;
}

double Energy::gravity(const double* q) {
  if (!truncated_) return rows_->gravity_energy(q);
  lift(q, small_q_, qs_.data());
  const Series<double> V = series_rows_->gravity_energy(qs_.data());
  return V.c0 + V.c1 + V.c2;
}

// ── gradients ───────────────────────────────────────────────────────────────────────────────────

/// q ⊕ h e_u
template <class T>
void Energy::shifted(const double* q, int u, const T& h, T* out) const {
  const auto b = static_cast<size_t>(m_->body_of_velocity(u));
  for (int i = 0; i < m_->nq; ++i) out[i] = T(q[i]);
  T xi[6] = {}, base[7] = {};
  xi[u - m_->u0[b]] = h;
  std::copy(out + m_->q0[b], out + m_->q0[b + 1], base);
  retract(m_->kind[b], base, xi, out + m_->q0[b]);
}

/// T by (2), through the matrix; minus the energy of gravity where that is truncated too.
double Energy::lagrangian_by_matrix(const double* q, const double* u) {
  matrix(q, A_.data());
  const double T = half_square(A_, u, small_u_.size());
  return truncated_ ? T - gravity(q) : T;
}

void Energy::gradient_by_differences(const double* q, const double* u, double* dT) {
  for (int i = 0; i < m_->nu; ++i) {
    const auto k = static_cast<size_t>(i);
    // (1) is quadratic in small coordinates: exact with any step, and rounding falls with its
    // length
    const double h = (small_u_[k] ? small_difference_step : difference_step) * reach_[k];
    shifted(q, i, h, q_.data());
    const double ahead = lagrangian_by_matrix(q_.data(), u);
    shifted(q, i, -h, q_.data());
    dT[i] = (ahead - lagrangian_by_matrix(q_.data(), u)) / (2 * h);
  }
}

/// T (− V₂) at complex coordinates, in O(K).
Energy::Complex Energy::lagrangian(const Complex* q, const double* u) {
  std::copy_n(u, small_u_.size(), uc_.begin());
  if (!truncated_) return complex_rows_->kinetic_energy(q, uc_.data());
  lift(q, small_q_, qcs_.data());
  lift(uc_.data(), small_u_, ucs_.data());
  const Series<Complex> T = complex_series_rows_->kinetic_energy(qcs_.data(), ucs_.data());
  const Series<Complex> V = complex_series_rows_->gravity_energy(qcs_.data());
  return T.c0 + T.c1 + T.c2 - V.c0 - V.c1 - V.c2;
}

void Energy::gradient_by_complex_step(const double* q, const double* u, double* dT) {
  for (int i = 0; i < m_->nu; ++i) {
    shifted(q, i, Complex(0, complex_step), qc_.data());
    dT[i] = lagrangian(qc_.data(), u).imag() / complex_step;
  }
}

void Energy::matrix_rate_times(const double* q, const double* u, double* out) {
  for (size_t b = 1; b < static_cast<size_t>(m_->nb); ++b) {
    Complex base[7] = {}, xi[6] = {};
    for (int i = m_->q0[b]; i < m_->q0[b + 1]; ++i) base[i - m_->q0[b]] = q[i];
    for (int i = m_->u0[b]; i < m_->u0[b + 1]; ++i)
      xi[i - m_->u0[b]] = Complex(0, complex_step * u[i]);
    retract(m_->kind[b], base, xi, qc_.data() + m_->q0[b]);
  }
  lift(qc_.data(), small_q_, qcs_.data());
  complex_series_rows_->matrix(qcs_.data(), Acs_.data());
  const size_t n = small_u_.size();
  for (size_t i = 0; i < n; ++i) {
    out[i] = 0;
    for (size_t j = 0; j < n; ++j)
      out[i] += kept(Acs_[i + j * n], i, j).imag() / complex_step * u[j];
  }
}

}  // namespace sarrus
