#include "sarrus/formulations/energy/energy_hamiltonian.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sarrus {
namespace {

constexpr double lost_diagonal = 1e-12;  // of the diagonal: nothing but rounding is left
constexpr double not_small = 0.1;        // [rad]

}  // namespace

EnergyHamiltonian::EnergyHamiltonian(const Mechanism& mechanism, const FormulationOptions& options)
    : TreeFormulation(mechanism),
      literal_matrix_(options.energy_matrix == "literal"),
      gradient_(options.energy_gradient),
      energy_(mechanism) {
  const Mechanism& m = mechanism;
  needs_accelerations_ = !m.motions.empty();
  for (const auto& f : m.numbers.forces.frictions)
    needs_accelerations_ = needs_accelerations_ || f.coefficient > 0;
  for (size_t b = 1; b < static_cast<size_t>(m.nb); ++b)
    for (int u = m.u0[b]; u < m.u0[b + 1] && !m.prescribed[b]; ++u) free_.push_back(u);
  const auto n = static_cast<size_t>(m.nu), f = free_.size();
  A_.resize(n * n), L_.resize(f * f), x_.resize(f);
  p_.resize(n), dT_.resize(n), Q_.resize(n), Adot_u_.resize(n);
}

// ── velocities: (9) ─────────────────────────────────────────────────────────────────────────────

/// [A_ff] = L d Lᵀ, d on the diagonal. A pivot that is lost names its freedom.
bool EnergyHamiltonian::factor(double t) {
  const auto n = static_cast<size_t>(m_.nu), f = free_.size();
  for (size_t i = 0; i < f; ++i)
    for (size_t j = 0; j <= i; ++j)
      L_[i + j * f] = A_[static_cast<size_t>(free_[i]) + static_cast<size_t>(free_[j]) * n];
  for (size_t j = 0; j < f; ++j) {
    const double diagonal = L_[j + j * f];
    for (size_t k = 0; k < j; ++k) L_[j + j * f] -= L_[j + k * f] * L_[j + k * f] * L_[k + k * f];
    const double d = L_[j + j * f];
    if (!(d > lost_diagonal * diagonal))
      return refuse(fmt::format(
          "the energy matrix is singular at t = {} s: {} moves nothing that the joints before it "
          "do not move already, its pivot is {:.1e} of {:.3g} (a gimbal lock: use a spherical "
          "joint, or another order of axes; or a body without mass at the end)",
          t, m_.velocity_name(free_[j]), d / diagonal, diagonal));
    for (size_t i = j + 1; i < f; ++i) {
      for (size_t k = 0; k < j; ++k) L_[i + j * f] -= L_[i + k * f] * L_[j + k * f] * L_[k + k * f];
      L_[i + j * f] /= d;
    }
  }
  return true;
}

/// x ← [A_ff]⁻¹ x
void EnergyHamiltonian::solve(double* x) const {
  const size_t f = free_.size();
  for (size_t i = 0; i < f; ++i)
    for (size_t k = 0; k < i; ++k) x[i] -= L_[i + k * f] * x[k];
  for (size_t i = 0; i < f; ++i) x[i] /= L_[i + i * f];
  for (size_t i = f; i-- > 0;)
    for (size_t k = i + 1; k < f; ++k) x[i] -= L_[k + i * f] * x[k];
}

/// u_ from p; q_ then has the prescribed positions.
bool EnergyHamiltonian::find_velocities(double t, std::span<const double> p, const double* state) {
  if (!literal_matrix_) u_ = move_by_momenta(w_, t, q_.data(), p.data(), state).places->u;
  for (const PrescribedMotion& motion : m_.motions) {
    const Jet<double> given = motion_at(w_, motion, t);
    if (!motion.is_speed) q_[motion.q] = given.v;
    u_[motion.u] = given.d;
  }
  if (!literal_matrix_) return true;

  energy_.matrix(q_.data(), A_.data());
  if (!factor(t)) return false;
  for (size_t i = 0; i < free_.size(); ++i) {
    const int row = free_[i];
    x_[i] = p[row];
    for (const PrescribedMotion& motion : m_.motions)
      x_[i] -= A_[row + motion.u * m_.nu] * u_[motion.u];
  }
  solve(x_.data());
  for (size_t i = 0; i < free_.size(); ++i) u_[free_[i]] = x_[i];
  return true;
}

void EnergyHamiltonian::velocities(double t, std::span<const double> w, const double* state,
                                   std::span<double> u) {
  if (!find_velocities(t, w, state))
    std::fill(u_.begin(), u_.end(), std::nan(""));  // failure() says why
  if (u.data() != u_.data()) std::copy(u_.begin(), u_.end(), u.begin());
}

/// (6)
void EnergyHamiltonian::start_velocities(const Kinematics<double>& k, std::span<double> w) {
  if (!literal_matrix_) return joint_momenta(w_, k, w.data());
  energy_.matrix(k.q.data(), A_.data());
  const size_t n = k.u.size();
  for (size_t i = 0; i < n; ++i) {
    w[i] = 0;
    for (size_t j = 0; j < n; ++j) w[i] += A_[i + j * n] * k.u[j];
  }
}

// ── rates of momenta: (8) ───────────────────────────────────────────────────────────────────────

bool EnergyHamiltonian::evaluate(double t, std::span<const double> w, const double* state,
                                 std::span<double> wdot, Evaluation& out) {
  if (!find_velocities(t, w, state)) return false;
  std::copy(w.begin(), w.end(), p_.begin());
  const MomentumMotion<double>* momenta =
      gradient_ == "recursive" ? &move_by_momenta(w_, t, q_.data(), w.data(), state) : nullptr;
  const Kinematics<double>& k = move(w_, t, q_.data(), u_.data(), state);
  const Forces<double>& f = load(w_, k);
  if (!check_formulas(k, f)) return false;
  out = {&k, &f, f.flow, {}};
  const Accelerations<double>* a = needs_accelerations_ ? &accelerate(w_, k, f) : nullptr;
  if (a && !check_accelerations(k, *a)) return false;
  if (a) out.flow = a->flow;
  if (momenta) {
    momentum_rates(w_, *momenta, f, wdot.data());
    return true;
  }
  gradient();
  joint_forces(w_, k, f, Q_.data(), !energy_.is_truncated());
  for (size_t i = 0; i < wdot.size(); ++i) wdot[i] = dT_[i] + Q_[i];
  // of the prescribed motions' work the truncated equations' own takes the place of the full ones'
  if (energy_.is_truncated() && a) out.flow.drive += drive_power(*a) - full_drive_power(*a);
  return true;
}

void EnergyHamiltonian::gradient() {
  if (gradient_ == "complex")
    energy_.gradient_by_complex_step(q_.data(), u_.data(), dT_.data());
  else
    energy_.gradient_by_differences(q_.data(), u_.data(), dT_.data());
  add_hamel_terms();
}

/// (10). The brackets of constant columns: turns [e_i, e_j] = e_i × e_j, a turn and a slide
/// [(ω, v), (e, 0)] = (ω × e, v × e), [(ω, v), (0, e)] = (0, ω × e).
void EnergyHamiltonian::add_hamel_terms() {
  for (size_t b = 1; b < static_cast<size_t>(m_.nb); ++b) {
    const auto at = static_cast<size_t>(m_.u0[b]);
    const double *u = u_.data() + at, *p = p_.data() + at;
    double* dT = dT_.data() + at;
    const auto add = [&](int first, const Vec3& x) {
      for (int i = 0; i < 3; ++i) dT[first + i] += x[i];
    };
    switch (facts_of(m_.kind[b]).chart) {
      case ChartKind::rotation:
        add(0, cross(Vec3{p[0], p[1], p[2]}, Vec3{u[0], u[1], u[2]}));
        break;
      case ChartKind::pose: {
        const Vec3 w{u[0], u[1], u[2]}, v{u[3], u[4], u[5]};
        const Vec3 turn{p[0], p[1], p[2]}, slide{p[3], p[4], p[5]};
        add(0, cross(turn, w) + cross(slide, v));
        add(3, cross(slide, w));
        break;
      }
      case ChartKind::plane:
        dT[0] += p[1] * u[2] - p[2] * u[1];
        dT[1] += p[2] * u[0];
        dT[2] -= p[1] * u[0];
        break;
      case ChartKind::additive: break;
    }
  }
}

// ── what belongs to a truncated energy ──────────────────────────────────────────────────────────

/// Work of the prescribed motions per time, from the truncated equations themselves:
///   [A]{u̇} + [Ȧ]{u} = {∂(T − V)/∂q} + {Q} + {drive},  drive = 0 on free velocities
double EnergyHamiltonian::drive_power(const Accelerations<double>& a) {
  const int n = m_.nu;
  energy_.matrix_rate_times(q_.data(), u_.data(), Adot_u_.data());
  for (size_t i = 0; i < free_.size(); ++i) {
    const int row = free_[i];
    x_[i] = dT_[row] + Q_[row] - Adot_u_[row];
    for (const PrescribedMotion& motion : m_.motions)
      x_[i] -= A_[row + motion.u * n] * a.udot[motion.u];
  }
  solve(x_.data());
  double power = 0;
  for (const PrescribedMotion& motion : m_.motions) {
    const int row = motion.u;
    double drive = Adot_u_[row] - dT_[row] - Q_[row];
    for (size_t i = 0; i < free_.size(); ++i) drive += A_[row + free_[i] * n] * x_[i];
    for (const PrescribedMotion& other : m_.motions)
      drive += A_[row + other.u * n] * a.udot[other.u];
    power += drive * u_[row];
  }
  return power;
}

double EnergyHamiltonian::full_drive_power(const Accelerations<double>& a) {
  double power = 0;
  for (const PrescribedMotion& motion : m_.motions)
    power += drive_force(w_, a, motion.body, motion.u) * u_[motion.u];
  return power;
}

double EnergyHamiltonian::energy(double t, std::span<const double> w, const double* state) {
  velocities(t, w, state, u_);
  const Kinematics<double>& k = move(w_, t, q_.data(), u_.data(), state);
  const Forces<double>& f = load(w_, k);
  if (!energy_.is_truncated()) return kinetic_energy(w_, k) + potential_energy(w_, k, f);
  return energy_.kinetic(k.q.data(), k.u.data()) + (f.flow.potential + energy_.gravity(k.q.data()));
}

void EnergyHamiltonian::observe(double t, std::span<const double> y, Snapshot& out) {
  TreeFormulation::observe(t, y, out);
  if (!energy_.is_truncated()) return;
  const double* q = out.q.data();
  out.kinetic = energy_.kinetic(q, out.u.data());
  out.potential = out.element_energy + energy_.gravity(q);
  for (int b = 1; b < m_.nb; ++b) {
    if (!m_.small[b]) continue;
    for (int k = 0; k < joint_nq(m_.kind[b]); ++k) {
      const int at = m_.q0[b] + k;
      if (slides(m_.kind[b], k)) continue;
      if (std::fabs(q[at]) <= largest_small_) continue;
      largest_small_ = std::fabs(q[at]), largest_at_ = at, time_of_largest_ = t;
    }
  }
}

std::vector<Diagnostic> EnergyHamiltonian::notes() const {
  if (!(largest_small_ > not_small)) return {};
  const JointInfo* joint = m_.joint_of_body(m_.body_of_coordinate(largest_at_));
  return {{.severity = Severity::warning,
           .code = "not-small",
           .where = joint->where,
           .element = "joint/" + joint->name + "/small",
           .message = fmt::format("{} reached {:.3g} rad at t = {:.6g} s, and is treated as small; "
                                  "beyond {} rad the neglected terms matter",
                                  m_.coordinate_name(largest_at_), largest_small_, time_of_largest_,
                                  not_small),
           .hint = "leave out small = true",
           .value = fmt::format("{}", largest_small_),
           .limit = fmt::format("{}", not_small)}};
}

}  // namespace sarrus
