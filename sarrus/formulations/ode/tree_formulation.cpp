#include "sarrus/formulations/ode/tree_formulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sarrus/formulations/assembly/closing.hpp"
#include "sarrus/joints/chart.hpp"

namespace sarrus {
namespace {

constexpr int most_corrections = 15;
constexpr double closed = 1e-13;             // residual, in units of the mechanism's length
constexpr double nearly_closed = 1e-9;       // where rounding stops the corrections
constexpr double singular_zone = 0.01;       // independence below which stages are brought back too
constexpr double wide_singular_zone = 0.05;  // of momenta, for which only whole steps can change

/// What the rounding of coordinates leaves open, a lever of one length of the mechanism assumed.
double rounding_of(const std::vector<double>& q) {
  double largest = 1;
  for (const double x : q) largest = std::max(largest, std::fabs(x));
  return 2 * std::numeric_limits<double>::epsilon() * largest;
}

}  // namespace

TreeFormulation::TreeFormulation(const Mechanism& mechanism)
    : m_(&mechanism), dynamics_(mechanism) {
  q_.resize(static_cast<size_t>(m_->nq));
  base_ = q_;
  u_.resize(static_cast<size_t>(m_->nu));
  v_.resize(static_cast<size_t>(m_->nx));
  dx_ = u_;
  projected_.resize(static_cast<size_t>(size()));
  stage_ = projected_;
  all_prescribed_ = m_->ns == 0 && m_->motions.size() == static_cast<size_t>(m_->nu);
  additive_ = std::all_of(m_->kind.begin(), m_->kind.end(), is_additive);
}

void TreeFormulation::begin(const StartState& start, std::span<double> y) {
  set_configuration(start.q);
  std::fill(y.begin(), y.end(), 0.0);
  dynamics_.set(start.t, start.q.data(), start.u.data(), start.state.data());
  const auto nx = static_cast<size_t>(m_->nx), nu = static_cast<size_t>(m_->nu);
  std::copy_n(dynamics_.q().begin(), m_->nq, base_.begin());  // prescribed ones are in place now
  start_velocities({dynamics_.u().data(), nu}, y.subspan(nx, nu));
  std::copy(start.state.begin(), start.state.end(), y.begin() + m_->nx + m_->nu);
  near_singular_ = false;
  if (!dynamics_.has_loops()) return;
  dynamics_.loops().choose();
  dynamics_.factor_loops();
  rows_ = dynamics_.loops().choice();
}

void TreeFormulation::set_configuration(std::span<const double> q) {
  std::copy(q.begin(), q.end(), base_.begin());
}

void TreeFormulation::place(std::span<const double> y) {
  if (additive_) {
    for (size_t i = 0; i < q_.size(); ++i) q_[i] = base_[i] + y[i];
    return;
  }
  for (size_t b = 1; b < static_cast<size_t>(m_->nb); ++b)
    retract(m_->kind[b], base_.data() + m_->q0[b], y.data() + m_->x0[b], q_.data() + m_->q0[b]);
}

/// Whatever was observed meanwhile, a step goes on with the rows that the last one has left.
void TreeFormulation::keep_rows() {
  if (dynamics_.has_loops()) dynamics_.loops().keep(rows_);
}

std::vector<double> TreeFormulation::memory() const {
  std::vector<double> memory(rows_.keep.begin(), rows_.keep.end());
  memory.insert(memory.end(), rows_.scale.begin(), rows_.scale.end());
  memory.push_back(near_singular_);
  return memory;
}

void TreeFormulation::set_memory(std::span<const double> memory) {
  const size_t rows = rows_.keep.size();
  if (memory.size() != 2 * rows + 1) return;  // of a release that kept none
  for (size_t r = 0; r < rows; ++r) rows_.keep[r] = memory[r] != 0;
  std::copy_n(memory.begin() + static_cast<std::ptrdiff_t>(rows), rows, rows_.scale.begin());
  near_singular_ = memory.back() != 0;
}

// ── back to where loops are closed ──

/// Moves the positions in y by the velocities dx.
void TreeFormulation::shift(std::span<double> y, const double* dx) {
  if (additive_) {
    for (size_t i = 0; i < u_.size(); ++i) y[i] += dx[i];
    return;
  }
  double rate[6];
  for (size_t b = 1; b < static_cast<size_t>(m_->nb); ++b) {
    double* xi = y.data() + m_->x0[b];
    chart_velocity(m_->kind[b], dynamics_.numbers().body[b].joint, dynamics_.q().data() + m_->q0[b],
                   dx + m_->u0[b], v_.data());
    chart_rate(m_->kind[b], xi, v_.data(), rate);
    for (int i = 0; i < m_->x0[b + 1] - m_->x0[b]; ++i) xi[i] += rate[i];
  }
}

/// Newton in the metric of the masses: the smallest motion, in kinetic energy, that closes loops.
bool TreeFormulation::close_positions(double t, std::span<double> y) {
  const double* state = y.data() + m_->nx + m_->nu;
  Loops<double>& loops = dynamics_.loops();
  double before = 1e300;
  for (int k = 0; k < most_corrections; ++k) {
    place(y);
    dynamics_.set(t, q_.data(), u_.data(), state);
    loops.choose();
    dynamics_.factor_loops();
    const double residual = loops.largest_residual();
    // where independence is δ², an open loop ε turns velocities by ε/δ²: there ε goes to rounding,
    // and not below it, where corrections would be noise
    const bool easy = !near_singular_ && loops.independence() >= singular_zone;
    if (residual <= (easy ? closed : rounding_of(q_))) return true;
    if (residual <= nearly_closed && residual > 0.5 * before) return true;
    if (!std::isfinite(residual)) break;
    before = residual;
    loops.find_corrections();
    dynamics_.loop_response(loops.corrections(), dx_.data());
    for (double& d : dx_) d = -d;
    shift(y, dx_.data());
  }
  failure_ = fmt::format("the loops do not close at t = {} s: {} (residual {:.1e} of {:.3g} m)", t,
                         open_closures(dynamics_), before, loops.length());
  return false;
}

/// u −= M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ G u: kinetic energy never grows.
void TreeFormulation::close_velocities(double t, std::span<double> y) {
  const auto nx = static_cast<size_t>(m_->nx), nu = static_cast<size_t>(m_->nu);
  Loops<double>& loops = dynamics_.loops();
  loops.find_impulses();
  dynamics_.loop_response(loops.impulses(), dx_.data());
  for (size_t i = 0; i < nu; ++i) u_[i] -= dx_[i];
  dynamics_.set(t, q_.data(), u_.data(), y.data() + nx + nu);
  start_velocities({dynamics_.u().data(), nu}, y.subspan(nx, nu));
}

bool TreeFormulation::bring_back(double t, std::span<double> y) {
  const auto nx = static_cast<size_t>(m_->nx), nu = static_cast<size_t>(m_->nu);
  failure_.clear();
  place(y);
  velocities(t, y.subspan(nx, nu), y.data() + nx + nu, u_);
  if (!close_positions(t, y)) return false;
  if (!impulses_) close_velocities(t, y);  // velocities found from momenta fit as they are
  independence_ = std::min(independence_, dynamics_.loops().independence());
  return true;
}

bool TreeFormulation::project(double t, std::span<double> y) {
  if (!dynamics_.has_loops()) return true;
  if (!bring_back(t, y)) return false;
  near_singular_ =
      dynamics_.loops().independence() < (impulses_ ? wide_singular_zone : singular_zone);
  rows_ = dynamics_.loops().choice();
  return true;
}

/// The impulses of the closing forces, a part of p, start again from zero: p = M u.
void TreeFormulation::drop_impulses(double t, std::span<double> y, std::span<double> ydot) {
  const auto nx = static_cast<size_t>(m_->nx), nu = static_cast<size_t>(m_->nu);
  place(y);
  velocities(t, y.subspan(nx, nu), y.data() + nx + nu, u_);
  dynamics_.set(t, q_.data(), u_.data(), y.data() + nx + nu);
  start_velocities({dynamics_.u().data(), nu}, y.subspan(nx, nu));
  if (!ydot.empty()) derivative(t, y, ydot);
}

/// A formula that gives no number is named at once: an integrator would only shrink its step.
bool TreeFormulation::check_formulas(double t) {
  const ForceContext<double> context = dynamics_.force_context();
  for (const int f : m_->force_formulas)
    if (!std::isfinite(context.formula[f]))
      return refuse_formula(f, "the formula", context.formula[f], t);
  for (const Motion& motion : m_->motions) {
    const double q = dynamics_.q()[static_cast<size_t>(motion.q)];
    const double u = dynamics_.u()[static_cast<size_t>(motion.u)];
    if (!std::isfinite(q)) return refuse_formula(motion.formula, "the prescribed motion", q, t);
    if (!std::isfinite(u))
      return refuse_formula(motion.formula, "the speed of the prescribed motion", u, t);
  }
  return true;
}

bool TreeFormulation::refuse(std::string why) {
  failure_ = std::move(why);
  return false;
}

bool TreeFormulation::refuse_formula(int formula, const char* what, double value, double t) {
  const Formula& source = m_->formula_sources[static_cast<size_t>(formula)];
  return refuse(fmt::format(
      "{} \"{}\"{} gives {} at t = {} s", what, source.expression.text(),
      source.where.line > 0 ? fmt::format(" (line {})", source.where.line) : "", value, t));
}

/// The joints whose friction depends on their reaction.
std::string TreeFormulation::rubbing_joints() const {
  std::string names;
  for (const auto& f : m_->numbers.forces.frictions)
    if (const JointInfo* joint = m_->joint_of_body(f.body); joint && f.coefficient > 0)
      names += (names.empty() ? "'" : ", '") + joint->name + "'";
  return names;
}

bool TreeFormulation::accelerate(double t) {
  if (dynamics_.accelerate()) {
    for (const Motion& motion : m_->motions)
      if (const double a = dynamics_.udot()[static_cast<size_t>(motion.u)]; !std::isfinite(a))
        return refuse_formula(motion.formula, "the acceleration of the prescribed motion", a, t);
    return true;
  }
  if (rubbing_joints().empty())
    return refuse(fmt::format("the forces that close the loops are not finite at t = {} s", t));
  return refuse(
      fmt::format("friction and reactions do not agree at t = {} s: a coefficient times its "
                  "lever is too large for what the joint moves (joint {})",
                  t, rubbing_joints()));
}

/// What a stage of a step leaves open, ε, disturbs the closing forces by ε/δ where the loops are
/// within δ of a singular position. There f is taken at the point brought back, so that the field
/// is smooth right up to that position and a step may go over it. project() decides for the next
/// step, and a stage that gets there for the rest of its own. Momenta are those of the bodies
/// alone then, without impulses σ, which could only be found as p/δ.
bool TreeFormulation::derivative(double t, std::span<const double> y, std::span<double> ydot) {
  failure_.clear();
  keep_rows();
  if (!near_singular_) {
    if (!rates(t, y, ydot)) return false;
    if (!dynamics_.has_loops()) return true;
    const double here = dynamics_.loops().independence();
    independence_ = std::min(independence_, here);
    if (here >= singular_zone || impulses_) return true;
    near_singular_ = true;
  }
  std::copy(y.begin(), y.end(), stage_.begin());
  if (!bring_back(t, stage_)) return false;
  if (impulses_) drop_impulses(t, stage_, {});
  return rates(t, stage_, ydot);
}

bool TreeFormulation::rates(double t, std::span<const double> y, std::span<double> ydot) {
  const auto nx = static_cast<size_t>(m_->nx), nu = static_cast<size_t>(m_->nu),
             ns = static_cast<size_t>(m_->ns);
  place(y);
  if (!evolve(t, y.subspan(nx, nu), y.data() + nx + nu)) return false;
  // configuration
  const double* u = dynamics_.u().data();
  if (additive_) {
    std::copy_n(u, nx, ydot.begin());
  } else {
    for (size_t b = 1; b < static_cast<size_t>(m_->nb); ++b) {
      double* v = v_.data() + m_->x0[b];
      chart_velocity(m_->kind[b], dynamics_.numbers().body[b].joint,
                     dynamics_.q().data() + m_->q0[b], u + m_->u0[b], v);
      chart_rate(m_->kind[b], y.data() + m_->x0[b], v, ydot.data() + m_->x0[b]);
    }
  }
  // velocities or momenta, states of elements, ledger
  velocity_rates(ydot.subspan(nx, nu));
  for (const Motion& motion : m_->motions) {
    const auto b = static_cast<size_t>(motion.body);
    ydot[static_cast<size_t>(m_->x0[b] + motion.u - m_->u0[b])] = 0;
    ydot[nx + static_cast<size_t>(motion.u)] = 0;
  }
  std::copy_n(dynamics_.state_rate().begin(), ns, ydot.begin() + m_->nx + m_->nu);
  const EnergyFlow<double> rate = flow();
  double* ledger = ydot.data() + nx + nu + ns;
  ledger[0] = rate.dissipated;
  ledger[1] = rate.drive;
  ledger[2] = rate.external;
  return true;
}

/// What rounding takes from a + b.
double TreeFormulation::lost(double a, double b) {
  const double sum = a + b, part = sum - a;
  return (a - (sum - part)) + (b - part);
}

void TreeFormulation::rebase(double t, std::span<double> y, std::span<double> ydot) {
  place(y);
  if (!additive_ && !ydot.empty())
    for (size_t b = 1; b < static_cast<size_t>(m_->nb); ++b) {
      double* rate = ydot.data() + m_->x0[b];
      chart_velocity_of_rate(m_->kind[b], y.data() + m_->x0[b], rate, v_.data());
      std::copy_n(v_.begin(), m_->x0[b + 1] - m_->x0[b], rate);
    }
  for (size_t b = 1; b < static_cast<size_t>(m_->nb); ++b) {
    const bool additive = is_additive(m_->kind[b]);
    const auto x0 = static_cast<size_t>(m_->x0[b]), x1 = static_cast<size_t>(m_->x0[b + 1]),
               q0 = static_cast<size_t>(m_->q0[b]);
    for (size_t x = x0; x < x1; ++x) y[x] = additive ? lost(base_[q0 + x - x0], y[x]) : 0;
  }
  base_ = q_;
  independence_ = 1;
  if (!impulses_ || !dynamics_.has_loops()) return;
  keep_rows();
  drop_impulses(t, y, ydot);
}

double TreeFormulation::energy_account(double t, std::span<const double> y) {
  const auto nx = static_cast<size_t>(m_->nx), nu = static_cast<size_t>(m_->nu);
  keep_rows();
  place(y);
  const double* state = y.data() + nx + nu;
  velocities(t, y.subspan(nx, nu), state, u_);
  if (!has_momenta()) dynamics_.set(t, q_.data(), u_.data(), state);
  const std::span<const double> ledger = y.last(Ledger::size);
  return dynamics_.kinetic_energy() + dynamics_.potential_energy() + ledger[0] - ledger[1] -
         ledger[2];
}

Dynamics<double>& TreeFormulation::observe(double t, std::span<const double> y) {
  const auto nx = static_cast<size_t>(m_->nx), nu = static_cast<size_t>(m_->nu);
  failure_.clear();
  keep_rows();
  if (dynamics_.has_loops()) {  // what is shown fits together
    std::copy(y.begin(), y.end(), projected_.begin());
    bring_back(t, projected_);
    y = projected_;
  }
  place(y);
  velocities(t, y.subspan(nx, nu), y.data() + nx + nu, u_);
  dynamics_.set(t, q_.data(), u_.data(), y.data() + nx + nu);
  if (check_formulas(t)) accelerate(t);
  return dynamics_;
}

std::vector<double> TreeFormulation::configuration(double t, std::span<const double> y) {
  observe(t, y);
  return {dynamics_.q().begin(), dynamics_.q().begin() + m_->nq};
}

std::string TreeFormulation::entry(int i) const {
  if (i < m_->nx) {
    const auto b = static_cast<size_t>(m_->body_of_chart_entry(i));
    const int nu = m_->u0[b + 1] - m_->u0[b], k = i - m_->x0[b];
    return "position of " + m_->velocity_name(m_->u0[b] + std::min(k, nu - 1));
  }
  if (i < m_->nx + m_->nu) return m_->velocity_name(i - m_->nx);
  if (i < m_->nx + m_->nu + m_->ns) return fmt::format("motor current {}", i - m_->nx - m_->nu + 1);
  return "energy ledger";
}

}  // namespace sarrus
