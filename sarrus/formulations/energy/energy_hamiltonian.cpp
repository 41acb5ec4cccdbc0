#include "sarrus/formulations/energy/energy_hamiltonian.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sarrus {
namespace {

constexpr double lost_pivot = 1e-12;  // of the diagonal: nothing but rounding is left
constexpr double not_small = 0.1;     // [rad]

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
  const auto n = static_cast<size_t>(m_->nu), f = free_.size();
  for (size_t i = 0; i < f; ++i)
    for (size_t j = 0; j <= i; ++j)
      L_[i + j * f] = A_[static_cast<size_t>(free_[i]) + static_cast<size_t>(free_[j]) * n];
  for (size_t j = 0; j < f; ++j) {
    const double diagonal = L_[j + j * f];
    for (size_t k = 0; k < j; ++k) L_[j + j * f] -= L_[j + k * f] * L_[j + k * f] * L_[k + k * f];
    const double d = L_[j + j * f];
    if (!(d > lost_pivot * diagonal))
      return refuse(fmt::format(
          "the energy matrix is singular at t = {} s: {} moves nothing that the joints before it "
          "do not move already, its pivot is {:.1e} of {:.3g} (a gimbal lock: use a spherical "
          "joint, or another order of axes; or a body without mass at the end)",
          t, m_->velocity_name(free_[j]), d / diagonal, diagonal));
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

/// u_ from p; dynamics_ then holds the prescribed positions.
bool EnergyHamiltonian::find_velocities(double t, std::span<const double> p, const double* state) {
  if (!literal_matrix_ || gradient_ == "recursive")
    dynamics_.set_momenta(t, q_.data(), p.data(), state);
  else if (!m_->motions.empty())
    dynamics_.set(t, q_.data(), u_.data(), state);
  if (!m_->motions.empty()) std::copy_n(dynamics_.q().begin(), q_.size(), q_.begin());
  if (!literal_matrix_ || !m_->motions.empty())
    std::copy_n(dynamics_.u().begin(), u_.size(), u_.begin());
  if (!literal_matrix_) return true;

  energy_.matrix(q_.data(), A_.data());
  if (!factor(t)) return false;
  const auto n = static_cast<size_t>(m_->nu);
  for (size_t i = 0; i < free_.size(); ++i) {
    const auto row = static_cast<size_t>(free_[i]);
    x_[i] = p[row];
    for (const Motion& motion : m_->motions) {
      const auto k = static_cast<size_t>(motion.u);
      x_[i] -= A_[row + k * n] * u_[k];
    }
  }
  solve(x_.data());
  for (size_t i = 0; i < free_.size(); ++i) u_[static_cast<size_t>(free_[i])] = x_[i];
  return true;
}

void EnergyHamiltonian::velocities(double t, std::span<const double> w, const double* state,
                                   std::span<double> u) {
  if (!find_velocities(t, w, state))
    std::fill(u_.begin(), u_.end(), std::nan(""));  // failure() says why
  if (u.data() != u_.data()) std::copy(u_.begin(), u_.end(), u.begin());
}

/// (6)
void EnergyHamiltonian::start_velocities(std::span<const double> u, std::span<double> w) {
  if (!literal_matrix_) return dynamics_.joint_momenta(w.data());
  energy_.matrix(dynamics_.q().data(), A_.data());
  const size_t n = u.size();
  for (size_t i = 0; i < n; ++i) {
    w[i] = 0;
    for (size_t j = 0; j < n; ++j) w[i] += A_[i + j * n] * u[j];
  }
}

// ── rates of momenta: (8) ───────────────────────────────────────────────────────────────────────

bool EnergyHamiltonian::evolve(double t, std::span<const double> w, const double* state) {
  if (!find_velocities(t, w, state)) return false;
  std::copy(w.begin(), w.end(), p_.begin());
  dynamics_.set(t, q_.data(), u_.data(), state);
  if (!check_formulas(t)) return false;
  if (!needs_accelerations_) return true;
  if (!accelerate(t)) return false;
  full_drive_power_ = 0;
  for (const Motion& motion : m_->motions)
    full_drive_power_ +=
        dynamics_.drive_force(motion.body, motion.u) * u_[static_cast<size_t>(motion.u)];
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
  for (size_t b = 1; b < static_cast<size_t>(m_->nb); ++b) {
    const auto at = static_cast<size_t>(m_->u0[b]);
    const double *u = u_.data() + at, *p = p_.data() + at;
    double* dT = dT_.data() + at;
    const auto add = [&](int first, const Vec3& x) {
      for (int i = 0; i < 3; ++i) dT[first + i] += x[i];
    };
    switch (m_->kind[b]) {
      case JointKind::spherical:
        add(0, cross(Vec3{p[0], p[1], p[2]}, Vec3{u[0], u[1], u[2]}));
        break;
      case JointKind::free: {
        const Vec3 w{u[0], u[1], u[2]}, v{u[3], u[4], u[5]};
        const Vec3 turn{p[0], p[1], p[2]}, slide{p[3], p[4], p[5]};
        add(0, cross(turn, w) + cross(slide, v));
        add(3, cross(slide, w));
        break;
      }
      case JointKind::planar:
        dT[0] += p[1] * u[2] - p[2] * u[1];
        dT[1] += p[2] * u[0];
        dT[2] -= p[1] * u[0];
        break;
      default: break;
    }
  }
}

void EnergyHamiltonian::velocity_rates(std::span<double> wdot) {
  if (gradient_ == "recursive") return dynamics_.momentum_rates(wdot.data());
  gradient();
  dynamics_.joint_forces(Q_.data(), !energy_.is_truncated());
  for (size_t i = 0; i < wdot.size(); ++i) wdot[i] = dT_[i] + Q_[i];
  if (energy_.is_truncated() && !m_->motions.empty()) find_drive_power();
}

// ── what belongs to a truncated energy ──────────────────────────────────────────────────────────

/// Work of the prescribed motions per time, from the truncated equations themselves:
///   [A]{u̇} + [Ȧ]{u} = {∂(T − V)/∂q} + {Q} + {drive},  drive = 0 on free velocities
void EnergyHamiltonian::find_drive_power() {
  const auto n = static_cast<size_t>(m_->nu);
  energy_.matrix_rate_times(q_.data(), u_.data(), Adot_u_.data());
  const auto given = [&](const Motion& motion) {
    return dynamics_.udot()[static_cast<size_t>(motion.u)];
  };
  for (size_t i = 0; i < free_.size(); ++i) {
    const auto row = static_cast<size_t>(free_[i]);
    x_[i] = dT_[row] + Q_[row] - Adot_u_[row];
    for (const Motion& motion : m_->motions)
      x_[i] -= A_[row + static_cast<size_t>(motion.u) * n] * given(motion);
  }
  solve(x_.data());
  drive_power_ = 0;
  for (const Motion& motion : m_->motions) {
    const auto row = static_cast<size_t>(motion.u);
    double drive = Adot_u_[row] - dT_[row] - Q_[row];
    for (size_t i = 0; i < free_.size(); ++i)
      drive += A_[row + static_cast<size_t>(free_[i]) * n] * x_[i];
    for (const Motion& other : m_->motions)
      drive += A_[row + static_cast<size_t>(other.u) * n] * given(other);
    drive_power_ += drive * u_[row];
  }
}

EnergyFlow<double> EnergyHamiltonian::flow() const {
  EnergyFlow<double> flow = dynamics_.flow();
  if (!energy_.is_truncated()) return flow;
  // of the prescribed motions' work the truncated equations' own takes the place of the full ones'
  flow.drive += drive_power_ - full_drive_power_;
  return flow;
}

Dynamics<double>& EnergyHamiltonian::observe(double t, std::span<const double> y) {
  Dynamics<double>& d = TreeFormulation::observe(t, y);
  if (!energy_.is_truncated()) return d;
  const double* q = d.q().data();
  d.state_energies(energy_.kinetic(q, d.u().data()), energy_.gravity(q));
  for (int b = 1; b < m_->nb; ++b) {
    const auto i = static_cast<size_t>(b);
    if (!m_->small[i] || m_->kind[i] == JointKind::prismatic) continue;
    for (int k = 0; k < joint_nq(m_->kind[i]); ++k) {
      const int at = m_->q0[i] + k;
      if (m_->kind[i] == JointKind::cylindrical && k > 0) continue;  // a length
      if (std::fabs(q[at]) <= largest_small_) continue;
      largest_small_ = std::fabs(q[at]), largest_at_ = at, time_of_largest_ = t;
    }
  }
  return d;
}

double EnergyHamiltonian::energy_account(double t, std::span<const double> y) {
  const Dynamics<double>& d = observe(t, y);
  const std::span<const double> ledger = y.last(Ledger::size);
  return d.kinetic_energy() + d.potential_energy() + ledger[0] - ledger[1] - ledger[2];
}

std::vector<Diagnostic> EnergyHamiltonian::notes() const {
  if (!(largest_small_ > not_small)) return {};
  const JointInfo* joint = m_->joint_of_body(m_->body_of_coordinate(largest_at_));
  return {
      {Severity::warning, "not-small", joint->where, "joint/" + joint->name + "/small",
       fmt::format("{} reached {:.3g} rad at t = {:.6g} s, and is treated as small; beyond "
                   "{} rad the terms left out are felt",
                   m_->coordinate_name(largest_at_), largest_small_, time_of_largest_, not_small),
       "leave out small = true", fmt::format("{}", largest_small_), fmt::format("{}", not_small)}};
}

}  // namespace sarrus
