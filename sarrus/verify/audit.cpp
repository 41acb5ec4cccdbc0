#include "sarrus/verify/audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/core/index.hpp"
#include "sarrus/joints/chart.hpp"
#include "sarrus/numerics/matrix.hpp"
#include "sarrus/numerics/tolerance.hpp"

namespace sarrus {
namespace {

constexpr int instants = 5;                // of a run that are looked at
constexpr int most_freedoms = 300;         // of a mechanism whose instants are looked at
constexpr double nudge = 1e-5;             // ε of differences [rad, lengths of the mechanism]
constexpr double difference_limit = 2e-6;  // what central differences of that size can show
constexpr double matrix_limit = 1e-10;
constexpr double account_limit = 1e-8, momentum_limit = 1e-8;  // of runs, plus a hundred own errors
constexpr double step_limit = 1e-3;  // of runs with an error that is the square of their step
constexpr double loop_limit = 1e-9;  // of the mechanism's length
constexpr double gap_limit = 1e-4;   // likewise, of joints that are springs
constexpr double summed = 1e-13;     // of the energies at hand: what thousands of steps leave
constexpr double ringing = 1e-9;     // likewise, of joints that are springs
constexpr double norm_limit = 1e-12;
constexpr double curl_limit = 1e-6;
constexpr double small_share = 1e-3;   // of what is large: less is nearly zero
constexpr double ringing_share = 0.1;  // the same for bodies whose joints ring

Audit audit(std::string name, std::string subject, double value, double limit,
            std::string detail = "") {
  const bool passed = value <= limit;  // not a number fails
  return {std::move(name), std::move(subject), value, limit, passed, false, std::move(detail)};
}

// ── runs ──

/// What a drift of a momentum or an energy is nearly zero beside: a share of what the mechanism's
/// length and the run's duration make of it, and a tenth of what the exchanged energy moves.
double floor_of(const std::string& unit, const Scales& s, double share, double exchanged) {
  const double slow = share * s.mass * s.length / s.time,
               fast = 0.1 * std::sqrt(2 * exchanged * s.mass);
  if (unit == "kg.m/s") return std::max(slow, fast);
  if (unit == "kg.m2/s") return std::max(slow, fast) * s.length;
  return slow * s.length / s.time;
}

double total_mass(const Mechanism& m) {
  double mass = 0;
  for (int b = 1; b < m.nb; ++b) mass += m.numbers.body[b].inertia.m;
  return mass;
}

/// [J] What the account of a mechanism at rest may be off by: rounding of the energies that it is the
/// difference of. Joints that are springs of stiffness m/h² yield to the weight, by energies of m (g h)².
double account_noise(const Mechanism& m, const RunSummary& s, const Scales& scales,
                     bool by_bodies) {
  const double mass = total_mass(m), g = scales.acceleration;
  const double energies = std::fabs(s.energy_start) + std::fabs(s.kinetic) +
                          std::fabs(s.potential) + mass * g * scales.length;
  const double sag = by_bodies ? 10 * mass * std::pow(g * s.largest_step, 2) : 0;
  return (by_bodies ? ringing : summed) * energies + sag;
}

/// How far the quaternions in the rows are from length one.
double norm_error(const Mechanism& m, const Trajectory& rows) {
  double most = 0;
  for (size_t b = 1; b < at(m.nb); ++b) {
    if (joint_nq(m.kind[b]) < 4) continue;
    const int column = rows.column(m.coordinate_name(m.q0[b]));
    if (column < 0) continue;
    for (int r = 0; r < rows.rows(); ++r) {
      double sum = 0;
      for (int i = 0; i < 4; ++i) sum += std::pow(rows.row(r)[at(column + i)], 2);
      most = std::max(most, std::fabs(std::sqrt(sum) - 1));
    }
  }
  return most;
}

}  // namespace

std::vector<Audit> audit_run(const Mechanism& m, const std::string& name, const Trajectory& rows,
                             const RunSummary& s, double error, const Scales& scales) {
  std::vector<Audit> found;
  const bool by_bodies = name == "discrete";
  const double own = 100 * error;
  if (s.energy_scale > 0) {
    const double limit = (by_bodies ? step_limit : account_limit) + own;
    const double size = std::max(s.energy_scale, account_noise(m, s, scales, by_bodies) / limit);
    found.push_back(audit(
        "energy account", name, s.closure / size, limit,
        fmt::format("off by up to {:.1e} J of {:.3g} J exchanged", s.closure, s.energy_scale)));
  }
  for (const Drift& d : s.conserved) {
    const double share = by_bodies ? ringing_share : small_share;
    const double size = std::max(d.size, floor_of(d.unit, scales, share, s.energy_scale));
    if (size > 0)
      found.push_back(audit("conserved " + d.name, name, d.largest / size,
                            (by_bodies ? step_limit : momentum_limit) + own,
                            fmt::format("moves by up to {:.1e} {}", d.largest, d.unit)));
  }
  if (m.has_loops())
    found.push_back(audit("loops closed [m]", name, s.constraint,
                          (by_bodies ? gap_limit : loop_limit) * own_unit(scales.length),
                          fmt::format("open by up to {:.1e} m", s.constraint)));
  if (const double e = norm_error(m, rows); e > 0)
    found.push_back(audit("length of quaternions", name, e, norm_limit));
  return found;
}

StartState state_in_row(const Mechanism& m, const Trajectory& rows, int row) {
  StartState s = {rows.row(row)[0], m.start.q, m.start.u, m.start_state, {}};
  for (int q = 0; q < m.nq; ++q)
    if (const int c = rows.column(m.coordinate_name(q)); c >= 0) s.q[at(q)] = rows.row(row)[at(c)];
  for (int u = 0; u < m.nu; ++u)
    if (const int c = rows.column(m.velocity_name(u)); c >= 0) s.u[at(u)] = rows.row(row)[at(c)];
  for (int i = 0; i < m.ns; ++i)
    if (const int c = rows.column(m.states[at(i)].name); c >= 0)
      s.state[at(i)] = rows.row(row)[at(c)];
  return s;
}

namespace {

// ── instants ──

/// The mechanism with all motions let go, so that any velocity may be tried.
Mechanism unprescribed(const Mechanism& m) {
  Mechanism free = m;
  free.motions.clear();
  std::fill(free.prescribed.begin(), free.prescribed.end(), 0);
  return free;
}

/// One state under examination.
class Instant {
 public:
  /// `length` of what one of a slide is.
  Instant(const Mechanism& m, StartState s, double length)
      : m_(m), s_(std::move(s)), w_(m), length_(length), moved_(s_.q) {}

  /// What one of a velocity is: a radian or a length, per second.
  double unit(int i) const { return m_.freedom(i) == Freedom::slides ? length_ : 1; }
  /// ε of differences.
  double nudge_of(int i) const { return nudge * unit(i); }

  /// At q ⊕ ε e_i with the velocity v e_i.
  const Kinematics<double>& at_nudge(int i, double e, double v) {
    moved_ = s_.q;
    std::vector<double> u(at(m_.nu), 0.0), q(7);
    const auto b = at(m_.body_of_velocity(i));
    u[at(i)] = 1;
    double rate[6] = {}, xi[6] = {};
    const double zero[6] = {};
    chart_velocity(m_.kind[b], m_.numbers.body[b].joint, s_.q.data() + m_.q0[b],
                   u.data() + m_.u0[b], xi);
    chart_rate(m_.kind[b], zero, xi, rate);
    for (double& x : rate) x *= e;
    retract(m_.kind[b], s_.q.data() + m_.q0[b], rate, q.data());
    std::copy_n(q.begin(), m_.q0[b + 1] - m_.q0[b], moved_.begin() + m_.q0[b]);
    u[at(i)] = v;
    return move(w_, s_.t, moved_.data(), u.data(), s_.state.data());
  }

  /// Forces on all velocities, and what is booked for them.
  EnergyFlow<double> forces_at(const Kinematics<double>& k, std::vector<double>& Q, bool gravity) {
    const Forces<double>& f = load(w_, k);
    joint_forces(w_, k, f, Q.data(), gravity);
    return f.flow;
  }

  /// (1): both sides differ by so much of what they are made of.
  double power_error(int i) {
    const double e = nudge_of(i), one = unit(i);
    const double up = potential(at_nudge(i, e, 0)), down = potential(at_nudge(i, -e, 0));
    const double largest = largest_force();
    std::vector<double> Q(at(m_.nu));
    const EnergyFlow<double> f = forces_at(at_nudge(i, 0, 1), Q, true);
    const double slope = (up - down) / (2 * e);
    const double booked = f.drive + f.external - f.dissipated;
    const double size = std::fabs(Q[at(i)]) + std::fabs(slope) + std::fabs(f.drive) +
                        std::fabs(f.external) + std::fabs(f.dissipated) +
                        1e-4 * (std::fabs(up) + largest) / one;
    return size > 0 ? std::fabs(Q[at(i)] + slope - booked) / size : 0;  // (1)
  }

  /// (2): the largest difference of any body, relative to the largest velocity of any.
  double twist_error(int i) {
    const double e = nudge_of(i);
    const std::vector<BodyMotion<double>> up = at_nudge(i, e, 0).body,
                                          down = at_nudge(i, -e, 0).body;
    const Kinematics<double>& k = at_nudge(i, 0, 1);
    // of a unit rate; inner nodes of an elastic body move next to nothing that carries something
    double most = 0, size = small_share;
    for (int b = 1; b < m_.nb; ++b) {
      const BodyMotion<double>&p = up[at(b)], &n = down[at(b)], &here = k.body[b];
      const Vec3 v = (p.o - n.o) * (1 / (2 * e));
      most = std::max(most, norm(v - here.V.v));
      size = std::max({size, norm(v), norm(here.V.v), norm(here.V.w)});
      for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        const Vec3 turned = (p.R * axis - n.R * axis) * (1 / (2 * e));
        most = std::max(most, norm(turned - cross(here.V.w, here.R * axis)));
      }
    }
    return most / size;
  }

  /// (3) over all rows that hold positions.
  double row_error(int i) {
    const double e = nudge_of(i);
    const std::vector<double> up = residuals(i, e), down = residuals(i, -e);
    const LoopRows<double>& rows = place_loops(w_, at_nudge(i, 0, 1));
    double most = 0, size = 1e-12;
    for (int r = 0; r < rows.size(); ++r) {
      if (!is_holonomic(m_.closure_rows[at(r)].kind)) continue;
      const double slope = (up[at(r)] - down[at(r)]) / (2 * e), rate = rows[r].rate;
      most = std::max(most, std::fabs(slope - rate));
      size = std::max({size, std::fabs(slope), std::fabs(rate), rows.length()});
    }
    return most / size;
  }

  /// [J] per radian or length.
  double largest_force() {
    if (force_ >= 0) return force_;
    std::vector<double> Q(at(m_.nu));
    std::vector<double> u(at(m_.nu), 0.0);
    forces_at(move(w_, s_.t, s_.q.data(), u.data(), s_.state.data()), Q, true);
    force_ = 0;
    for (int i = 0; i < m_.nu; ++i) force_ = std::max(force_, std::fabs(Q[at(i)]) * unit(i));
    return force_;
  }

  /// (4): asymmetry, the smallest pivot of M scaled to unit diagonal, of what is `free` to move;
  /// the error of T.
  struct Mass {
    double asymmetry = 0, smallest = 1, kinetic = 0;
  };
  Mass mass(const std::vector<int>& free) {
    const int n = m_.nu;
    std::vector<double> M(at(n * n)), u = s_.u;
    const Kinematics<double>& k = move(w_, s_.t, s_.q.data(), u.data(), s_.state.data());
    const double T = kinetic_energy(w_, k);
    mass_matrix(w_, k, M.data());
    Mass out;
    double largest = 0, T_M = 0;
    for (const double x : M) largest = std::max(largest, std::fabs(x));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        out.asymmetry = std::max(out.asymmetry,
                                 std::fabs(M[at(i + j * n)] - M[at(j + i * n)]) / divisor(largest));
        T_M += 0.5 * u[at(i)] * M[at(i + j * n)] * u[at(j)];
      }
    out.kinetic = T > 0 ? std::fabs(T_M - T) / T : 0;
    std::vector<double> part;
    for (const int j : free)
      for (const int i : free) part.push_back(M[at(i + j * n)]);
    out.smallest = smallest_pivot(std::move(part), static_cast<int>(free.size()));
    return out;
  }

 private:
  double potential(const Kinematics<double>& k) { return potential_energy(w_, k, load(w_, k)); }
  std::vector<double> residuals(int i, double e) {
    const LoopRows<double>& rows = place_loops(w_, at_nudge(i, e, 0));
    std::vector<double> out;
    for (int r = 0; r < rows.size(); ++r) out.push_back(rows[r].residual);
    return out;
  }
  /// Of Cholesky on M scaled to unit diagonal: positive where M is.
  static double smallest_pivot(std::vector<double> M, int n) {
    double least = 1;
    std::vector<double> scale(at(n));
    for (int i = 0; i < n; ++i) scale[at(i)] = 1 / std::sqrt(divisor(M[at(i + i * n)]));
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < n; ++i) M[at(i + k * n)] *= scale[at(i)] * scale[at(k)];
    for (int k = 0; k < n; ++k) {
      const double pivot = M[at(k + k * n)];
      least = std::min(least, pivot);
      if (!(pivot > 0)) return least;
      for (int i = k + 1; i < n; ++i)
        for (int j = k + 1; j < n; ++j)
          M[at(i + j * n)] -= M[at(i + k * n)] * M[at(k + j * n)] / pivot;
    }
    return least;
  }

  const Mechanism& m_;
  StartState s_;
  Workspace<double> w_;
  double length_;  // [m]
  std::vector<double> moved_;
  double force_ = -1;
};

/// The largest value so far, and where it was found.
struct Worst {
  double value = 0;
  std::string where;
  void see(double x, const std::string& name) {
    if (x > value || std::isnan(x)) value = x, where = name;
  }
};

/// Whether external forces that depend on positions have a potential: ∂Q_i/∂q_j = ∂Q_j/∂q_i, at rest.
/// Asked of joints with q̇ = u, of forces that are booked as drives or as outer ones.
Audit curl_audit(const Mechanism& m, const StartState& s, double length) {
  Mechanism alone = m;  // gravity and springs have potentials: (1) has shown it
  alone.numbers.gravity = {};
  ForceSet<double>::each(alone.numbers.forces, []<class E>(std::vector<E>& list) {
    if constexpr (!E::facts.is_given) list.clear();
  });
  std::vector<int> plain;
  for (int u = 0; u < m.nu; ++u)
    if (is_additive(m.kind[at(m.body_of_velocity(u))])) plain.push_back(u);
  Instant instant(alone, s, length);
  std::vector<double> K(at(m.nu) * at(m.nu)), up(at(m.nu)), down(at(m.nu));
  double size = 0;
  for (const int j : plain) {
    const double e = instant.nudge_of(j), one = instant.unit(j);
    instant.forces_at(instant.at_nudge(j, e, 0), up, false);
    instant.forces_at(instant.at_nudge(j, -e, 0), down, false);
    for (const int i : plain) {
      K[at(i) + at(j) * at(m.nu)] = (up[at(i)] - down[at(i)]) / (2 * e) * instant.unit(i) * one;
      size = std::max(size, std::fabs(K[at(i) + at(j) * at(m.nu)]));
    }
  }
  Worst worst;
  for (const int i : plain)
    for (const int j : plain)
      if (i < j && size > 0)
        worst.see(std::fabs(K[at(i) + at(j) * at(m.nu)] - K[at(j) + at(i) * at(m.nu)]) / size,
                  m.velocity_name(i) + " and " + m.velocity_name(j));
  Audit a = audit("external forces without a potential", worst.where, worst.value, curl_limit);
  a.informs = true;
  if (!a.passed)
    a.detail = fmt::format(
        "a closed path in {} gains or loses energy: right for a follower force, wrong for "
        "what is meant to be a spring or a field",
        worst.where);
  return a;
}

}  // namespace

std::vector<Audit> audit_instants(const Mechanism& m, const Trajectory& rows,
                                  const Scales& scales) {
  if (m.nu == 0 || m.nu > most_freedoms || rows.rows() == 0) return {};
  const Mechanism free = unprescribed(m);
  const double length = own_unit(scales.length);
  std::vector<int> moving;  // what a motion prescribes needs no inertia of its own
  for (int u = 0; u < m.nu; ++u)
    if (!m.prescribed[at(m.body_of_velocity(u))]) moving.push_back(u);
  Worst power, twist, row, asymmetry, kinetic, pivot;
  Audit curl = {"external forces without a potential", "", 0, curl_limit, true, true, ""};
  for (int k = 0; k < instants; ++k) {
    const int r = (rows.rows() - 1) * k / (instants - 1);
    Instant instant(free, state_in_row(m, rows, r), length);
    for (int u = 0; u < m.nu; ++u) {
      const std::string name = fmt::format("{} at {:.4g} s", m.velocity_name(u), rows.row(r)[0]);
      power.see(instant.power_error(u), name);
      twist.see(instant.twist_error(u), name);
      if (m.has_loops()) row.see(instant.row_error(u), name);
    }
    const Instant::Mass mass = instant.mass(moving);
    const std::string when = fmt::format("{:.4g} s", rows.row(r)[0]);
    asymmetry.see(mass.asymmetry, when), kinetic.see(mass.kinetic, when);
    pivot.see(1 - mass.smallest, when);
    const Audit now = curl_audit(free, state_in_row(m, rows, r), length);
    if (now.value > curl.value) curl = now;
  }
  std::vector<Audit> found;
  found.push_back(
      audit("forces against slopes of potentials", power.where, power.value, difference_limit));
  found.push_back(
      audit("velocities against differences", twist.where, twist.value, difference_limit));
  if (m.has_loops())
    found.push_back(
        audit("rows of loops against differences", row.where, row.value, difference_limit));
  found.push_back(audit("mass matrix symmetric", asymmetry.where, asymmetry.value, matrix_limit));
  found.push_back(audit("kinetic energy from it", kinetic.where, kinetic.value, matrix_limit));
  found.push_back(audit("mass matrix positive", pivot.where, pivot.value, 1 - 1e-15,
                        fmt::format("smallest pivot {:.1e}", 1 - pivot.value)));
  bool any_given = false;
  ForceSet<double>::each(m.numbers.forces, [&]<class E>(const std::vector<E>& list) {
    any_given = any_given || (E::facts.is_given && !list.empty());
  });
  if (any_given) found.push_back(curl);
  return found;
}

}  // namespace sarrus
