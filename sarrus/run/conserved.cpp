#include "sarrus/run/conserved.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sarrus/core/random.hpp"
#include "sarrus/numerics/dense/svd.hpp"

namespace sarrus {
namespace {

constexpr int states = 12;          // more than the six unknowns of a group
constexpr double zero_rate = 1e-8;  // of what rates could be: those of random states are O(1)
constexpr double tidy = 1e-6;       // components of axes and points below this are zero
constexpr size_t names_shown = 3;

// ── the mechanism with every force at random ────────────────────────────────────────────────────

Expression random_motion(Random& r) {
  Expression e = Expression::parse(fmt::format("{} + {}*t + {}*t^2", r.uniform(-1, 1),
                                               r.uniform(-1, 1), r.uniform(-1, 1)))
                     .expression;
  e.bind([](const std::string&) { return 0; },
         [](const std::string&) { return std::shared_ptr<const Table>(); });
  return e;
}

Mechanism with_random_forces(const Mechanism& m, Random& r) {
  Mechanism probe = m;
  for (const int f : m.force_formulas)
    probe.formulas[f] = Expression::constant(r.uniform(0.5, 1.5));
  for (const PrescribedMotion& motion : m.motions)
    probe.formulas[motion.formula] = random_motion(r);

  const double g = norm(m.numbers.gravity);
  if (g > 0) probe.numbers.gravity = m.numbers.gravity * (1 / g);
  ForceSet<double>::each(probe.numbers.forces, [&](auto& list) {
    for (auto& element : list) element.vary(r);
  });
  return probe;
}

StartState random_state(const Mechanism& m, Random& r) {
  StartState s;
  s.t = r.uniform(-1, 1);
  s.q.resize(m.nq);
  for (double& x : s.q) x = r.uniform(-1, 1);
  for (size_t b = 1; b < static_cast<size_t>(m.nb); ++b) {
    double* q = s.q.data() + m.q0[b];
    if (joint_nq(m.kind[b]) < 4) continue;
    const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; ++i) q[i] /= size;
  }
  s.u.resize(m.nu);
  for (double& x : s.u) x = r.uniform(-1, 1);
  s.state.resize(m.ns);
  for (double& x : s.state) x = r.uniform(-1, 1);
  return s;
}

// ── rates ───────────────────────────────────────────────────────────────────────────────────────

/// Momentum of one body about the world's origin.
Wrench<double> momentum_of(const Snapshot& now, int body) {
  const BodyMotion<double>& B = now.body[body];
  const BodyInertia<double>& I = now.mechanism->numbers.body[body].inertia;
  const Twist<double> V{transposed_times(B.R, B.V.w), transposed_times(B.R, B.V.v)};
  return shifted_in(rotated(B.R, I * V), B.o);
}

/// A rate, and the sizes of what it is made of.
struct Rate {
  Wrench<double> sum;
  double size_n, size_f;
};

/// I a + V ×* I V at the body's origin, carried to the world's.
Rate momentum_rate_of(const Snapshot& now, int body) {
  const BodyMotion<double>& B = now.body[body];
  const BodyInertia<double>& I = now.mechanism->numbers.body[body].inertia;
  const Twist<double>& A = now.acceleration[body];
  const Twist<double> V{transposed_times(B.R, B.V.w), transposed_times(B.R, B.V.v)};
  const Twist<double> a{transposed_times(B.R, A.w), transposed_times(B.R, A.v)};
  const Wrench<double> inertial = I * a, gyroscopic = cross_force(V, I * V);
  const double force = norm(inertial.f) + norm(gyroscopic.f);
  return {shifted_in(rotated(B.R, inertial + gyroscopic), B.o),
          norm(inertial.n) + norm(gyroscopic.n) + norm(B.o) * force, force};
}

/// What random states show of one group and of the joints.
struct Evidence {
  std::vector<std::vector<Wrench<double>>> group, group_rate;  // [group][state]
  std::vector<std::vector<double>> size_n, size_f;             // of the bodies' rates
  std::vector<std::vector<double>> p, p_rate;                  // [state][u]
};

/// Groups of bodies: those beyond one joint of the world, and groups that elements hold together.
std::vector<std::vector<int>> groups_of(const Mechanism& m) {
  std::vector<int> root(m.nb, 0);
  for (int b = 1; b < m.nb; ++b) {
    const auto s = static_cast<size_t>(b);
    root[s] = m.parent[s] == 0 ? b : root[m.parent[s]];
  }
  const auto join = [&](int a, int b) {
    const int from = root[a], to = root[b];
    if (from == 0 || to == 0) return;  // held by the world: the rates will tell
    for (int& r : root)
      if (r == from) r = to;
  };
  ForceSet<double>::each(m.numbers.forces, [&]<class E>(const std::vector<E>& list) {
    if constexpr (BetweenBodies<E>)
      for (const E& element : list) join(element.a, element.b);
  });
  std::map<int, std::vector<int>> groups;
  for (int b = 1; b < m.nb; ++b) groups[root[b]].push_back(b);
  std::vector<std::vector<int>> list;
  for (auto& [r, bodies] : groups) list.push_back(std::move(bodies));
  return list;
}

Evidence gather(const Mechanism& m, const std::vector<std::vector<int>>& groups) {
  Evidence e;
  e.group.resize(groups.size()), e.group_rate.resize(groups.size());
  e.size_n.resize(groups.size()), e.size_f.resize(groups.size());
  Random r(20240229);
  for (int k = 0; k < states; ++k) {
    const Mechanism probe = with_random_forces(m, r);
    const auto f = make_formulation("hamiltonian", probe);
    std::vector<double> y(f->size()), rate = y;
    const StartState at = random_state(m, r);
    f->begin(at, y);
    if (!f->derivative(at.t, y, rate)) return {};
    const auto from = y.begin() + m.nx, from_rate = rate.begin() + m.nx;
    e.p.emplace_back(from, from + m.nu);
    e.p_rate.emplace_back(from_rate, from_rate + m.nu);
    Snapshot now(probe);
    f->observe(at.t, y, now);
    for (size_t g = 0; g < groups.size(); ++g) {
      Wrench<double> sum{}, rate_sum{};
      double n = 0, force = 0;
      for (const int b : groups[g]) {
        const Rate own = momentum_rate_of(now, b);
        const Wrench<double> momentum = momentum_of(now, b);
        sum += momentum, rate_sum += own.sum;
        // at rates of one per second, where nothing accelerates
        n += own.size_n + norm(momentum.n), force += own.size_f + norm(momentum.f);
      }
      e.group[g].push_back(sum), e.group_rate[g].push_back(rate_sum);
      e.size_n[g].push_back(n), e.size_f[g].push_back(force);
    }
  }
  return e;
}

// ── what stays ──────────────────────────────────────────────────────────────────────────────────

using Row6 = Eigen::Matrix<double, 1, 6>;  // a, b

/// Reduced echelon form: rotations first, about single axes where possible.
void reduce(std::vector<Row6>& rows) {
  size_t next = 0;
  for (Eigen::Index c = 0; c < 6 && next < rows.size(); ++c) {
    const auto largest = std::max_element(
        rows.begin() + static_cast<std::ptrdiff_t>(next), rows.end(),
        [&](const Row6& a, const Row6& b) { return std::fabs(a[c]) < std::fabs(b[c]); });
    if (std::fabs((*largest)[c]) < tidy * largest->norm()) continue;
    std::swap(*largest, rows[next]);
    rows[next] /= Row6(rows[next])[c];
    for (size_t i = 0; i < rows.size(); ++i)
      if (i != next) rows[i] -= Row6(rows[next]) * rows[i][c];
    ++next;
  }
  for (Row6& row : rows) {
    const double angular = row.head<3>().norm();
    row /= angular > tidy ? angular : row.tail<3>().norm();
    for (double& x : row) {
      if (std::fabs(x) < tidy) x = 0;
      if (std::fabs(x - std::round(x)) < tidy) x = std::round(x);
    }
  }
}

/// All (a, b) with a · L̇ + b · Ṗ = 0 in every state.
std::vector<Row6> null_space(const std::vector<Wrench<double>>& rates, double size_n,
                             double size_f) {
  Eigen::MatrixXd A(static_cast<Eigen::Index>(rates.size()), 6);
  for (Eigen::Index k = 0; k < A.rows(); ++k) {
    const Wrench<double>& w = rates[k];
    for (int i = 0; i < 3; ++i) A(k, i) = w.n[i] / size_n, A(k, 3 + i) = w.f[i] / size_f;
  }
  const Svd svd = jacobi_svd(A, Eigen::ComputeFullV);
  std::vector<Row6> rows;
  for (Eigen::Index i = 0; i < 6; ++i) {
    if (svd.sigma[i] > zero_rate) continue;
    Row6 row = svd.V.col(i).transpose();
    row.head<3>() /= size_n, row.tail<3>() /= size_f;
    rows.push_back(row / row.norm());
  }
  reduce(rows);
  return rows;
}

std::string axis_text(const Vec3& v) {
  for (const auto& [axis, name] :
       {std::pair{Vec3{1, 0, 0}, "x"}, {Vec3{0, 1, 0}, "y"}, {Vec3{0, 0, 1}, "z"}})
    if (norm(v - axis) < tidy) return name;
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", v.x, v.y, v.z);
}

std::string group_text(const Mechanism& m, const std::vector<int>& bodies) {
  std::string text;
  size_t named = 0;
  for (const BodyInfo& b : m.bodies) {
    if (std::find(bodies.begin(), bodies.end(), b.body) == bodies.end()) continue;
    if (named == names_shown) return text + ", …";
    text += (named++ == 0 ? "'" : ", '") + b.name + "'";
  }
  return text;
}

ConservedMomentum described(const Row6& row) {
  ConservedMomentum found;
  found.angular = {row[0], row[1], row[2]};
  found.linear = {row[3], row[4], row[5]};
  if (norm(found.angular) < tidy) {
    found.unit = "kg.m/s";
    found.name = "linear momentum along " + axis_text(found.linear);
    return found;
  }
  // a · (L − c × P) + pitch a · P:  b = −a × c + pitch a
  found.unit = "kg.m2/s";
  found.name = "angular momentum about " + axis_text(found.angular);
  const Vec3 c = cross(found.angular, found.linear) + Vec3{0, 0, 0};  // no −0
  const double pitch = dot(found.angular, found.linear);
  if (norm(c) > tidy) found.name += fmt::format(" through ({:.4g}, {:.4g}, {:.4g})", c.x, c.y, c.z);
  if (std::fabs(pitch) > tidy) found.name += fmt::format(", {:.4g} m/rad along it", pitch);
  return found;
}

double value_of(const ConservedMomentum& c, const Wrench<double>& momentum) {
  return dot(c.angular, momentum.n) + dot(c.linear, momentum.f);
}

/// A sum that the joints do not let move, like the momentum across the plane of a pendulum.
bool is_always_zero(const ConservedMomentum& c, const std::vector<Wrench<double>>& momenta) {
  double largest = 0, size = 0;
  for (const Wrench<double>& m : momenta) {
    largest = std::max(largest, std::fabs(value_of(c, m)));
    size = std::max(size, norm(c.angular) * norm(m.n) + norm(c.linear) * norm(m.f));
  }
  return largest <= zero_rate * size;
}

/// Whether p_u is one of the sums already found, or made of them.
bool is_known(int u, const Evidence& e, const std::vector<ConservedMomentum>& found,
              const std::vector<size_t>& group_of) {
  if (found.empty()) return false;
  const Eigen::Index columns = static_cast<Eigen::Index>(found.size());
  Eigen::MatrixXd A(states, columns);
  Eigen::VectorXd b(states);
  for (Eigen::Index k = 0; k < states; ++k) {
    for (Eigen::Index c = 0; c < columns; ++c) {
      const auto i = static_cast<size_t>(c);
      A(k, c) = value_of(found[i], e.group[group_of[i]][k]);
    }
    b[k] = e.p[k][u];
  }
  const Eigen::VectorXd x = jacobi_svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV).solve(b);
  return (A * x - b).norm() < zero_rate * b.norm();
}

}  // namespace

std::vector<ConservedMomentum> find_conserved(const Mechanism& m) {
  const bool switches = std::any_of(m.joints.begin(), m.joints.end(),
                                    [](const JointInfo& j) { return j.active >= 0; });
  if (m.has_loops() || switches || !m.contact_pairs.empty() || m.nu == 0) return {};
  if (std::find(m.small.begin(), m.small.end(), 1) != m.small.end()) return {};
  const std::vector<std::vector<int>> groups = groups_of(m);
  Evidence e;
  try {
    e = gather(m, groups);
  } catch (const Error&) {
    return {};  // a mechanism that is singular somewhere: no claim is made
  }
  if (e.p.empty()) return {};

  std::vector<ConservedMomentum> found;
  std::vector<size_t> group_of;
  double rates = 0;
  for (size_t g = 0; g < groups.size(); ++g) {
    const double n = *std::max_element(e.size_n[g].begin(), e.size_n[g].end());
    const double f = *std::max_element(e.size_f[g].begin(), e.size_f[g].end());
    rates = std::max({rates, n, f});
    for (const Row6& row : null_space(e.group_rate[g], n > 0 ? n : 1, f > 0 ? f : 1)) {
      if (is_always_zero(described(row), e.group[g])) continue;
      found.push_back(described(row));
      found.back().bodies = groups[g];
      if (groups.size() > 1) found.back().name += " of " + group_text(m, groups[g]);
      group_of.push_back(g);
    }
  }
  const std::vector<ConservedMomentum> sums = found;
  for (int u = 0; u < m.nu; ++u) {
    const auto b = static_cast<size_t>(m.body_of_velocity(u));
    if (m.prescribed[b]) continue;
    double largest = 0;
    for (const std::vector<double>& rate : e.p_rate)
      largest = std::max(largest, std::fabs(rate[u]));
    if (largest > zero_rate * rates || is_known(u, e, sums, group_of)) continue;
    ConservedMomentum joint;
    joint.name = "momentum " + momentum_name(m, u);
    joint.unit = units_of(m.freedom(u)).momentum;
    joint.u = u;
    found.push_back(std::move(joint));
  }
  return found;
}

std::string momentum_name(const Mechanism& m, int u) {
  if (const ElasticInfo* e = m.elastic_of_velocity(u))
    return fmt::format("{}.pe{}", e->name, u - e->u0 + 1);
  const JointInfo& j = *m.joint_of_body(m.body_of_velocity(u));
  return j.nu == 1 ? j.name + ".p" : fmt::format("{}.p{}", j.name, u - j.u0 + 1);
}

ConservedAccount::ConservedAccount(const Motion& motion)
    : has_energy_(motion.is_conservative()), momenta_(find_conserved(motion.mechanism())) {
  if (has_energy_) drifts_.push_back({"H", "J"});
  for (const ConservedMomentum& c : momenta_) drifts_.push_back({c.name, c.unit});
}

void ConservedAccount::look(const Snapshot& now) {
  if (drifts_.empty()) return;
  size_t at = 0;
  const auto note = [&](double value, double size) {
    Drift& drift = drifts_[at++];
    if (!started_) drift.start = value;
    drift.largest = std::max(drift.largest, std::fabs(value - drift.start));
    drift.size = std::max(drift.size, size);
  };
  if (has_energy_) note(now.energy(), std::max(now.kinetic, std::fabs(now.energy())));
  for (const ConservedMomentum& c : momenta_) {
    if (c.u >= 0) {
      note(now.momentum[c.u], std::fabs(now.momentum[c.u]));
      continue;
    }
    double sum = 0, size = 0;
    for (const int b : c.bodies) {
      const double own = value_of(c, momentum_of(now, b));
      sum += own, size += std::fabs(own);
    }
    note(sum, size);
  }
  started_ = true;
}

void ConservedAccount::store(std::vector<double>& into) const {
  into.push_back(started_);
  for (const Drift& d : drifts_) into.insert(into.end(), {d.start, d.largest, d.size});
}

void ConservedAccount::restore(std::span<const double> from) {
  started_ = from[0] != 0;
  for (size_t i = 0; i < drifts_.size(); ++i) {
    drifts_[i].start = from[1 + 3 * i];
    drifts_[i].largest = from[2 + 3 * i];
    drifts_[i].size = from[3 + 3 * i];
  }
}

}  // namespace sarrus
