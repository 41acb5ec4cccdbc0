#include "sarrus/formulations/ode/tree_formulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/formulations/assembly/closing.hpp"
#include "sarrus/joints/chart.hpp"
#include "sarrus/numerics/newton.hpp"
#include "sarrus/numerics/tolerance.hpp"

namespace sarrus {
namespace {

constexpr int most_corrections = 14;
constexpr double projected = 1e-13;          // residual, in units of the mechanism's length
constexpr double nearly_closed = 1e-9;       // where rounding stops the corrections:
constexpr double slow = 0.5;                 // they reduce the residual by less than this then
constexpr double singular_zone = 0.01;       // independence below which stages are brought back too
constexpr double no_jump = 1e-12;            // of a prescribed position: rounding
constexpr double wide_singular_zone = 0.05;  // of momenta, for which only whole steps can change

/// The gap that rounding of coordinates leaves, with a lever of one length of the mechanism.
double rounding_of(const std::vector<double>& q) {
  double largest = 1;
  for (const double x : q) largest = std::max(largest, std::fabs(x));
  return ulps(2) * largest;
}

}  // namespace

TreeFormulation::TreeFormulation(const Mechanism& mechanism)
    : m_(mechanism),
      w_(mechanism),
      q_(m_.nq),
      u_(m_.nu),
      base_(q_),
      v_(m_.nx),
      dx_(u_),
      multiplier_(m_.closure_rows.size()),
      projected_(m_.nx + m_.nu + m_.ns + Ledger::size),
      stage_(projected_) {
  all_prescribed_ = m_.ns == 0 && static_cast<int>(m_.motions.size()) == m_.nu &&
                    std::none_of(m_.motions.begin(), m_.motions.end(),
                                 [](const PrescribedMotion& p) { return p.is_speed; });
  additive_ = std::all_of(m_.kind.begin(), m_.kind.end(), is_additive);
}

void TreeFormulation::begin(const StartState& start, std::span<double> y) {
  set_configuration(start.q);
  std::fill(y.begin(), y.end(), 0.0);
  const Kinematics<double>& k =
      move(w_, start.t, start.q.data(), start.u.data(), start.state.data());
  std::copy_n(k.q.begin(), m_.nq, base_.begin());  // prescribed ones are in place now
  start_velocities(k, y.subspan(m_.nx, m_.nu));
  std::copy(start.state.begin(), start.state.end(), y.begin() + m_.nx + m_.nu);
  near_singular_ = false;
  if (!m_.has_loops()) return;
  factor_loops(w_, k, true);
  rows_ = w_.rows();
}

void TreeFormulation::set_configuration(std::span<const double> q) {
  std::copy(q.begin(), q.end(), base_.begin());
}

void TreeFormulation::place(std::span<const double> y) {
  if (additive_) {
    for (int i = 0; i < m_.nq; ++i) q_[i] = base_[i] + y[i];
    return;
  }
  for (int b = 1; b < m_.nb; ++b)
    retract(m_.kind[b], base_.data() + m_.q0[b], y.data() + m_.x0[b], q_.data() + m_.q0[b]);
}

/// Whatever was observed meanwhile, a step continues with the rows chosen by the last one.
void TreeFormulation::keep_rows() {
  if (m_.has_loops()) w_.keep_rows(rows_);
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
void TreeFormulation::shift(std::span<double> y, const Places<double>& k, const double* dx) {
  if (additive_) {
    for (int i = 0; i < m_.nu; ++i) y[i] += dx[i];
    return;
  }
  double rate[6];
  for (int b = 1; b < m_.nb; ++b) {
    double* xi = y.data() + m_.x0[b];
    chart_velocity(m_.kind[b], w_.numbers().body[b].joint, k.q.data() + m_.q0[b], dx + m_.u0[b],
                   v_.data());
    chart_rate(m_.kind[b], xi, v_.data(), rate);
    for (int i = 0; i < m_.x0[b + 1] - m_.x0[b]; ++i) xi[i] += rate[i];
  }
}

/// Newton in the metric of the masses: the smallest motion, in kinetic energy, that closes loops.
/// The rows where they are closed; none where they cannot be.
ClosedLoops<double> TreeFormulation::close_positions(double t, std::span<double> y) {
  const Kinematics<double>* k = nullptr;
  ClosedLoops<double> loops;
  const auto judge = [&]() -> NewtonResidual {
    place(y);
    k = &move(w_, t, q_.data(), u_.data(), y.data() + m_.nx + m_.nu);
    loops = factor_loops(w_, *k, true);
    independence_here_ = loops.factors->independence();
    // where independence is δ², an open loop ε turns velocities by ε/δ²: there ε goes to rounding,
    // and not below it, where corrections would be noise
    const bool easy = !near_singular_ && independence_here_ >= singular_zone;
    return {loops.rows->largest_residual(), easy ? projected : rounding_of(q_)};
  };
  const auto step = [&] {
    for (int r = 0; r < loops.rows->size(); ++r) multiplier_[r] = (*loops.rows)[r].residual;
    loops.factors->solve(multiplier_);
    loop_response(w_, loops, multiplier_, dx_.data());
    for (double& d : dx_) d = -d;
    shift(y, *k, dx_.data());
    return NewtonStep::taken;
  };
  const NewtonResult found = newton({most_corrections, nearly_closed, slow}, judge, step);
  if (found.is_solved()) return loops;
  failure_ = fmt::format("the loops do not close at t = {} s, {}: {} (residual {:.1e} of {:.3g} m)",
                         t, words(found.status), open_closures(m_, *loops.rows), found.residual,
                         loops.rows->length());
  return {};
}

/// u −= M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ G u: kinetic energy never grows.
void TreeFormulation::close_velocities(double t, std::span<double> y,
                                       const ClosedLoops<double>& loops) {
  for (int r = 0; r < loops.rows->size(); ++r) multiplier_[r] = (*loops.rows)[r].rate;
  loops.factors->solve(multiplier_);
  loop_response(w_, loops, multiplier_, dx_.data());
  for (int i = 0; i < m_.nu; ++i) u_[i] -= dx_[i];
  start_velocities(move(w_, t, q_.data(), u_.data(), y.data() + m_.nx + m_.nu),
                   y.subspan(m_.nx, m_.nu));
}

bool TreeFormulation::bring_back(double t, std::span<double> y) {
  failure_.clear();
  place(y);
  velocities(t, y.subspan(m_.nx, m_.nu), y.data() + m_.nx + m_.nu, u_);
  const ClosedLoops<double> loops = close_positions(t, y);
  if (!loops.rows) return false;
  if (!impulses_) close_velocities(t, y, loops);  // velocities found from momenta fit as they are
  independence_ = std::min(independence_, independence_here_);
  return true;
}

bool TreeFormulation::project(double t, std::span<double> y) {
  if (!m_.has_loops()) return true;
  if (!bring_back(t, y)) return false;
  near_singular_ = independence_here_ < (impulses_ ? wide_singular_zone : singular_zone);
  rows_ = w_.rows();
  return true;
}

/// The impulses of the closing forces, a part of p, start again from zero: p = M u.
void TreeFormulation::drop_impulses(double t, std::span<double> y, std::span<double> ydot) {
  const double* state = y.data() + m_.nx + m_.nu;
  place(y);
  velocities(t, y.subspan(m_.nx, m_.nu), state, u_);
  start_velocities(move(w_, t, q_.data(), u_.data(), state), y.subspan(m_.nx, m_.nu));
  if (!ydot.empty()) derivative(t, y, ydot);
}

/// A formula that gives no number is named at once: an integrator would only shrink its step.
bool TreeFormulation::check_formulas(const Places<double>& k, const Forces<double>& f) {
  for (const int i : m_.force_formulas)
    if (!std::isfinite(f.formula[i])) return refuse_formula(i, "the formula", f.formula[i], k.t);
  for (const PrescribedMotion& motion : m_.motions) {
    const double q = k.q[motion.q], u = k.u[motion.u];
    if (!std::isfinite(q)) return refuse_formula(motion.formula, "the prescribed motion", q, k.t);
    if (!std::isfinite(u))
      return refuse_formula(motion.formula, "the speed of the prescribed motion", u, k.t);
  }
  return true;
}

bool TreeFormulation::refuse(std::string why) {
  failure_ = std::move(why);
  return false;
}

bool TreeFormulation::refuse_formula(int formula, const char* what, double value, double t) {
  const Formula& source = m_.formula_sources[formula];
  return refuse(fmt::format(
      "{} \"{}\"{} gives {} at t = {} s", what, source.expression.text(),
      source.where.line > 0 ? fmt::format(" (line {})", source.where.line) : "", value, t));
}

/// The joints whose friction depends on their reaction.
std::string TreeFormulation::rubbing_joints() const {
  std::string names;
  for (const auto& f : m_.numbers.forces.frictions)
    if (const JointInfo* joint = m_.joint_of_body(f.body); joint && f.coefficient > 0)
      names += (names.empty() ? "'" : ", '") + joint->name + "'";
  return names;
}

bool TreeFormulation::check_accelerations(const Places<double>& k, const Accelerations<double>& a) {
  if (a.exist) {
    for (const PrescribedMotion& motion : m_.motions)
      if (const double x = a.udot[motion.u]; !std::isfinite(x))
        return refuse_formula(motion.formula, "the acceleration of the prescribed motion", x, k.t);
    return true;
  }
  if (rubbing_joints().empty())
    return refuse(fmt::format("the forces that close the loops are not finite at t = {} s", k.t));
  return refuse(
      fmt::format("friction and reactions do not converge at t = {} s: a coefficient times its "
                  "lever is too large for what the joint moves (joint {})",
                  k.t, rubbing_joints()));
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
    if (!m_.has_loops()) return true;
    independence_ = std::min(independence_, independence_here_);
    if (independence_here_ >= singular_zone || impulses_) return true;
    near_singular_ = true;
  }
  std::copy(y.begin(), y.end(), stage_.begin());
  if (!bring_back(t, stage_)) return false;
  if (impulses_) drop_impulses(t, stage_, {});
  return rates(t, stage_, ydot);
}

bool TreeFormulation::rates(double t, std::span<const double> y, std::span<double> ydot) {
  place(y);
  Evaluation now;
  if (!evaluate(t, y.subspan(m_.nx, m_.nu), y.data() + m_.nx + m_.nu, ydot.subspan(m_.nx, m_.nu),
                now))
    return false;
  if (now.loops.factors) independence_here_ = now.loops.factors->independence();
  // configuration
  const Places<double>& k = *now.places;
  if (additive_) {
    std::copy_n(k.u.begin(), m_.nx, ydot.begin());
  } else {
    for (int b = 1; b < m_.nb; ++b) {
      double* v = v_.data() + m_.x0[b];
      chart_velocity(m_.kind[b], w_.numbers().body[b].joint, k.q.data() + m_.q0[b],
                     k.u.data() + m_.u0[b], v);
      chart_rate(m_.kind[b], y.data() + m_.x0[b], v, ydot.data() + m_.x0[b]);
    }
  }
  for (const PrescribedMotion& motion : m_.motions) {
    if (!motion.is_speed) ydot[m_.x0[motion.body] + motion.u - m_.u0[motion.body]] = 0;
    ydot[m_.nx + motion.u] = 0;
  }
  // states of elements, ledger
  std::copy_n(now.forces->state_rate.begin(), m_.ns, ydot.begin() + m_.nx + m_.nu);
  double* ledger = ydot.data() + m_.nx + m_.nu + m_.ns;
  ledger[0] = now.flow.dissipated;
  ledger[1] = now.flow.drive;
  ledger[2] = now.flow.external;
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
    for (int b = 1; b < m_.nb; ++b) {
      double* rate = ydot.data() + m_.x0[b];
      chart_velocity_of_rate(m_.kind[b], y.data() + m_.x0[b], rate, v_.data());
      std::copy_n(v_.begin(), m_.x0[b + 1] - m_.x0[b], rate);
    }
  for (int b = 1; b < m_.nb; ++b) {
    const bool additive = is_additive(m_.kind[b]);
    for (int x = m_.x0[b]; x < m_.x0[b + 1]; ++x)
      y[x] = additive ? lost(base_[m_.q0[b] + x - m_.x0[b]], y[x]) : 0;
  }
  base_ = q_;
  independence_ = 1;
  if (!impulses_ || !m_.has_loops()) return;
  keep_rows();
  drop_impulses(t, y, ydot);
}

double TreeFormulation::energy_account(double t, std::span<const double> y) {
  keep_rows();
  place(y);
  const std::span<const double> ledger = y.last(Ledger::size);
  return energy(t, y.subspan(m_.nx, m_.nu), y.data() + m_.nx + m_.nu) + ledger[0] - ledger[1] -
         ledger[2];
}

void TreeFormulation::observe(double t, std::span<const double> y, Snapshot& out) {
  failure_.clear();
  keep_rows();
  if (m_.has_loops()) {  // what is shown fits together
    std::copy(y.begin(), y.end(), projected_.begin());
    bring_back(t, projected_);
    y = projected_;
  }
  place(y);
  const double* state = y.data() + m_.nx + m_.nu;
  velocities(t, y.subspan(m_.nx, m_.nu), state, u_);
  const Kinematics<double>& k = move(w_, t, q_.data(), u_.data(), state);
  const Forces<double>& f = load(w_, k);
  const Accelerations<double>& a = accelerate(w_, k, f);
  take(out, w_, k, f, a);
  out.is_complete = check_formulas(k, f) && check_accelerations(k, a);
  const std::span<const double> ledger = y.last(Ledger::size);
  out.ledger = {ledger[0], ledger[1], ledger[2]};
}

/// A position that jumps would need an infinite velocity.
bool TreeFormulation::check_jump(const PrescribedMotion& motion, double before, double after) {
  const Jet<double> from = motion_at(w_, motion, before), to = motion_at(w_, motion, after);
  const double gap = std::fabs(to.v - from.v), size = std::max(std::fabs(to.v), std::fabs(from.v));
  const double way = std::max(std::fabs(from.d), std::fabs(to.d)) * (after - before);
  if (!(gap > no_jump * size + 2 * way)) return true;
  const Formula& source = m_.formula_sources[motion.formula];
  return refuse(
      fmt::format("the prescribed motion \"{}\"{} of {} jumps from {} to {} at t = {} s, which no "
                  "force can cause",
                  source.expression.text(),
                  source.where.line > 0 ? fmt::format(" (line {})", source.where.line) : "",
                  m_.coordinate_name(motion.q), from.v, to.v, after));
}

/// Prescribed velocities jump by Δu_p; the impulses that do it act on them and in the loops only, so
/// that the momenta of all other velocities stay: in `hamiltonian` they are y, here
///
///   (M u⁺)_f = (M u⁻)_f + (Gᵀ σ)_f,   G u⁺ = 0,   u⁺_p given;   work = T⁺ − T⁻              (1)
bool TreeFormulation::jump(double before, double after, std::span<double> y) {
  failure_.clear();
  for (const PrescribedMotion& motion : m_.motions)
    if (!check_jump(motion, before, after)) return false;
  keep_rows();
  place(y);
  const std::span<double> w = y.subspan(m_.nx, m_.nu);
  const double* state = y.data() + m_.nx + m_.nu;
  const double energy_before = energy(before, w, state);
  if (!has_momenta()) {
    joint_momenta(w_, move(w_, before, q_.data(), w.data(), state), dx_.data());
    u_ = move_by_momenta(w_, after, q_.data(), dx_.data(), state).places->u;
    start_velocities(move(w_, after, q_.data(), u_.data(), state), w);
  }
  y[y.size() - Ledger::size + 1] += energy(after, w, state) - energy_before;  // (1)
  return true;
}

std::vector<double> TreeFormulation::configuration(double t, std::span<const double> y) {
  Snapshot now(m_);
  observe(t, y, now);
  return now.q;
}

std::string TreeFormulation::entry(int i) const {
  if (i < m_.nx) {
    const int b = m_.body_of_chart_entry(i), nu = m_.u0[b + 1] - m_.u0[b], k = i - m_.x0[b];
    return "position of " + m_.velocity_name(m_.u0[b] + std::min(k, nu - 1));
  }
  if (i < m_.nx + m_.nu) return m_.velocity_name(i - m_.nx);
  if (i < m_.nx + m_.nu + m_.ns) return m_.states[i - m_.nx - m_.nu].name;
  return "energy ledger";
}

}  // namespace sarrus
