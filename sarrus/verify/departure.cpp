#include "sarrus/verify/departure.hpp"

#include <algorithm>
#include <cmath>

#include "sarrus/core/index.hpp"
#include "sarrus/numerics/tolerance.hpp"
#include "sarrus/verify/audit.hpp"
#include "sarrus/verify/jumps.hpp"

namespace sarrus {
namespace {

constexpr double same = 1e-6;         // of accelerations, found by differences of velocities
constexpr double moment = 1e-4;       // [s] of those differences, less where things are fast
constexpr double noise = 1e-15;       // of velocities
constexpr double least_share = 1e-3;  // of the largest accelerations: less is not looked at
constexpr const char *of_gravity = "gravity", *of_forces = "force elements";

/// u̇ as the flow of a formulation gives it: how its velocities change along its own derivative.
///
///   u̇ = (u(y + ε ẏ, t + ε) − u(y − ε ẏ, t − ε)) / 2ε
std::vector<double> accelerations(Formulation& f, const StartState& s, double& resolution) {
  std::vector<double> y(at(f.size())), ydot(y), moved(y);
  f.begin(s, y);
  if (!f.derivative(s.t, y, ydot)) return {};
  double rate = 1;
  for (int i = 0; i < f.size() - Ledger::size; ++i)
    rate = std::max(rate, std::fabs(ydot[at(i)]) / (1 + std::fabs(y[at(i)])));
  const double e = moment / rate;
  Snapshot now(f.mechanism());
  const auto velocities = [&](double step) {
    for (size_t i = 0; i < y.size(); ++i) moved[i] = y[i] + step * ydot[i];
    f.observe(s.t + step, moved, now);
    return now.u;
  };
  const std::vector<double> up = velocities(e), down = velocities(-e);
  std::vector<double> udot(up.size());
  for (size_t i = 0; i < up.size(); ++i) {
    udot[i] = (up[i] - down[i]) / (2 * e);
    resolution = std::max(resolution, noise * std::fabs(up[i]) / e);
  }
  return udot;
}

/// What M u̇ must be beyond the forces of each joint: the share of each velocity in a difference.
int largest_share(const Mechanism& m, const StartState& s, const std::vector<double>& difference) {
  Workspace<double> w(m);
  std::vector<double> M(at(m.nu) * at(m.nu));
  mass_matrix(w, move(w, s.t, s.q.data(), s.u.data(), s.state.data()), M.data());
  int most = 0;
  double largest = -1;
  for (int i = 0; i < m.nu; ++i) {
    double force = 0;
    for (int j = 0; j < m.nu; ++j) force += M[at(i) + at(j) * at(m.nu)] * difference[at(j)];
    const double share = std::fabs(force) / std::sqrt(divisor(M[at(i) + at(i) * at(m.nu)]));
    if (share > largest) largest = share, most = i;
  }
  return most;
}

/// Accelerations of all formulations at a state of a mechanism.
class Panel {
 public:
  /// `change` is done to what each formulation runs.
  Panel(const Mechanism& m, const std::vector<Contender>& contenders,
        void (*change)(Mechanism&) = nullptr)
      : m_(m) {
    for (const Contender& c : contenders) {
      if (!c.lacks.empty() || c.family == "discrete") continue;
      names.push_back(c.name);
      auto own = std::make_unique<Mechanism>(c.own ? *c.own : m);
      if (change) change(*own);
      formulations_.push_back(
          make_formulation(c.settings.formulation, *own, formulation_options(c.settings)));
      mechanisms_.push_back(std::move(own));
    }
  }

  /// The largest difference of two, relative; which two in `a` and `b`.
  double look(const StartState& s) {
    answers.clear();
    double worst = 0, resolution = 0;
    size = std::max(1e-9, least_share * largest);
    for (const auto& f : formulations_) answers.push_back(accelerations(*f, s, resolution));
    size = std::max(size, 100 * resolution / same);
    for (const auto& x : answers)
      for (const double v : x) size = std::max(size, std::fabs(v));
    for (size_t i = 0; i < answers.size(); ++i)
      for (size_t j = i + 1; j < answers.size(); ++j)
        if (const double d = apart(i, j) / size; !(d <= worst)) worst = d, a = i, b = j;
    return worst;
  }
  double apart(size_t i, size_t j) const {
    if (answers[i].size() != answers[j].size()) return HUGE_VAL;
    double most = 0;
    for (size_t k = 0; k < answers[i].size(); ++k)
      most = std::max(most, std::fabs(answers[i][k] - answers[j][k]));
    return most;
  }
  /// The one of `a` and `b` that is at fault, −1 where nobody can tell. Nobody is impartial: the
  /// energy matrix by rows takes weights and forces from the recursion of momenta, inverse dynamics
  /// its weights and terms with velocities from that of accelerations.
  int odd_one(const StartState& s, const std::string& part) const {
    const int by_others = odd_one_by_others(), by_forces = odd_one_by_forces(s);
    if (by_others < 0 || by_forces < 0) return std::max(by_others, by_forces);
    if (by_others == by_forces) return by_others;
    return part == of_gravity ? -1 : part == of_forces ? by_forces : by_others;
  }

  std::vector<std::string> names;
  std::vector<std::vector<double>> answers;
  size_t a = 0, b = 0;
  double size = 0;     // of the accelerations that were looked at last
  double largest = 0;  // along the motion: a start from rest is no measure

 private:
  /// The one that stands farther from all the others; −1 with two only.
  int odd_one_by_others() const {
    double from_a = HUGE_VAL, from_b = HUGE_VAL;
    for (size_t i = 0; i < answers.size(); ++i)
      if (i != a && i != b)
        from_a = std::min(from_a, apart(a, i)), from_b = std::min(from_b, apart(b, i));
    if (from_a == from_b) return -1;
    return static_cast<int>(from_a > from_b ? a : b);
  }
  /// The one that leaves forces over in inverse dynamics, of trees.
  int odd_one_by_forces(const StartState& s) const {
    if (m_.has_loops() || answers[a].empty() || answers[b].empty()) return -1;
    const double left_a = forces_left(s, answers[a]), left_b = forces_left(s, answers[b]);
    if (std::max(left_a, left_b) < 10 * std::min(left_a, left_b)) return -1;
    return static_cast<int>(left_a > left_b ? a : b);
  }

  double forces_left(const StartState& s, const std::vector<double>& udot) const {
    Workspace<double> w(m_);
    const Kinematics<double>& k = move(w, s.t, s.q.data(), s.u.data(), s.state.data());
    std::vector<double> tau(udot.size());
    inverse_dynamics(w, k, load(w, k), udot.data(), tau.data());
    double most = 0;
    for (int u = 0; u < m_.nu; ++u)
      if (!m_.prescribed[at(m_.body_of_velocity(u))]) most = std::max(most, std::fabs(tau[at(u)]));
    return most;
  }

  const Mechanism& m_;
  std::vector<std::unique_ptr<Mechanism>> mechanisms_;
  std::vector<std::unique_ptr<Formulation>> formulations_;
};

void without_gravity(Mechanism& m) { m.numbers.gravity = {}; }
/// No force but one of size one on every velocity: what answers is inertia alone.
void with_unit_forces(Mechanism& m) {
  without_gravity(m);
  m.numbers.forces = {};
  const auto one = static_cast<int>(m.formulas.size());
  m.formulas.push_back(Expression::constant(1));
  m.formula_sources.push_back({Expression::constant(1), {}});
  m.force_formulas.push_back(one);
  for (int u = 0; u < m.nu; ++u) m.numbers.forces.sources.push_back({u, one});
}

/// The part of the equations without which the difference is gone.
std::string responsible(const Mechanism& m, const std::vector<Contender>& contenders,
                        const StartState& s) {
  StartState resting = s;
  std::fill(resting.u.begin(), resting.u.end(), 0.0);
  if (Panel(m, contenders).look(resting) < same) return "terms with velocities";
  if (Panel(m, contenders, with_unit_forces).look(resting) >= same) return "inertia";
  return Panel(m, contenders, without_gravity).look(resting) < same ? of_gravity : of_forces;
}

}  // namespace

std::optional<InstantDeparture> find_departure(const Mechanism& m,
                                               const std::vector<Contender>& contenders,
                                               const Trajectory& rows,
                                               const std::vector<double>& jumps) {
  Panel panel(m, contenders);
  if (panel.names.size() < 2 || m.nu == 0) return std::nullopt;
  double largest = 0;
  const auto has_two_values = [&](int r) { return is_at_jump(jumps, rows.row(r)[0], 2 * moment); };
  for (int r = 0; r < rows.rows(); ++r) {
    if (has_two_values(r)) continue;
    panel.look(state_in_row(m, rows, r));
    largest = std::max(largest, panel.size);
  }
  panel.largest = largest;
  for (int r = 0; r < rows.rows(); ++r) {
    if (has_two_values(r)) continue;
    const StartState s = state_in_row(m, rows, r);
    const double relative = panel.look(s);
    if (relative < same) continue;
    InstantDeparture out;
    out.t = s.t;
    out.relative = relative;
    out.part = responsible(m, contenders, s);
    if (const int odd = panel.odd_one(s, out.part); odd >= 0)
      out.formulation = panel.names[at(odd)];
    out.first = panel.names[panel.a], out.second = panel.names[panel.b];
    std::vector<double> difference = panel.answers[panel.a];
    for (size_t i = 0; i < difference.size() && i < panel.answers[panel.b].size(); ++i)
      difference[i] -= panel.answers[panel.b][i];
    if (difference.size() == at(m.nu)) {
      const int u = largest_share(m, s, difference);
      if (const JointInfo* j = m.joint_of_body(m.body_of_velocity(u)))
        out.element = "joint/" + j->name;
    }
    return out;
  }
  return std::nullopt;
}

}  // namespace sarrus
