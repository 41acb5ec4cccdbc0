#include "sarrus/run/watch/conditioning.hpp"

#include <cmath>

namespace sarrus {
namespace {

constexpr int iterations = 30;  // the estimate is used to one digit

/// Inertia of all that each body carries, about the world's origin in world axes.
std::vector<BodyInertia<double>> composites(const Places<double>& k) {
  const Mechanism& m = *k.mechanism;
  std::vector<BodyInertia<double>> sum(m.nb);
  for (int i = m.nb - 1; i > 0; --i) {
    const auto b = static_cast<size_t>(i);
    const BodyMotion<double>& B = k.body[i];
    const BodyInertia<double>& own = m.numbers.body[b].inertia;
    BodyInertia<double>& c = sum[b];
    const Vec3 mc = B.R * own.mc, o = B.o;
    // Steiner: I − [o]ₓ[mc]ₓ − [mc]ₓ[o]ₓ − m [o]ₓ²
    const double across = 2 * dot(o, mc) + own.m * dot(o, o);
    const auto mixed = [&](int r, int s) {
      return o[r] * mc[s] + o[s] * mc[r] + own.m * o[r] * o[s];
    };
    c.m += own.m;
    c.mc += mc + o * own.m;
    c.I += rotated(B.R, own.I);
    c.I += Sym3{across - mixed(0, 0), across - mixed(1, 1), across - mixed(2, 2),
                -mixed(0, 1),         -mixed(0, 2),         -mixed(1, 2)};
    BodyInertia<double>& parent = sum[m.parent[b]];
    parent.m += c.m, parent.mc += c.mc, parent.I += c.I;
  }
  return sum;
}

/// diag M; 0 for prescribed velocities.
std::vector<double> mass_diagonal(Workspace<double>& w, const Places<double>& k) {
  const Mechanism& m = *k.mechanism;
  std::vector<double> D(m.nu, 0.0);
  const auto is_free = [&](int u) { return !m.prescribed[m.body_of_velocity(u)]; };
  if (!m.elastic.empty()) {  // few coordinates: the whole matrix is at hand
    std::vector<double> M(static_cast<size_t>(m.nu) * m.nu);
    mass_matrix(w, k, M.data());
    for (int u = 0; u < m.nu; ++u)
      if (is_free(u)) D[u] = M[static_cast<size_t>(u) * m.nu + u];
    return D;
  }
  const std::vector<BodyInertia<double>> carried = composites(k);
  for (int i = 1; i < m.nb; ++i)
    for (int u = m.u0[i]; u < m.u0[i + 1] && !m.prescribed[i]; ++u) {
      const Twist<double> at_origin = shifted_out(k.S[u], -k.body[i].o);
      D[u] = dot(at_origin, carried[i] * at_origin) + m.numbers.armature[u];
    }
  return D;
}

}  // namespace

MassCondition mass_condition(const Snapshot& now) {
  Workspace<double> w(*now.mechanism);
  const Kinematics<double>& kinematics =
      move(w, now.t, now.q.data(), now.u.data(), now.state.data());
  const Factors<double>& factors = factor(w, kinematics);
  const std::vector<double> D = mass_diagonal(w, kinematics);
  const size_t n = D.size();
  std::vector<double> x(n), b(n), y(n, 0.0);
  int free = 0;
  for (size_t i = 0; i < n; ++i) {
    // no symmetry of the mechanism hides the weakest direction from this start
    x[i] = D[i] > 0 ? std::sin(1 + 0.7 * static_cast<double>(i)) : 0;
    if (D[i] > 0) ++free;
  }
  MassCondition found;
  if (free == 0) return found;
  double growth = 1;
  for (int k = 0; k < iterations; ++k) {
    double size = 0;
    for (size_t i = 0; i < n; ++i) size += x[i] * x[i];
    size = std::sqrt(size);
    for (size_t i = 0; i < n; ++i) b[i] = x[i] / size * std::sqrt(D[i]);
    solve(w, factors, b.data(), y.data());
    growth = 0;
    for (size_t i = 0; i < n; ++i) {
      x[i] = D[i] > 0 ? y[i] * std::sqrt(D[i]) : 0;
      growth += x[i] * x[i];
    }
    growth = std::sqrt(growth);
    if (!std::isfinite(growth)) break;
  }
  found.number = free * growth;
  double most = -1;
  for (size_t i = 0; i < n; ++i)
    if (std::fabs(x[i]) > most) most = std::fabs(x[i]), found.u = static_cast<int>(i);
  return found;
}

}  // namespace sarrus
