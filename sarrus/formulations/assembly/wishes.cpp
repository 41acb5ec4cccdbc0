#include "sarrus/formulations/assembly/wishes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sarrus/core/random.hpp"
#include "sarrus/formulations/assembly/asked_speeds.hpp"
#include "sarrus/formulations/assembly/measured_joint.hpp"
#include "sarrus/joints/chart.hpp"
#include "sarrus/model/freedoms.hpp"
#include "sarrus/numerics/dense/qr.hpp"
#include "sarrus/numerics/dense/svd.hpp"
#include "sarrus/numerics/dense/triangular.hpp"
#include "sarrus/numerics/tolerance.hpp"

namespace sarrus {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int most_velocities = 300;
constexpr double weights[] = {0.3, 0.01};  // w of (1)
constexpr int starts = 8;
constexpr double far = 2.5;  // [rad], or lengths of the mechanism: how far they lie
constexpr int descent_iterations = 60;
constexpr Tolerance much_of_given{1e-3, 1e-3};  // speeds that miss theirs by more: warned of
constexpr double difference = 1e-7;             // [rad] or [m] for derivatives
constexpr double missed = 1e-6;                 // [rad] or [m]: larger misses are reported
constexpr double rough = 0.2;                   // [rad] or [m]: a larger miss was no rough position
constexpr double full_turn = 6.283185307179586;

/// Twice the vector part of a⁻¹ b: the turn between them where it is small.
void add_turn(const double* a, const double* b, double weight, std::vector<double>& to) {
  const Quat d = Quat{a[0], -a[1], -a[2], -a[3]} * Quat{b[0], b[1], b[2], b[3]};
  const double s = d.w < 0 ? -2 * weight : 2 * weight;
  to.insert(to.end(), {s * d.x, s * d.y, s * d.z});
}

/// How far a closing joint is from its initial guess, angles the short way round.
void add_miss(const Places<double>& k, const Closure& c, const JointInfo& joint, double weight,
              std::vector<double>& to) {
  const std::vector<double> q = measure(k.body, joint).q;
  if (has_quaternion(facts_of(joint.kind).chart))
    return add_turn(c.q_wish.data(), q.data(), weight, to);
  for (size_t i = 0; i < q.size(); ++i) {
    const double miss = q[i] - c.q_wish[i];
    const bool turns = !is_chart_length(joint.kind, static_cast<int>(i));
    to.push_back(weight * (turns ? std::remainder(miss, full_turn) : miss));
  }
}

double norm_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  return std::sqrt(sum);
}

std::string listed(const std::vector<double>& x) {
  std::string text;
  for (const double v : x) text += fmt::format("{}{:.6g}", text.empty() ? "" : ", ", v);
  return x.size() == 1 ? text : "[" + text + "]";
}

}  // namespace

void displace(const Mechanism& m, const std::vector<double>& from, const std::vector<double>& dx,
              double factor, std::vector<double>& q) {
  double v[6], step[6];
  for (size_t b = 1; b < static_cast<size_t>(m.nb); ++b) {
    const int n = m.u0[b + 1] - m.u0[b];
    for (int k = 0; k < n; ++k) step[k] = factor * dx[m.u0[b] + k];
    chart_velocity(m.kind[b], m.numbers.body[b].joint, from.data() + m.q0[b], step, v);
    retract(m.kind[b], from.data() + m.q0[b], v, q.data() + m.q0[b]);
  }
}

Wishes::Wishes(const Mechanism& mechanism, double t, Coordinates given)
    : m_(mechanism), t_(t), given_(std::move(given)) {
  for (int u = 0; u < m_.nu; ++u)
    if (const int b = m_.body_of_velocity(u); !m_.prescribed[b] && m_.kind[b] != JointKind::elastic)
      free_.push_back(u);
  for (const Closure& c : m_.closures) {
    has_positions_ = has_positions_ || !c.q_wish.empty();
    has_speeds_ = has_speeds_ || !c.u_wish.empty();
  }
}

bool Wishes::are_sought() const { return m_.nu <= most_velocities; }

// ── positions ───────────────────────────────────────────────────────────────────────────────────

/// x − x_given, of the tree and of closing joints.
void Wishes::add_misses(const Places<double>& k, double weight, std::vector<double>& to) const {
  for (size_t j = 0; j < m_.joints.size(); ++j) {
    const JointInfo& joint = m_.joints[j];
    if (joint.cut || joint.prescribed || !m_.q_given[j]) continue;
    const double *q = k.q.data() + joint.q0, *wanted = given_.q.data() + joint.q0;
    int i = 0;
    if (has_quaternion(chart_of(joint.type))) add_turn(wanted, q, weight, to), i = 4;
    for (; i < joint.nq; ++i) to.push_back(weight * (q[i] - wanted[i]));
  }
  for (const Closure& c : m_.closures)
    if (!c.q_wish.empty()) add_miss(k, c, m_.joints[c.joint], weight, to);
}

double Wishes::distance(const Places<double>& k) const {
  std::vector<double> miss;
  add_misses(k, 1, miss);
  return norm_of(miss);
}

std::vector<double> Wishes::residuals(Workspace<double>& w, const std::vector<double>& q,
                                      double weight) const {
  const Kinematics<double>& k = move(w, t_, q.data(), given_.u.data(), m_.start_state.data());
  const LoopRows<double>& rows = place_loops(w, k);
  std::vector<double> r;
  for (size_t i = 0; i < m_.closure_rows.size(); ++i) {
    const RowKind kind = m_.closure_rows[i].kind;
    r.push_back(rows[static_cast<int>(i)].residual / (is_length(kind) ? rows.length() : 1));
  }
  add_misses(k, weight, r);
  return r;
}

Wishes::Minimum Wishes::descend(Workspace<double>& w, Minimum at, double weight) const {
  const auto n = static_cast<Eigen::Index>(free_.size());
  std::vector<double> r = residuals(w, at.q, weight), dx(static_cast<size_t>(m_.nu)), q = at.q;
  at.value = norm_of(r);
  double damping = 1e-3;
  for (int k = 0; k < descent_iterations; ++k) {
    const auto rows = static_cast<Eigen::Index>(r.size());
    RowMatrix J(rows, n);
    for (Eigen::Index j = 0; j < n; ++j) {
      const auto u = static_cast<size_t>(free_[j]);
      dx.assign(dx.size(), 0), dx[u] = 1;
      displace(m_, at.q, dx, difference, q);
      const std::vector<double> moved = residuals(w, q, weight);
      for (Eigen::Index i = 0; i < rows; ++i) J(i, j) = (moved[i] - r[i]) / difference;
    }
    const RowMatrix A = J.transpose() * J;
    const Eigen::VectorXd b = J.transpose() * Eigen::Map<const Eigen::VectorXd>(r.data(), rows);
    double gained = 0;
    for (; damping < 1e6 && gained <= 0; damping *= 10) {
      RowMatrix damped = A;
      damped.diagonal().array() += damping;
      const Eigen::VectorXd step = solve_ldlt(damped, -b);
      dx.assign(dx.size(), 0);
      for (Eigen::Index j = 0; j < n; ++j) dx[free_[j]] = step[j];
      displace(m_, at.q, dx, 1, q);
      const std::vector<double> next = residuals(w, q, weight);
      gained = at.value - norm_of(next);
      if (gained > 0) at = {q, norm_of(next)}, r = next;
    }
    damping = std::max(1e-9, damping / 100);
    if (gained <= 1e-9 * at.value) break;
  }
  return at;
}

std::vector<std::vector<double>> Wishes::candidates(Workspace<double>& w) const {
  Random random(11);
  std::vector<char> is_given(m_.nu, 0);
  for (size_t j = 0; j < m_.joints.size(); ++j)
    for (int u = m_.joints[j].u0; m_.q_given[j] && u < m_.joints[j].u0 + m_.joints[j].nu; ++u)
      is_given[u] = 1;

  std::vector<Minimum> found;
  std::vector<double> dx(m_.nu, 0), q = given_.q;
  const double length = LoopRows<double>(m_).length();
  for (int k = 0; k < starts; ++k) {
    for (const int u : free_) {
      const int body = m_.body_of_velocity(u);
      const bool is_slide = slides(m_.kind[body], u - m_.u0[body]);
      const double size = is_given[u] || k == 0 ? 0 : far;
      dx[u] = random.uniform(-size, size) * (is_slide ? length : 1);
    }
    displace(m_, given_.q, dx, 1, q);
    Minimum at{q, 0};
    for (const double weight : weights) at = descend(w, std::move(at), weight);
    found.push_back(std::move(at));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Minimum& a, const Minimum& b) { return a.value < b.value; });
  std::vector<std::vector<double>> list;
  for (Minimum& m : found) list.push_back(std::move(m.q));
  return list;
}

// ── speeds ──────────────────────────────────────────────────────────────────────────────────────

/// ẋ of the joints whose speed is given.
std::vector<double> Wishes::speeds(const Places<double>& k) const {
  std::vector<double> list;
  for (size_t j = 0; j < m_.joints.size(); ++j) {
    const JointInfo& joint = m_.joints[j];
    if (joint.cut || joint.prescribed || !m_.u_given[j]) continue;
    list.insert(list.end(), k.u.begin() + joint.u0, k.u.begin() + joint.u0 + joint.nu);
  }
  for (const Closure& c : m_.closures) {
    if (c.u_wish.empty()) continue;
    const std::vector<double> u = measure(k.body, m_.joints[c.joint]).u;
    list.insert(list.end(), u.begin(), u.end());
  }
  return list;
}

void Wishes::bring_near(Workspace<double>& w, const std::vector<double>& q,
                        std::vector<double>& u) const {
  const auto rows = static_cast<Eigen::Index>(m_.closure_rows.size());
  const auto n = static_cast<Eigen::Index>(free_.size());
  const auto at = [&](const std::vector<double>& speed) {
    const std::vector<double> x =
        speeds(move(w, t_, q.data(), speed.data(), m_.start_state.data()));
    return Eigen::VectorXd(
        Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size())));
  };
  std::vector<double> wanted;
  for (size_t j = 0; j < m_.joints.size(); ++j) {
    const JointInfo& joint = m_.joints[j];
    if (joint.cut || joint.prescribed || !m_.u_given[j]) continue;
    wanted.insert(wanted.end(), given_.u.begin() + joint.u0,
                  given_.u.begin() + joint.u0 + joint.nu);
  }
  for (const Closure& c : m_.closures)
    wanted.insert(wanted.end(), c.u_wish.begin(), c.u_wish.end());

  // ẋ is linear in u; a column of its matrix is the response to one velocity
  const Eigen::VectorXd now = at(u);
  RowMatrix G_all(rows, m_.nu), G(rows, n), X(now.size(), n);
  const Kinematics<double>& here = move(w, t_, q.data(), u.data(), m_.start_state.data());
  loop_jacobian(here, place_loops(w, here), G_all.data());
  for (Eigen::Index j = 0; j < n; ++j) {
    const int k = free_[j];
    std::vector<double> more = u;
    more[k] += 1;
    X.col(j) = at(more) - now;
    G.col(j) = G_all.col(k);
  }
  const Svd svd = jacobi_svd(G, Eigen::ComputeFullV);
  Eigen::Index rank = 0;
  while (rank < svd.sigma.size() && svd.sigma[rank] > 1e-9 * svd.sigma[0]) ++rank;
  const Eigen::MatrixXd T = svd.V.rightCols(n - rank);
  const Eigen::VectorXd miss = Eigen::Map<const Eigen::VectorXd>(wanted.data(), now.size()) - now;
  // a motion that hardly shows in ẋ is not made fast
  const LeastSquares least(X * T, 1 / most_amplified);
  const Eigen::VectorXd change = T * least.solve(miss);  // (2)
  for (Eigen::Index j = 0; j < n; ++j) u[free_[j]] += change[j];
}

// ── words ───────────────────────────────────────────────────────────────────────────────────────

/// Joints between the bodies of a closure whose start the file gives: "'a', 'b'".
std::string Wishes::given_in_loop(const Closure& c, const std::vector<char>& given) const {
  std::vector<char> on_way(m_.nb, 0);
  for (const int end : {c.a, c.b})
    for (int b = end; b > 0; b = m_.parent[b]) on_way[b] ^= 1;
  std::string names;
  for (size_t j = 0; j < m_.joints.size(); ++j) {
    const JointInfo& joint = m_.joints[j];
    if (joint.cut || !(given[j] || joint.prescribed) || !on_way[joint.body]) continue;
    names += (names.empty() ? "'" : ", '") + joint.name + "'";
  }
  return names;
}

std::vector<Diagnostic> Wishes::missed_positions(const Places<double>& k) const {
  std::vector<Diagnostic> notes;
  for (const Closure& c : m_.closures) {
    if (c.q_wish.empty()) continue;
    const JointInfo& joint = m_.joints[c.joint];
    std::vector<double> miss;
    add_miss(k, c, joint, 1, miss);
    const double size = norm_of(miss);
    if (size <= missed) continue;
    const std::string others = given_in_loop(c, m_.q_given);
    std::string words = fmt::format(
        "it closes a loop: the initial guess was q = {}, the nearest position found is {}, {:.3g} "
        "away",
        listed(c.q_wish), listed(measure(k.body, joint).q), size);
    if (!are_sought())
      words +=
          fmt::format("; beyond {} velocities no other assembly is searched for", most_velocities);
    else if (size > rough && !others.empty())
      words += "; it contradicts the positions given for " + others;
    notes.push_back({.severity = size > rough ? Severity::warning : Severity::note,
                     .code = "wish-missed",
                     .where = c.where,
                     .element = c.element,
                     .message = words,
                     .hint = size > rough
                                 ? "leave out one of these positions, or give those of one assembly"
                                 : "",
                     .value = fmt::format("{:.3g}", size)});
  }
  return notes;
}

std::vector<Diagnostic> Wishes::missed_speeds(const Places<double>& k) const {
  std::vector<Diagnostic> notes;
  for (const Closure& c : m_.closures) {
    if (c.u_wish.empty()) continue;
    std::vector<double> miss = measure(k.body, m_.joints[c.joint]).u;
    const std::string found = listed(miss);
    for (size_t i = 0; i < miss.size(); ++i) miss[i] -= c.u_wish[i];
    const double size = norm_of(miss);
    if (size <= missed) continue;
    const bool much = size > much_of_given.of(norm_of(c.u_wish));
    const std::string others = given_in_loop(c, m_.u_given);
    std::string words = fmt::format(
        "it closes a loop: the speed given is u = {}, the loops and the other speeds give {}",
        listed(c.u_wish), found);
    if (much && !others.empty()) words += "; it contradicts the speeds given for " + others;
    notes.push_back({.severity = much ? Severity::warning : Severity::note,
                     .code = "wish-missed",
                     .where = c.where,
                     .element = c.element,
                     .message = words,
                     .hint = much ? "leave out one of these speeds" : "",
                     .value = fmt::format("{:.3g}", size)});
  }
  return notes;
}

}  // namespace sarrus
